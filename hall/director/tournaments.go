// Package director lets the tournaments of a hall be played: it hands out their games, takes
// the results, follows commands, and answers who looks on. It knows nothing of HTTP.
package director

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/lobby"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// OpeningsFile is a file of openings that was sent with a tournament.
type OpeningsFile struct {
	Name string
	Data []byte
}

// TournamentMaker makes settings of what people write. The server knows no rules and
// no formats: whoever does implements it. Its errors are one line for people.
type TournamentMaker interface {
	// ReadFile reads the file of a run, as kibitz match --save writes it. The function
	// that it returns says where in the file an error belongs that is about a value of
	// the form ("#/engines/1"), or that says itself where it belongs if pointer is empty.
	ReadFile(name string, data []byte) (form TournamentForm, place func(pointer string, err error) error, err error)
	// Make checks a form; a *FormError tells which values cannot be meant. It opens no file: openings from a file are those that were
	// sent, nil for none.
	Make(ctx context.Context, f *TournamentForm, openings *OpeningsFile) (contest.Config, []contest.Opening, error)
	// Entry reads the words of an engine, each being the words for every engine.
	Entry(set *contest.Config, each, words string) (contest.Entry, error)
}

// TournamentsConfig is what Tournaments are made of. All but Log are needed.
type TournamentsConfig struct {
	Store  store.Store
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
	Maker  TournamentMaker
}

// Tournaments let tournaments be played: they hand their games to a play.Dispatcher, and take the
// results in the transactions that end the games. What counts is the list of events in
// the store; what is kept here is read from it and may be forgotten at any time.
//
// Several halls may have the same store. Whoever changes a tournament changes its row
// first, so that of two one waits, and then begins anew with what the other has done.
type Tournaments struct {
	cfg        TournamentsConfig
	dispatcher *play.Dispatcher
	bus        TournamentBus
	metrics    *tournamentMetrics
	watches    watches

	mu    sync.Mutex
	known map[string]*knownTournament
	// lacks says what engine no worker offers, without which no game of a tournament is
	// handed out.
	lacks map[string]game.Why
}

// NewTournaments returns Tournaments. They are part of play.Config; Join makes them known to
// what they are part of.
func NewTournaments(c TournamentsConfig) *Tournaments {
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return &Tournaments{cfg: c, metrics: newTournamentMetrics(), known: map[string]*knownTournament{}, lacks: map[string]game.Why{}}
}

// TournamentBus brings orders to workers and tells what has changed.
type TournamentBus interface {
	lobby.OrderBus
	lobby.TopicBus
}

// Join tells who hands out their games, how workers are reached, and where metrics are shown. It
// is called once, before anything else.
func (t *Tournaments) Join(dispatcher *play.Dispatcher, b TournamentBus, shown *metrics.Set) {
	t.dispatcher, t.bus = dispatcher, b
	t.watches = watches{t: t, bus: b, list: map[string]*Watch{}}
	shown.RegisterMetricsWriter(t.metrics.set.WritePrometheus)
}

// knownTournament is a tournament as far as its events were read.
type knownTournament struct {
	// mu is locked before a transaction begins, never within one.
	mu    sync.Mutex
	state *contest.State
	// waits is the number of the event after which there was no game to hand out.
	waits int64
	// shown is the last answer to those who look on, after event shownAt.
	shown   []byte
	shownAt int64
}

// maxKnown is how many tournaments are kept in memory.
const maxKnown = 200

func (t *Tournaments) of(id string) *knownTournament {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.known[id]
	if k == nil {
		for old := range t.known {
			if len(t.known) < maxKnown {
				break
			}
			delete(t.known, old)
		}
		k = &knownTournament{}
		t.known[id] = k
	}
	return k
}

// forget drops what was read: the next who asks reads it again.
func (k *knownTournament) forget() {
	k.state, k.waits, k.shown, k.shownAt = nil, 0, nil, 0
}

