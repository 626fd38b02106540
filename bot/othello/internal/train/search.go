package main

import (
	"math/bits"

	"kibitz/bot/othello/internal/pattern"
	"kibitz/games/othello"
)

// searcher is a plain alpha-beta search, moves with few replies first.
type searcher struct{ w *pattern.Weights }

func (s searcher) value(b othello.Board, alpha, beta, depth int) int {
	moves := b.Moves()
	if moves == 0 {
		if !b.Swap().HasMoves() {
			return pattern.Disc * b.Score()
		}
		return -s.value(b.Swap(), -beta, -alpha, depth)
	}
	if depth <= 0 {
		return s.w.Eval(b)
	}
	type child struct {
		b othello.Board
		n int
	}
	var list [34]child
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		sq := bits.TrailingZeros64(moves)
		c := b.Play(sq, b.Flips(sq))
		list[n] = child{c, 0}
		if depth > 1 {
			list[n].n = bits.OnesCount64(c.Moves())
		}
		for k := n; k > 0 && list[k].n < list[k-1].n; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
		n++
	}
	best := -1 << 20
	for i := range n {
		v := -s.value(list[i].b, -beta, -max(alpha, best), depth-1)
		if v > best {
			if best = v; v >= beta {
				break
			}
		}
	}
	return best
}
