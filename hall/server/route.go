package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kibitz/hall/auth"
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
	// whose handler sets its own deadlines (extend).
	Time time.Duration
	// Creates tells that an Idempotency-Key is heeded.
	Creates bool
	// Status is that of success, 0 for 200, or 204 where nothing is sent.
	Status int
}

const (
	usualBody = 64 << 10
	usualTime = 30 * time.Second
	// answerTime is how long an answer may take to its client, beyond the time in which
	// it is made.
	answerTime = 10 * time.Second
)

func (r Route) pattern() string {
	if r.Method == "" {
		return r.Path
	}
	return r.Method + " " + r.Path
}

// Routes returns all routes in the order of registration.
func (h *Hall) Routes() []Route { return append([]Route(nil), h.routes...) }

// handle registers a handler that is no operation of the API: pages, streams,
// websockets.
func (h *Hall) handle(r Route, handler http.Handler) {
	h.routes = append(h.routes, r)
	h.guards[r.pattern()] = r
	h.mux.Handle(r.pattern(), h.guard(r, handler))
	h.describeHandler(r)
}

// add registers an operation of the API. Its errors become problem details.
func add[I, O any](h *Hall, r Route, fn func(context.Context, *I) (*O, error)) {
	if r.Body == 0 {
		r.Body = usualBody
	}
	h.routes = append(h.routes, r)
	h.guards[r.pattern()] = r
	op := huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Description: describe(r), Tags: []string{r.Tag},
		DefaultStatus: r.Status, MaxBodyBytes: r.Body, BodyReadTimeout: max(r.Time, usualTime),
		Errors: []int{
			http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			http.StatusUnprocessableEntity, http.StatusTooManyRequests,
		},
	}
	if auth.Anonymous()&r.Need != r.Need {
		op.Security = []map[string][]string{{"token": {}}, {"session": {}}}
	}
	if r.Creates {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "Idempotency-Key", In: "header",
			Description: "16 to 128 printable characters: the same request sent again under the same key within a day is done once.",
			Schema:      &huma.Schema{Type: "string"},
		})
	}
	huma.Register(h.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, h.problem(ctx, err)
		}
		return out, nil
	})
}

// describe adds to a route's text who may use it.
func describe(r Route) string {
	need := ""
	for i, name := range r.Need.Names() {
		if i > 0 {
			need += ", "
		}
		need += name
	}
	text := r.About
	if text != "" {
		text += "\n\n"
	}
	return text + "Needs: " + need + "."
}

// guardedMux is the mux on which operations are registered: each handler goes behind
// the guard of its route.
type guardedMux struct{ h *Hall }

func (m guardedMux) HandleFunc(pattern string, fn func(http.ResponseWriter, *http.Request)) {
	r, ok := m.h.guards[pattern]
	if !ok {
		// Registered past add: nobody may use it.
		r = Route{Path: pattern, Need: ^auth.Permission(0)}
	}
	m.h.mux.Handle(pattern, m.h.guard(r, http.HandlerFunc(fn)))
}

func (m guardedMux) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.h.mux.ServeHTTP(w, r) }

// guard enforces a route.
func (h *Hall) guard(route Route, next http.Handler) http.Handler {
	if route.Body == 0 {
		route.Body = usualBody
	}
	if route.Time == 0 {
		route.Time = usualTime
	}
	if route.Creates {
		next = h.once(next)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if info := infoOf(r.Context()); info != nil {
			info.route = route.pattern()
		}
		c, known := auth.FromContext(r.Context())
		if !h.allow(w, r, route, c, known) {
			return
		}
		if r.ContentLength > route.Body {
			h.tooLarge(w, r, route.Body)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, route.Body)
		rc := http.NewResponseController(w)
		if route.Time < 0 {
			if r.ContentLength != 0 && !h.readWhole(w, r, route) { // it would be waited for before the first event
				return
			}
			// Recorders of tests cannot set deadlines; real connections can.
			_ = rc.SetReadDeadline(time.Time{})
			_ = rc.SetWriteDeadline(time.Time{})
			ctx, stop := h.whileKnown(r)
			defer stop()
			next.ServeHTTP(w, r.WithContext(ctx))
			return
		}
		now := h.cfg.Now()
		_ = rc.SetReadDeadline(now.Add(route.Time))
		_ = rc.SetWriteDeadline(now.Add(route.Time + answerTime))
		ctx, cancel := context.WithTimeout(r.Context(), route.Time)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// readWhole reads the body of a request for a stream, where one may have a body: the
// connection then tells when the client has gone.
func (h *Hall) readWhole(w http.ResponseWriter, r *http.Request, route Route) bool {
	if route.Method != http.MethodPost {
		h.refuse(w, r, http.StatusBadRequest, "body", "a stream is asked for without a body")
		return false
	}
	data, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		h.tooLarge(w, r, large.Limit)
		return false
	case err != nil:
		h.refuse(w, r, http.StatusBadRequest, "body", "the body ended too early")
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return true
}

func (h *Hall) tooLarge(w http.ResponseWriter, r *http.Request, limit int64) {
	h.refuse(w, r, http.StatusRequestEntityTooLarge, "too-large",
		"the body has more than the "+strconv.FormatInt(limit, 10)+" bytes that this route takes")
}

// allow refuses whoever may not use a route, or uses it too often.
func (h *Hall) allow(w http.ResponseWriter, r *http.Request, route Route, c auth.Caller, known bool) bool {
	now := h.cfg.Now()
	if known {
		if wait, ok := h.account.Allow(strconv.FormatInt(c.ID, 10), now); !ok {
			h.tooMany(w, r, wait)
			return false
		}
	}
	if route.Need&auth.Enter != 0 && r.Method == http.MethodPost {
		if wait, ok := h.enter.Allow(auth.Address(r.Context()), now); !ok {
			h.tooMany(w, r, wait)
			return false
		}
	}
	if c.Can(route.Need) {
		return true
	}
	switch {
	case !known:
		w.Header().Set("WWW-Authenticate", `Bearer realm="kibitz"`)
		h.refuse(w, r, http.StatusUnauthorized, "login", "this needs an account: log in, or send a token")
	case c.MustChange:
		h.refuse(w, r, http.StatusForbidden, "must-change-password", "the password was set by an admin: change it first")
	default:
		h.refuse(w, r, http.StatusForbidden, "forbidden", "not allowed for this account")
	}
	return false
}

func (h *Hall) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
	h.refuse(w, r, http.StatusTooManyRequests, "too-many", "too many requests: wait as Retry-After says")
}

// patience is how long the client of a stream may take over what is written next.
const patience = 30 * time.Second

// extend gives the client of a stream that long.
func extend(w http.ResponseWriter, now time.Time) {
	_ = http.NewResponseController(w).SetWriteDeadline(now.Add(patience))
}

// connKey is the place of a request's connection in its context.
type connKey struct{}

// waiting is how many bytes of a stream wait in the kernel for a client that does not
// take them.
const waiting = 32 << 10

// bounded lets little wait in the kernel for the client of a stream: the usual four
// megabytes are hours of a game, kept for each one that has stopped reading.
func bounded(ctx context.Context) {
	if c, ok := ctx.Value(connKey{}).(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = c.SetWriteBuffer(waiting)
	}
}