// sync reads the events that are new.
func (k *knownTournament) sync(tx store.Tournaments, row *store.Tournament) error {
	if k.state == nil || k.state.Loose() {
		var set contest.Config
		if err := json.Unmarshal(row.Settings, &set); err != nil {
			return err
		}
		k.forget()
		k.state = contest.New(set)
	}
	list, err := tx.TournamentEvents(store.TournamentEventQuery{Tournament: row.ID, After: k.state.Seq})
	if err != nil {
		return err
	}
	for _, s := range list {
		e, err := contest.ParseEvent(s.Seq, s.At, s.Kind, s.By, s.Data)
		if err == nil {
			err = k.state.Apply(e)
		}
		if err != nil {
			k.forget()
			return err
		}
	}
	return nil
}

// Look reads a tournament and calls fn with how it stands. fn keeps nothing of the
// state and begins no transaction.
func (t *Tournaments) Look(ctx context.Context, id string, fn func(row *store.Tournament, s *contest.State) error) error {
	return t.read(ctx, id, func(k *knownTournament, row *store.Tournament) error { return fn(row, k.state) })
}

// read is Look for what is known beside the state.
func (t *Tournaments) read(ctx context.Context, id string, fn func(k *knownTournament, row *store.Tournament) error) error {
	k := t.of(id)
	k.mu.Lock()
	defer k.mu.Unlock()
	var row store.Tournament
	err := t.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		if row, err = tx.Tournament(id); err != nil {
			return err
		}
		return k.sync(tx, &row)
	})
	if err != nil {
		return err
	}
	return fn(k, &row)
}

// tournamentChange is a change of a tournament in a transaction.
type tournamentChange struct {
	t     *Tournaments
	tx    store.Tx
	row   store.Tournament
	state *contest.State
}

// change lets fn change a tournament. fn may be called again.
func (t *Tournaments) change(ctx context.Context, id string, fn func(c *tournamentChange) error) error {
	k := t.of(id)
	k.mu.Lock()
	defer k.mu.Unlock()
	touched := false
	err := t.dispatcher.Update(ctx, func(tx store.Tx) error {
		if touched { // by an attempt that came to nothing
			k.forget()
		}
		touched = false
		c := &tournamentChange{t: t, tx: tx}
		var err error
		if c.row, err = tx.Tournament(id); err != nil {
			return err
		}
		c.row.Changed = t.now()
		if err := tx.SetTournament(&c.row); err != nil { // who comes second waits here
			return err
		}
		if err := k.sync(tx, &c.row); err != nil {
			return err
		}
		c.state = k.state
		before := k.state.Seq
		err = fn(c)
		touched = k.state.Seq != before || k.state.Loose()
		if err != nil {
			return err
		}
		touched = true // results may have been added past the state
		if err := k.sync(tx, &c.row); err != nil {
			return err
		}
		return c.settle()
	})
	if err != nil && touched || k.state != nil && k.state.Loose() {
		k.forget()
	}
	return err
}

// add writes an event and lets it happen.
func (c *tournamentChange) add(e contest.Event) error {
	e.Seq = c.state.Seq + 1
	if err := c.keep(&e); err != nil {
		return err
	}
	return c.state.Apply(e)
}

func (c *tournamentChange) keep(e *contest.Event) error {
	e.At = c.t.now()
	return c.tx.AddTournamentEvent(c.row.ID, &store.TournamentEvent{Seq: e.Seq, At: e.At, Kind: string(e.Kind), By: e.By, Data: e.Data()})
}

// settle brings the row in line with the state.
func (c *tournamentChange) settle() error {
	want := stateOf(c.state)
	if c.row.State == want {
		return nil
	}
	row, err := c.tx.Tournament(c.row.ID) // games that were given up have changed it
	if err != nil {
		return err
	}
	row.State, row.Changed = want, c.t.now()
	return c.tx.SetTournament(&row)
}

