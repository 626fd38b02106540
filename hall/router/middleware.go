package router

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/web"
)

// info is what a request leaves for the log.
type info struct {
	id     string
	came   time.Time
	route  string
	caller int64
	// show is an error in the reader's language.
	show func(error) problem.Shown
}

type infoKey struct{}

func infoOf(ctx context.Context) *info {
	i, _ := ctx.Value(infoKey{}).(*info)
	return i
}

// RequestID is the number of a request, as the log has it.
func RequestID(ctx context.Context) string {
	if i := infoOf(ctx); i != nil {
		return i.id
	}
	return ""
}

// chain puts everything that all requests pass around the mux, the outermost last.
func (rt *Router) chain() (http.Handler, error) {
	cross := http.NewCrossOriginProtection()
	for _, o := range rt.cfg.Origins {
		if err := cross.AddTrustedOrigin(o); err != nil {
			return nil, fmt.Errorf("origin %q: want one such as https://board.example: %w", o, err)
		}
	}
	cross.SetDenyHandler(http.HandlerFunc(rt.elsewhere))
	rt.mux.Handle("/api/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rt.SendProblem(w, r, http.StatusNotFound, "no-route", "there is no such route, or not with this method: see /api/v1/docs")
	}))
	next := rt.sessions(rt.identify(rt.mux))
	next = rt.taking(cross.Handler(rt.sockets(cross, next)))
	next = rt.limitAddress(next)
	return rt.observe(rt.files(rt.headers(next))), nil
}

// sockets holds websockets, which begin as a reading, to what holds for requests that change something.
func (rt *Router) sockets(cross *http.CrossOriginProtection, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			changing := *r
			changing.Method = http.MethodPost
			if cross.Check(&changing) != nil {
				rt.elsewhere(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// elsewhere refuses what a page of another site sends. It says once that a proxy may have given the hall
// another name than the one that the page has.
func (rt *Router) elsewhere(w http.ResponseWriter, r *http.Request) {
	if passedOn(r) && rt.renamed.CompareAndSwap(false, true) {
		rt.cfg.Log.WarnContext(r.Context(),
			"a page was refused as one of another site: if it is the hall's own, have the proxy pass on the header Host as it comes",
			"origin", clip(r.Header.Get("Origin"), 200), "host", clip(r.Host, 200))
	}
	rt.SendProblem(w, r, http.StatusForbidden, "cross-origin", "a page of another site may not do this")
}

// passedOn reports whether a proxy says that it passes a request on.
func passedOn(r *http.Request) bool {
	return r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" || r.Header.Get("X-Real-Ip") != ""
}

// files answers requests for scripts and styles, which are the same for everybody: nobody is
// identified for them, and they do not count for the rate of an address, since they are fetched
// once, a dozen at a time, and a page without one of them is broken. What a page may do is said
// by the page: of that, its files say nothing, which is a fifth of a small one.
func (rt *Router) files(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !strings.HasPrefix(r.URL.Path, web.Prefix) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		rt.mux.ServeHTTP(w, r)
	})
}

// Came is when a request that goes on came to the hall.
func Came(ctx context.Context) time.Time {
	if i := infoOf(ctx); i != nil {
		return i.came
	}
	return time.Time{}
}

// observe gives the request its number and its client's address, catches panics,
// counts and logs.
func (rt *Router) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := rt.cfg.Now()
		in := &info{id: store.NewID(rt.cfg.Random, 8), came: begun}
		client := clientAddress(r, rt.cfg.Proxies)
		rt.unlisted(r)
		ctx := context.WithValue(r.Context(), infoKey{}, in)
		ctx = auth.WithAddress(ctx, limitKey(client))
		r = r.WithContext(ctx)
		if rt.sayer != nil {
			in.show = func(err error) problem.Shown { return rt.sayer(r, err) }
		}
		w.Header().Set("X-Request-Id", in.id)
		// Whoever is refused before a route sets other deadlines has these: a body that
		// does not come, or an answer that is not taken, keeps no connection.
		rc := http.NewResponseController(w)
		_ = rc.SetReadDeadline(begun.Add(UsualTime)) // recorders of tests have none
		_ = rc.SetWriteDeadline(begun.Add(UsualTime + answerTime))
		sw := &statusWriter{ResponseWriter: w}
		rt.metrics.active.Inc()
		defer func() {
			rt.metrics.active.Dec()
			gone := false
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					gone = true
				} else {
					rt.metrics.panics.Inc()
					rt.cfg.Log.ErrorContext(ctx, "panic", "request", in.id, "route", in.route, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
					if sw.status == 0 {
						rt.SendProblem(sw, r, http.StatusInternalServerError, "fault", "the hall could not do that; the fault is in its log")
					} else {
						gone = true
					}
				}
			}
			rt.logged(r, in, sw, rt.cfg.Now().Sub(begun))
			if gone {
				panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
			}
		}()
		next.ServeHTTP(sw, r)
	})
}

