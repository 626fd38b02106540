package gomoku

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/games/gomoku"
)

// plain is the value of a position to a depth by trying every candidate, with no bounds
// and no table.
func plain(p *position, m *search.Meter, ply, depth int) int {
	n := &search.Node{Ply: ply, Depth: depth, Meter: m}
	if p.Enter(n) && ply > 0 {
		return n.Value
	}
	if n.Depth <= 0 {
		return p.Evaluate()
	}
	if p.Moves(n); len(n.Moves) == 0 {
		return n.Value
	}
	best := -search.Inf
	for _, x := range n.Moves {
		p.Play(x.Move)
		best = max(best, -plain(p, m, ply+1, depthAfter(n, ply, depth)))
		p.Undo(x.Move)
	}
	return best
}

// depthAfter is what is left after a move. The root is not extended.
func depthAfter(n *search.Node, ply, depth int) int {
	if ply == 0 {
		return depth - 1
	}
	return n.Depth - 1
}

// Without reductions, and without the searches of fours and threats, which find more
// than depth does, the search has the value of a search without bounds.
func TestSearchAgreesWithPlainSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	forced, lost := 0, 0
	for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
		f := testField(rule, 7, 7)
		o := options(len(f.cells), nil)
		o.Reduce, o.LateMoves, o.InternalReduction, o.ReverseFutilityMargin, o.ReverseFutilityDepth, o.Futility = nil, nil, 0, 0, 0, nil
		s := search.New(o)
		for range 6 {
			f.follow(gomoku.NewBoard(rule, 7, 7))
			scatterQuietly(f, rng, 20+rng.IntN(12))
			e := engine{field: f, pos: position{solver: *newSolver(f, rule)}}
			p := &e.pos
			p.meter = search.NewMeter(&bot.Task{}, pollEvery)
			if f.count[black][cFive] > 0 {
				continue
			}
			p.first = e.roots()
			for depth := 1; depth <= 3; depth++ {
				s.Forget()
				r := s.Run(&bot.Task{Depth: depth}, p, 1, 0)
				if r.Depth < depth {
					break // settled
				}
				want := plain(p, p.meter, 0, depth)
				if r.Lines[0].Value != want {
					t.Fatalf("%s\n%s: depth %d is worth %d, want %d", rule, draw(f.board), depth, r.Lines[0].Value, want)
				}
				if len(r.Lines[0].PV) > depth {
					forced++
				}
				if want < -winBound || want > winBound {
					lost++
				}
			}
		}
	}
	if forced < 5 || lost < 5 {
		t.Errorf("%d lines with forced moves, %d wins and losses", forced, lost)
	}
}

// A copy for another goroutine, made anew or from the memory of one before, is worth
// what the position is, and has the same moves.
func TestCopyIsTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	var old *position
	for range 20 {
		f := testField(gomoku.Renju, 9, 9)
		scatterQuietly(f, rng, 10+rng.IntN(20))
		p := &position{solver: *newSolver(f, gomoku.Renju), c: rng.IntN(2)}
		p.seeks = true
		old = fork(p, old)
		a, b := p.candidates(nil), old.candidates(nil)
		byMove := func(x, y search.Ranked) int { return cmp.Compare(x.Move, y.Move) }
		slices.SortFunc(a, byMove)
		slices.SortFunc(b, byMove)
		if old.key(old.c) != p.key(p.c) || old.Evaluate() != p.Evaluate() || !slices.Equal(a, b) {
			t.Fatalf("\n%shas moves %v, its copy %v", draw(f.board), a, b)
		}
	}
}
