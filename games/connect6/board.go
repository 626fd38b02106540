package connect6

import (
	"math/bits"

	"kibitz/game"
	"kibitz/game/grid"
)

// MinSize and MaxSize bound the points on each side of the board; Usual is the
// size of the board on which the game is commonly played.
const (
	MinSize = 6
	MaxSize = 26
	Usual   = 19
)

// Six is the length of a line that wins.
const Six = 6

// The directions of lines: to the right, downwards, down to the right, down to
// the left.
const (
	right = iota
	down
	downRight
	downLeft
	directions
)

// maxLines is how many lines of one direction a board can have.
const maxLines = 2*MaxSize - 1

// Board holds the stones of both seats as sets along each line of each
// direction, so that six in a row is a matter of a few shifts. It is a value:
// copies are independent. The zero Board is not usable; see NewBoard.
type Board struct {
	lines [2][directions][maxLines]uint32
	hash  uint64
	full  uint32 // a bit for each column
	size  int16
	empty int16
}

// NewBoard returns the empty board; size must lie between MinSize and MaxSize.
func NewBoard(size int) Board {
	return Board{size: int16(size), empty: int16(size * size), full: 1<<size - 1}
}

// Size returns the number of points on each side.
func (b *Board) Size() int { return int(b.size) }

// Empty returns the number of empty points.
func (b *Board) Empty() int { return int(b.empty) }

// Hash returns a number that depends on the stones alone.
func (b *Board) Hash() uint64 { return b.hash }

// At returns whose stone stands on a point of the board, Nobody if it is empty.
func (b *Board) At(x, y int) game.Seat {
	switch bit := uint32(1) << x; {
	case b.lines[0][right][y]&bit != 0:
		return game.First
	case b.lines[1][right][y]&bit != 0:
		return game.Second
	}
	return game.Nobody
}

// Free returns the empty points of a row as a set of columns, bit x for column x.
func (b *Board) Free(y int) uint32 {
	return b.full &^ (b.lines[0][right][y] | b.lines[1][right][y])
}

// toggle puts a stone on a point or takes it away.
func (b *Board) toggle(x, y int, s game.Seat) {
	l := &b.lines[s]
	l[right][y] ^= 1 << x
	l[down][x] ^= 1 << y
	l[downRight][x-y+int(b.size)-1] ^= 1 << x
	l[downLeft][x+y] ^= 1 << x
	b.hash ^= grid.Key(uint64(y*MaxSize+x)<<1 | uint64(s))
}

// Put places a stone of seat First or Second on an empty point of the board.
func (b *Board) Put(x, y int, s game.Seat) {
	b.toggle(x, y, s)
	b.empty--
}

// Take removes the stone of the seat from a point.
func (b *Board) Take(x, y int, s game.Seat) {
	b.toggle(x, y, s)
	b.empty++
}

// six reports whether a line holds six neighbouring stones.
func six(line uint32) bool {
	two := line & (line >> 1)
	four := two & (two >> 2)
	return four&(two>>4) != 0
}

// Wins reports whether seat s has six or more in a line through a point.
func (b *Board) Wins(x, y int, s game.Seat) bool {
	l := &b.lines[s]
	return six(l[right][y]) || six(l[down][x]) ||
		six(l[downRight][x-y+int(b.size)-1]) || six(l[downLeft][x+y])
}

// count returns the number of lines of a direction.
func (b *Board) count(direction int) int {
	if direction <= down {
		return int(b.size)
	}
	return 2*int(b.size) - 1
}

// on returns the points of a line that are on the board, as bits of the line, and
// how many they are. They are neighbours.
func (b *Board) on(direction, i int) (set uint32, n int) {
	size := int(b.size)
	if direction <= down {
		return b.full, size
	}
	off := i - (size - 1)
	n = size - max(off, -off)
	from := max(off, 0) // the least column
	return (1<<n - 1) << from, n
}

// point returns the point of a bit of a line.
func (b *Board) point(direction, i, bit int) game.Point {
	switch direction {
	case right:
		return game.Pt(bit, i)
	case down:
		return game.Pt(i, bit)
	case downRight:
		return game.Pt(bit, bit-i+int(b.size)-1)
	}
	return game.Pt(bit, i-bit)
}

// Longest returns the ends and the length of a line of six or more of seat s, the
// longest of the board, or n = 0 if there is none.
func (b *Board) Longest(s game.Seat) (from, to game.Point, n int) {
	for d := range directions {
		for i := range b.count(d) {
			line := b.lines[s][d][i]
			if !six(line) {
				continue
			}
			for line != 0 {
				first := bits.TrailingZeros32(line)
				run := bits.TrailingZeros32(^(line >> first))
				if run >= Six && run > n {
					from, to, n = b.point(d, i, first), b.point(d, i, first+run-1), run
				}
				line &^= (1<<run - 1) << first
			}
		}
	}
	return from, to, n
}

// has reports whether seat s has six or more in a line anywhere.
func (b *Board) has(s game.Seat) bool {
	for d := range directions {
		for i := range b.count(d) {
			if six(b.lines[s][d][i]) {
				return true
			}
		}
	}
	return false
}