// unlisted says once that requests come through a proxy that is not believed: all people
// behind it share one address, with its limits and its locks.
func (rt *Router) unlisted(r *http.Request) {
	if !passedOn(r) {
		return
	}
	peer := parseAddress(r.RemoteAddr)
	if trusted(peer, rt.cfg.Proxies) || !rt.proxied.CompareAndSwap(false, true) {
		return
	}
	rt.cfg.Log.WarnContext(r.Context(),
		"a request came through a proxy that is not listed, so that all people behind it share one address and its limits: "+
			"if it is yours, start with --proxies, and with --secure if browsers reach it over TLS", "proxy", peer.String())
}

// logged counts and logs a request: never its query, its headers, its body.
func (rt *Router) logged(r *http.Request, in *info, sw *statusWriter, took time.Duration) {
	status := cmp.Or(sw.status, http.StatusOK)
	route := cmp.Or(in.route, "none")
	rt.metrics.seen(route, status, took)
	level := slog.LevelInfo
	if status == http.StatusServiceUnavailable {
		if away, _ := rt.cfg.Health.Away(); away != nil {
			rt.cfg.Health.Refused()
			level = slog.LevelDebug
		}
	}
	if strings.HasSuffix(route, "/healthz") || strings.HasSuffix(route, "/readyz") || strings.HasSuffix(route, "/metrics") {
		level = slog.LevelDebug
	}
	rt.cfg.Log.Log(r.Context(), level, "request",
		"request", in.id, "method", clip(r.Method, 16), "path", clip(rt.shownPath(r.URL.EscapedPath()), 200), "route", route,
		"status", status, "bytes", sw.bytes, "seconds", took.Seconds(), "from", auth.Address(r.Context()), "account", in.caller)
}

// shownPath is a path without what the log must not have, whether a route takes it or not.
func (rt *Router) shownPath(path string) string {
	for _, begin := range rt.secret {
		if strings.HasPrefix(path, begin) {
			return begin + "…"
		}
	}
	return path
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}

// statusWriter remembers what was answered.
type statusWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 || status == http.StatusSwitchingProtocols {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what is written; streams need it.
func (w *statusWriter) Flush() {
	w.status = cmp.Or(w.status, http.StatusOK)
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// headers sets what every answer but files of pages says to browsers.
func (rt *Router) headers(next http.Handler) http.Handler {
	const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src " +
		"'none'; base-uri 'none'; form-action 'self'; frame-ancestors "
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		frames, resources := "'none'", "same-origin"
		if strings.HasPrefix(r.URL.Path, "/embed/") {
			// Boards are shown within pages of others. They act on nothing.
			frames, resources = "*", "cross-origin"
		}
		head.Set("Content-Security-Policy", policy+frames)
		head.Set("Cross-Origin-Resource-Policy", resources)
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if rt.cfg.Secure {
			head.Set("Strict-Transport-Security", "max-age=15552000")
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			// What an answer says depends on who asks.
			head.Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, r)
	})
}

// limitAddress refuses addresses that ask too often.
func (rt *Router) limitAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait, ok := rt.address.Allow(auth.Address(r.Context()), rt.cfg.Now()); !ok {
			rt.TooMany(w, r, wait)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// taking lets the time of what somebody decided in a game end when it has arrived as a whole,
// before anything is asked of the database, also where that is refused by 503 and the same is
// sent again. A body that comes slowly is its sender's time.
func (rt *Router) taking(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := rt.mux.Handler(r); r.Method != http.MethodPost || !rt.decides[pattern] {
			next.ServeHTTP(w, r)
			return
		}
		// Recorders of tests cannot set deadlines; real connections can.
		_ = http.NewResponseController(w).SetReadDeadline(rt.cfg.Now().Add(UsualTime))
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, UsualBody))
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			rt.tooLarge(w, r, large.Limit)
			return
		case err != nil:
			rt.SendProblem(w, r, http.StatusBadRequest, "body", "the body ended too early")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(data))
		same := sha256.New()
		for _, part := range []string{r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Cookie"), string(data)} {
			fmt.Fprintf(same, "%d %s", len(part), part)
		}
		ctx, done := rt.cfg.Health.Take(r.Context(), string(same.Sum(nil)))
		sw := &statusWriter{ResponseWriter: w}
		defer func() { done(sw.status == http.StatusServiceUnavailable) }()
		next.ServeHTTP(sw, r.WithContext(ctx))
	})
}

// sessions finds the session of a request, unless it brings a token.
func (rt *Router) sessions(next http.Handler) http.Handler {
	with := rt.cfg.Auth.Sessions(next, rt.SendError)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			next.ServeHTTP(w, r)
			return
		}
		with.ServeHTTP(w, r)
	})
}

// identify puts the caller into the context.
func (rt *Router) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := r.Header.Get("Authorization")
		if rt.metricsToken(r, head) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), metricsKey{}, true)))
			return
		}
		c, known, err := rt.cfg.Auth.Identify(r.Context(), head)
		if err != nil {
			rt.SendError(w, r, err)
			return
		}
		if known {
			infoOf(r.Context()).caller = c.ID
			r = rt.callers.keep(r.WithContext(auth.WithCaller(r.Context(), c)), c)
		}
		next.ServeHTTP(w, r)
	})
}
