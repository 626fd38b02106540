package search

import (
	"testing"

	"kibitz/bot"
)

// last is a tree that looks at its last ply on its own.
type last struct {
	*tree
	asked int
}

func (p *last) SearchFrontier(n *Node, alpha, beta int) (best Move) {
	p.asked++
	n.Value = -Inf
	for _, m := range p.moves() {
		p.Play(Move(m))
		n.Meter.Visit()
		v, over := p.over()
		if !over {
			v = p.Evaluate()
		}
		p.Undo(Move(m))
		if -v > n.Value {
			n.Value, best = -v, Move(m)
		}
		if n.Value >= beta {
			break
		}
	}
	return best
}

// A game that searches frontier nodes on its own finds what the search finds.
func TestFrontier(t *testing.T) {
	o := Options[*last]{Win: testWin, MateThreshold: testMate, PollEvery: 16, TableBytes: 1 << 16, Aspiration: 20}
	s := New(o)
	asked := 0
	for i, p := range trees(20) {
		p.extend = false
		q := &last{tree: p}
		for depth := 1; depth <= 5; depth++ {
			s.Forget()
			r := s.Run(&bot.Task{Depth: depth}, q, 1, 0)
			if r.Depth != depth {
				break // decided before
			}
			if want := minimax(p, depth, false); r.Lines[0].Value != want {
				t.Fatalf("tree %d at depth %d is worth %d, want %d", i, depth, r.Lines[0].Value, want)
			}
		}
		asked += q.asked
	}
	if asked == 0 {
		t.Error("no tree was asked")
	}
}
