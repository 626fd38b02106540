package contest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/refuse"
	"kibitz/rating"
	"kibitz/tournament"
)

// TestInvariants gives random commands and results, and holds the tournament to what is
// always true.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		formats := tournament.Formats()
		set := terms(formats[rapid.IntRange(0, len(formats)-1).Draw(t, "format")], rapid.Bool().Draw(t, "repeat"), rapid.Bool().Draw(t, "sprt"))
		// Draws of rapid itself are mostly small; commands shall be alike in number.
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		newWalk(t, rng, set).run(60+rapid.IntRange(0, 200).Draw(t, "steps"), map[string]int{})
	})
}

// TestRandomReachesAll shows that random commands come to everything that a tournament
// can do, so that TestInvariants tries it.
func TestRandomReachesAll(t *testing.T) {
	done := map[string]int{}
	for seed := range uint64(140) {
		formats := tournament.Formats()
		set := terms(formats[seed%uint64(len(formats))], seed%2 == 0, seed%10 == 9)
		newWalk(t, rand.New(rand.NewPCG(seed, 1)), set).run(250, done)
	}
	for _, must := range []string{
		"enter", "enter late", "leave", "start", "begin", "result", "void", "awarded", "pause", "resume", "concurrency", "finish", "cancel", "abort",
		"withdraw", "pair", "pair with an opening", "forfeit", "forfeit of a running game", "replay", "overrule", "overrule after the end", "decided",
	} {
		if done[must] < 3 {
			t.Errorf("%s happened %d times only: the commands are too few", must, done[must])
		}
	}
}

func terms(f tournament.Format, repeat, sprt bool) contest.Config {
	set := contest.Config{
		Name: "test", Game: "othello", Format: f, Games: 2, Repeat: repeat, Seed: 7, Limit: 2, Points: contest.Points{Win: 1, Draw: 0.5},
		TieBreaks: tournament.DefaultTieBreaks(f), Clock: "inf", Rated: true, Listed: true, Open: true, Late: true, PerAccount: 3,
	}
	if sprt {
		set.SPRT = &contest.SPRT{Model: rating.Logistic, Elo0: -100, Elo1: 100, Alpha: 0.2, Beta: 0.2}
		set.Rounds = 20
		if f == tournament.KnockoutSystem {
			set.Rounds = 0
		}
	}
	return set
}

// failer is what both kinds of test have.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// walk is a tournament with what the test itself knows of it.
type walk struct {
	failer
	rng    *rand.Rand
	set    contest.Config
	state  *contest.State
	events []contest.Event
	handed map[string]bool
	done   map[string]int
}

func newWalk(t failer, rng *rand.Rand, set contest.Config) *walk {
	return &walk{failer: t, rng: rng, set: set, state: contest.New(set), handed: map[string]bool{}}
}

func (w *walk) run(steps int, done map[string]int) {
	w.done = done
	most := 9
	if w.set.SPRT != nil {
		most = 2
	}
	for i := range 2 + w.rng.IntN(most-1) {
		w.command(contest.Command{Do: contest.DoEnter, Entry: entry(i)}, contest.Actor{ID: 1, Name: "ann", Director: true})
	}
	if w.rng.IntN(2) == 0 {
		w.happen(contest.Event{Kind: contest.AddOpenings, Openings: []contest.Opening{{Name: "a"}, {Name: "b"}, {Name: "c"}}})
	}
	for range steps {
		switch n := w.rng.IntN(10); {
		case n < 4:
			w.handOut()
		case n < 8:
			w.end()
		default:
			w.command(w.anyCommand(), w.anyone())
		}
		if w.rng.IntN(3) == 0 {
			w.check()
		}
	}
	w.check()
	w.replay()
}

func entry(i int) contest.Entry {
	return contest.Entry{Name: fmt.Sprintf("e%d", i%7), Kind: bus.BotSeat, Engine: "bot=1"}
}

// happen adds an event.
func (w *walk) happen(e contest.Event) {
	w.Helper()
	e.Seq = w.state.Seq + 1
	if err := w.state.Apply(e); err != nil {
		w.Fatalf("%v", err)
	}
	w.events = append(w.events, e)
}

// fresh makes the state anew of the events, as they are kept.
func (w *walk) fresh() *contest.State {
	w.Helper()
	s := contest.New(w.set)
	for _, e := range w.events {
		back, err := contest.ParseEvent(e.Seq, e.At, string(e.Kind), e.By, e.Data())
		if err == nil {
			err = s.Apply(back)
		}
		if err != nil {
			w.Fatalf("%v", err)
		}
	}
	return s
}

