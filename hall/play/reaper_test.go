package play

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

func (x *playsTest) sweep(s *Reaper) (soon bool) {
	x.Helper()
	soon, err := s.Sweep(x.Context())
	if err != nil {
		x.Fatal(err)
	}
	return soon
}

// tries returns the numbers of the jobs of a game that were published.
func (x *playsTest) tries(id string) (list []int) {
	for _, j := range x.w.jobs {
		if j.Game == id {
			list = append(list, j.Try)
		}
	}
	return list
}

// What was queued before a hall begins is published at once, what is queued later after
// a while, and then ever less often. Jobs of earlier publications begin nothing.
func TestSweepQueued(t *testing.T) {
	x := newPlaysTest(t)
	x.add("old", nil)
	x.now = x.now.Add(time.Second)
	s := NewReaper(x.p)
	x.now = x.now.Add(time.Second)
	x.add("new", nil)
	x.p.Publish(t.Context(), "new")
	x.sweep(s)
	x.sweep(s)
	if got := x.tries("old"); !slices.Equal(got, []int{1}) {
		t.Errorf("at first a game of before is published as %v", got)
	}
	if got := x.tries("new"); !slices.Equal(got, []int{0}) {
		t.Errorf("a fresh game is published as %v", got)
	}
	for range 100 {
		x.now = x.now.Add(queuedFor / 4)
		x.sweep(s)
	}
	if got := x.tries("new"); !slices.Equal(got, []int{0, 1, 2, 3, 4}) { // after 2, 6, 14 and 30 minutes
		t.Errorf("a game that waits for long is published as %v", got)
	}
	for _, stale := range []int{0, 1, 3, 5} {
		if x.beginAs("w", "new", stale) != nil {
			t.Errorf("the job of try %d begins the game", stale)
		}
	}
	if p := x.beginAs("w", "new", 4); p == nil || p.Attempt != 1 {
		t.Errorf("the latest job begins %+v", p)
	}
	if p := x.beginAs("v", "new", 4); p == nil || p.Attempt != 2 { // delivered again
		t.Errorf("the latest job begins %+v", p)
	}
	if x.beginAs("v", "new", 3) != nil {
		t.Error("a stale job begins a game that runs")
	}
}

// A job that the bus does not take is published by the next sweep that reaches it.
func TestSweepUnsent(t *testing.T) {
	x := newPlaysTest(t)
	s := NewReaper(x.p)
	x.now = x.now.Add(time.Second)
	x.w.full = true
	for _, id := range []string{"a", "b"} {
		x.add(id, nil)
		x.p.Publish(t.Context(), id)
	}
	if _, err := s.Sweep(t.Context()); err == nil {
		t.Error("nobody hears that the bus takes no jobs")
	}
	if got := x.p.Waits("a"); got != unsentText {
		t.Errorf("it is said that the game waits for %q", got)
	}
	x.w.full = false
	x.sweep(s)
	x.sweep(s)
	if a, b := x.tries("a"), x.tries("b"); !slices.Equal(a, []int{0}) || !slices.Equal(b, []int{0}) {
		t.Errorf("published as %v and %v", a, b)
	}
	if got := x.p.Waits("a"); got != "" {
		t.Errorf("a game that is to begin at once waits for %q", got)
	}
	if x.now = x.now.Add(atOnce); x.p.Waits("a") == "" {
		t.Error("nothing says why a game does not begin")
	}
	if x.begin("a"); x.p.Waits("a") != "" {
		t.Errorf("a game that has begun waits for %q", x.p.Waits("a"))
	}
}

// silent is a queue that does not answer at first.
type silent struct {
	Bus
	// unanswered is how often it will not.
	unanswered int
	jobs       chan bus.Job
	// meanwhile is called while it does not answer.
	meanwhile func()
}

func (s *silent) Enqueue(ctx context.Context, j bus.Job) error {
	if s.unanswered > 0 {
		s.unanswered--
		s.meanwhile()
		<-ctx.Done()
		return ctx.Err()
	}
	s.jobs <- j
	return nil
}

