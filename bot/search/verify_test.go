package search

import (
	"slices"
	"testing"

	"kibitz/bot"
)

// few is a tree of which only the moves are searched that look best, and of those at
// the root every third is found out to lose.
type few struct {
	*tree
	width int
}

// order is what a move promises.
func (p few) order(m Move) int32 { return int32(p.hash(uint64(m)<<24) % 1000) }

func (p few) Moves(n *Node) {
	for m := Move(1); m <= 5; m++ {
		n.Moves = append(n.Moves, Ranked{Move: m, Order: p.order(m)})
	}
}

func (p few) ProveRoot(*Node) (Move, bool) { return 0, false }

func (p few) VerifyRoot(_ *Node, m Move, v int) int {
	if m%3 == 1 {
		return min(v, 2-testWin)
	}
	return v
}

// best is plain minimax of few.
func (p few) best(depth int) int {
	if v, over := p.over(); over && p.ply > 0 {
		return v
	}
	if depth <= 0 {
		return p.Evaluate()
	}
	list := []Move{1, 2, 3, 4, 5}
	slices.SortStableFunc(list, func(a, b Move) int { return int(p.order(b) - p.order(a)) })
	best := -Inf
	for i, m := range list {
		if p.ply > 0 && i >= p.width && best > -testMate {
			break
		}
		p.Play(m)
		v := -p.best(depth - 1)
		p.Undo(m)
		if p.ply == 0 {
			v = p.VerifyRoot(nil, m, v)
		}
		best = max(best, v)
	}
	return best
}

// As many moves are searched as late move pruning allows, the table's being one of them, and what
// is found out about first moves counts, whatever the window is.
func TestLateMovesAndVerifiedMoves(t *testing.T) {
	for width := 1; width <= 5; width++ {
		for _, aspiration := range []int{0, 20} {
			s := New(Options[few]{Win: testWin, MateThreshold: testMate, LateMoves: func(int) int { return width }, Aspiration: aspiration})
			for i, tree := range trees(15) {
				tree.extend = false
				p := few{tree: tree, width: width}
				for _, depth := range []int{1, 3, 6} {
					s.Forget()
					r := s.Run(&bot.Task{Depth: depth}, p, 1, 0)
					if want := p.best(r.Depth); r.Lines[0].Value != want {
						t.Fatalf("width %d: tree %d at depth %d is worth %d, want %d", width, i, r.Depth, r.Lines[0].Value, want)
					}
				}
			}
		}
	}
}

// settled is a tree whose root is settled from some iteration on.
type settled struct {
	few
	move  Move
	asked *int
}

func (p settled) ProveRoot(n *Node) (Move, bool) {
	*p.asked++
	n.Value = testWin - 9
	return p.move, *p.asked >= 3
}

// What settles the root ends the search, and is the answer, even if it was not listed.
func TestSettled(t *testing.T) {
	s := New(Options[settled]{Win: testWin, MateThreshold: testMate})
	for _, move := range []Move{1, 5, 77} {
		asked := 0
		p := settled{few{tree: &tree{seed: 8, length: 100}}, move, &asked}
		r := s.Run(&bot.Task{Depth: 9}, p, 1, 0)
		l := r.Lines[0]
		if asked != 3 || r.Depth != 3 || r.Part || l.Move != move || l.Value != testWin-9 || len(l.PV) != 1 || l.PV[0] != move {
			t.Errorf("%d: asked %d times, depth %d: %+v", move, asked, r.Depth, l)
		}
	}
}

// Value is that of the best line, and false if there is none of the depth.
func TestValue(t *testing.T) {
	s := New(sharp())
	for seed := range uint64(5) {
		want := New(sharp()).Run(&bot.Task{Depth: 4}, long(seed), 1, 0).Lines[0].Value
		s.Forget()
		if v, ok := s.Value(&bot.Task{Threads: 2}, long(seed), 4, 0); !ok || v != want {
			t.Errorf("%d and %t, want %d", v, ok, want)
		}
	}
	if _, ok := s.Value(&bot.Task{Nodes: 10}, long(1), 9, 0); ok {
		t.Error("a search that was stopped has a value")
	}
}

// A position of which nothing is known is searched a ply less, and in full once the table
// knows it: where the game is over soon both see all of it, and the first with less work.
func TestInternalReduction(t *testing.T) {
	visits := [2]int{}
	for seed := range uint64(20) {
		values := [2]int{}
		for i, from := range []int{0, 2} {
			p := &tree{seed: seed, ends: 6, length: 8}
			s := New(Options[*tree]{Win: testWin, MateThreshold: testMate, InternalReduction: from})
			r := s.Run(&bot.Task{Depth: 20}, p, 1, 0)
			values[i], visits[i] = r.Lines[0].Value, visits[i]+p.visits
		}
		if values[0] != values[1] {
			t.Errorf("tree %d is worth %d, and %d when reduced", seed, values[0], values[1])
		}
	}
	if visits[1] >= visits[0] {
		t.Errorf("%d positions instead of %d", visits[1], visits[0])
	}
}
