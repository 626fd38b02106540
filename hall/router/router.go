// Package router answers the requests of a hall by its routes. A Route says who may use it,
// how large a body may be, how long an answer may take, and whether it creates something; one
// guard enforces that before the handler runs. Around all routes lie sessions, limits,
// idempotency keys, metrics and the log.
package router

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"kibitz/hall/auth"
	"kibitz/hall/health"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// Route is a method and a path with all that is enforced before its handler runs.
type Route struct {
	// Method is empty for a handler that takes all and tells them apart itself.
	Method, Path string
	// ID, Tag, Summary and About are for the pages that describe the API.
	ID, Tag, Summary, About string
	// Need is what the caller must be allowed; auth.Look and auth.Enter need no
	// account.
	Need auth.Permission
	// Body is how large a request's body may be in bytes, 0 for 64 KiB.
	Body int64
	// Time is how long an answer may take, 0 for 30 seconds; below 0 for a stream,
	// whose handler sets its own deadlines (Extend).
	Time time.Duration
	// Creates tells that an Idempotency-Key is heeded.
	Creates bool
	// Status is that of success, 0 for 200, or 204 where nothing is sent.
	Status int
	// Decides tells that a request is what somebody decided in a game: from when its body has
	// arrived until it is passed on is the hall's time.
	Decides bool
	// Secret tells that the first parameter of the path is no business of the log, nor of
	// what a page leads to.
	Secret bool
}

const (
	// UsualBody is how large a body may be in bytes of a route that says nothing else.
	UsualBody = 64 << 10
	// UsualTime is how long an answer may take of a route that says nothing else.
	UsualTime = 30 * time.Second
	// answerTime is how long an answer may take to its client, beyond the time in which
	// it is made.
	answerTime = 10 * time.Second
)

// Pattern is the route as an http.ServeMux knows it.
func (r Route) Pattern() string {
	if r.Method == "" {
		return r.Path
	}
	return r.Method + " " + r.Path
}

// Config is what a Router is made of. All are needed but Health, which is nil for
// nothing that could be away; the rates are those of an operator's options, 0 for the usual
// ones and below 0 for any number.
type Config struct {
	Auth   *auth.Service
	Store  store.Store
	Health *health.Monitor
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
	// Secure tells that browsers reach the hall over TLS.
	Secure  bool
	Proxies []netip.Prefix
	Origins []string
	// AddressRate and AccountRate are requests per second, EnterRate per minute.
	AddressRate, AccountRate, EnterRate float64
	MetricsToken                        string
	// KnownEvery is how often streams ask whether their caller is still known, 0 for a minute.
	KnownEvery time.Duration
}

// Router answers requests by routes: it finds out who asks, enforces what a route says
// before its handler runs, and gives errors one form.
type Router struct {
	cfg      Config
	mux      *http.ServeMux
	routes   []Route
	handler  http.Handler
	metrics  *counts
	address  *auth.Limiter
	account  *auth.Limiter
	enter    *auth.Limiter
	keys     keys
	callers  callers
	errorFor ErrorPage
	sayer    Sayer
	// decides are the patterns of routes that decide.
	decides map[string]bool
	// secret are the beginnings of paths of which the log has no more.
	secret []string
	// proxied tells that an unlisted proxy was told of, renamed that pages are refused behind one.
	proxied, renamed atomic.Bool
}

// ErrorPage answers with a page instead of a problem, if it is a person in front of a
// browser who asks.
type ErrorPage func(w http.ResponseWriter, r *http.Request, err error) bool

// Sayer says what is wrong in the language of whoever asks, and in which field, for the scripts of
// pages; nothing to programs.
type Sayer func(r *http.Request, err error) problem.Shown

