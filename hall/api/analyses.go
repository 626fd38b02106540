package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

// Analyst has an engine evaluate positions, where engines run. What it finds is passed
// to fn until it is done, ctx ends or fn returns an error. An *bus.AskError says why
// nothing came of it.
type Analyst interface {
	Analyse(ctx context.Context, q bus.Analysis, fn func(bus.Analysed) error) error
}

// Bounds of analyses. A new one of an account ends the one before in the same place.
const (
	mostLines = 60
	// mostAtAddress is how many analyses run for one address.
	mostAtAddress = 4
	// fairEvery is how often it is asked whether the caller has begun to play.
	fairEvery = 5 * time.Second
	// analysisGrace is what an analysis may take beyond its time until it has ended.
	analysisGrace = 20 * time.Second
)

// analysisBounds are what an account may ask for: the time for a position, for each
// position of a whole game, and for all of the game.
type analysisBounds struct{ one, each, whole time.Duration }

func boundsOf(c auth.Caller) analysisBounds {
	if c.Kind == store.Guest {
		return analysisBounds{10 * time.Second, time.Second, 3 * time.Minute}
	}
	return analysisBounds{time.Minute, 5 * time.Second, 15 * time.Minute}
}

// errReplaced ends an analysis whose account has begun another one.
var errReplaced = problem.New(http.StatusConflict, "replaced", "another analysis of the account has begun")

// Why there is no analysis: its caller has others, nobody makes it, all places are taken, or it failed.
const (
	whyOwn    game.WhyCode = "ownanalyses"
	whyNobody game.WhyCode = "noanalyst"
	whyBusy   game.WhyCode = "manyanalyses"
	whyFailed game.WhyCode = "brokeoff"
)

// errOwn refuses an analysis whose address has others.
var errOwn = problem.New(http.StatusTooManyRequests, "too-many", "too many analyses run for this address: wait until one has ended").
	Because(whyOwn)

// asked are the analyses that this hall passes on.
type asked struct {
	mu sync.Mutex
	by map[asker]*asking
	at map[string]int
}

// asker is who has an analysis: an account, which has several beside each other.
type asker struct {
	user   int64
	beside int
}

type asking struct {
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// enter begins an analysis in place of the one that the asker has, and returns what ends
// it. It is false if too many run for the address.
func (a *asked) enter(ctx context.Context, who asker, address string) (context.Context, func(), bool) {
	ctx, cancel := context.WithCancelCause(ctx)
	x := &asking{cancel, make(chan struct{})}
	for {
		a.mu.Lock()
		old := a.by[who]
		if old == nil {
			break // with the lock
		}
		a.mu.Unlock()
		old.cancel(errReplaced)
		select {
		case <-old.done:
		case <-ctx.Done():
			cancel(nil)
			return ctx, func() {}, true // its caller has gone
		}
	}
	defer a.mu.Unlock()
	if a.at[address] >= mostAtAddress {
		cancel(nil)
		return ctx, nil, false
	}
	if a.by == nil {
		a.by, a.at = map[asker]*asking{}, map[string]int{}
	}
	a.by[who] = x
	a.at[address]++
	return ctx, sync.OnceFunc(func() {
		cancel(nil)
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.by, who)
		if a.at[address]--; a.at[address] == 0 {
			delete(a.at, address)
		}
		close(x.done)
	}), true
}

type analysisQuery struct {
	Body struct {
		records.BoardWish
		Engine  string  `json:"engine" minLength:"1" maxLength:"100" doc:"bot=1 to bot=9, or the name of an engine that the hall offers"`
		Lines   int     `json:"lines,omitempty" minimum:"1" maximum:"60" default:"1" doc:"how many first moves to evaluate, where the engine can"`
		Seconds float64 `json:"seconds,omitempty" minimum:"0.1" maximum:"60" default:"5" doc:"for each position; guests may ask for up to 10, and in a whole game for up to 1, others for up to 5"`
		Depth   int     `json:"depth,omitempty" minimum:"1" maximum:"99" doc:"an engine that knows this bound looks so many plies ahead in each position, if there is time"`
		Nodes   int64   `json:"nodes,omitempty" minimum:"1" maximum:"1000000000000" doc:"an engine that knows this bound looks at so many positions for each, if there is time"`
		Whole   bool    `json:"whole,omitempty" doc:"every position of the game instead of the one at its end, the last one first"`
		Beside  int     `json:"beside,omitempty" minimum:"0" maximum:"3" doc:"which of the analyses that an account has beside each other: four, guests two"`
	}
}

