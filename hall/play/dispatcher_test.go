package play

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/hall/store/sqlite/sqlitetest"
	"kibitz/tournament"
)

// wires is a bus that keeps what it was given.
type wires struct {
	Bus
	jobs   []bus.Job
	topics []string
	logged [][]byte
	at     int
	purged []string
	// workers live, results wait, and full tells that no job is taken.
	workers []bus.Worker
	results map[string]bool
	full    bool
}

func (w *wires) Enqueue(_ context.Context, j bus.Job) error {
	if w.full {
		return errors.New("the queue is full")
	}
	w.jobs = append(w.jobs, j)
	return nil
}

func (w *wires) Workers(context.Context) ([]bus.Worker, error) { return w.workers, nil }

func (w *wires) ResultWaits(_ context.Context, id string) (bool, error) { return w.results[id], nil }

func (w *wires) Publish(topic string, _ []byte) error {
	w.topics = append(w.topics, topic)
	return nil
}

func (w *wires) ReadLog(context.Context, string, func(int, string) bool) (int, [][]byte, error) {
	return w.at, w.logged, nil
}

func (w *wires) PurgeLog(_ context.Context, id string) error {
	w.purged = append(w.purged, id)
	return nil
}

// hooked counts what a tournament was told.
type hooked struct{ ended, told int }

func (h *hooked) GameEnds(string) func() { return func() {} }

func (h *hooked) GameEnded(store.Tx, *store.Game) error { h.ended++; return nil }
func (h *hooked) GameTold(context.Context, *store.Game) { h.told++ }

type playsTest struct {
	*testing.T
	p     *Dispatcher
	w     *wires
	h     *hooked
	store store.Store
	now   time.Time
}