// A game whose job the queue did not take begins as soon as the queue answers, not at the
// next sweep.
func TestUnsentAtOnce(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", func(g *store.Game, _ *bus.Play) { g.Room = "r" })
	ctx, cancel := context.WithCancel(t.Context())
	q := &silent{Bus: x.w, unanswered: 1, jobs: make(chan bus.Job, 1)}
	x.p.cfg.Bus = q
	q.meanwhile = func() {
		q.meanwhile = func() {}
		if x.now = x.now.Add(atOnce); x.p.Waits("g") == "" {
			t.Error("nothing says why a game does not begin that the queue does not take")
		}
	}
	x.p.Publish(ctx, "g")
	if !slices.Contains(x.w.topics, "room.r") || x.p.Waits("g") != unsentText {
		t.Errorf("told %v, it waits for %q", x.w.topics, x.p.Waits("g"))
	}
	var served sync.WaitGroup
	served.Go(func() { x.p.serveUnsent(ctx) })
	select {
	case j := <-q.jobs:
		if j.Game != "g" {
			t.Errorf("published %+v", j)
		}
	case <-time.After(2 * time.Minute):
		t.Error("the job is not published")
	}
	cancel()
	served.Wait()
}

// A game whose worker is gone is begun again, once, however many halls look.
func TestLostWorker(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", nil)
	x.begin("g")
	halls := []*Reaper{NewReaper(x.p), NewReaper(x.p)}
	look := func(after time.Duration, want store.GameState) {
		t.Helper()
		x.now = x.now.Add(after)
		for _, s := range halls {
			x.sweep(s)
		}
		if g := x.game("g"); g.State != want {
			t.Errorf("the game is %s, want %s", g.State, want)
		}
	}
	x.w.workers = []bus.Worker{{ID: "v"}, {ID: "w", Games: []string{"g"}}}
	look(0, store.Running)
	look(time.Hour, store.Running)
	x.w.workers = nil // the registry was lost with its servers, and is soon full again
	look(0, store.Running)
	look(absentFor-time.Second, store.Running)
	x.w.workers = []bus.Worker{{ID: "w", Games: []string{"g"}}}
	look(time.Second, store.Running)
	x.w.workers = []bus.Worker{{ID: "w", Games: []string{"other"}}} // it has forgotten the game
	look(0, store.Running)
	look(absentFor-time.Second, store.Running)
	look(time.Second, store.Queued)
	look(time.Second, store.Queued)
	if got := x.tries("g"); !slices.Equal(got, []int{1}) {
		t.Errorf("two halls have published %v", got)
	}
	if a, err := x.p.Alive(t.Context(), bus.Pulse{Game: "g", Attempt: 1, Worker: "w"}); err != nil || !a.Stale {
		t.Error("the worker that was thought lost is not told", a, err)
	}
	if x.beginAs("w", "g", 0) != nil {
		t.Error("the first job begins the game again")
	}
	if p := x.beginAs("v", "g", 1); p == nil || p.Attempt != 2 {
		t.Errorf("the second job begins %+v", p)
	}
	x.result(bustest.Win("g", 1))
	if x.game("g").State != store.Running {
		t.Error("the attempt that was given up counts although another one runs")
	}
	look(0, store.Running)
	look(absentFor, store.Queued) // the second worker is lost, too
}

// What was finished is not played again: neither while its result is on the way, nor if
// it comes when the game waits to be begun again.
func TestLostWorkerFinished(t *testing.T) {
	x := newPlaysTest(t)
	x.p.cfg.Gone = func(worker string) bool { return worker == "w" }
	x.add("g", nil)
	x.begin("g")
	s := NewReaper(x.p)
	x.w.results = map[string]bool{"g": true}
	if !x.sweep(s) || x.game("g").State != store.Running {
		t.Error("a game is begun again although its result is on the way")
	}
	_, err := x.p.Begin(t.Context(), bus.Begin{Game: "g", Worker: "v", Ticket: ticketOf(x.store, "g")})
	if !errors.Is(err, errResultWaits) {
		t.Errorf("a game whose result is on the way is begun: %v", err)
	}
	x.w.results = nil
	x.w.workers = []bus.Worker{bustest.Having("v")}
	if x.sweep(s) || x.game("g").State != store.Queued {
		t.Error("a game whose worker is certainly gone is not begun again at once")
	}
	x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true})
	x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Fault: "gone"})
	if x.game("g").State != store.Queued {
		t.Error("what is known already changes the game")
	}
	x.result(bustest.Win("g", 1))
	if g := x.game("g"); g.State != store.Over || g.Plies != 60 || len(x.ratings()) != 2 {
		t.Errorf("what the lost worker finished is lost: %+v", g)
	}
	if x.beginAs("v", "g", 1) != nil {
		t.Error("a game that is over is played again")
	}
}