// analysedView is an event of an analysis.
type analysedView struct {
	Ply int `json:"ply" doc:"decisions made before the position"`
	// By decides there, and Lines are as he sees them.
	By    wire.Seat      `json:"by"`
	Lines []analysedLine `json:"lines"`
	Final bool           `json:"final,omitempty"`
	Done  int            `json:"done,omitempty"`
	All   int            `json:"all,omitempty"`
}

type analysedLine struct {
	live.Said
	Exact bool `json:"exact,omitempty"`
}

// analysisEnd is the last event of an analysis.
type analysisEnd struct {
	Fault  string `json:"fault,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Said is the same in the reader's language.
	Said string `json:"said,omitempty"`
}

// analyses are the route that has engines analyse.
type analyses struct {
	analyst   Analyst
	workers   *admin.Workers
	positions *records.Positions
	store     store.Store
	router    *router.Router
	now       func() time.Time
	random    io.Reader
	log       *slog.Logger
	// every is how often it is asked whether the caller has begun to play.
	every time.Duration
	asked asked
}

func (h *analyses) register(a *API) {
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/analyses", ID: "analyse", Tag: "positions", Summary: "Have an engine analyse a position or a game",
		Need: auth.Play, Time: -1,
		About: "Server-sent events, or lines of JSON for Accept: application/x-ndjson, until the engine is done or the caller goes: `lines` " +
			"is what the engine says of a position " +
			"(`ply`, `by` who decides there, `lines` as he sees them, `final`; of a whole game `done` of `all`), `review` what a whole game comes to " +
			"(`accuracy` and `marks` of both seats, `turns` that lost something, with the `best` and moves that are as `good`), `end` is the last one, with " +
			"`fault` and `detail` if something was wrong, and `said` in the language of the request. " +
			"An account has four analyses `beside` each other, guests two; a new one ends the one in its place (`replaced`); an address has four. " +
			"Whoever has a seat in a game that is not over may not have that game analysed (`playing`).",
	}, h.analyse)
}

func (h *analyses) analyse(ctx context.Context, in *analysisQuery) (*huma.StreamResponse, error) {
	b := &in.Body
	if h.analyst == nil {
		return nil, problem.ErrAbsent
	}
	if _, _, err := h.positions.Check(ctx, b.BoardWish); err != nil {
		return nil, err
	}
	c, _ := auth.FromContext(ctx)
	kind := game.Spec(b.Spec).ID()
	q := bus.Analysis{
		ID: store.NewID(h.random, 10), Spec: game.Spec(b.Spec), Position: b.Position, Moves: b.Moves, Whole: b.Whole,
		Lines: min(max(b.Lines, 1), mostLines),
		Time:  time.Duration(b.Seconds * float64(time.Second)),
		Depth: b.Depth, Nodes: b.Nodes,
	}
	may := boundsOf(c)
	q.Time, q.Total = min(q.Time, may.one), may.one+analysisGrace
	if b.Whole {
		q.Time, q.Total = min(q.Time, may.each), may.whole
	}
	if b.Beside > 1 && c.Kind == store.Guest {
		return nil, problem.New(http.StatusTooManyRequests, "too-many", "guests have two analyses beside each other, 0 and 1").Because(whyOwn)
	}
	var err error
	if q.Engine, q.Hash, err = h.engine(ctx, b.Engine, kind); err != nil {
		return nil, err
	}
	if err := h.fair(ctx, c, kind); err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // that of the body, which has been read
		ctx, leave, ok := h.asked.enter(ctx, asker{c.ID, b.Beside}, auth.Address(ctx))
		if !ok {
			h.router.SendError(w, r, errOwn)
			return
		}
		defer leave()
		s := newStream(w, r, h.now)
		h.passOn(ctx, s, q, func() error { return h.fair(ctx, c, kind) }, func(a *bus.Analysed) error {
			if a.Review != nil {
				return s.send("", "review", jsonOf(a.Review))
			}
			return s.send("", "lines", jsonOf(analysedOf(a)))
		})
	}}, nil
}

// passOn tells what is found until the analysis is over or its caller gone, and sends how it ended.
func (h *analyses) passOn(ctx context.Context, s *stream, q bus.Analysis, fair func() error, tell func(*bus.Analysed) error) {
	ctx, stop := context.WithTimeoutCause(ctx, q.Total+analysisGrace, &bus.AskError{Code: bus.AnalysisFailed, Text: "the engine does not end"})
	defer stop()
	news, ended := make(chan bus.Analysed), make(chan error, 1)
	work, cancel := context.WithCancelCause(ctx)
	go func() {
		ended <- h.analyst.Analyse(work, q, func(a bus.Analysed) error {
			select {
			case news <- a:
				return nil
			case <-work.Done():
				return context.Cause(work)
			}
		})
	}()
	beat, look := time.NewTicker(heartbeat), time.NewTicker(h.every)
	defer beat.Stop()
	defer look.Stop()
	var err error
	for err == nil {
		select {
		case a := <-news:
			err = tell(&a)
		case <-beat.C:
			err = s.beat()
		case <-look.C:
			err = fair()
		case err = <-ended:
			if err != nil && ctx.Err() != nil { // it ended because of that
				err = context.Cause(ctx)
			}
			cancel(nil)
			_ = s.send("", "end", jsonOf(endOf(ctx, err))) // a client that has gone needs no answer
			return
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	if ctx.Err() != nil { // what failed did so because of that
		err = context.Cause(ctx)
	}
	cancel(err)
	h.log.DebugContext(ctx, "analysis broken off", "why", problem.OneLine(err), "engine", fmt.Sprint(<-ended)) // it has stopped
	_ = s.send("", "end", jsonOf(endOf(ctx, err)))
}

func analysedOf(a *bus.Analysed) analysedView {
	v := analysedView{Ply: a.Ply, By: wire.SeatOf(a.Seat), Lines: []analysedLine{}, Final: a.Final, Done: a.Done, All: a.All}
	for i := range a.Lines {
		l := &a.Lines[i]
		said := hub.SaidOf(&game.Info{Eval: l.Eval, Depth: l.Depth, Nodes: l.Nodes, Time: l.Time, Text: l.Text})
		said.Line = l.Moves
		v.Lines = append(v.Lines, analysedLine{*said, l.Exact})
	}
	return v
}

// endOf says why an analysis has ended.
func endOf(ctx context.Context, err error) analysisEnd {
	if err == nil {
		return analysisEnd{}
	}
	p := problem.New(http.StatusServiceUnavailable, bus.AnalysisFailed, "the analysis could not be made").Because(whyFailed)
	var own *bus.AskError
	var known *problem.Problem
	switch {
	case errors.As(err, &own):
		why := map[string]game.WhyCode{bus.AnalysisBusy: whyBusy, bus.AnalysisNobody: whyNobody, bus.AnalysisFailed: whyFailed}[own.Code]
		p = problem.New(p.Status, own.Code, problem.OneLine(own)).Because(why)
	case errors.As(err, &known):
		p = known
	case errors.Is(err, router.ErrUnknown):
		p = problem.New(http.StatusUnauthorized, "login", problem.OneLine(err))
	}
	return analysisEnd{p.Code, p.Text, router.Show(ctx, p).Said}
}

// engine finds the engine that is to analyse a game, and a worker's hash of it.
func (h *analyses) engine(ctx context.Context, name, kind string) (engine, hash string, err error) {
	if lobby.BuiltIn(name) > 0 {
		return name, "", nil
	}
	if strings.HasPrefix(name, "bot=") {
		return "", "", problem.At("#/engine", problem.Input("engine: a built-in one is bot=1 to bot=9"))
	}
	e, err := store.Get(ctx, h.store, store.Tx.Engine, name)
	if err != nil {
		return "", "", err
	}
	if !e.Enabled || !e.Plays(kind) {
		return "", "", problem.Input("engine: the hall does not offer " + e.Name + " for this game at present").Because(whyNobody)
	}
	workers, err := h.workers.Registry(ctx)
	if err != nil {
		return "", "", err
	}
	for i := range workers {
		for _, have := range workers[i].Engines {
			if strings.EqualFold(have.Name, e.Name) && (e.Hash == "" || e.Hash == have.Hash) && slices.Contains(have.Games, kind) {
				return have.Name, have.Hash, nil
			}
		}
	}
	return "", "", problem.New(http.StatusServiceUnavailable, "no-worker", "no worker that has "+e.Name+" is there at present").
		Because(whyNobody)
}

// mostPlayed is how many games of an account are looked at that are not over.
const mostPlayed = 100

// fair refuses an analysis of what its caller, or the owner of a bot, plays right now. A casual game
// against an engine of the hall does not count.
func (h *analyses) fair(ctx context.Context, c auth.Caller, kind string) error {
	return h.store.View(ctx, func(tx store.Tx) error {
		for _, id := range []int64{c.ID, c.Owner} {
			if id == 0 {
				continue
			}
			page, err := tx.FindGames(store.GameQuery{
				Game: kind, Subject: store.UserSubject(id), Limit: mostPlayed,
				States: []store.GameState{store.Queued, store.Running, store.Parked},
			})
			if err != nil {
				return err
			}
			if slices.ContainsFunc(page.Games, func(g store.Game) bool {
				return g.Rated || g.Tournament != "" || g.Seats[0].Engine == "" && g.Seats[1].Engine == ""
			}) {
				return problem.New(http.StatusConflict, "playing",
					"you have a seat in a game of this kind that is not over: it may be analysed after it")
			}
		}
		return nil
	})
}
