package othello

import (
	"math/bits"

	"kibitz/games/othello"
)

// near holds for each square the squares around it: a disc can only flip
// something if an opposing one stands there. It is never written.
var near = makeNear()

func makeNear() (t [othello.Squares]uint64) {
	for s := range t {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				x, y := s%8+dx, s/8+dy
				if x >= 0 && y >= 0 && x < 8 && y < 8 && (dx != 0 || dy != 0) {
					t[s] |= 1 << uint(y*8+x)
				}
			}
		}
	}
	return t
}

// flips returns what a disc on the empty square flips, 0 if nothing.
func flips(own, opp uint64, s int) uint64 {
	if near[s&63]&opp == 0 {
		return 0
	}
	return othello.Board{Own: own, Opp: opp}.Flips(s)
}

// final returns the score of a finished game, empty squares to the winner.
func final(own, opp uint64) int { return othello.Board{Own: own, Opp: opp}.Score() }

// last1 scores the position with the one empty square sq, seen by the side to move
// whose discs are own.
func (s *search) last1(own uint64, sq int) int {
	s.nodes++
	n := bits.OnesCount64(own)
	if f := othello.LastFlips(own, sq); f != 0 {
		return 2*(n+f+1) - 64
	}
	if f := othello.LastFlips(^own, sq); f != 0 {
		return 2*(n-f) - 64
	}
	if n > 31 { // 63 discs: the greater part takes the empty square
		return 2*n + 2 - 64
	}
	return 2*n - 64
}

// last2 searches the position with two empty squares within the window.
func (s *search) last2(own, opp uint64, alpha, beta, a, b int, passed bool) int {
	s.nodes++
	best := none
	if f := flips(own, opp, a); f != 0 {
		best = -s.last1(opp&^f, b)
		if best >= beta {
			return best
		}
	}
	if f := flips(own, opp, b); f != 0 {
		best = max(best, -s.last1(opp&^f, a))
	}
	if best != none {
		return best
	}
	if passed {
		return final(own, opp)
	}
	return -s.last2(opp, own, -beta, -alpha, a, b, true)
}

// last3 searches the position with three empty squares.
func (s *search) last3(own, opp uint64, alpha, beta, a, b, c int, passed bool) int {
	s.nodes++
	best := none
	if f := flips(own, opp, a); f != 0 {
		best = -s.last2(opp&^f, own|f|1<<uint(a), -beta, -alpha, b, c, false)
		if best >= beta {
			return best
		}
	}
	if f := flips(own, opp, b); f != 0 {
		best = max(best, -s.last2(opp&^f, own|f|1<<uint(b), -beta, -max(alpha, best), a, c, false))
		if best >= beta {
			return best
		}
	}
	if f := flips(own, opp, c); f != 0 {
		best = max(best, -s.last2(opp&^f, own|f|1<<uint(c), -beta, -max(alpha, best), a, b, false))
	}
	if best != none {
		return best
	}
	if passed {
		return final(own, opp)
	}
	return -s.last3(opp, own, -beta, -alpha, a, b, c, true)
}

// last4 searches the position with the four empty squares in q, in the order in
// which they should be tried.
func (s *search) last4(own, opp uint64, alpha, beta int, q [4]int, passed bool) int {
	s.nodes++
	best := none
	for i, sq := range q {
		f := flips(own, opp, sq)
		if f == 0 {
			continue
		}
		var r [3]int
		copy(r[:], q[:i])
		copy(r[i:], q[i+1:])
		v := -s.last3(opp&^f, own|f|1<<uint(sq), -beta, -max(alpha, best), r[0], r[1], r[2], false)
		if v > best {
			best = v
			if best >= beta {
				return best
			}
		}
	}
	if best != none {
		return best
	}
	if passed {
		return final(own, opp)
	}
	return -s.last4(opp, own, -beta, -alpha, q, true)
}

// quadrants are the four corners of the board, by which parity is counted.
var quadrants = [4]uint64{0x000000000f0f0f0f, 0x00000000f0f0f0f0, 0x0f0f0f0f00000000, 0xf0f0f0f000000000}

// odd returns the quadrants with an odd number of empty squares. Who plays there
// tends to have the last move in the region.
func odd(empty uint64) uint64 {
	m := uint64(0)
	for _, q := range quadrants {
		m |= q & -(uint64(bits.OnesCount64(empty&q)) & 1)
	}
	return m
}

// order4 lists four empty squares, those of odd quadrants first.
func order4(empty uint64) (q [4]int) {
	o := odd(empty)
	i := 0
	for m := empty & o; m != 0; m &= m - 1 {
		q[i&3] = bits.TrailingZeros64(m)
		i++
	}
	for m := empty &^ o; m != 0; m &= m - 1 {
		q[i&3] = bits.TrailingZeros64(m)
		i++
	}
	return q
}

// few searches a position with five to shallow empty squares: parity decides the
// order, and nothing is remembered.
func (s *search) few(b othello.Board, alpha, beta, empties int) int {
	if empties <= 4 {
		return s.fewest(b, alpha, beta, empties)
	}
	s.nodes++
	if v, cut := s.stableCut(b, alpha, empties); cut {
		return v
	}
	moves := b.Moves()
	if moves == 0 {
		if !b.Swap().HasMoves() {
			return final(b.Own, b.Opp)
		}
		return -s.few(b.Swap(), -beta, -alpha, empties)
	}
	best := none
	o := odd(b.Empty())
	for _, set := range [2]uint64{moves & o, moves &^ o} {
		for ; set != 0; set &= set - 1 {
			sq := bits.TrailingZeros64(set)
			v := -s.few(b.Play(sq, b.Flips(sq)), -beta, -max(alpha, best), empties-1)
			if v > best {
				best = v
				if best >= beta {
					return best
				}
			}
		}
	}
	return best
}

// fewest searches a position with at most four empty squares.
func (s *search) fewest(b othello.Board, alpha, beta, empties int) int {
	e := b.Empty()
	switch empties {
	case 0:
		s.nodes++
		return final(b.Own, b.Opp)
	case 1:
		return s.last1(b.Own, bits.TrailingZeros64(e))
	case 2:
		x := bits.TrailingZeros64(e)
		return s.last2(b.Own, b.Opp, alpha, beta, x, bits.TrailingZeros64(e&(e-1)), false)
	case 3:
		x, y := bits.TrailingZeros64(e), bits.TrailingZeros64(e&(e-1))
		e &= e - 1
		return s.last3(b.Own, b.Opp, alpha, beta, x, y, bits.TrailingZeros64(e&(e-1)), false)
	}
	return s.last4(b.Own, b.Opp, alpha, beta, order4(e), false)
}
