package othello

import (
	"math/bits"

	"kibitz/game"
)

// Size is the number of columns and of rows.
const Size = 8

// Squares is the number of squares.
const Squares = Size * Size

// Board is a position seen by the side to move: Own are its discs, Opp those of
// the opponent. Bit 8*row+column stands for a square, rows from the top, so that
// bit 0 is a1, bit 7 h1 and bit 63 h8. Own and Opp must not overlap.
type Board struct{ Own, Opp uint64 }

// Start returns the initial position: d4 and e5 white, e4 and d5 black, black to
// move.
func Start() Board {
	return Board{Own: 1<<28 | 1<<35, Opp: 1<<27 | 1<<36}
}

// Swap returns the board as the opponent sees it: the position after a pass.
func (b Board) Swap() Board { return Board{b.Opp, b.Own} }

// Empty returns the empty squares.
func (b Board) Empty() uint64 { return ^(b.Own | b.Opp) }

// Empties returns the number of empty squares.
func (b Board) Empties() int { return bits.OnesCount64(^(b.Own | b.Opp)) }

// inner are the columns b to g: discs elsewhere cannot be bracketed along a row
// or a diagonal.
const inner = 0x7e7e7e7e7e7e7e7e

// Moves returns the squares on which the side to move may place a disc; 0 means
// that it must pass or that the game is over.
func (b Board) Moves() uint64 {
	own, opp := b.Own, b.Opp
	mid := opp & inner
	// Along a row upwards: adding the start of each run of opposing discs that
	// follows an own disc carries to the square behind the run.
	m := (mid + (own << 1 & mid)) &^ mid
	m |= behind(own, mid, 1)
	m |= ahead(own, opp, 8) | ahead(own, mid, 7) | ahead(own, mid, 9)
	m |= behind(own, opp, 8) | behind(own, mid, 7) | behind(own, mid, 9)
	return m &^ (own | opp)
}

// ahead returns the squares at the higher end of runs of through that begin
// beside an own disc. Shift is the direction; it folds into the caller's code.
func ahead(own, through uint64, shift uint) uint64 {
	r := through & (own << shift)
	r |= through & (r << shift)
	pair := through & (through << shift)
	r |= pair & (r << (2 * shift))
	r |= pair & (r << (2 * shift))
	return r << shift
}

// behind is ahead in the opposite direction.
func behind(own, through uint64, shift uint) uint64 {
	r := through & (own >> shift)
	r |= through & (r >> shift)
	pair := through & (through >> shift)
	r |= pair & (r >> (2 * shift))
	r |= pair & (r >> (2 * shift))
	return r >> shift
}

// HasMoves reports whether the side to move can place a disc.
func (b Board) HasMoves() bool { return b.Moves() != 0 }

// Play returns the board after a disc on the square has flipped the given discs,
// seen by the opponent. Flips must be what b.Flips(square) returned.
func (b Board) Play(square int, flips uint64) Board {
	return Board{b.Opp &^ flips, b.Own | flips | 1<<uint(square&63)}
}

// Over reports whether neither side can move.
func (b Board) Over() bool { return b.Moves() == 0 && b.Swap().Moves() == 0 }

// Discs returns the number of discs of the side to move and of the opponent.
func (b Board) Discs() (own, opp int) {
	return bits.OnesCount64(b.Own), bits.OnesCount64(b.Opp)
}

// Score returns the final score for the side to move as a difference, empty
// squares counted for the winner. It means something only when the game is over.
func (b Board) Score() int {
	own, opp := b.Discs()
	switch {
	case own > opp:
		return Squares - 2*opp
	case own < opp:
		return 2*own - Squares
	default:
		return 0
	}
}

// Hash returns a well mixed number of the board.
func (b Board) Hash() uint64 {
	h := b.Own*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(b.Opp*0xc2b2ae3d27d4eb4f, 31)
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// SquareOf returns the number of a point's square, whether it is on the board.
func SquareOf(p game.Point) (int, bool) {
	if !p.On(Size, Size) {
		return 0, false
	}
	return p.Index(Size), true
}

// PointOf returns the point of a square from 0 to 63.
func PointOf(square int) game.Point { return game.Pt(square%Size, square/Size) }