func (w *walk) handOut() {
	running := len(w.state.Playing())
	e, turn := w.state.HandOut()
	switch turn {
	case contest.Ready:
		w.events = append(w.events, e)
		w.done["begin"]++
		label := e.Game.Label()
		if w.handed[label] && !e.Game.Awarded { // one without a verdict may be awarded later
			w.Fatalf("game %s is handed out twice", label)
		}
		w.handed[label] = true
		if w.state.Paused || running >= w.state.Limit || w.state.Phase != contest.Playing {
			w.Fatalf("game %s is handed out while %d of %d run, paused %v, %s", label, running, w.state.Limit, w.state.Paused, w.state.Phase)
		}
		if over, ok := w.state.Awarded(e.Game.Index); ok {
			w.done["awarded"]++
			w.happen(contest.Event{Kind: contest.Result, Over: over})
		}
	case contest.Ended:
		if running > 0 {
			w.Fatalf("the tournament ends while %d games run", running)
		}
		if w.rng.IntN(3) == 0 { // else the directors may add something
			if x := w.state.Test(); x != nil && x.Decision != string(rating.Continue) {
				w.done["decided"]++
			}
			w.done["finish"]++
			w.loose()
			w.happen(contest.Event{Kind: contest.Finish})
		}
	}
	w.loose()
}

// loose makes a state anew that has looked ahead.
func (w *walk) loose() {
	if w.state.Loose() {
		w.done["loose"]++
		w.state = w.fresh()
	}
}

// end ends one of the games that run, or one that does not.
func (w *walk) end() {
	list := w.state.Playing()
	if len(list) == 0 {
		return
	}
	g := list[w.rng.IntN(len(list))]
	over := &contest.Over{Index: g.Index, Replays: g.Replays, Plies: 30, Reason: "score"}
	over.Points = [][2]float64{{1, 0}, {1, 0}, {0, 1}, {0.5, 0.5}, {}}[w.rng.IntN(5)]
	what := "result"
	if over.Points == [2]float64{} {
		over.Reason, what = game.ByAbort, "void"
	}
	w.done[what]++
	w.happen(contest.Event{Kind: contest.Result, Over: over})
	if w.rng.IntN(20) == 0 { // late, of an attempt that was given up
		before := w.shown(w.state)
		w.happen(contest.Event{Kind: contest.Result, Over: over})
		if after := w.shown(w.state); after != before {
			w.Fatalf("a second result of game %s counts:\n%s\n%s", g.Label(), before, after)
		}
	}
}

func (w *walk) anyone() contest.Actor {
	return []contest.Actor{{ID: 1, Name: "ann", Director: true}, {ID: 1, Name: "ann", Director: true}, {ID: 2, Name: "bob"}, {ID: 3, Name: "cec"}}[w.rng.IntN(4)]
}

func (w *walk) anyCommand() contest.Command {
	n := func(most int) int { return 1 + w.rng.IntN(max(1, most)) }
	number := n(len(w.state.Games) + 3)
	c := contest.Command{Number: n(len(w.state.Entries) + 1), Opponent: n(len(w.state.Entries)), Game: number, Note: "why", Limit: n(4), Entry: entry(w.rng.IntN(9))}
	if len(w.state.Games) > 0 && w.rng.IntN(2) == 0 {
		c.Game = w.state.Games[w.rng.IntN(len(w.state.Games))].Index + 1
	}
	c.Opening = w.rng.IntN(4)
	if c.Opening > len(w.state.Openings) {
		c.Opening = 0
	}
	c.Result = []string{"first", "second", "draw", "nobody", "both"}[w.rng.IntN(5)]
	c.Remaining = []tournament.Remaining{tournament.ByShare, tournament.ByShare, tournament.Awarded, tournament.Annulled}[w.rng.IntN(4)]
	list := []contest.Do{
		contest.DoEnter, contest.DoWithdraw, contest.DoStart, contest.DoStart, contest.DoStart, contest.DoStart, contest.DoPause, contest.DoResume, contest.DoResume, contest.DoResume,
		contest.DoConcurrency, contest.DoPair, contest.DoForfeit, contest.DoReplay, contest.DoOverrule, contest.DoAbort, "nonsense",
	}
	c.Do = list[w.rng.IntN(len(list))]
	if w.rng.IntN(60) == 0 {
		c.Do = contest.DoCancel
	}
	if c.Do == contest.DoForfeit && w.rng.IntN(2) == 0 {
		c.Game = 0
	}
	if playing := w.state.Playing(); c.Do == contest.DoForfeit && len(playing) > 0 && w.rng.IntN(4) == 0 {
		c.Game, c.Number = playing[0].Index+1, w.state.EntryOf(playing[0].Second).Number
	}
	return c
}

