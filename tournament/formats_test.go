package tournament

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kibitz/game"
)

// byLabel decides a game by what it is and nothing else.
func byLabel(p Pairing) game.Result {
	h := fnv.New64a()
	fmt.Fprint(h, p)
	switch h.Sum64() % 5 {
	case 0:
		return tie(p)
	case 1, 2:
		return game.Win(game.Second, "x", "")
	}
	return game.Win(game.First, "x", "")
}

// anyPlan draws a plan that Check finds in order.
func anyPlan(t *rapid.T) Plan {
	p := Plan{
		Format: rapid.SampledFrom(Formats()).Draw(t, "format"), Engines: rapid.IntRange(2, 12).Draw(t, "engines"),
		Games: rapid.IntRange(1, 5).Draw(t, "games"), Rounds: rapid.IntRange(1, 4).Draw(t, "rounds"),
		Openings: rapid.IntRange(0, 5).Draw(t, "openings"), Repeat: rapid.Bool().Draw(t, "repeat"),
	}
	p.Lot[0] = rapid.Byte().Draw(t, "lot")
	switch p.Format {
	case Gauntlet:
		p.Seeds = rapid.IntRange(1, p.Engines-1).Draw(t, "seeds")
	case KnockoutSystem:
		p.Rounds, p.Seeds = 1, rapid.IntRange(0, p.Engines).Draw(t, "seeds")
	}
	if p.Repeat {
		p.Games += p.Games % 2
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

// In every format games are numbered in order, nobody meets itself, an even number
// of games at a meeting gives both the same number of each seat, and each opening
// and shuffle comes twice with seats exchanged if it is to be repeated.
func TestEveryFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		s := NewScheduler(p, DefaultPoints)
		most := s.Most()
		list := simulate(s, byLabel)
		if len(list) != s.Len() || len(list) > most {
			t.Fatalf("%d games, announced %d, at most %d", len(list), s.Len(), most)
		}
		if _, state := s.Next(); state != Over {
			t.Errorf("after the last game: state %d", state)
		}
		seats, byShuffle := map[int]int{}, map[int][]Pairing{}
		for i, g := range list {
			if g.Index != i || g.First == g.Second || min(g.First, g.Second) < 0 || max(g.First, g.Second) >= p.Engines || g.Round < 1 || g.Pair < 1 {
				t.Fatalf("game %d: %+v", i, g)
			}
			if (g.Opening < 0) != (p.Openings == 0) || g.Opening >= p.Openings {
				t.Fatalf("opening: %+v", g)
			}
			seats[g.First]++
			seats[g.Second]--
			byShuffle[g.Shuffle] = append(byShuffle[g.Shuffle], g)
		}
		for e, d := range seats {
			if p.Games%2 == 0 && d != 0 {
				t.Errorf("engine %d has %d more games in one seat", e, d)
			}
		}
		for n, games := range byShuffle {
			if !p.Repeat {
				if len(games) != 1 {
					t.Errorf("shuffle %d is dealt %d times", n, len(games))
				}
				continue
			}
			if len(games) != 2 || games[0].First != games[1].Second || games[0].Second != games[1].First || games[0].Opening != games[1].Opening {
				t.Errorf("shuffle %d: %+v", n, games)
			}
		}
	})
}

// The number of games at a time changes no game.
func TestConcurrencyChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		want := simulate(NewScheduler(p, DefaultPoints), byLabel)
		for _, concurrency := range []int{1, 2, 7} {
			var got []Pairing
			n := Run(context.Background(), NewScheduler(p, DefaultPoints), concurrency, nil, func(_ context.Context, p Pairing, _ int) (Finished, bool) {
				for range p.Index * 7 % 5 {
					runtime.Gosched()
				}
				return Finished{Pairing: p, Result: byLabel(p)}, true
			}, func(f Finished) { got = append(got, f.Pairing) })
			slices.SortFunc(got, func(a, b Pairing) int { return a.Index - b.Index })
			if n != len(want) || !slices.Equal(got, want) {
				t.Fatalf("%d at a time: other games\n%v\n%v", concurrency, got, want)
			}
		}
	})
}

// A tournament ends also if games are not played to a verdict.
func TestGamesWithoutVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		s := NewScheduler(p, DefaultPoints)
		tried := 0
		n := Run(context.Background(), s, 1, nil, func(_ context.Context, p Pairing, _ int) (Finished, bool) {
			tried++
			return Finished{Pairing: p, Result: byLabel(p)}, p.Index%3 != 0
		}, func(Finished) {})
		if tried != s.Len() || n >= tried {
			t.Errorf("%d games tried, %d played, of %d", tried, n, s.Len())
		}
	})
}

