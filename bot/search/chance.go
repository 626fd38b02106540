package search

// Chance marks the number of a move whose outcome is drawn. It is never played
// itself: its outcomes are, which have numbers without the mark.
const Chance Move = 1 << 31

// Outcome is a move that a drawn one can turn out to be.
type Outcome struct {
	Move Move
	// Weight is how likely it is compared with the others, at least 1.
	Weight int32
}

// ChanceNode is a position with moves whose outcome is drawn.
type ChanceNode interface {
	// ListOutcomes appends to n.Outcomes what a move with the mark Chance can turn out to be,
	// the most likely first. It may set n.Least and n.Most.
	ListOutcomes(m Move, n *Node)
}

// searchChance searches a move whose outcome is drawn: the first with the full window, the
// others first with a null window.
func (w *worker[P]) searchChance(n *Node, m Move, depth, alpha, beta int, first bool) int {
	if !first && beta > alpha+1 {
		if v := w.expectimax(n, m, depth, alpha, alpha+1); v <= alpha || v >= beta {
			return v
		}
	}
	return w.expectimax(n, m, depth, alpha, beta)
}

// expectimax returns the value of a move whose outcome is drawn, or a bound if it is not
// within the window: the mean of the values of its outcomes, rounded down. An outcome is
// searched only with the window within which it matters, if all that are left are worth
// as much or as little as they can (Star1: Ballard, The *-minimax search procedure for
// trees containing chance nodes, 1983).
func (w *worker[P]) expectimax(n *Node, m Move, depth, alpha, beta int) int {
	n.Outcomes, n.Least, n.Most = n.Outcomes[:0], -w.o.Win, w.o.Win
	w.chance.ListOutcomes(m, n)
	list, least, most := n.Outcomes, n.Least, n.Most
	total := 0
	for _, o := range list {
		total += int(o.Weight)
	}
	w.chanceDepth++
	// The sum of all values by their weights is between low and high. The mean is above
	// alpha if it is more than short, and reaches beta with enough.
	low, high := least*total, most*total
	short, enough := (alpha+1)*total-1, beta*total
	for _, o := range list {
		if high <= short || low >= enough {
			break
		}
		k := int(o.Weight)
		low, high = low-k*least, high-k*most
		a := max(least, floor(short-high, k))
		b := min(most, -floor(low-enough, k))
		w.pos.Play(o.Move)
		v := -w.node(depth, n.Ply+1, -b, -a, true)
		w.pos.Undo(o.Move)
		if w.meter.stopped {
			break
		}
		v = k * min(max(v, least), most)
		low, high = low+v, high+v
	}
	w.chanceDepth--
	w.stack[n.Ply+1].line = w.stack[n.Ply+1].line[:0]
	if low >= enough {
		return floor(low, total)
	}
	return floor(high, total)
}

// floor divides by k, which is positive, and rounds down.
func floor(n, k int) int {
	q := n / k
	if q*k > n {
		q--
	}
	return q
}