// command gives a command; one that fails changes nothing.
func (w *walk) command(c contest.Command, by contest.Actor) {
	look, before := w.rng.IntN(5) == 0, ""
	if look {
		before = w.shown(w.state)
	}
	e, err := w.state.Settle(c, by)
	if look && w.shown(w.state) != before {
		w.Fatalf("%s is asked and changes something", c.Do)
	}
	if err != nil {
		if !errors.Is(err, refuse.ErrForbidden) && !errors.Is(err, refuse.ErrPhase) && !errors.Is(err, refuse.ErrInvalid) {
			w.Fatalf("%s: an error of no kind: %v", c.Do, err)
		}
		return
	}
	own := c.Do == contest.DoEnter || c.Do == contest.DoWithdraw && w.state.Entries[c.Number-1].User == by.ID
	if !by.Director && !own {
		w.Fatalf("%s gave the command %s of a director", by.Name, c.Do)
	}
	over, running := w.state.Phase == contest.Finished, w.state.Playing()
	w.note(c, &e, over)
	w.happen(e)
	forfeited := -1
	if e.Kind == contest.Order && e.Order.Running {
		forfeited = e.Order.Game - 1
		w.done["forfeit of a running game"]++
	}
	if e.Kind == contest.Cancel || e.Kind == contest.Abort || forfeited >= 0 {
		for _, g := range running {
			if e.Kind == contest.Cancel || e.Kind == contest.Abort && g.Index == e.Game.Index || g.Index == forfeited {
				w.happen(contest.Event{Kind: contest.Result, Over: &contest.Over{Index: g.Index, Replays: g.Replays, Reason: game.ByAbort}})
			}
		}
	}
}

// note counts what happened.
func (w *walk) note(c contest.Command, e *contest.Event, over bool) {
	name := string(e.Kind)
	switch {
	case e.Kind == contest.Enter && e.Order != nil:
		name = "enter late"
	case c.Do == contest.DoOverrule && over:
		name = "overrule after the end"
	case e.Kind == contest.Order && e.Order.Opening > 0:
		name = "pair with an opening"
	case e.Kind == contest.Order:
		name = string(e.Order.Kind)
	}
	w.done[name]++
}

// shown is all that can be seen of a tournament.
func (w *walk) shown(s *contest.State) string {
	w.Helper()
	lines, known := s.Schedule(1, 500)
	over, all := s.Count()
	data, err := json.Marshal([]any{
		s.Phase, s.Paused, s.Limit, s.Entries, s.Present(), s.Standings(), s.Cross(), lines, known, over, all, s.Running(), s.Test(), s.Bracket(), s.Places(),
	})
	if err != nil {
		w.Fatalf("%v", err)
	}
	return string(data)
}

// check holds the figures of a tournament together.
func (w *walk) check() {
	w.Helper()
	s := w.state
	points, games := 0.0, 0
	for _, r := range s.Standings() {
		points += float64(r.Wins) + float64(r.Draws)/2
		games += r.Games
	}
	over, _ := s.Count()
	met, links := 0.0, 0
	for _, m := range s.Cross() {
		met += m.Points[0] + m.Points[1]
		links += len(m.Games)
	}
	lines, _ := s.Schedule(1, 1<<20)
	counted := 0
	for _, l := range lines {
		if l.Counts {
			counted++
		}
	}
	if games != 2*over || points != float64(over) || links != over || met != float64(over) || counted != over {
		w.Fatalf("%d games count: the standings have %d and %v points, the cross table %d and %v, the schedule %d", over, games/2, points, links, met, counted)
	}
	if s.Phase == contest.Finished && len(s.Playing()) > 0 {
		w.Fatalf("%d games run after the end", len(s.Playing()))
	}
}

// replay makes the tournament anew, from what is kept and by a schedule of its own.
func (w *walk) replay() {
	w.Helper()
	if a, b := w.shown(w.state), w.shown(w.fresh()); a != b {
		w.Fatalf("made anew of its events the tournament is\n%s\nit was\n%s", b, a)
	}
	if w.state.Phase == contest.Entering || w.state.Plan().Engines == 0 {
		return
	}
	want := w.director()
	// A Swiss counts byes and opponents from when a round is paired, and so does a knockout
	// byes: results alone do not tell of them before the end.
	byes := w.set.Format == tournament.SwissSystem || w.set.Format == tournament.KnockoutSystem
	ranked := !byes || w.state.Phase == contest.Finished
	got := w.state.Standings()
	for i, row := range want.Ranking(w.set.TieBreaks) {
		x := w.state.EntryOf(row.Engine)
		e := want.Standings().Entry(row.Engine)
		g := got[i]
		if !ranked {
			g = got[slices.IndexFunc(got, func(r contest.Row) bool { return r.Entry == x.Number })]
		}
		if ranked && (g.Entry != x.Number || g.Rank != row.Rank || g.Points != row.Points) || g.Wins != e.Wins || g.Games != e.Games {
			w.Fatalf("place %d has %+v, by results and orders alone %+v with %+v", i+1, g, row, e)
		}
	}
}

