package phantomgo_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/games/phantomgo"
	"kibitz/rules"
)

// randomGame plays random attempts on states, without allocating.
type randomGame struct {
	rng      *rand.Rand
	moves    []game.Move
	notices  []game.Notice
	captured int
	refused  int
	plies    int
}

func newRandomGame(seed uint64) *randomGame {
	return &randomGame{
		rng:   rand.New(rand.NewPCG(seed, 9)),
		moves: make([]game.Move, 0, 400), notices: make([]game.Notice, 0, 8),
	}
}

// play makes attempts until the game is over or so many moves stand. It passes
// only where nothing else is left.
func (g *randomGame) play(st rules.State, plies int) {
	for g.plies = 0; g.plies < plies && st.Turn().Seat != game.Nobody; {
		g.moves = st.Legal(g.moves[:0])
		m := g.moves[len(g.moves)-1]
		if n := len(g.moves) - 1; n > 0 {
			m = g.moves[g.rng.IntN(n)]
		}
		g.notices, _ = st.Apply(m, g.notices[:0])
		if g.notices[0].Kind == game.Refused {
			g.refused++
			continue
		}
		g.plies++
		if last := &g.notices[len(g.notices)-1]; last.Kind == game.Lost {
			g.captured += len(last.Points)
		}
	}
}

// A whole random game with its captures and refusals does not allocate.
func TestPlayoutsDoNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counting coverage allocates")
	}
	for _, spec := range []string{"phantomgo", "phantomgo:rulings=sau", "phantomgo:size=5,superko=true"} {
		r := open(t, spec)
		const runs = 8
		var states [runs + 1]rules.State
		for i := range states {
			states[i] = r.New()
			if i%2 == 1 { // copies have room of their own
				states[i] = states[i].Clone()
			}
		}
		g := newRandomGame(1)
		next := 0
		allocs := testing.AllocsPerRun(runs, func() {
			g.play(states[next], 1000)
			next++
		})
		if allocs != 0 {
			t.Errorf("%s: a game allocates %.0f times", spec, allocs)
		}
		if g.captured < 100 || g.refused < 100 {
			t.Errorf("%s: only %d stones were captured and %d attempts refused", spec, g.captured, g.refused)
		}
	}
}

// The points of notices stay what they were, whatever is played later on the
// state or on copies of it.
func TestPointsOfNoticesStay(t *testing.T) {
	type kept struct{ points, copied []game.Point }
	var all []kept
	keep := func(list []game.Notice) {
		for _, n := range list {
			if len(n.Points) > 0 {
				all = append(all, kept{n.Points, slices.Clone(n.Points)})
			}
		}
	}
	rng := rand.New(rand.NewPCG(2, 2))
	r := open(t, "phantomgo:size=4,maxplies=300")
	var states [6]rules.State
	for i := range states {
		states[i] = r.New()
	}
	for range 20_000 {
		k := rng.IntN(len(states))
		st := states[k]
		moves := st.Legal(nil)
		switch {
		case len(moves) == 0:
			states[k] = r.New()
			continue
		case rng.IntN(100) == 0:
			states[rng.IntN(len(states))] = st.Clone()
		}
		list, err := st.Apply(moves[rng.IntN(max(1, len(moves)-1))], nil)
		if err != nil {
			t.Fatal(err)
		}
		keep(list)
	}
	if len(all) < 1000 {
		t.Fatalf("only %d captures", len(all)/2)
	}
	for _, k := range all {
		if !slices.Equal(k.points, k.copied) {
			t.Fatalf("points %v have become %v", k.copied, k.points)
		}
		if cap(k.points) != len(k.points) {
			t.Fatalf("points %v can be appended to over those of the next capture", k.points)
		}
	}
}

// midgame returns a position after so many random placements.
func midgame(t testing.TB, plies int) *phantomgo.State {
	t.Helper()
	st := open(t, "phantomgo").New()
	newRandomGame(3).play(st, plies)
	if st.Turn().Seat == game.Nobody {
		t.Fatal("the game is over")
	}
	return st.(*phantomgo.State)
}

// Counting in bulk from the start and after 20, 40 and 60 random placements.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name  string
		st    rules.Perfter
		depth int
	}{
		{"start", open(b, "phantomgo").New().(rules.Perfter), 3},
		{"after20", midgame(b, 20), 3},
		{"after40", midgame(b, 40), 3},
		{"after60", midgame(b, 60), 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			var n uint64
			for b.Loop() {
				n += c.st.Perft(c.depth)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mturns/s")
		})
	}
}

// A random game on the referee's state, refusals included.
func BenchmarkRefereedPlayout(b *testing.B) {
	r := open(b, "phantomgo")
	g := newRandomGame(4)
	moves := 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		st := r.New()
		b.StartTimer()
		g.play(st, 1000)
		moves += g.plies
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds()/1e6, "Mmoves/s")
}