func newPlaysTest(t *testing.T) *playsTest {
	t.Helper()
	db := sqlitetest.Open(t)
	x := &playsTest{T: t, w: &wires{}, h: &hooked{}, store: db, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	x.p = New(Config{
		Store: db, Bus: x.w, Logs: x.w, Tournaments: x.h, Now: func() time.Time { return x.now }, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
	})
	return x
}

func (x *playsTest) update(fn func(tx store.Tx) error) {
	x.Helper()
	if err := x.store.Update(x.Context(), fn); err != nil {
		x.Fatal(err)
	}
}

// add puts a game of a room and a tournament into the store.
func (x *playsTest) add(id string, change func(*store.Game, *bus.Play)) {
	x.Helper()
	g := &store.Game{ID: id, Spec: "othello", Speed: "blitz", Rated: true, Created: x.now, Seats: [2]store.Seat{{Name: "ann", User: 1}, {Name: "Level 3", Engine: "bot=3"}}}
	play := &bus.Play{Spec: g.Spec, Seats: [2]bus.Seat{{Kind: bus.PersonSeat, Name: "ann"}, {Kind: bus.BotSeat, Name: "Level 3", Engine: "bot=3"}}, Keep: true}
	if change != nil {
		change(g, play)
	}
	secret, err := x.p.Secret()
	if err != nil {
		x.Fatal(err)
	}
	x.update(func(tx store.Tx) error { return x.p.Add(tx, g, play, nil, secret, false) })
}

func (x *playsTest) begin(id string) *bus.Play {
	x.Helper()
	g := x.game(id)
	w, err := WorkOf(&g)
	if err != nil {
		x.Fatal(err)
	}
	return x.beginAs("w", id, w.Try)
}

// beginAs begins a game by the job of a try.
func (x *playsTest) beginAs(worker, id string, try int) *bus.Play {
	x.Helper()
	b, err := x.p.Begin(x.Context(), bus.Begin{Game: id, Worker: worker, Try: try, Ticket: ticketOf(x.store, id)})
	if err != nil {
		x.Fatal(err)
	}
	return b.Play
}

// ticketOf is the ticket of a game's latest job, as whoever was given it has it; empty if
// there is none.
func ticketOf(st store.Store, id string) (ticket string) {
	_ = st.View(context.Background(), func(tx store.Tx) error {
		_, w, err := workedGame(tx, id)
		ticket = w.Ticket()
		return err
	})
	return ticket
}

func (x *playsTest) result(r bus.Result) {
	x.Helper()
	if err := x.p.Result(x.Context(), r); err != nil {
		x.Fatal(err)
	}
}

func (x *playsTest) game(id string) (g store.Game) {
	x.Helper()
	if err := x.store.View(x.Context(), func(tx store.Tx) (err error) { g, err = tx.Game(id); return err }); err != nil {
		x.Fatal(err)
	}
	return g
}

func (x *playsTest) ratings() (list []store.Rating) {
	x.Helper()
	if err := x.store.View(x.Context(), func(tx store.Tx) error {
		for _, s := range []string{"user/1", "engine/bot=3"} {
			l, err := tx.RatingsOf(s)
			if err != nil {
				return err
			}
			list = append(list, l...)
		}
		return nil
	}); err != nil {
		x.Fatal(err)
	}
	return list
}

// A result counts once: not twice, not late, not for another attempt.
func TestResultsCountOnce(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", func(g *store.Game, _ *bus.Play) { g.Tournament = "" })
	if p := x.begin("g"); p.Attempt != 1 {
		t.Fatal(p)
	}
	if p := x.begin("g"); p.Attempt != 2 { // the first worker is lost
		t.Fatal(p)
	}
	x.result(bustest.Win("g", 1)) // and comes back
	x.result(bustest.Win("g", 3))
	x.result(bustest.Win("none", 1))
	if g := x.game("g"); g.State != store.Running || len(x.ratings()) != 0 {
		t.Fatalf("a result of another attempt counts: %+v", g)
	}
	x.result(bustest.Win("g", 2))
	before := x.ratings()
	if len(before) != 2 || before[0].Value <= 1500 || before[1].Value >= 1500 || before[0].Wins != 1 || before[1].Losses != 1 || before[0].Games != 1 {
		t.Fatalf("ratings %+v", before)
	}
	second := bustest.Win("g", 2)
	second.Result = game.Win(game.Second, "time", "")
	x.result(second)
	x.result(bustest.Win("g", 1))
	g := x.game("g")
	if g.State != store.Over || g.Result.Winner() != game.First || g.Plies != 60 {
		t.Errorf("the result has changed: %+v", g)
	}
	if after := x.ratings(); len(after) != 2 || after[0] != before[0] || after[1] != before[1] {
		t.Errorf("ratings were %+v and are %+v", before, after)
	}
	if x.begin("g") != nil {
		t.Error("a game that is over is played again")
	}
	if !slices.Equal(x.w.purged, []string{"g"}) {
		t.Errorf("logs that were purged: %q", x.w.purged)
	}
}

// Of a game that a director ended early its worker is asked for what was played, and that is kept: the
// game counts as it did, whatever the worker has found. Nobody else is heard, and nobody twice.
func TestMovesOfGamesThatWereEndedEarly(t *testing.T) {
	aborted := bustest.Win("g", 1)
	aborted.Result = game.Result{Reason: game.ByAbort, Detail: "stopped"}
	for name, c := range map[string]struct {
		result bus.Result
		ruled  bool
	}{"as it was stopped": {aborted, false}, "won meanwhile": {bustest.Win("g", 1), true}} {
		t.Run(name, func(t *testing.T) {
			x := newPlaysTest(t)
			x.add("g", func(g *store.Game, _ *bus.Play) { g.Tournament = "t" })
			x.begin("g")
			x.update(func(tx store.Tx) error {
				g, w, err := workedGame(tx, "g")
				if err != nil {
					return err
				}
				return x.p.Drop(tx, &g, store.Running, &w, game.Why{Text: "given up by a director"})
			})
			for worker, want := range map[string]bus.Alive{"w": {Order: &bus.Order{Game: "g", Kind: bus.OrderAbort}}, "v": {Stale: true}} {
				if got, err := x.p.Alive(t.Context(), bus.Pulse{Game: "g", Attempt: 1, Worker: worker}); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("worker %s hears %+v, %v", worker, got, err)
				}
			}
			thief, bare, unplayed := c.result, c.result, c.result
			thief.Worker, bare.Record, unplayed.Plies = "thief", nil, 0
			x.result(thief)
			x.result(bare)
			x.result(unplayed)
			x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true})
			if g := x.game("g"); g.State != store.Aborted {
				t.Fatalf("%+v", g)
			}
			x.result(c.result)
			x.result(bustest.Win("g", 1))
			g := x.game("g")
			if g.State != store.Over || g.Result.Reason != game.ByAbort || g.Note != "given up by a director" || g.Plies != 60 || g.Ruled != c.ruled {
				t.Errorf("%+v", g)
			}
			x.update(func(tx store.Tx) error {
				if r, err := tx.Record("g"); string(r) != "r" {
					t.Errorf("its record is %q, %v", r, err)
				}
				return nil
			})
			if x.h.ended != 1 || x.h.told != 0 || len(x.ratings()) != 0 {
				t.Errorf("its tournament heard %d ends, %d news, ratings %v", x.h.ended, x.h.told, x.ratings())
			}
		})
	}
}

