package mcts

import (
	"cmp"
	"slices"
)

// Line is a move at the root with what will probably follow.
type Line struct {
	Moves []Move
	// Value is what the move is worth to the side that makes it, from 0 to 1; it is 0,
	// 0.5 or 1 if there is a proof.
	Value float64
	Proof Proof
	// Points is by how much side 0 will probably be ahead, 0 where nothing was proved or
	// played.
	Points float64
	// Rounds is how many went through the move.
	Rounds int64
}

// Width returns how many moves there are at the root.
func (t *Tree[G, P]) Width() int { return int(t.nodes[0].count) }

// Line returns the move of a rank at the root, 0 for the best, with at most so many
// moves in all: proved wins come first, then what was played most, proved losses last.
func (t *Tree[G, P]) Line(rank, most int) Line {
	i := t.rank(&t.nodes[0])[rank]
	x := t.nodes[i]
	l := Line{Moves: []Move{x.move}, Value: float64(t.value(&x)), Proof: x.proof, Rounds: int64(x.n)}
	if x.n > 0 {
		l.Points = float64(x.points / x.n)
	}
	if x.proof != Open {
		l.Value = float64(x.proof.Value())
	}
	for len(l.Moves) < most {
		list := t.rank(&t.nodes[i])
		if len(list) == 0 || t.nodes[list[0]].n == 0 {
			break
		}
		i = list[0]
		l.Moves = append(l.Moves, t.nodes[i].move)
	}
	return l
}

// rank sorts the answers to a node, the best first.
func (t *Tree[G, P]) rank(x *node) []int32 {
	t.order = t.order[:0]
	for j := range t.children(x) {
		t.order = append(t.order, x.first+int32(j))
	}
	slices.SortStableFunc(t.order, func(a, b int32) int { return t.compare(&t.nodes[a], &t.nodes[b]) })
	return t.order
}

func (t *Tree[G, P]) compare(x, y *node) int {
	place := [...]int{Win: 0, Open: 1, Draw: 1, Loss: 2}
	return cmp.Or(place[x.proof]-place[y.proof], cmp.Compare(y.n, x.n), cmp.Compare(t.value(y), t.value(x)))
}
