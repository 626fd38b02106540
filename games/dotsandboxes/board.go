package dotsandboxes

import (
	"math/bits"

	"kibitz/game"
	"kibitz/game/grid"
)

// MaxSize is the largest number of boxes along one side: the dots of the largest
// board fill one word of 64 bits.
const MaxSize = 7

// stride is the distance of the numbers of two dots above each other, whatever
// the size of the board: dot x, y has the number y*stride + x, counted from the
// top left. A box has the number of the dot at its top left corner.
const stride = 8

// Line is the number of a line: that of its left dot for a horizontal line, that
// of its upper dot and 64 for a vertical one.
type Line uint8

// vertical is set in the number of a vertical line.
const vertical = 64

// LineAt returns the line that starts at a dot and runs to the right or downwards.
func LineAt(x, y int, down bool) Line {
	l := Line(y*stride + x)
	if down {
		l |= vertical
	}
	return l
}

// Vertical reports whether the line runs downwards.
func (l Line) Vertical() bool { return l&vertical != 0 }

// Dot returns the left or upper end of the line.
func (l Line) Dot() game.Point { return dot(int(l % vertical)) }

// Move returns the decision that draws the line.
func (l Line) Move() game.Move { return game.EdgeAt(l.Dot(), l.Vertical()) }

func dot(n int) game.Point { return game.Pt(n%stride, n/stride) }

// Lines is a set of lines: H holds bit n for the horizontal line that starts at
// dot n, V that for the vertical one.
type Lines struct{ H, V uint64 }

// Has reports whether a line is in the set.
func (s Lines) Has(l Line) bool {
	if l.Vertical() {
		return s.V>>(l%vertical)&1 != 0
	}
	return s.H>>l&1 != 0
}

// With returns the set with a line added.
func (s Lines) With(l Line) Lines {
	if l.Vertical() {
		s.V |= 1 << (l % vertical)
	} else {
		s.H |= 1 << l
	}
	return s
}

// Without returns the lines that are not in t.
func (s Lines) Without(t Lines) Lines { return Lines{s.H &^ t.H, s.V &^ t.V} }

// And returns the lines that are in both sets.
func (s Lines) And(t Lines) Lines { return Lines{s.H & t.H, s.V & t.V} }

// Count returns the number of lines.
func (s Lines) Count() int { return bits.OnesCount64(s.H) + bits.OnesCount64(s.V) }

// Empty reports whether there is no line.
func (s Lines) Empty() bool { return s.H|s.V == 0 }

// First returns the first line of a set that is not empty, horizontal ones before
// vertical ones.
func (s Lines) First() Line {
	if s.H != 0 {
		return Line(bits.TrailingZeros64(s.H))
	}
	return vertical + Line(bits.TrailingZeros64(s.V))
}

// Rest returns the set without its first line.
func (s Lines) Rest() Lines {
	if s.H != 0 {
		return Lines{s.H & (s.H - 1), s.V}
	}
	return Lines{0, s.V & (s.V - 1)}
}

// AllLines returns the lines of a board of size boxes along one side.
func AllLines(size int) Lines {
	var s Lines
	for i := range size + 1 {
		for j := range size {
			s = s.With(LineAt(j, i, false)).With(LineAt(i, j, true))
		}
	}
	return s
}

// Closed returns the boxes that have all four sides in the set.
func (s Lines) Closed() uint64 {
	return s.H & (s.H >> stride) & s.V & (s.V >> 1)
}

// Capturing returns those lines of open that close a box when one of them is added
// to the set. Lines outside the board never have both neighbours of a box in s,
// so that shifting over the edge does no harm once masked by open.
func (s Lines) Capturing(open Lines) Lines {
	sides := s.V & (s.V >> 1)
	ends := s.H & (s.H >> stride)
	return Lines{
		open.H & (sides&(s.H>>stride) | (sides&s.H)<<stride),
		open.V & (ends&(s.V>>1) | (ends&s.V)<<1),
	}
}

// closedBy returns the boxes that line l closes when it is added to the set.
func (s Lines) closedBy(l Line) uint64 {
	t := s.With(l)
	return t.Closed() &^ s.Closed()
}

// Board is a position without history: a plain value, copied by assignment. Its
// methods do not check legality.
type Board struct {
	drawn Lines
	open  Lines // not drawn yet
	owned [2]uint64
	size  uint8
	side  uint8
	step  uint8 // lines that the side to move has drawn in this turn
}

// NewBoard returns a board of size boxes along one side without any line, the
// first seat to move.
func NewBoard(size int) Board { return Board{open: AllLines(size), size: uint8(size)} }

// Size returns the number of boxes along one side.
func (b *Board) Size() int { return int(b.size) }

// Side returns the seat to move; of a finished game the one that moved last.
func (b *Board) Side() game.Seat { return game.Seat(b.side) }

// Step returns how many lines the side to move has drawn in this turn.
func (b *Board) Step() int { return int(b.step) }

// Drawn returns the lines on the board.
func (b *Board) Drawn() Lines { return b.drawn }

// Open returns the lines that can still be drawn.
func (b *Board) Open() Lines { return b.open }

// Over reports whether no line is left.
func (b *Board) Over() bool { return b.open.Empty() }

// Boxes returns the number of boxes of a seat.
func (b *Board) Boxes(s game.Seat) int { return bits.OnesCount64(b.owned[s]) }

// Draw draws a line for the side to move and returns the boxes that it closed, a
// bit for the dot at the top left of each. The turn goes on if there are any and
// lines are left.
func (b *Board) Draw(l Line) uint64 {
	closed := b.drawn.closedBy(l)
	b.drawn = b.drawn.With(l)
	b.open = b.open.Without(b.drawn)
	b.owned[b.side] |= closed
	switch {
	case b.open.Empty():
		b.step = 0
	case closed != 0:
		b.step++
	default:
		b.side ^= 1
		b.step = 0
	}
	return closed
}

// Hash returns a hash of all that the board holds.
func (b *Board) Hash() uint64 {
	h := grid.Key(b.drawn.H)
	h = grid.Key(h ^ b.drawn.V)
	h = grid.Key(h ^ b.owned[1])
	return grid.Key(h ^ uint64(b.side) ^ uint64(b.step)<<1 ^ uint64(b.size)<<8)
}