// Only rated games with a verdict of two subjects change ratings.
func TestWhatIsRated(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*store.Game, *bus.Play)
		result game.Result
		want   int
	}{
		"rated":     {nil, game.Win(0, "score", ""), 2},
		"draw":      {nil, game.Drawn("score", ""), 2},
		"time":      {nil, game.Win(0, game.ByTime, ""), 2},
		"casual":    {func(g *store.Game, _ *bus.Play) { g.Rated = false }, game.Win(0, "score", ""), 0},
		"abort":     {nil, game.Result{Reason: game.ByAbort}, 0},
		"nobody":    {func(g *store.Game, _ *bus.Play) { g.Seats[0].User = 0 }, game.Win(0, "score", ""), 0},
		"with self": {func(g *store.Game, _ *bus.Play) { g.Seats[0] = g.Seats[1] }, game.Win(0, "score", ""), 0},
	} {
		t.Run(name, func(t *testing.T) {
			x := newPlaysTest(t)
			x.add("g", c.change)
			x.begin("g")
			r := bustest.Win("g", 1)
			r.Result = c.result
			x.result(r)
			if list := x.ratings(); len(list) != c.want || x.game("g").State != store.Over {
				t.Errorf("ratings %+v of a game that is %s", list, x.game("g").State)
			}
		})
	}
}

// The seed of chance is in the job alone, its commitment fits, and a game that is
// played again is dealt anew unless it goes on.
func TestSeeds(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", nil)
	a := x.begin("g")
	var seed [32]byte
	copy(seed[:], a.Seed)
	if a.Commitment != tournament.Commitment(seed) {
		t.Error("the commitment is not that of the seed")
	}
	b := x.begin("g")
	if bytes.Equal(a.Seed, b.Seed) || a.Commitment == b.Commitment {
		t.Error("a game that begins anew is dealt as before")
	}
	x.w.at, x.w.logged = 2, [][]byte{[]byte("line")}
	c := x.begin("g")
	if !bytes.Equal(c.Seed, b.Seed) || len(c.Resume) != 1 || c.Attempt != 3 {
		t.Error("a game that goes on is dealt anew")
	}
	x.w.at = 1 // what is left is of a deal that counts no more
	if d := x.begin("g"); len(d.Resume) != 0 || bytes.Equal(d.Seed, c.Seed) {
		t.Error("a game goes on from another deal")
	}
	g := x.game("g")
	g.Job = nil
	data, _ := json.Marshal(g)
	if bytes.Contains(data, a.Seed) || strings.Contains(string(data), a.Commitment) {
		t.Error("the seed is elsewhere than in the job")
	}
}

// The second game of a pair is dealt as the first one was in the end, and its record alone tells how.
func TestPairs(t *testing.T) {
	x := newPlaysTest(t)
	set := room.Defaults("darkchess")
	add := func(n *room.NewGame) {
		n.Settings = set
		x.update(func(tx store.Tx) error { return x.p.Effect(tx, "r", room.Effect{Add: n}) })
	}
	add(&room.NewGame{ID: "g1", Kept: true})
	x.begin("g1")
	first := x.begin("g1") // the worker was lost
	x.result(bustest.Win("g1", 2))
	add(&room.NewGame{ID: "g2", Index: 1, Dealt: "g1"})
	second := x.begin("g2")
	if first.Reveal || !second.Reveal || !bytes.Equal(first.Seed, second.Seed) || first.Commitment != second.Commitment {
		t.Errorf("dealt as %+v and %+v", first, second)
	}
	x.result(bustest.Win("g2", 1))
	add(&room.NewGame{ID: "g3", Index: 2})
	if third := x.begin("g3"); !third.Reveal || bytes.Equal(third.Seed, second.Seed) {
		t.Errorf("then as %+v", third)
	}
}

