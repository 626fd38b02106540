package tournament

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
)

// TestOrders says in full what each order does in each format: the games that are
// handed out after the first, one at a time; the lower number wins. "=" marks games that are awarded, "'" those played again.
func TestOrders(t *testing.T) {
	withdraw, enter := Order{Kind: Withdraw, Engine: 1, Remaining: Awarded}, Order{Kind: Enter}
	pair, forfeit := Order{Kind: Pair, Engine: 0, Opponent: 2, Games: 1}, Order{Kind: Forfeit, Engine: 0, Opponent: 1}
	replay, overrule := Order{Kind: Replay, Game: 1}, Order{Kind: Overrule, Game: 1, Points: [2]float64{0.5, 0.5}}
	for _, c := range []struct {
		format Format
		order  Order
		want   string
	}{
		{RoundRobin, withdraw, "1:01 1:20 1:12= 1:03 1:31= 1:23"},
		{RoundRobin, Order{Kind: Withdraw, Engine: 1}, "1:01 1:20 1:03 1:23"},
		{RoundRobin, enter, "1:01 1:20 1:12 1:03 1:31 1:23 0:40 0:14 0:42 0:34"},
		{RoundRobin, pair, "1:01 0:02 1:20 1:12 1:03 1:31 1:23"},
		{Double, forfeit, "1:01 1:20 1:12 1:03 1:31 1:23 2:10= 2:02 2:21 2:30 2:13 2:32"},
		{RoundRobin, Order{Kind: Forfeit, Engine: 3, Game: 6}, "1:01 1:20 1:12 1:03 1:31 1:23="},
		{RoundRobin, replay, "1:01 1:01' 1:20 1:12 1:03 1:31 1:23"},
		{RoundRobin, overrule, "1:01 1:20 1:12 1:03 1:31 1:23"},
		{Gauntlet, enter, "1:01 1:20 1:03 0:40"},
		{Gauntlet, withdraw, "1:01 1:20 1:03"},
		{Pyramid, enter, "1:01 2:20 2:12 3:03 3:31 3:23 0:40 0:14 0:42 0:34"},
		{SwissSystem, withdraw, "1:02 1:31= 2:03 3:23"},
		{SwissSystem, enter, "1:02 1:31 2:10 2:23 3:04 3:21"},
		{SwissSystem, Order{Kind: Pair, Engine: 0, Opponent: 3}, "1:02 1:31 2:03 2:21 3:10 3:32"},
		{SwissSystem, replay, "1:02 1:02' 1:31 2:10 2:23 3:03 3:21"},
		{SwissSystem, Order{Kind: Overrule, Game: 1, Points: [2]float64{0, 1}}, "1:02 1:31 2:12 2:30 3:01 3:23"},
		{KnockoutSystem, withdraw, "1:03 1:12= 2:20"},
		{KnockoutSystem, pair, "1:03 0:02 1:12 2:01"},
		{KnockoutSystem, Order{Kind: Overrule, Game: 1, Points: [2]float64{0, 1}}, "1:03 1:12 2:31"},
		{KnockoutSystem, forfeit, "1:03 1:12 2:01="}, // the final, which was not known then
		{SwissSystem, forfeit, "1:02 1:31 2:10= 2:23 3:12 3:30"},
		{LadderSystem, Order{Kind: Withdraw, Engine: 1}, "1:32 2:20"},
		{LadderSystem, replay, "1:32 1:32' 2:21 3:10"},
	} {
		p := Plan{Format: c.format, Engines: 4, Games: 1, Rounds: 1}
		switch c.format {
		case Gauntlet:
			p.Seeds = 1
		case SwissSystem:
			p.Rounds = 3
		}
		d := NewDirector(p, DefaultPoints)
		var got []string
		for {
			g, state := d.Next()
			if state != Ready {
				break
			}
			text := fmt.Sprintf("%d:%d%d%s", g.Round, g.First, g.Second, strings.Repeat("'", g.Replays))
			f := Finished{Pairing: g, Result: better(g), Plies: 1}
			if r, ok := g.Awarded(); ok {
				text += "="
				f = Finished{Pairing: g, Result: r}
			}
			got = append(got, text)
			d.Record(f)
			if len(got) == 1 {
				if _, err := d.Apply(c.order); err != nil {
					t.Errorf("%s, %+v: %v", c.format, c.order, err)
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, %+v\n got %s\nwant %s", c.format, c.order, strings.Join(got, " "), c.want)
		}
		if d.Len() != len(got) {
			t.Errorf("%s, %+v: %d games of %d", c.format, c.order, len(got), d.Len())
		}
	}
}

// The next round is paired when a game of any round that is played again has ended, so
// that its result counts whoever ends first; who withdraws loses it.
func TestRoundsWaitForReplays(t *testing.T) {
	d := NewDirector(Plan{Format: SwissSystem, Engines: 4, Games: 1, Rounds: 3}, DefaultPoints)
	next := func(want State) Pairing {
		t.Helper()
		g, state := d.Next()
		if state != want {
			t.Fatalf("state %v, want %v", state, want)
		}
		return g
	}
	order := func(o Order) {
		t.Helper()
		if _, err := d.Apply(o); err != nil {
			t.Fatal(err)
		}
	}
	play := func(g Pairing) { d.Record(Finished{Pairing: g, Result: better(g), Plies: 1}) }
	play(next(Ready))
	play(next(Ready))
	second := [2]Pairing{next(Ready), next(Ready)}
	order(Order{Kind: Replay, Game: 1})
	again := next(Ready)
	if again.Index != 0 || again.Replays != 1 {
		t.Fatalf("%+v is played again", again)
	}
	play(second[0])
	play(second[1])
	next(Wait)
	d.Record(Finished{Pairing: again}) // no verdict, again
	order(Order{Kind: Withdraw, Engine: again.First})
	lost := next(Ready)
	if lost.Index != 0 || lost.Award != ToSecond {
		t.Fatalf("%+v: the game of who has withdrawn", lost)
	}
	next(Wait)
	r, _ := lost.Awarded()
	d.Record(Finished{Pairing: lost, Result: r})
	if g := next(Ready); g.Round != 3 {
		t.Errorf("%+v follows", g)
	}
}

// Orders that cannot be followed say why.
func TestOrdersThatCannotBe(t *testing.T) {
	started := func(p Plan, games int) *Director {
		d := NewDirector(p, DefaultPoints)
		for range games {
			g, _ := d.Next()
			d.Record(Finished{Pairing: g, Result: better(g), Plies: 1})
		}
		return d
	}
	plan := func(f Format) Plan { return Plan{Format: f, Engines: 4, Games: 2, Rounds: 1} }
	for _, c := range []struct {
		d     *Director
		order Order
		want  string
	}{
		{started(plan(RoundRobin), 1), Order{Kind: "resign"}, `resign: order "resign": unknown; write one of withdraw enter pair forfeit replay overrule`},
		{started(plan(RoundRobin), 1), Order{Kind: Withdraw, Engine: 4}, "withdraw: engine 5: there are engines 1 to 4"},
		{started(plan(KnockoutSystem), 1), Order{Kind: Withdraw, Remaining: Annulled}, "withdraw: the games of who withdraws from a knockout are awarded: they cannot be annulled"},
		{started(plan(RoundRobin), 1), Order{Kind: Withdraw, Remaining: "x"}, `withdraw: remaining "x": write award or annul, or leave it away`},
		{started(plan(RoundRobin), 1), Order{Kind: Enter, Byes: 1}, "enter: 1 byes: there are byes of half a match in a Swiss only"},
		{started(plan(KnockoutSystem), 1), Order{Kind: Enter}, "enter: nobody can enter any more: the knockout has begun"},
		{started(plan(SwissSystem), 1), Order{Kind: Enter}, "enter: nobody can enter any more: the last round has been paired"},
		{started(plan(LadderSystem), 1), Order{Kind: Enter}, "enter: nobody can enter any more: the last pass up the ladder has begun"},
		{started(plan(SwissSystem), 1), Order{Kind: Pair, Opponent: 1}, "pair: the last round has been paired already"},
		{started(plan(RoundRobin), 1), Order{Kind: Pair}, "pair: engine 1 cannot meet itself"},
		{started(plan(RoundRobin), 1), Order{Kind: Forfeit, Game: 99}, "forfeit: there is no game 99, or it is not yet known who plays it"},
		{started(plan(RoundRobin), 1), Order{Kind: Forfeit, Game: 1}, "forfeit: game 1 is over: overrule it"},
		{started(plan(RoundRobin), 1), Order{Kind: Forfeit, Game: 2, Engine: 3}, "forfeit: engine 4 does not play game 2"},
		{started(plan(RoundRobin), 1), Order{Kind: Forfeit}, "forfeit: a forfeit needs a game, or two engines"},
		{started(plan(RoundRobin), 1), Order{Kind: Replay, Game: 2}, "replay: game 2 has not been played"},
		{started(plan(RoundRobin), 1), Order{Kind: Overrule, Game: 1, Points: [2]float64{1, 1}}, "overrule: points [1 1]: must be 1 0, 0.5 0.5, 0 1, or 0 0 for nobody"},
	} {
		if _, err := c.d.Apply(c.order); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.order, err, c.want)
		}
	}
	d := started(plan(RoundRobin), 1)
	if _, err := d.Apply(Order{Kind: Withdraw, Engine: 0}); err != nil {
		t.Fatal(err)
	}
	_, err := d.Settle(Order{Kind: Forfeit, Game: 2, Engine: 0})
	if got, want := Named(err, 4, func(n int) string { return "ABCD"[n : n+1] }), (game.Why{Code: "nocount", Name: "B", N: 2, Text: "forfeit: game 2 does not count: B or A has withdrawn"}); got != want {
		t.Errorf("named: %+v", got)
	}
	_, err = d.Settle(Order{Kind: Withdraw, Engine: 4})
	if got := Named(err, 4, nil).Text; got != "withdraw: engine 5: there are engines 1 to 4" {
		t.Errorf("an engine without a name: %q", got)
	}
	d = started(plan(RoundRobin), 0)
	d.Next()
	if _, err := d.Apply(Order{Kind: Replay, Game: 1}); err == nil || !strings.Contains(err.Error(), "is being played") {
		t.Error(err)
	}
}

