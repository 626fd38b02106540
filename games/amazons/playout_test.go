package amazons_test

import (
	"math/rand/v2"
	"testing"

	"kibitz/game"
	"kibitz/rules"
)

// randomGame plays random decisions on states, without allocating.
type randomGame struct {
	rng       *rand.Rand
	moves     []game.Move
	notices   []game.Notice
	decisions int
}

func newRandomGame(seed uint64) *randomGame {
	return &randomGame{
		rng:   rand.New(rand.NewPCG(seed, 9)),
		moves: make([]game.Move, 0, 160), notices: make([]game.Notice, 0, 2),
	}
}

// play makes so many turns, or fewer if the game ends.
func (g *randomGame) play(st rules.State, turns int) {
	for range 2 * turns {
		if st.Turn().Seat == game.Nobody {
			return
		}
		g.moves = st.Legal(g.moves[:0])
		g.notices, _ = st.Apply(g.moves[g.rng.IntN(len(g.moves))], g.notices[:0])
		g.decisions++
	}
}

func TestPlayoutsDoNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counting coverage allocates")
	}
	for _, spec := range []string{"amazons", "amazons:rulings=sau"} {
		r := open(t, spec)
		const runs = 8
		var states [runs + 1]rules.State
		for i := range states {
			states[i] = r.New()
		}
		g := newRandomGame(1)
		next := 0
		allocs := testing.AllocsPerRun(runs, func() {
			g.play(states[next], 100)
			next++
		})
		if allocs != 0 {
			t.Errorf("%s: a game allocates %.0f times", spec, allocs)
		}
		for _, st := range states {
			if _, over := st.Result(); !over {
				t.Errorf("%s: a game is not over: %s", spec, st.Text())
			}
		}
	}
}

// Counting in bulk from the start and after 10, 25 and 40 random turns.
func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name         string
		turns, depth int
	}{{"start", 0, 2}, {"after10", 10, 2}, {"after25", 25, 2}, {"after40", 40, 2}} {
		st := open(b, "amazons").New()
		newRandomGame(3).play(st, c.turns)
		b.Run(c.name, func(b *testing.B) {
			var n uint64
			for b.Loop() {
				n += st.(rules.Perfter).Perft(c.depth)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mturns/s")
		})
	}
}

func BenchmarkPlayout(b *testing.B) {
	r := open(b, "amazons")
	g := newRandomGame(4)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		st := r.New()
		b.StartTimer()
		g.play(st, 100)
	}
	b.ReportMetric(float64(g.decisions)/b.Elapsed().Seconds()/1e6, "Mdecisions/s")
}
