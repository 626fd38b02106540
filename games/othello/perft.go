package othello

import "math/bits"

// Perft counts the positions that are reached in the given number of plies by
// convention A, that of the usual tables: a pass is one ply, and a game that ends
// earlier counts as one. Depths below 1 are 1.
func (b Board) Perft(depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		// Without a move there is a pass or the end: one leaf either way.
		return max(1, uint64(bits.OnesCount64(b.Moves())))
	case depth == 2:
		return b.perft2()
	}
	moves := b.Moves()
	if moves == 0 {
		if !b.Swap().HasMoves() {
			return 1
		}
		return b.Swap().Perft(depth - 1)
	}
	n := uint64(0)
	for ; moves != 0; moves &= moves - 1 {
		s := bits.TrailingZeros64(moves)
		n += b.Play(s, b.Flips(s)).Perft(depth - 1)
	}
	return n
}

// perft2 counts two plies in one loop, the last of them in bulk.
func (b Board) perft2() uint64 {
	moves := b.Moves()
	if moves == 0 {
		return max(1, uint64(bits.OnesCount64(b.Swap().Moves())))
	}
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		s := bits.TrailingZeros64(moves)
		c := bits.OnesCount64(b.Play(s, b.Flips(s)).Moves())
		if c == 0 {
			c = 1
		}
		n += c
	}
	return uint64(n)
}