// A game that was to be stopped when its worker was lost is stopped.
func TestLostWorkerStopped(t *testing.T) {
	x := newPlaysTest(t)
	for _, id := range []string{"swept", "delivered"} {
		x.add(id, nil)
		x.begin(id)
		x.update(func(tx store.Tx) error { return x.p.Order(tx, id, bus.OrderAbort) })
	}
	if x.beginAs("v", "delivered", 0) != nil || x.game("delivered").State != store.Aborted {
		t.Error("a game that was to be stopped is begun again")
	}
	x.p.cfg.Gone = func(string) bool { return true }
	x.sweep(NewReaper(x.p))
	if x.game("swept").State != store.Aborted || len(x.w.jobs) != 0 {
		t.Error("a game that was to be stopped is queued again")
	}
}

// Many halls that sweep at once publish each lost game once.
func TestManySweep(t *testing.T) {
	x := newPlaysTest(t)
	x.p.cfg.Gone = func(string) bool { return true }
	for _, id := range []string{"a", "b", "c"} {
		x.add(id, nil)
		x.begin(id)
	}
	done := make(chan error)
	buses := make([]*wires, 4)
	for i := range buses {
		buses[i] = &wires{}
		cfg := x.p.cfg
		cfg.Bus, cfg.Logs, cfg.Log = buses[i], nil, slog.New(slog.DiscardHandler)
		s := NewReaper(New(cfg))
		s.fresh = false
		go func() {
			_, err := s.Sweep(t.Context())
			done <- err
		}()
	}
	for range buses {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	count := map[string]int{}
	for _, b := range buses {
		for _, j := range b.jobs {
			count[j.Game]++
		}
	}
	if len(count) != 3 || count["a"] != 1 || count["b"] != 1 || count["c"] != 1 {
		t.Errorf("published %v", count)
	}
}

// TestPause: very many games leave a hall its time, and a database that was away does
// not keep the next sweep away.
func TestPause(t *testing.T) {
	away := errors.New("away")
	for _, c := range []struct {
		took time.Duration
		soon bool
		err  error
		want time.Duration
	}{
		{took: time.Millisecond, want: 10 * time.Second},
		{took: time.Millisecond, soon: true, want: time.Second},
		{took: time.Millisecond, err: away, want: time.Second},
		{took: 1700 * time.Millisecond, want: 34 * time.Second},
		{took: 1700 * time.Millisecond, soon: true, want: 34 * time.Second},
		{took: 20 * time.Second, want: time.Minute},
		{took: 20 * time.Second, err: away, want: 20 * time.Second},
	} {
		if got := pause(c.took, c.soon, c.err); got != c.want {
			t.Errorf("after %v, %v, %v: %v, not %v", c.took, c.soon, c.err, got, c.want)
		}
	}
}

// Whoever waits for a place knows how many games come before: those that wait for a place
// of the same kind. Rooms are told when that changes.
func TestQueueLine(t *testing.T) {
	x := newPlaysTest(t)
	alone := func(g *store.Game, p *bus.Play) {
		g.Seats[0] = store.Seat{Name: "Level 1", Engine: "bot=1"}
		p.Seats[0] = bus.Seat{Kind: bus.BotSeat, Name: "Level 1", Engine: "bot=1"}
	}
	for _, id := range []string{"a", "b", "c"} {
		x.add(id, alone)
		x.now = x.now.Add(time.Second)
	}
	x.add("people", nil)
	s := NewReaper(x.p)
	look := func(want map[string]int) {
		t.Helper()
		x.sweep(s)
		for id, n := range want {
			if got := x.p.Before(id, ""); got != n {
				t.Errorf("%d games come before %s, want %d", got, id, n)
			}
		}
	}
	look(map[string]int{"a": 0, "b": 1, "c": 2, "people": 0})
	if x.p.Before("new", bus.PlaceAlone) != 3 || x.p.Before("new", bus.PlacePeople) != 1 || x.p.Before("new", bus.PlaceProgram) != 0 {
		t.Error("a new game does not see those before it")
	}
	x.w.workers = []bus.Worker{{ID: "w", Games: []string{"a"}}}
	x.begin("a")
	look(map[string]int{"b": 0, "c": 1})
	x.w.workers[0].Slots = 2
	x.sweep(s)
	for n := range 6 {
		if got, want := x.p.About(bus.PlaceAlone, 1), []time.Duration{5: 2 * time.Minute}[n]; got != want {
			t.Errorf("after %d games of one to %d minutes one that another comes before waits %v, want %v", n, n, got, want)
		}
		g := store.Game{ID: fmt.Sprint(n), State: store.Over, Begun: x.now, Ended: x.now.Add([]time.Duration{4, 0, 1, 2, 90, 0}[n] * time.Minute), Job: x.game("b").Job}
		x.p.Over(t.Context(), &g)
	}
	if got := x.p.About(bus.PlacePeople, 1); got != 0 {
		t.Errorf("games of people, of which none was played, wait %v", got)
	}
}

// addRoom adds the room "r" in which ann, who is returned, plays the queued game "g" against somebody.
func (x *playsTest) addRoom(grace time.Duration, against room.Place) room.Actor {
	x.Helper()
	ann := room.Actor{ID: 1, Name: "ann"}
	s, err := room.Open(room.Settings{Game: "othello", Grace: grace}, room.Env{By: ann, Now: x.now})
	if err != nil {
		x.Fatal(err)
	}
	s.Places = [2]room.Place{{Kind: bus.PersonSeat, User: ann.ID, Name: ann.Name}, against}
	for _, cmd := range []room.Command{room.Presence{Here: true}, room.Start{}} {
		if s, _, err = room.Apply(s, cmd, room.Env{By: ann, Now: x.now, ID: "g"}); err != nil {
			x.Fatal(err)
		}
	}
	r := &store.Room{ID: "r", Created: x.now}
	KeepRoom(r, &s, x.now)
	x.update(func(tx store.Tx) error { return tx.AddRoom(r) })
	x.add("g", func(g *store.Game, _ *bus.Play) { g.Room, g.Tournament = "r", "" })
	return ann
}

// A game that nobody plays ends when the owner of a place has been away for the time of
// grace: after it was made, and after the hall has begun anew; not while he is there.
func TestDeserted(t *testing.T) {
	for name, c := range map[string]struct {
		here, parked, again bool
	}{
		"queued": {}, "queued and there": {here: true}, "parked": {parked: true}, "parked and there": {here: true, parked: true},
		"queued, the hall begins anew": {again: true}, "parked, the hall begins anew": {again: true, parked: true},
	} {
		t.Run(name, func(t *testing.T) {
			x := newPlaysTest(t)
			ann := x.addRoom(time.Minute, room.Place{Kind: bus.BotSeat, Engine: "bot=3", Name: "Level 3"})
			look := NewReaper(x.p)
			x.sweep(look)
			presence := func(on bool) {
				x.update(func(tx store.Tx) error {
					r, s, err := OpenRoom(tx, "r")
					if err != nil {
						return err
					}
					if s, _, err = room.Apply(s, room.Presence{Here: on}, room.Env{By: ann, Now: x.now}); err != nil {
						return nil //nolint:nilerr // it is so already
					}
					KeepRoom(&r, &s, x.now)
					return tx.SetRoom(&r)
				})
			}
			if c.parked {
				x.begin("g")
				x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true})
			}
			switch {
			case c.again: // it has not heard of anybody's going
				x.now = x.now.Add(time.Second)
				look = NewReaper(x.p)
				x.sweep(look)
			default:
				presence(c.here)
			}
			was := x.game("g").State
			x.now = x.now.Add(59 * time.Second)
			x.sweep(look)
			if g := x.game("g"); g.State != was {
				t.Fatalf("before the time the game is %s", g.State)
			}
			x.now = x.now.Add(2 * time.Second)
			x.sweep(look)
			if g := x.game("g"); (g.State == store.Aborted) == c.here {
				t.Errorf("after the time the game is %s: %s", g.State, g.Note)
			}
		})
	}
}

