package surakarta

import (
	"math/bits"

	"kibitz/game"
	"kibitz/game/grid"
)

// Size is the number of columns and of rows; points are numbered row by row from
// the top left: y*Size + x. A set of points is a number with a bit for each.
const (
	Size   = 6
	Points = Size * Size
	Pieces = 12 // of each side at the start, and the most a position can have
)

// Step is a move by its end points. What stands on To tells a capture from a
// quiet move.
type Step struct{ From, To uint8 }

// Board is a position without history: a plain value, copied by assignment. Its
// methods do not check legality.
type Board struct {
	pieces  [2]uint64 // by seat
	track   uint64    // occupied entries of both circuits, see circuit.go
	hash    uint64
	side    uint8
	corners bool // pieces on corners capture, as the original platform has it
}

// Keys of the hash: two for each point, and one for the side.
var keys = (*[2*Points + 1]uint64)(grid.Keys(2*Points + 1))

const sideKey = 2 * Points

// EmptyBoard returns a board without pieces, the first seat to move. Under the
// rulings of the original platform pieces on corners capture.
func EmptyBoard(sau bool) Board { return Board{corners: sau} }

// StartBoard returns the initial position.
func StartBoard(sau bool) Board {
	b := EmptyBoard(sau)
	for sq := range Pieces {
		b.Add(sq, game.First)
		b.Add(Points-1-sq, game.Second)
	}
	return b
}

// Add puts a piece on an empty point.
func (b *Board) Add(sq int, s game.Seat) { b.toggle(sq, uint8(s)) }

// toggle puts a piece on an empty point or takes it away.
func (b *Board) toggle(sq int, s uint8) {
	b.pieces[s&1] ^= 1 << sq
	b.track ^= tracks[sq]
	b.hash ^= keys[int(s)*Points+sq]
}

// Side returns the seat to move.
func (b *Board) Side() game.Seat { return game.Seat(b.side) }

// SetSide sets the seat to move.
func (b *Board) SetSide(s game.Seat) {
	if uint8(s) != b.side {
		b.side = uint8(s)
		b.hash ^= keys[sideKey]
	}
}

// Of returns the points on which a seat has pieces.
func (b *Board) Of(s game.Seat) uint64 { return b.pieces[s&1] }

// Count returns the number of a seat's pieces.
func (b *Board) Count(s game.Seat) int { return bits.OnesCount64(b.pieces[s&1]) }

// Empty returns the points without pieces.
func (b *Board) Empty() uint64 { return all &^ (b.pieces[0] | b.pieces[1]) }

// Hash returns a number that is equal for equal boards with the same side to move.
func (b *Board) Hash() uint64 { return b.hash }

// Move moves a piece of the side to move, takes what stands on the target, and
// hands over the turn. It reports whether something was taken, for Unmove.
func (b *Board) Move(m Step) (took bool) {
	b.toggle(int(m.From), b.side)
	if took = b.pieces[b.side^1]>>m.To&1 != 0; took {
		b.toggle(int(m.To), b.side^1)
	}
	b.toggle(int(m.To), b.side)
	b.side ^= 1
	b.hash ^= keys[sideKey]
	return took
}

// Unmove takes back a Move that has taken something or not.
func (b *Board) Unmove(m Step, took bool) {
	b.side ^= 1
	b.hash ^= keys[sideKey]
	b.toggle(int(m.To), b.side)
	if took {
		b.toggle(int(m.To), b.side^1)
	}
	b.toggle(int(m.From), b.side)
}

// Skip hands over the turn without a move.
func (b *Board) Skip() {
	b.side ^= 1
	b.hash ^= keys[sideKey]
}

const (
	all   uint64 = 1<<Points - 1
	left  uint64 = 0x041041041 // column a
	right uint64 = left << (Size - 1)
)

// near[sq] are the points one step away in any of the eight directions.
var near = nearTable()

func nearTable() *[Points]uint64 {
	var t [Points]uint64
	for sq := range t {
		t[sq] = spread(1<<sq) &^ (1 << sq)
	}
	return &t
}

// spread returns a set with all points one step away from it.
func spread(s uint64) uint64 {
	s |= (s&^right)<<1 | (s&^left)>>1
	return (s | s<<Size | s>>Size) & all
}

// CountQuiet returns how many quiet moves a seat has or would have.
func (b *Board) CountQuiet(seat game.Seat) int {
	s, empty := b.pieces[seat&1], b.Empty()
	l, r := (s&^left)>>1, (s&^right)<<1
	return bits.OnesCount64(l&empty) + bits.OnesCount64(r&empty) +
		bits.OnesCount64(s<<Size&empty) + bits.OnesCount64(s>>Size&empty) +
		bits.OnesCount64(l<<Size&empty) + bits.OnesCount64(l>>Size&empty) +
		bits.OnesCount64(r<<Size&empty) + bits.OnesCount64(r>>Size&empty)
}

// Quiet appends the moves to empty points, by the point of departure.
func (b *Board) Quiet(dst []Step) []Step {
	empty := b.Empty()
	for s := b.pieces[b.side]; s != 0; s &= s - 1 {
		from := bits.TrailingZeros64(s)
		for t := near[from] & empty; t != 0; t &= t - 1 {
			dst = append(dst, Step{uint8(from), uint8(bits.TrailingZeros64(t))})
		}
	}
	return dst
}

// Moves appends the legal moves, captures first.
func (b *Board) Moves(dst []Step) []Step { return b.Quiet(b.Captures(dst)) }

// CanMove reports whether the side to move has a move.
func (b *Board) CanMove() bool {
	if spread(b.pieces[b.side])&b.Empty() != 0 {
		return true
	}
	var buf [MaxCaptures]Step
	return len(b.Captures(buf[:0])) > 0
}

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves() int {
	var buf [MaxCaptures]Step
	return b.CountQuiet(b.Side()) + len(b.Captures(buf[:0]))
}