// Whoever waits for a round to end goes home when there is to be no next.
func TestDrainWhileWaiting(t *testing.T) {
	drain := make(chan struct{})
	p := Plan{Format: SwissSystem, Engines: 2, Games: 1, Rounds: 3}
	n := Run(t.Context(), NewScheduler(p, DefaultPoints), 4, drain, func(_ context.Context, p Pairing, _ int) (Finished, bool) {
		close(drain)
		return Finished{Pairing: p, Result: better(p)}, true
	}, func(Finished) {})
	if n != 1 {
		t.Errorf("%d games", n)
	}
}

// With an odd number of games at each meeting no engine has begun more than one
// game more than it has not.
func TestSingleGamesAreBalanced(t *testing.T) {
	for n := 2; n <= 21; n++ {
		plans := []Plan{{Engines: n}, {Format: Pyramid, Engines: n}}
		for seeds := 1; seeds < n; seeds++ {
			plans = append(plans, Plan{Format: Gauntlet, Engines: n, Seeds: seeds})
		}
		for _, p := range plans {
			p.Games, p.Rounds = 1, 1
			seats := map[int]int{}
			for _, g := range allGames(p) {
				seats[g.First]++
				seats[g.Second]--
			}
			for e, d := range seats {
				if max(d, -d) > 1 {
					t.Errorf("%+v: engine %d has %d more games in one seat", p, e, d)
				}
			}
		}
	}
}

// TestWhoMeetsWhom says in full who plays whom in small tournaments. The lower
// number wins.
func TestWhoMeetsWhom(t *testing.T) {
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{Plan{Format: RoundRobin, Engines: 3, Rounds: 1}, "1:01 1:20 1:12"},
		{Plan{Format: Double, Engines: 3, Rounds: 1}, "1:01 1:20 1:12 2:10 2:02 2:21"},
		{Plan{Format: Gauntlet, Engines: 4, Rounds: 1, Seeds: 1}, "1:01 1:20 1:03"},
		{Plan{Format: Gauntlet, Engines: 4, Rounds: 2, Seeds: 2}, "1:20 1:12 1:03 1:31 2:02 2:21 2:30 2:13"},
		{Plan{Format: Pyramid, Engines: 4, Rounds: 1}, "1:01 2:20 2:12 3:03 3:31 3:23"},
		{Plan{Format: SwissSystem, Engines: 4, Rounds: 3}, "1:02 1:31 2:10 2:23 3:03 3:21"},
		{Plan{Format: SwissSystem, Engines: 3, Rounds: 3}, "1:01 2:20 3:12"},
		{Plan{Format: KnockoutSystem, Engines: 5, Rounds: 1}, "1:34 2:03 2:12 3:01"},
		{Plan{Format: LadderSystem, Engines: 3, Rounds: 2}, "1:21 2:10 3:12 4:01"},
	} {
		c.plan.Games = 1
		if err := c.plan.Check(); err != nil {
			t.Error(err)
			continue
		}
		got := ""
		for _, g := range simulate(NewScheduler(c.plan, DefaultPoints), better) {
			got += fmt.Sprintf(" %d:%d%d", g.Round, g.First, g.Second)
		}
		if got[1:] != c.want {
			t.Errorf("%+v\n got %s\nwant %s", c.plan, got[1:], c.want)
		}
	}
}

// Formats that do not depend on results hand out games without remembering any.
func TestScheduleInConstantMemory(t *testing.T) {
	for _, p := range []Plan{
		{Format: RoundRobin, Engines: 50, Games: 2, Rounds: 41},
		{Format: Gauntlet, Engines: 201, Seeds: 10, Games: 53, Rounds: 1},
		{Format: Pyramid, Engines: 447, Games: 1, Rounds: 1},
		{Format: LadderSystem, Engines: 2, Games: 100_000, Rounds: 1},
		{Format: SwissSystem, Engines: 2, Games: 100_000, Rounds: 1},
	} {
		s := NewScheduler(p, DefaultPoints)
		games := s.Len()
		if games < 99_000 {
			t.Fatalf("%+v: only %d games", p, games)
		}
		played := 0
		// One run to warm up and one that counts.
		allocs := testing.AllocsPerRun(1, func() {
			for range games / 2 {
				g, state := s.Next()
				if state != Ready {
					t.Fatal("no game")
				}
				s.Record(Finished{Pairing: g, Result: better(g)})
				played++
			}
		})
		if allocs > 1000 {
			t.Errorf("%s: %.0f allocations for %d games", p.Format, allocs, games/2)
		}
	}
}