// A question that comes twice, since its answer was late, begins a game once: of two that are
// answered side by side the worker hears one, and plays the attempt that counts.
func TestBeginAskedTwice(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", nil)
	ask := func(name string) *bus.Play {
		t.Helper()
		b, err := x.p.Begin(t.Context(), bus.Begin{Game: "g", Worker: "w", Ticket: ticketOf(x.store, "g"), Ask: name})
		if err != nil || b.Play == nil {
			t.Fatalf("%+v %v", b, err)
		}
		return b.Play
	}
	first, again := ask("1"), ask("1")
	if first.Attempt != 1 || !reflect.DeepEqual(first, again) {
		t.Errorf("begun %+v, then %+v", first, again)
	}
	if a, err := x.p.Alive(t.Context(), bus.Pulse{Game: "g", Attempt: first.Attempt, Worker: "w"}); err != nil || a.Stale {
		t.Errorf("the attempt that the worker plays: %+v %v", a, err)
	}
	if next := ask("2"); next.Attempt != 2 {
		t.Errorf("another delivery begins attempt %d", next.Attempt)
	}
}

// A game that was broken off goes on by itself when those who play it are there, also if the
// news that they are came first. Of one that cannot be played its room knows why.
func TestTogether(t *testing.T) {
	x := newPlaysTest(t)
	x.addRoom(0, room.Place{Kind: bus.EngineSeat, Engine: "edax", Name: "edax"})
	look := NewReaper(x.p)
	look.fresh = false
	x.begin("g")
	x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true})
	if g := x.game("g"); g.State != store.Parked {
		t.Fatalf("broken off it is %s", g.State)
	}
	x.sweep(look)
	if g := x.game("g"); g.State != store.Queued || len(x.w.jobs) == 0 {
		t.Fatalf("with its player there it is %s, jobs %+v", g.State, x.w.jobs)
	}
	why := game.Why{Code: bus.WhyStart, Name: "edax", Text: "no such file"}
	for attempt := 2; x.game("g").State == store.Queued; attempt++ {
		x.begin("g")
		x.result(bus.Result{Game: "g", Attempt: attempt, Worker: "w", Fault: why.Text, Why: why, Result: game.Result{Reason: game.ByAbort}})
	}
	var s room.State
	x.update(func(tx store.Tx) (err error) { _, s, err = OpenRoom(tx, "r"); return err })
	if s.Last == nil || s.Last.Why.Code != bus.WhyStart || s.Last.Why.Name != "edax" {
		t.Errorf("the room knows %+v", s.Last)
	}
}