// A log that does not fit is refused.
func TestLogsThatDoNotFit(t *testing.T) {
	p := Plan{Format: SwissSystem, Engines: 4, Games: 1, Rounds: 2}
	d := NewDirector(p, DefaultPoints)
	var log []Event
	for {
		g, state := d.Next()
		if state != Ready {
			break
		}
		f := Finished{Pairing: g, Result: better(g), Plies: 1}
		d.Record(f)
		log = append(log, Event{Finished: asLogged(f)})
	}
	for _, c := range []struct {
		log  []Event
		want string
	}{
		{append(slices.Clone(log), log[3]), "game 4 has two results"},
		{append(slices.Clone(log), Event{Finished: Finished{Pairing: Pairing{Index: 4}}}), "game 5 of the earlier run is not in this schedule, which has 4"},
		{[]Event{{Finished: Finished{Pairing: Pairing{Index: 0, Round: 1, Pair: 1, First: 3}}}}, "game 1 of the earlier run is engine 4 against 1, pair 1 of round 1, in this schedule it is engine 1 against 3"},
		{append(slices.Clone(log), Event{Order: &Order{Kind: Withdraw, Waves: 1}}), "withdraw: it was given when 1 rounds had begun, but there are results of round 2 before it"},
		{[]Event{{Order: &Order{Kind: Withdraw, Waves: 7}}}, "withdraw: it was given when 7 rounds had begun, this schedule has no more than 2"},
	} {
		err := NewDirector(p, DefaultPoints).Resume(c.log, func(Finished) {})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A Director remembers a byte for each of 100,000 games where all are known
// beforehand, and some for each match where they depend on results.
func TestDirectorInConstantMemory(t *testing.T) {
	for _, c := range []struct {
		plan Plan
		most uint64 // bytes a game that may stay
	}{
		{Plan{Engines: 50, Games: 2, Rounds: 41}, 4},
		{Plan{Format: Gauntlet, Engines: 201, Seeds: 10, Games: 53, Rounds: 1}, 4},
		{Plan{Format: Pyramid, Engines: 447, Games: 1, Rounds: 1}, 4},
		{Plan{Format: SwissSystem, Engines: 500, Games: 50, Rounds: 8}, 40},
		{Plan{Format: KnockoutSystem, Engines: 512, Games: 200, Rounds: 1}, 4},
		{Plan{Format: LadderSystem, Engines: 26, Games: 40, Rounds: 100}, 10},
	} {
		d := NewDirector(c.plan, DefaultPoints)
		if n := d.Len(); n < 99_000 {
			t.Fatalf("%s: only %d games", c.plan.Format, n)
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		played := len(simulateCount(d))
		runtime.GC()
		runtime.ReadMemStats(&after)
		if after.HeapAlloc > before.HeapAlloc+c.most*uint64(d.Len()) {
			t.Errorf("%s: the heap grew by %d bytes with %d games", c.plan.Format, after.HeapAlloc-before.HeapAlloc, d.Len())
		}
		if d.Standings().Games() != d.Len() || played != 0 {
			t.Errorf("%s: %d games counted of %d", c.plan.Format, d.Standings().Games(), d.Len())
		}
	}
}

// simulateCount plays a schedule and keeps nothing.
func simulateCount(s Scheduler) (none []Pairing) {
	for {
		p, state := s.Next()
		if state != Ready {
			return none
		}
		s.Record(Finished{Pairing: p, Result: better(p), Plies: 1})
	}
}
