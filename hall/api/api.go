// Package api is the HTTP API of a hall: the routes below /api/v1, their description as an
// OpenAPI document, streams and websockets. What an operation answers is made by the services
// that it is handed; here it gets its route, its rights and its form.
package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/director"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

// Config is what the API is made of: the services whose operations it offers. Without
// Rooms, with Running, Consoles, Hub, Bus and Link, and without Tournaments their routes are
// absent; where Lines or Analyst is nil, the routes that need it answer 501.
type Config struct {
	Router  *router.Router
	Version string
	Store   store.Store
	Health  *health.Monitor
	Now     func() time.Time
	Random  io.Reader
	Log     *slog.Logger

	Auth      *auth.Service
	Users     *admin.Users
	Engines   *admin.Engines
	Workers   *admin.Workers
	Audit     *admin.Audit
	Games     *records.Games
	Imports   *records.Imports
	Exports   *records.Exports
	Positions *records.Positions
	Lines     records.LineReader
	Texts     *records.Texts
	Analyst   Analyst
	// FairEvery is how often it is asked whether the caller of an analysis has begun to play,
	// 0 for five seconds.
	FairEvery time.Duration

	Rooms       *lobby.Rooms
	Running     *lobby.Running
	Consoles    *lobby.Consoles
	Hub         *hub.Hub
	Bus         FeedBus
	Link        *lobby.Link
	Tournaments *director.Desk
}

// FeedBus is what streams and websockets listen to.
type FeedBus interface {
	FrameBus
	lobby.ConsoleBus
}

// API is the routes below /api/v1 and their description.
type API struct {
	router  *router.Router
	version string
	log     *slog.Logger
	huma    huma.API
	// routes are the operations by their patterns.
	routes  map[string]router.Route
	sockets *sockets
}

// New registers all routes of the API: the explicit list.
func New(c Config) *API {
	a := &API{router: c.Router, version: c.Version, log: c.Log, routes: map[string]router.Route{}}
	a.huma = humago.New(operations{a}, describeAPI(c.Version))
	a.registerDocs()
	(&accounts{c.Auth, c.Store}).register(a)
	(&tokens{c.Auth}).register(a)
	registerUsers(a, c.Users)
	(&administration{auth: c.Auth, users: c.Users, engines: c.Engines, workers: c.Workers, audit: c.Audit}).register(a)
	(&games{c.Games}).register(a)
	registerImport(a, c.Imports)
	(&exports{games: c.Games, exports: c.Exports, now: c.Now, log: c.Log}).register(a)
	registerRatings(a, c.Store, c.Games)
	registerPositions(a, c.Positions)
	(&boards{c.Lines, c.Texts, &records.Explorer{Store: c.Store, Lines: c.Lines}, make(chan struct{}, 2)}).register(a)
	who := &analyses{
		analyst: c.Analyst, workers: c.Workers, positions: c.Positions, store: c.Store, router: c.Router, now: c.Now,
		random: c.Random, log: c.Log, every: cmp.Or(c.FairEvery, fairEvery),
	}
	who.register(a)
	(&reviews{who, c.Games}).register(a)
	if c.Rooms != nil {
		registerRooms(a, c.Rooms)
		registerChallenges(a, c.Rooms)
		(&gameStreams{router: c.Router, running: c.Running, hub: c.Hub, games: c.Games, health: c.Health, now: c.Now}).register(a)
		(&roomStreams{router: c.Router, rooms: c.Rooms, bus: c.Bus, now: c.Now}).register(a)
		registerSeats(a, c.Running)
		(&consoleStreams{router: c.Router, consoles: c.Consoles, bus: c.Bus, link: c.Link, now: c.Now}).register(a)
		a.sockets = &sockets{
			router: c.Router, rooms: c.Rooms, running: c.Running, hub: c.Hub, games: c.Games, health: c.Health, bus: c.Bus,
			now: c.Now, random: c.Random, log: c.Log,
		}
		a.sockets.register(a)
	}
	if c.Tournaments != nil {
		(&tournaments{desk: c.Tournaments, router: c.Router, now: c.Now}).register(a)
	}
	describeFaults(a.huma.OpenAPI())
	return a
}

// OpenAPI returns the description of the API.
func (a *API) OpenAPI() *huma.OpenAPI { return a.huma.OpenAPI() }

