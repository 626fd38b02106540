package mcts

import "math"

// Hidden is what a position can do beside Game where a side does not see all of it. Every
// round begins from another sample of what may be real. All of them grow one tree, and a
// move is compared by the rounds in which it was possible: information set Monte Carlo
// tree search (Cowling, Powley and Whitehouse, Information set Monte Carlo tree search,
// 2012). What is found about a move is mostly what it is worth where better ones are not
// possible, since only there is it made again and again. Judge is not asked then and nothing is proved, and Follow forgets the tree.
type Hidden interface {
	// Draw makes the position, which is a copy of the root, one that may be real. What
	// it reads must not change before Clear, Begin or Resume has been called.
	Draw(r *Rand)
	// Stands reports whether the side to move can make a move here that Moves has
	// listed in this sample or in another one.
	Stands(m Move) bool
}

// count makes room to count the rounds in which the moves of new nodes were possible.
func (t *Tree[G, P]) count() {
	for t.samples && len(t.seen) < len(t.nodes) {
		t.seen = append(t.seen, 0)
	}
}

// next returns the answer to follow in a sample, 0 if none of those known is possible.
func (t *Tree[G, P]) next(h *worker[G], x *node) int32 {
	best, most := int32(0), float32(-2)
	all := math.Log(float64(x.n) + 1)
	for j := range t.children(x) {
		i := x.first + int32(j)
		c := &t.nodes[i]
		if !h.hidden.Stands(c.move) {
			continue
		}
		t.seen[i]++
		v, n := t.value(c), float64(c.n+1)
		if v+t.opts.Explore*float32(math.Sqrt(all/n)) <= most {
			continue // nor is it with its own logarithm, which takes long
		}
		own := math.Log(float64(t.seen[i]) + 1)
		if v += t.opts.Explore * float32(math.Sqrt(own/n)); v > most {
			best, most = i, v
		}
	}
	return best
}