// stateOf is how far a tournament has come, as a store knows it.
func stateOf(s *contest.State) store.TournamentState {
	switch s.Phase {
	case contest.Playing:
		if s.Paused {
			return store.Paused
		}
		return store.Playing
	case contest.Finished:
		return store.Finished
	case contest.Cancelled:
		return store.Cancelled
	}
	return store.Entering
}

// GameEnds implements TournamentGames.
func (t *Tournaments) GameEnds(game string) (ended func()) {
	id, _, ok := strings.Cut(game, "-")
	if !ok {
		return func() {}
	}
	k := t.of(id)
	k.mu.Lock()
	return k.mu.Unlock
}

// GameEnded implements TournamentGames: it adds the result to the list, in the
// transaction that ends the game.
func (t *Tournaments) GameEnded(tx store.Tx, g *store.Game) error {
	row, err := tx.Tournament(g.Tournament)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	index, replays, ok := numberOf(g)
	if !ok {
		return nil
	}
	row.Changed = t.now()
	if err := tx.SetTournament(&row); err != nil { // who comes second waits here
		return err
	}
	last, err := tx.TournamentEvents(store.TournamentEventQuery{Tournament: g.Tournament, Latest: true, Limit: 1})
	if err != nil {
		return err
	}
	seq := int64(1)
	if len(last) > 0 {
		seq += last[0].Seq
	}
	over := contest.Over{Index: index, Replays: replays, Reason: g.Result.Reason, Detail: g.Result.Detail, Plies: g.Plies, Seconds: g.Seconds}
	if g.State == store.Over {
		over.Points = g.Result.Points
	}
	e := contest.Event{Seq: seq, Kind: contest.Result, Over: &over}
	return (&tournamentChange{t: t, tx: tx, row: row}).keep(&e)
}

// GameTold implements TournamentGames: it hands out what comes next.
func (t *Tournaments) GameTold(ctx context.Context, g *store.Game) {
	t.metrics.ended(g)
	t.next(ctx, g.Tournament)
	if err := t.late(ctx, g); err != nil && ctx.Err() == nil {
		t.cfg.Log.WarnContext(ctx, "a game is marked as annulled when its tournament is over", "game", g.ID, "error", problem.OneLine(err))
	}
}

// late annuls a game that ran when its engine withdrew, once its end was read.
func (t *Tournaments) late(ctx context.Context, g *store.Game) error {
	k := t.of(g.Tournament)
	k.mu.Lock()
	late := false
	if k.state != nil {
		list, _ := k.state.Dropped()
		late = slices.ContainsFunc(list, func(x contest.Game) bool { return GameID(g.Tournament, x.Label()) == g.ID })
	}
	k.mu.Unlock()
	if !late {
		return nil
	}
	return t.change(ctx, g.Tournament, func(c *tournamentChange) error { return c.annul() })
}

// next hands out games; what fails is made up for by the next sweep.
func (t *Tournaments) next(ctx context.Context, id string) {
	if err := t.Fill(ctx, id); err != nil && ctx.Err() == nil {
		t.cfg.Log.WarnContext(ctx, "a tournament waits for the next sweep", "tournament", id, "error", problem.OneLine(err))
	}
}

// now is the time as a store keeps it.
func (t *Tournaments) now() time.Time { return store.Kept(t.cfg.Now()) }

// tell wakes those who look at a tournament, and at the list.
func (t *Tournaments) tell(id string) {
	t.dispatcher.Wake("tournament." + id)
	t.dispatcher.Wake("tournaments")
}

// stop tells the worker of a game that was given up.
func (t *Tournaments) stop(ctx context.Context, id string) {
	if err := t.bus.PublishOrder(bus.Order{Game: id, Kind: bus.OrderAbort}); err != nil {
		t.cfg.Log.DebugContext(ctx, "a worker finds out with its next sign of life that its game was given up",
			"game", id, "error", problem.OneLine(err))
	}
}
