package amazons

import "kibitz/games/amazons"

// Terms is the number of terms of the evaluation, Knots that of the places between which
// the weight of a term glides.
const (
	Terms = terms
	Knots = len(disputes)
)

// TermNames are the names of the terms.
var TermNames = [Terms]string{"toMove", "nearer", "reach", "closer", "total", "freedom"}

// Measured is what the evaluation is made of.
type Measured struct {
	Terms    [Terms]float32
	Disputed int     // squares that both sides can reach
	Odds     float64 // the logarithm of those of the side to move, by the weights in use
}

// Measure returns the terms of a position at the beginning of a turn, for those who fit
// weights; ok is false if the side to move cannot.
func Measure(b *amazons.Board) (m Measured, ok bool) {
	v := look(b)
	x, n, stuck := measure(&v)
	return Measured{x, n, float64(evaluate(&v)) / 1000}, !stuck
}

// Between returns the knot before so many disputed squares, and how far from it to the
// next one, from 0 to 1, they are.
func Between(disputed int) (knot int, share float64) {
	for knot < Knots-2 && disputed > disputes[knot+1] {
		knot++
	}
	low, high := disputes[knot], disputes[knot+1]
	return knot, min(1, float64(disputed-low)/float64(high-low))
}