// director follows results and orders alone, as a run that is taken up does.
func (w *walk) director() *tournament.Director {
	w.Helper()
	plan, games := w.state.Plan(), map[string]contest.Game{}
	var log []tournament.Event
	running := map[string]bool{}
	for _, e := range w.events {
		switch {
		case e.Kind == contest.Begin:
			games[e.Game.Label()], running[e.Game.Label()] = *e.Game, true
		case e.Order != nil:
			o := *e.Order
			log = append(log, tournament.Event{Order: &o})
			if o.Kind == tournament.Enter {
				plan.Engines--
			}
		case e.Kind == contest.Result:
			g := games[(&contest.Game{Index: e.Over.Index, Replays: e.Over.Replays}).Label()]
			if !running[g.Label()] {
				continue
			}
			delete(running, g.Label())
			log = append(log, tournament.Event{Finished: tournament.Finished{
				Pairing: tournament.Pairing{Index: g.Index, First: g.First, Second: g.Second, Round: g.Round, Pair: g.Pair},
				Result:  game.Result{Points: e.Over.Points, Reason: e.Over.Reason}, Plies: e.Over.Plies,
			}})
		}
	}
	d := tournament.NewDirector(plan, tournament.Points(w.set.Points))
	if err := d.Resume(log, func(tournament.Finished) {}); err != nil {
		w.Fatalf("%v", err)
	}
	return d
}

// Times and accounts are kept beside the rest of an event.
func TestEventsAreKept(t *testing.T) {
	e := contest.Event{Seq: 3, At: time.Unix(5, 0).UTC(), Kind: contest.Enter, By: 9, Name: "ann", Entry: &contest.Entry{Number: 1, Name: "x", Kind: bus.BotSeat, Engine: "bot=1"}}
	back, err := contest.ParseEvent(e.Seq, e.At, string(e.Kind), e.By, e.Data())
	if err != nil || fmt.Sprint(*back.Entry) != fmt.Sprint(*e.Entry) || back.Seq != 3 || back.By != 9 || back.Name != "ann" || !back.At.Equal(e.At) {
		t.Errorf("%+v, %v", back, err)
	}
	if _, err := contest.ParseEvent(1, e.At, "enter", 0, []byte("{")); !errors.Is(err, contest.ErrBroken) {
		t.Error(err)
	}
	s := contest.New(terms(tournament.RoundRobin, false, false))
	for _, bad := range []contest.Event{
		{Seq: 2, Kind: contest.Start}, {Seq: 1, Kind: contest.Start}, {Seq: 1, Kind: "x"}, {Seq: 1, Kind: contest.Begin}, {Seq: 1, Kind: contest.Order}, {Seq: 1, Kind: contest.Finish},
	} {
		if err := s.Apply(bad); !errors.Is(err, contest.ErrBroken) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// A state that has passed over games which nobody plays any more knows more than its
// events say: the hall that made it makes it anew.
func TestLoose(t *testing.T) {
	set := terms(tournament.RoundRobin, false, false)
	set.Limit = 9
	w := newWalk(t, rand.New(rand.NewPCG(1, 1)), set)
	w.done = map[string]int{}
	boss := contest.Actor{ID: 1, Name: "ann", Director: true}
	for i := range 3 {
		w.command(contest.Command{Do: contest.DoEnter, Entry: entry(i)}, boss)
	}
	w.command(contest.Command{Do: contest.DoStart}, boss)
	for _, n := range []int{2, 3} {
		w.command(contest.Command{Do: contest.DoWithdraw, Number: n, Remaining: tournament.Awarded}, boss)
	}
	for range 4 {
		w.handOut() // the first entry wins against both without playing
	}
	if _, turn := w.state.HandOut(); turn != contest.Ended || !w.state.Loose() {
		t.Fatalf("after games of withdrawn engines: %v, loose %v", turn, w.state.Loose())
	}
	if fresh := w.fresh(); fresh.Loose() {
		t.Error("a state of events alone is loose")
	}
	w.happen(contest.Event{Kind: contest.Finish})
	if got := w.fresh().Standings()[0]; got.Name != "e0" || got.Points != 4 || got.Unplayed != 4 {
		t.Errorf("%+v", got)
	}
}