// EndSockets ends all websockets and waits until they are.
func (a *API) EndSockets() {
	if a.sockets != nil {
		a.sockets.links.end()
	}
}

// handle registers a handler that is no operation: streams, websockets, descriptions.
func (a *API) handle(r router.Route, handler http.Handler) {
	a.router.Handle(r, handler)
	a.describeHandler(r)
}

// add registers an operation of the API. Its errors become problem details.
func add[I, O any](a *API, r router.Route, fn func(context.Context, *I) (*O, error)) {
	r.Body = cmp.Or(r.Body, router.UsualBody)
	a.routes[r.Pattern()] = r
	op := huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Description: describe(r), Tags: []string{r.Tag},
		DefaultStatus: r.Status, MaxBodyBytes: r.Body, BodyReadTimeout: max(r.Time, router.UsualTime),
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
	if list := streamExamples()[r.ID]; len(list) > 0 {
		op.Responses = map[string]*huma.Response{"200": eventsOf(list)}
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, a.problem(ctx, err)
		}
		return out, nil
	})
}

// describe adds to a route's text who may use it.
func describe(r router.Route) string {
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

// operations is the mux on which operations are registered: each handler goes behind
// the guard of its route.
type operations struct{ a *API }

func (m operations) HandleFunc(pattern string, fn func(http.ResponseWriter, *http.Request)) {
	r, ok := m.a.routes[pattern]
	if !ok {
		// Registered past add: nobody may use it.
		r = router.Route{Path: pattern, Need: ^auth.Permission(0)}
	}
	m.a.router.Handle(r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range r.URL.Query() {
			if len(values) > 1 { // of which huma would take the first
				m.a.router.SendError(w, r, problem.At("#/"+problem.Escaped(name),
					problem.Input(fmt.Sprintf("%.60q is given %d times: want it once, with commas between values of a list", name, len(values)))))
				return
			}
		}
		fn(w, r)
	}))
}

func (m operations) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.a.router.Handler().ServeHTTP(w, r)
}

// problem turns an error of an operation into what its client is known.
func (a *API) problem(ctx context.Context, err error) error {
	if known, ok := errors.AsType[huma.StatusError](err); ok {
		return known
	}
	if problem.Of(err).Status == http.StatusInternalServerError {
		a.log.ErrorContext(ctx, "request failed", "request", router.RequestID(ctx), "error", problem.OneLine(err))
	}
	m := router.Told(ctx, err)
	after := problem.Retry(err)
	if after == "" {
		return m
	}
	return huma.ErrorWithHeaders(m, http.Header{"Retry-After": {after}})
}

// Nothing is an operation's input or output without content.
type Nothing struct{}

// body is an answer whose content is T.
type body[T any] struct{ Body T }

// answer makes an operation of a function whose value is the answer.
func answer[I, O any](fn func(context.Context, *I) (O, error)) func(context.Context, *I) (*body[O], error) {
	return func(ctx context.Context, in *I) (*body[O], error) {
		out, err := fn(ctx, in)
		return &body[O]{out}, err
	}
}

// answerAt is answer for a function that returns where the answer is.
func answerAt[I, O any](fn func(context.Context, *I) (*O, error)) func(context.Context, *I) (*body[O], error) {
	return func(ctx context.Context, in *I) (*body[O], error) {
		out, err := fn(ctx, in)
		if err != nil {
			return nil, err
		}
		return &body[O]{*out}, nil
	}
}

// list makes an operation of a function without input.
func list[O any](fn func(context.Context) (O, error)) func(context.Context, *Nothing) (*body[O], error) {
	return answer(func(ctx context.Context, _ *Nothing) (O, error) { return fn(ctx) })
}

// done makes an operation of a function that has nothing to answer.
func done[I any](fn func(context.Context, *I) error) func(context.Context, *I) (*Nothing, error) {
	return func(ctx context.Context, in *I) (*Nothing, error) { return nil, fn(ctx, in) }
}

// act makes an operation of a function with neither input nor answer.
func act(fn func(context.Context) error) func(context.Context, *Nothing) (*Nothing, error) {
	return func(ctx context.Context, _ *Nothing) (*Nothing, error) { return nil, fn(ctx) }
}