// A game that was put aside is broken off, and waits for its player much longer than one who is away.
func TestAside(t *testing.T) {
	x := newPlaysTest(t)
	ann := x.addRoom(time.Minute, room.Place{Kind: bus.BotSeat, Engine: "bot=3", Name: "Level 3"})
	look := NewReaper(x.p)
	look.fresh = false
	x.begin("g")
	command := func(cmd room.Command, by room.Actor) {
		x.update(func(tx store.Tx) error {
			r, s, err := OpenRoom(tx, "r")
			if err != nil {
				return err
			}
			s, effects, err := room.Apply(s, cmd, room.Env{By: by, Now: x.now})
			if err != nil {
				return err
			}
			for _, e := range effects {
				if err := x.p.Effect(tx, "r", e); err != nil {
					return err
				}
			}
			KeepRoom(&r, &s, x.now)
			return tx.SetRoom(&r)
		})
	}
	command(room.Aside{}, room.Actor{})
	a, err := x.p.Alive(t.Context(), bus.Pulse{Game: "g", Attempt: 1, Worker: "w"})
	if err != nil || a.Order == nil || a.Order.Kind != bus.OrderPark {
		t.Fatalf("the worker is told %+v, %v", a, err)
	}
	x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true})
	x.sweep(look) // she has not left its page yet
	command(room.Presence{Here: false}, ann)
	for _, c := range []struct {
		after time.Duration
		want  store.GameState
	}{{0, store.Parked}, {room.AsideFor - time.Minute, store.Parked}, {2 * time.Minute, store.Aborted}} {
		x.now = x.now.Add(c.after)
		x.sweep(look)
		if g := x.game("g"); g.State != c.want {
			t.Fatalf("after %s it is %s", c.after, g.State)
		}
	}
}
