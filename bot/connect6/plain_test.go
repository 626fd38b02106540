package connect6

import (
	"math/rand/v2"
	"testing"

	"kibitz/bot"
	"kibitz/bot/search"
)

// plain is the value of a position to a depth by trying every turn that is listed, with
// no bounds and no table.
func plain(s *position, m *search.Meter, ply, depth, limit int) int {
	n := &search.Node{Ply: ply, Depth: depth, Meter: m, Floor: -search.Inf}
	if s.Enter(n) {
		return n.Value
	}
	if n.Depth <= 0 || ply >= limit {
		return s.Evaluate()
	}
	s.Moves(n)
	best := -search.Inf
	for _, x := range n.Moves {
		s.Play(x.Move)
		best = max(best, -plain(s, m, ply+1, n.Depth-1, limit))
		s.Undo(x.Move)
	}
	return max(best, n.Floor)
}

// Without attacks, which find more the more they are asked, the search has the value of
// a search without bounds.
func TestSearchAgreesWithPlainSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		f := newField(9)
		scatter(f, rng, 5+2*rng.IntN(6))
		e := newEngine()
		e.field = f
		task := bot.Task{Lines: 1}
		e.pos.begin(&task, f, 0)
		e.pos.seeks = false
		if _, ok := f.winning(e.pos.c, 2); ok {
			continue
		}
		e.pos.first = e.pos.turns(nil, e.pos.c, 2, f.covers(nil, 1-e.pos.c, 2), lowWidth)
		for depth := 1; depth <= 3; depth++ {
			task = bot.Task{Lines: 1, Depth: depth}
			e.search.Forget()
			r := e.search.Run(&task, &e.pos, 1, 0)
			if r.Depth < depth {
				break // settled
			}
			m := search.NewMeter(&bot.Task{}, pollEvery)
			if want := plain(&e.pos, m, 0, depth, 3*depth+6); r.Lines[0].Value != want {
				t.Fatalf("%v: depth %d is worth %d, want %d", f.stones, depth, r.Lines[0].Value, want)
			}
		}
	}
}
