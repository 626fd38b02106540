package surakarta

import (
	"math/bits"

	"kibitz/games/surakarta"
)

// piece is the value of a piece; all other values are in its hundredths.
const piece = 100

// weights are the terms of the evaluation.
type weights struct {
	// place is the value of a piece by its point, up to symmetry: corner, a5-like
	// (next to a corner on the edge), a4-like, b5-like, b4-like, c4-like.
	place [6]int
	// free is the value of a quiet move.
	free int
	// held is the value of an arc whose both ends lead to own pieces, inner and
	// outer.
	held [2]int
	// turn is the value of being on turn.
	turn int
}

// standard was fitted to the results of 1,500 games of the engine against itself,
// 42,000 positions after which nothing was taken at once.
var standard = weights{
	place: [6]int{-8, -6, 0, 14, 2, 23},
	free:  1,
	held:  [2]int{20, 19},
	turn:  5,
}

// classes are the sets of points that are alike by symmetry.
var classes = [6]uint64{
	classOf(0), classOf(1), classOf(2), classOf(7), classOf(8), classOf(14),
}

func classOf(sq int) (set uint64) {
	const last = surakarta.Size - 1
	x, y := sq%surakarta.Size, sq/surakarta.Size
	for _, p := range [4][2]int{{x, y}, {last - x, y}, {x, last - y}, {last - x, last - y}} {
		set |= 1<<(p[1]*surakarta.Size+p[0]) | 1<<(p[0]*surakarta.Size+p[1])
	}
	return set
}

// evaluate returns the value of a position for the side to move.
func (w *weights) evaluate(b *surakarta.Board) int {
	me := b.Side()
	own, other := b.Of(me), b.Of(me.Other())
	v := w.turn + piece*(bits.OnesCount64(own)-bits.OnesCount64(other))
	for i, set := range classes {
		v += w.place[i] * (bits.OnesCount64(own&set) - bits.OnesCount64(other&set))
	}
	v += w.free * (b.CountQuiet(me) - b.CountQuiet(me.Other()))
	for arc := range surakarta.Arcs {
		x, y, ok := b.Arc(arc)
		if !ok || own>>x&1 != own>>y&1 {
			continue
		}
		if h := w.held[arc>>2]; own>>x&1 != 0 {
			v += h
		} else {
			v -= h
		}
	}
	return v
}
