package othello

import "math/bits"

// Flips returns the discs that a disc of the side to move on the square would
// turn over, 0 if none: then the move is illegal. The square must be empty and
// from 0 to 63.
//
// Each of the four lines through the square is gathered into a byte, bit x of it
// the square in column x (in a column, row x), and its flips are looked up.
func (b Board) Flips(square int) uint64 {
	s := uint(square) & 63
	x, y := s&7, s>>3
	own, opp := b.Own, b.Opp
	ends, runs := &lineEnds[x], &lineRuns[x]

	row := y * 8
	f := uint64(runs[ends[opp>>row&255]&uint8(own>>row)]) << row

	d := &diagonals[s]
	m := d[0]
	f |= uint64(runs[ends[opp&m*columnA>>56]&uint8(own&m*columnA>>56)]) * columnA & m
	m = d[1]
	f |= uint64(runs[ends[opp&m*columnA>>56]&uint8(own&m*columnA>>56)]) * columnA & m

	i := lineEnds[y][(opp>>x&columnA)*gather>>56] & uint8((own>>x&columnA)*gather>>56)
	return f | spread[lineRuns[y][i]]<<x
}

const (
	columnA = 0x0101010101010101 // a byte times it is in every row
	gather  = 0x0102040810204080 // moves column a into the top byte, row 1 lowest
)

var (
	// lineEnds holds, by a square of a line and the opponent's discs on the line,
	// the squares behind the runs of those discs that begin beside the square: an
	// own disc there brackets the run.
	lineEnds = makeLineEnds()
	// lineRuns holds, by a square of a line and the own discs that bracket runs
	// seen from it, the squares between.
	lineRuns = makeLineRuns()
	// diagonals holds the falling and the rising diagonal through each square.
	diagonals = makeDiagonals()
	// spread holds the bytes laid out along column a.
	spread = makeSpread()
)

func makeLineEnds() (t [Size][256]uint8) {
	for x := range t {
		for opp := range t[x] {
			for _, d := range [2]int{1, -1} {
				end := x + d
				for end >= 0 && end < Size && opp>>end&1 != 0 {
					end += d
				}
				if end >= 0 && end < Size && end != x+d {
					t[x][opp] |= 1 << end
				}
			}
		}
	}
	return t
}

func makeLineRuns() (t [Size][256]uint8) {
	for x := range t {
		for ends := range t[x] {
			for end := range Size {
				if ends>>end&1 == 0 {
					continue
				}
				for i := min(x, end) + 1; i < max(x, end); i++ {
					t[x][ends] |= 1 << i
				}
			}
		}
	}
	return t
}

func makeDiagonals() (t [Squares][2]uint64) {
	for s := range t {
		for i := range Squares {
			dx, dy := i%Size-s%Size, i/Size-s/Size
			if dx == dy {
				t[s][0] |= 1 << i
			}
			if dx == -dy {
				t[s][1] |= 1 << i
			}
		}
	}
	return t
}

func makeSpread() (t [256]uint64) {
	for b := range t {
		for y := range Size {
			t[b] |= uint64(b>>y&1) << (Size * y)
		}
	}
	return t
}

// LastFlips returns the number of discs that a disc of one side on the only empty
// square would turn over, where own are all discs of that side.
func LastFlips(own uint64, square int) int {
	s := uint(square) & 63
	x, y := s&7, s>>3
	t, d := &lastRuns[x], &diagonals[s]
	return int(t[own>>(y*8)&255]) + int(t[own&d[0]*columnA>>56]) + int(t[own&d[1]*columnA>>56]) +
		int(lastRuns[y][(own>>x&columnA)*gather>>56])
}

// lastRuns holds, by a square of a line and one side's discs on it, how many discs
// the square's brackets if all other squares hold the opponent's.
var lastRuns = makeLastRuns()

func makeLastRuns() (t [Size][256]uint8) {
	for x := range t {
		for own := range t[x] {
			opp := ^own & 255 &^ (1 << x)
			t[x][own] = uint8(bits.OnesCount8(lineRuns[x][int(lineEnds[x][opp])&own]))
		}
	}
	return t
}