// New returns a router without routes.
func New(cfg Config) (*Router, error) {
	rt := &Router{
		cfg: cfg, mux: http.NewServeMux(), metrics: newCounts(), decides: map[string]bool{},
		address: NewLimiter(cfg.AddressRate, 20, 6),
		account: NewLimiter(cfg.AccountRate, 30, 6),
		enter:   NewLimiter(cfg.EnterRate/60, 20.0/60, 30),
		callers: callers{auth: cfg.Auth, every: cmp.Or(cfg.KnownEvery, knownEvery)},
	}
	rt.keys = keys{rt: rt, store: cfg.Store, log: cfg.Log, now: func() time.Time { return store.Kept(cfg.Now()) }}
	var err error
	rt.handler, err = rt.chain()
	return rt, err
}

// NewLimiter makes a limiter of which 0 means usual and less than 0 none; burst is in
// seconds of the rate.
func NewLimiter(perSecond, usual, burst float64) *auth.Limiter {
	perSecond = cmp.Or(perSecond, usual)
	return auth.NewLimiter(perSecond, int(max(perSecond, 0)*burst), 1<<16)
}

// Routes returns all routes in the order of registration.
func (rt *Router) Routes() []Route { return append([]Route(nil), rt.routes...) }

// Handler answers requests.
func (rt *Router) Handler() http.Handler { return rt.handler }

// Server returns an HTTP server for Handler whose limits hold back slow and large
// clients. The caller sets its address and its TLS, and ends it.
func (rt *Router) Server() *http.Server {
	return &http.Server{
		Handler:           rt.handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ErrorLog:          slog.NewLogLogger(rt.cfg.Log.Handler(), slog.LevelDebug),
	}
}

// ShowErrors has errors that people meet in front of a browser shown by pages, and said to their scripts.
func (rt *Router) ShowErrors(page ErrorPage, say Sayer) { rt.errorFor, rt.sayer = page, say }

// Metrics is where other parts of the hall show metrics of theirs.
func (rt *Router) Metrics() *metrics.Set { return rt.metrics.set }

// Enter takes one from the allowance of the caller's address to log in, register and become
// a guest; if there is none it returns how long to wait for one.
func (rt *Router) Enter(ctx context.Context) (time.Duration, bool) {
	return rt.enter.Allow(auth.Address(ctx), rt.cfg.Now())
}

// ComeIn returns the context of a caller who may play: whoever has no account becomes a
// guest, if the hall takes guests and his address has an allowance left.
func (rt *Router) ComeIn(ctx context.Context) (context.Context, error) {
	if c, known := auth.FromContext(ctx); known {
		if !c.Can(auth.Play) {
			return ctx, auth.ErrForbidden
		}
		return ctx, nil
	}
	if wait, ok := rt.Enter(ctx); !ok {
		return ctx, &auth.Wait{For: wait, Often: true}
	}
	if rt.cfg.Auth.NoGuests {
		return ctx, auth.ErrNoGuests
	}
	c, err := rt.cfg.Auth.BecomeGuest(ctx)
	if err != nil {
		return ctx, err
	}
	return auth.WithCaller(ctx, c), nil
}

// Handle registers a handler: no request reaches it that its route does not allow.
func (rt *Router) Handle(r Route, handler http.Handler) {
	if begin, _, ok := strings.Cut(r.Path, "{"); ok && r.Secret && !slices.Contains(rt.secret, begin) {
		rt.secret = append(rt.secret, begin)
	}
	rt.routes = append(rt.routes, r)
	if r.Decides {
		rt.decides[r.Pattern()] = true
	}
	rt.mux.Handle(r.Pattern(), rt.guard(r, handler))
}