// A room follows its game: begun, parked, taken up, over.
func TestRoomFollows(t *testing.T) {
	x := newPlaysTest(t)
	ann := room.Actor{ID: 1, Name: "ann"}
	s, err := room.Open(room.Settings{Game: "othello", Games: 2}, room.Env{By: ann, Now: x.now})
	if err != nil {
		t.Fatal(err)
	}
	s.Places = [2]room.Place{{Kind: bus.PersonSeat, User: 1, Name: "ann", Ready: true}, {Kind: bus.BotSeat, Engine: "bot=3", Name: "Level 3"}}
	if s, _, err = room.Apply(s, room.Start{}, room.Env{By: ann, Now: x.now, ID: "g"}); err != nil {
		t.Fatal(err)
	}
	r := &store.Room{ID: "r", Created: x.now}
	KeepRoom(r, &s, x.now)
	x.update(func(tx store.Tx) error { return tx.AddRoom(r) })
	x.add("g", func(g *store.Game, _ *bus.Play) { g.Room = "r" })
	look := func() room.State {
		t.Helper()
		var s room.State
		if err := x.store.View(t.Context(), func(tx store.Tx) error {
			r, err := tx.Room("r")
			if err == nil {
				s, err = room.Parse(r.State)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return s
	}
	x.begin("g")
	if s := look(); s.Phase != room.Playing || !s.Game.Begun {
		t.Errorf("begun: %+v", s)
	}
	park := bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true}
	x.result(park)
	x.result(park)
	if s := look(); s.Phase != room.Parked || x.game("g").State != store.Parked {
		t.Errorf("parked: %+v", s)
	}
	if x.begin("g") != nil {
		t.Error("a parked game is begun before anybody asks")
	}
	x.update(func(tx store.Tx) error {
		g, err := tx.Game("g")
		if err != nil {
			return err
		}
		g.State = store.Queued
		return tx.SetGame(&g, store.Parked)
	})
	x.begin("g")
	x.result(bustest.Win("g", 2))
	if s := look(); s.Phase != room.Between || s.Score != [2]float64{1, 0} {
		t.Errorf("over: %+v", s)
	}
	if !slices.Contains(x.w.topics, "room.r") || !slices.Contains(x.w.topics, "lobby") {
		t.Errorf("told: %q", x.w.topics)
	}
}

// A game that no worker can play is given to three, then given up.
func TestFaults(t *testing.T) {
	x := newPlaysTest(t)
	x.update(func(tx store.Tx) error {
		return tx.AddTournament(&store.Tournament{ID: "t", Name: "t", State: store.Playing, Created: x.now, Changed: x.now})
	})
	x.add("g", func(g *store.Game, _ *bus.Play) { g.Tournament = "t" })
	for i := 1; i <= 3; i++ {
		x.begin("g")
		x.result(bus.Result{Game: "g", Attempt: i, Worker: "w", Fault: "no such engine"})
	}
	if g := x.game("g"); g.State != store.Aborted || !strings.Contains(g.Note, "no such engine") {
		t.Errorf("%+v", g)
	}
	if len(x.w.jobs) != 2 || x.w.jobs[0].Try != 1 || x.w.jobs[1].Try != 2 || x.h.ended != 1 || x.h.told != 1 {
		t.Errorf("jobs %+v, the tournament was told %d times", x.w.jobs, x.h.told)
	}
}

// The worker of an older attempt is told that it is late.
func TestAlive(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", nil)
	x.begin("g")
	ask := func(attempt int, worker string) bus.Alive {
		a, err := x.p.Alive(t.Context(), bus.Pulse{Game: "g", Attempt: attempt, Worker: worker})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(1, "w"); a.Stale || a.Order != nil {
		t.Error(a)
	}
	x.begin("g")
	if !ask(1, "w").Stale || ask(2, "w").Stale || !ask(2, "other").Stale || ask(2, "w").Order != nil {
		t.Error("who is late is not told, or who is not is")
	}
	x.update(func(tx store.Tx) error { return x.p.Order(tx, "g", bus.OrderAbort) })
	if a := ask(2, "w"); a.Order == nil || a.Order.Kind != "abort" || a.Stale {
		t.Error(a)
	}
}
