package breakthrough

import (
	"math/bits"

	"kibitz/game"
	"kibitz/game/grid"
)

// Size is the number of columns and of rows; squares are numbered row by row from the
// top left: y*Size + x. A set of squares is a number with a bit for each.
const (
	Size   = 8
	Points = Size * Size
	Men    = 2 * Size // of each side at the start, and the most a position can have
)

// MaxMoves is a bound for the number of legal moves.
const MaxMoves = 3 * Men

const (
	top    uint64 = 0xff
	bottom uint64 = 0xff << (Points - Size)
	left   uint64 = 0x0101010101010101
	right  uint64 = left << (Size - 1)
)

// Step is a move by its end squares.
type Step struct{ From, To uint8 }

// Board is a position: a plain value, copied by assignment. Its methods do not check
// legality. The first seat is White, which goes up.
type Board struct {
	men  [2]uint64 // by seat
	hash uint64
	side uint8
}

// keys of the hash: one for each seat and square, and one for the side.
var keys = (*[2*Points + 1]uint64)(grid.Keys(2*Points + 1))

// StartBoard returns the initial position.
func StartBoard() (b Board) {
	for sq := range Men {
		b.Add(sq, game.Second)
		b.Add(Points-1-sq, game.First)
	}
	return b
}

// Add puts a man on an empty square.
func (b *Board) Add(sq int, s game.Seat) { b.toggle(uint8(sq), uint8(s)) }

func (b *Board) toggle(sq, s uint8) {
	b.men[s&1] ^= 1 << sq
	b.hash ^= keys[int(s)*Points+int(sq)]
}

// Side returns the seat to move.
func (b *Board) Side() game.Seat { return game.Seat(b.side) }

// Of returns the squares of a seat's men.
func (b *Board) Of(s game.Seat) uint64 { return b.men[s&1] }

// Count returns the number of a seat's men.
func (b *Board) Count(s game.Seat) int { return bits.OnesCount64(b.men[s&1]) }

// Hash returns a number that depends on the men and the side to move.
func (b *Board) Hash() uint64 { return b.hash }

// Turn hands over the turn.
func (b *Board) Turn() {
	b.side ^= 1
	b.hash ^= keys[2*Points]
}

// Move makes a step and reports whether a man was taken.
func (b *Board) Move(m Step) (took bool) {
	b.toggle(m.From, b.side)
	b.toggle(m.To, b.side)
	if took = b.men[b.side^1]>>m.To&1 != 0; took {
		b.toggle(m.To, b.side^1)
	}
	b.Turn()
	return took
}

// Unmove takes a step back.
func (b *Board) Unmove(m Step, took bool) {
	b.Turn()
	b.toggle(m.From, b.side)
	b.toggle(m.To, b.side)
	if took {
		b.toggle(m.To, b.side^1)
	}
}

// Attacks returns the squares diagonally in front of a seat's men.
func (b *Board) Attacks(s game.Seat) uint64 {
	m := b.men[s&1]
	if s == game.First {
		return (m&^left)>>9 | (m&^right)>>7
	}
	return (m&^left)<<7 | (m&^right)<<9
}

// Over returns the winner and how it has won.
func (b *Board) Over() (winner game.Seat, why game.Reason, over bool) {
	switch {
	case b.men[0]&top != 0:
		return game.First, Goal, true
	case b.men[1]&bottom != 0:
		return game.Second, Goal, true
	case b.men[1] == 0:
		return game.First, Taken, true
	case b.men[0] == 0:
		return game.Second, Taken, true
	}
	return game.Nobody, "", false
}

// ways are the three kinds of steps of the side to move: the men that can make them, by
// their squares, and what is added to a square.
func (b *Board) ways() [3]struct {
	men uint64
	by  int8
} {
	own := b.men[b.side]
	free := ^(b.men[0] | b.men[1])
	open := ^own
	if b.side == 0 {
		return [3]struct {
			men uint64
			by  int8
		}{{own &^ left & (open << 9), -9}, {own & (free << 8), -8}, {own &^ right & (open << 7), -7}}
	}
	return [3]struct {
		men uint64
		by  int8
	}{{own &^ left & (open >> 7), 7}, {own & (free >> 8), 8}, {own &^ right & (open >> 9), 9}}
}

// Moves appends the legal moves, by the squares they come from.
func (b *Board) Moves(dst []Step) []Step {
	ways := b.ways()
	for men := ways[0].men | ways[1].men | ways[2].men; men != 0; men &= men - 1 {
		from := uint8(bits.TrailingZeros64(men))
		for _, w := range ways {
			if w.men>>from&1 != 0 {
				dst = append(dst, Step{from, uint8(int8(from) + w.by)})
			}
		}
	}
	return dst
}

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves() (n int) {
	for _, w := range b.ways() {
		n += bits.OnesCount64(w.men)
	}
	return n
}

// Perft counts the leaves at a depth in plies, the last one in bulk. A game that is over
// counts nothing at greater depth.
func (b *Board) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if _, _, over := b.Over(); over {
		return 0
	}
	if depth == 1 {
		return uint64(b.CountMoves())
	}
	var n uint64
	var buf [MaxMoves]Step
	for _, m := range b.Moves(buf[:0]) {
		took := b.Move(m)
		n += b.Perft(depth - 1)
		b.Unmove(m, took)
	}
	return n
}
