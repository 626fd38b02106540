package othello

import (
	"math/bits"

	"kibitz/games/othello"
)

// edgeStable holds, for the eight squares of an edge, which own discs can never
// be flipped along the edge, whatever is played there: index own + 256*opp.
type edgeStable [65536]uint8

// makeEdges computes the table: a disc is stable if it is on the edge and stays
// in every edge that any sequence of moves by both sides can lead to.
func makeEdges() *edgeStable {
	t := new(edgeStable)
	done := make([]bool, len(t))
	for own := range 256 {
		for opp := range 256 {
			if own&opp == 0 {
				t.fill(own, opp, done)
			}
		}
	}
	return t
}

// fill computes one entry: the own discs that stay whatever move is made on an
// empty square by either side, and are stable after it.
func (t *edgeStable) fill(own, opp int, done []bool) uint8 {
	i := own + 256*opp
	if done[i] {
		return t[i]
	}
	stable := uint8(own)
	for x := range 8 {
		bit := 1 << x
		if (own|opp)&bit != 0 {
			continue
		}
		f := edgeFlips(own, opp, x)
		stable &= t.fill(own|f|bit, opp&^f, done)
		f = edgeFlips(opp, own, x)
		stable &= t.fill(own&^f, opp|f|bit, done)
	}
	t[i], done[i] = stable, true
	return stable
}

// edgeFlips returns what a disc on x flips along the edge; nothing is also
// allowed, for the move may flip elsewhere.
func edgeFlips(own, opp, x int) int {
	f := 0
	for _, d := range [2]int{-1, 1} {
		run, y := 0, x+d
		for y >= 0 && y < 8 && opp>>y&1 != 0 {
			run |= 1 << y
			y += d
		}
		if y >= 0 && y < 8 && own>>y&1 != 0 {
			f |= run
		}
	}
	return f
}

const (
	columnA = 0x0101010101010101
	columnH = 0x8080808080808080
	gather  = 0x0102040810204080 // moves column a into the top byte, row 1 lowest
)

// edges returns the discs of own on the four edges that are stable.
func (t *edgeStable) edges(own, opp uint64) uint64 {
	top := uint64(t[own&255|opp&255<<8])
	bottom := uint64(t[own>>56|opp>>56<<8])
	a := t[(own&columnA)*gather>>56|(opp&columnA)*gather>>56<<8]
	h := t[(own>>7&columnA)*gather>>56|(opp>>7&columnA)*gather>>56<<8]
	return top | bottom<<56 | spread(a) | spread(h)<<7
}

// spread puts the bits of an edge into column a, bit 0 in row 1.
func spread(x uint8) uint64 {
	// Seven copies at distances of seven bits bring bit r to bit 8r.
	lo := uint64(x&0x7f) * 0x0002040810204081 & columnA
	return lo | uint64(x>>7)<<56
}

// stable returns discs of own that can never be flipped: those of the edge table,
// those in four full lines, and those that lean on stable ones in all four
// directions. There may be more.
func (t *edgeStable) stable(own, opp uint64) uint64 {
	const inner = 0x007e7e7e7e7e7e00
	full := own | opp
	h, v, d, e := fullLines(full)
	st := t.edges(own, opp) | own&h&v&d&e
	if st == 0 {
		return 0
	}
	for {
		more := own & inner &^ st &
			(h | st<<1 | st>>1) & (v | st<<8 | st>>8) &
			(d | st<<9 | st>>9) & (e | st<<7 | st>>7)
		if more == 0 {
			return st
		}
		st |= more
	}
}

// fullLines returns the squares whose row, column, falling and rising diagonal
// have no empty square.
func fullLines(full uint64) (h, v, d, e uint64) {
	h = full & (full >> 4 & 0x0f0f0f0f0f0f0f0f)
	h &= h >> 2 & 0x0303030303030303
	h &= h >> 1 & columnA
	h *= 255
	v = full & bits.RotateLeft64(full, 8)
	v &= bits.RotateLeft64(v, 16)
	v &= bits.RotateLeft64(v, 32)
	const left, right = columnA, columnH
	const top, bottom = 0xff, 0xff << 56
	// A square passes on what its neighbour towards either border says; beyond
	// the border nothing is missing.
	up, down := full, full
	for range 7 {
		up &= (up << 9) | left | top
		down &= (down >> 9) | right | bottom
	}
	d = up & down
	up, down = full, full
	for range 7 {
		up &= (up << 7) | right | top
		down &= (down >> 7) | left | bottom
	}
	e = up & down
	return h, v, d, e
}

// stableCut bounds the score from above by the opponent's stable discs, if there
// may be enough of them to matter.
func (s *search) stableCut(b othello.Board, alpha, empties int) (int, bool) {
	if alpha < stableFrom[min(empties, len(stableFrom)-1)] {
		return 0, false
	}
	bound := 64 - 2*bits.OnesCount64(s.edges.stable(b.Opp, b.Own))
	return bound, bound <= alpha
}

// stableFrom is, by empty squares, the alpha from which counting stable discs
// pays: the more are empty, the fewer are stable.
var stableFrom = [...]int{99, 99, 99, 99, 99, -4, -2, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}