func (rt *Router) guard(route Route, next http.Handler) http.Handler {
	route.Body = cmp.Or(route.Body, UsualBody)
	route.Time = cmp.Or(route.Time, UsualTime)
	if route.Creates {
		next = rt.keys.heed(next)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if info := infoOf(r.Context()); info != nil {
			info.route = route.Pattern()
		}
		c, known := auth.FromContext(r.Context())
		if route.Secret {
			w.Header().Set("Referrer-Policy", "no-referrer")
		}
		if !rt.allow(w, r, route, c, known) {
			return
		}
		if r.ContentLength > route.Body {
			rt.tooLarge(w, r, route.Body)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, route.Body)
		rc := http.NewResponseController(w)
		if route.Time < 0 {
			if r.ContentLength != 0 && !rt.readWhole(w, r, route) { // it would be waited for before the first event
				return
			}
			// Recorders of tests cannot set deadlines; real connections can.
			_ = rc.SetReadDeadline(time.Time{})
			_ = rc.SetWriteDeadline(time.Time{})
			ctx, stop := rt.callers.while(r)
			defer stop()
			next.ServeHTTP(w, r.WithContext(ctx))
			return
		}
		now := rt.cfg.Now()
		_ = rc.SetReadDeadline(now.Add(route.Time))
		_ = rc.SetWriteDeadline(now.Add(route.Time + answerTime))
		ctx, cancel := context.WithTimeout(r.Context(), route.Time)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// readWhole reads the body of a request for a stream, where one may have a body: the
// connection then tells when the client has gone.
func (rt *Router) readWhole(w http.ResponseWriter, r *http.Request, route Route) bool {
	if route.Method != http.MethodPost {
		rt.SendProblem(w, r, http.StatusBadRequest, "body", "a stream is asked for without a body")
		return false
	}
	data, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		rt.tooLarge(w, r, large.Limit)
		return false
	case err != nil:
		rt.SendProblem(w, r, http.StatusBadRequest, "body", "the body ended too early")
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return true
}

func (rt *Router) tooLarge(w http.ResponseWriter, r *http.Request, limit int64) {
	w.Header().Set(problem.Most, strconv.FormatInt(limit, 10))
	rt.SendProblem(w, r, http.StatusRequestEntityTooLarge, "too-large",
		"the body has more than the "+strconv.FormatInt(limit, 10)+" bytes that this route takes")
}

// allow refuses whoever may not use a route, or uses it too often.
func (rt *Router) allow(w http.ResponseWriter, r *http.Request, route Route, c auth.Caller, known bool) bool {
	now := rt.cfg.Now()
	if known {
		if wait, ok := rt.account.Allow(strconv.FormatInt(c.ID, 10), now); !ok {
			rt.TooMany(w, r, wait)
			return false
		}
	}
	if route.Need&auth.Enter != 0 && r.Method == http.MethodPost {
		if wait, ok := rt.Enter(r.Context()); !ok {
			rt.TooMany(w, r, wait)
			return false
		}
	}
	if c.Can(route.Need) {
		return true
	}
	switch {
	case !known:
		w.Header().Set("WWW-Authenticate", `Bearer realm="kibitz"`)
		rt.SendProblem(w, r, http.StatusUnauthorized, "login", "this needs an account: log in, or send a token")
	case c.MustChange:
		rt.SendProblem(w, r, http.StatusForbidden, "must-change-password", "the password was set by an admin: change it first")
	default:
		rt.SendProblem(w, r, http.StatusForbidden, "forbidden", auth.ErrForbidden.Error())
	}
	return false
}

// TooMany refuses a request that came too early by the time that is to be waited.
func (rt *Router) TooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
	rt.SendProblem(w, r, http.StatusTooManyRequests, "too-many", "too many requests: wait as Retry-After says")
}

// Patience is how long the client of a stream may take over what is written next.
const Patience = 30 * time.Second

// Extend gives the client of a stream that long.
func Extend(w http.ResponseWriter, now time.Time) {
	_ = http.NewResponseController(w).SetWriteDeadline(now.Add(Patience))
}

// connKey is the place of a request's connection in its context.
type connKey struct{}

// waiting is how many bytes of a stream wait in the kernel for a client that does not
// take them.
const waiting = 32 << 10

// Bounded lets little wait in the kernel for the client of a stream: the usual four
// megabytes are hours of a game, kept for each one that has stopped reading.
func Bounded(ctx context.Context) {
	if c, ok := ctx.Value(connKey{}).(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = c.SetWriteBuffer(waiting)
	}
}