// The whole run loop leaves nothing behind either.
func TestRunInConstantMemory(t *testing.T) {
	p := Plan{Engines: 5, Games: 10_000, Rounds: 1}
	st := NewStandings(p, DefaultPoints)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := Run(t.Context(), NewScheduler(p, DefaultPoints), 8, nil, func(_ context.Context, p Pairing, _ int) (Finished, bool) {
		return Finished{Pairing: p, Result: better(p)}, true
	}, st.Add)
	runtime.ReadMemStats(&after)
	if n != 100_000 || st.Games() != n {
		t.Fatalf("%d games, %d counted", n, st.Games())
	}
	if grown := after.Mallocs - before.Mallocs; grown > uint64(n)/10 {
		t.Errorf("%d allocations for %d games", grown, n)
	}
}

// Plans that cannot be played are refused, with the flag to change.
func TestPlansThatCannotBe(t *testing.T) {
	for want, p := range map[string]Plan{
		"--format x: unknown; write one of roundrobin double gauntlet swiss knockout pyramid ladder": {Format: "x", Engines: 3, Games: 1, Rounds: 1},
		"--seeds 3: a gauntlet of 3 engines is run by 1 to 2 of them":                                {Format: Gauntlet, Engines: 3, Games: 1, Rounds: 1, Seeds: 3},
		"--seeds 4: must be from 0 to the number of engines, 3":                                      {Format: KnockoutSystem, Engines: 3, Games: 1, Rounds: 1, Seeds: 4},
		"--seeds 1: goes with the formats gauntlet and knockout only":                                {Format: SwissSystem, Engines: 3, Games: 1, Rounds: 1, Seeds: 1},
		"--rounds 2: a knockout has the rounds that it needs; leave it away":                         {Format: KnockoutSystem, Engines: 3, Games: 1, Rounds: 2},
		"--rounds 0: must be at least 1":                                                             {Format: SwissSystem, Engines: 3, Games: 1},
		"--repeat: it plays each opening twice: a ladder needs an even number of games, not 1":       {Format: LadderSystem, Engines: 3, Games: 1, Rounds: 1, Repeat: true},
	} {
		if err := p.Check(); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", p, err, want)
		}
	}
}

// In a bracket the best who are left meet as late as can be, the highest placed have
// the byes, and one is left.
func TestKnockout(t *testing.T) {
	for n := 2; n <= 70; n++ {
		k := newKnockout(Plan{Format: KnockoutSystem, Engines: n, Games: 2, Rounds: 1})
		games := simulate(k, better)
		if len(games) != 2*(n-1) {
			t.Fatalf("%d engines: %d games", n, len(games))
		}
		size := 1
		for size < n {
			size *= 2
		}
		out := map[int]bool{}
		byes, last := map[int]bool{}, KnockoutMatch{}
		for _, m := range k.Bracket() {
			if m.Second < 0 {
				if m.Round != 1 {
					t.Errorf("%d engines: a bye in round %d", n, m.Round)
				}
				byes[m.First] = true
				continue
			}
			if out[m.First] || out[m.Second] || m.Winner != min(m.First, m.Second) {
				t.Fatalf("%d engines: %+v", n, m)
			}
			// Those placed highest meet as late as can be: the best 2^k are all in
			// until there are 2^k left.
			if left := 2 << (m.Of - m.Round); max(m.First, m.Second) < left/2 {
				t.Errorf("%d engines: %d and %d meet among the last %d", n, m.First, m.Second, left)
			}
			out[m.First+m.Second-m.Winner] = true
			last = m
		}
		if len(out) != n-1 || last.Winner != 0 || last.Round != last.Of {
			t.Errorf("%d engines: %d are out, the last match is %+v", n, len(out), last)
		}
		if want := size - n; len(byes) != want || want > 0 && slices.Max(slices.Collect(maps.Keys(byes))) != want-1 {
			t.Errorf("%d engines: byes %v", n, byes)
		}
	}
}

// A tie is played again with seats exchanged, at most MostRematches times.
func TestRematches(t *testing.T) {
	for games, rematch := range map[int]int{1: 1, 2: 2, 5: 2} {
		k := newKnockout(Plan{Format: KnockoutSystem, Engines: 3, Games: games, Rounds: 1})
		list := simulate(k, tie)
		if want := 2 * (games + MostRematches*rematch); len(list) != want || k.Most() != want || k.Len() != want {
			t.Errorf("%d games, want %d, at most %d", len(list), want, k.Most())
		}
		for _, m := range k.Bracket() {
			if m.Second >= 0 && (!m.Placed || m.Rematches != MostRematches || m.Winner != min(m.First, m.Second)) {
				t.Errorf("%+v", m)
			}
		}
		if games == 1 && list[0].First != list[1].Second {
			t.Errorf("seats were not exchanged: %v %v", list[0], list[1])
		}
	}
	// Decided in the second rematch.
	k := newKnockout(Plan{Format: KnockoutSystem, Engines: 2, Games: 2, Rounds: 1})
	simulate(k, func(p Pairing) game.Result {
		if p.Index < 4 {
			return tie(p)
		}
		return better(p)
	})
	if m := k.Bracket()[0]; m.Winner != 0 || m.Placed || m.Rematches != 2 || m.Points != [2]float64{4, 2} {
		t.Errorf("%+v", m)
	}
}

// The seeds are placed, the others drawn: by the lot and nothing else.
func TestKnockoutByLot(t *testing.T) {
	first := func(lot byte, seeds int) string {
		k := newKnockout(Plan{Format: KnockoutSystem, Engines: 16, Games: 1, Rounds: 1, Seeds: seeds, Lot: [32]byte{lot}})
		return fmt.Sprint(k.alive)
	}
	if again := first(1, 4); again != first(1, 4) || again == first(2, 4) || first(1, 0) != first(2, 0) || first(1, 16) != first(1, 0) {
		t.Error("the lot is drawn wrongly")
	}
	k := newKnockout(Plan{Format: KnockoutSystem, Engines: 16, Games: 1, Rounds: 1, Seeds: 4, Lot: [32]byte{1}})
	if k.alive[0] != 0 || k.alive[8] != 1 || k.alive[12] != 2 || k.alive[4] != 3 {
		t.Errorf("the seeds are not in their quarters: %v", k.alive)
	}
	slices.Sort(k.alive)
	for i, e := range k.alive {
		if i != e {
			t.Fatalf("not everybody is there once: %v", k.alive)
		}
	}
}

// One pass up the ladder brings the strongest to the top, as many as there are
// engines put all in order; ties change nothing.
func TestLadder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "engines")
		strength := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for i := range n {
				if !yield(i) {
					return
				}
			}
		})).Draw(t, "strength")
		stronger := func(p Pairing) game.Result {
			if strength[p.First] > strength[p.Second] {
				return game.Win(game.First, "x", "")
			}
			return game.Win(game.Second, "x", "")
		}
		p := Plan{Format: LadderSystem, Engines: n, Games: 2, Rounds: 1}
		l := newLadder(p)
		simulate(l, stronger)
		if strength[l.Places()[0]] != n-1 {
			t.Errorf("on top is %d of %v", l.Places()[0], strength)
		}
		p.Rounds = n
		l = newLadder(p)
		simulate(l, stronger)
		for place, e := range l.Places() {
			if strength[e] != n-1-place {
				t.Fatalf("places %v, strengths %v", l.Places(), strength)
			}
		}
		p.Rounds = 1
		l = newLadder(p)
		simulate(l, tie)
		if !slices.IsSorted(l.Places()) {
			t.Errorf("ties moved somebody: %v", l.Places())
		}
	})
}

// Where the higher place decides it is that of the engine, not of the line.
func TestHigherPlaceGoesOn(t *testing.T) {
	k := newKnockout(Plan{Format: KnockoutSystem, Engines: 4, Games: 1, Rounds: 1})
	simulate(k, func(p Pairing) game.Result {
		switch {
		case p.Round == 2:
			return tie(p)
		case p.First == 3: // beats 0
			return game.Win(game.First, "x", "")
		case p.Second == 3:
			return game.Win(game.Second, "x", "")
		}
		return better(p)
	})
	list := k.Bracket()
	if m := list[len(list)-1]; m.First != 3 || m.Second != 1 || m.Winner != 1 || !m.Placed {
		t.Errorf("%+v", m)
	}
}

// stuck waits for games that nobody plays.
type stuck struct{}

func (stuck) Next() (Pairing, State) { return Pairing{}, Wait }
func (stuck) Record(Finished)        {}
func (stuck) Len() int               { return 1 }
func (stuck) Most() int              { return 1 }

// A schedule that waits for nothing does not keep the run waiting.
func TestNothingToWaitFor(t *testing.T) {
	if n := Run(t.Context(), stuck{}, 3, nil, nil, nil); n != 0 {
		t.Errorf("%d games", n)
	}
}
