package amazons

import (
	"math/bits"
	"sync"

	"kibitz/game"
	"kibitz/game/grid"
)

// Size is the number of columns and of rows; squares are numbered row by row from
// the top left: y*Size + x.
const (
	Size    = 10
	Squares = Size * Size
	Queens  = 4 // amazons of each side at the start, and the most a position can have
)

// What stands on a square.
const (
	Empty  uint8 = 0
	Black  uint8 = 1 // an amazon of the first seat
	White  uint8 = 2 // an amazon of the second seat
	Burnt  uint8 = 3 // hit by an arrow
	noFrom       = -1
)

// Board is a position without history: a plain value, copied by assignment. It
// keeps the occupied squares along all rows, columns and diagonals, so that where
// a queen can go is four table look-ups. Its methods do not check legality.
type Board struct {
	rows, cols [Size]uint16
	down, up   [2*Size - 1]uint16
	cell       [Squares]uint8
	queens     [2][Queens]uint8
	count      [2]uint8
	side       uint8
	from       int8 // the amazon on this square must shoot, noFrom if none
	hash       uint64
}

// reach[i][occupied] is the set of squares of a line of ten that a queen on i can
// go to; reachCount is its size. Squares that a short diagonal does not have are
// kept occupied.
var (
	reach      [Size][1 << Size]uint16
	reachCount [Size][1 << Size]uint8
)

// makeReach fills both, before there is a board.
var makeReach = sync.OnceFunc(func() {
	for i := range Size {
		for occupied := range 1 << Size {
			var s uint16
			for j := i + 1; j < Size && occupied>>j&1 == 0; j++ {
				s |= 1 << j
			}
			for j := i - 1; j >= 0 && occupied>>j&1 == 0; j-- {
				s |= 1 << j
			}
			reach[i][occupied] = s
			reachCount[i][occupied] = uint8(bits.OnesCount16(s))
		}
	}
})

// Keys of the hash: 0 to 399 what stands where, 400 to 499 who must shoot, 500
// the side.
func cellKey(sq int, what uint8) uint64 { return keys[int(what)*Squares+sq] }

var keys = (*[5*Squares + 1]uint64)(grid.Keys(5*Squares + 1))

const (
	shootKey = 4 * Squares
	sideKey  = 5 * Squares
)

// EmptyBoard returns a board without anything on it, the first seat to move.
func EmptyBoard() Board {
	makeReach()
	b := Board{from: noFrom}
	for d := range b.down {
		for i := range Size {
			if y := i - d + Size - 1; y < 0 || y >= Size {
				b.down[d] |= 1 << i
			}
			if y := d - i; y < 0 || y >= Size {
				b.up[d] |= 1 << i
			}
		}
	}
	return b
}

// StartBoard returns the initial position.
func StartBoard() Board {
	b := EmptyBoard()
	for _, p := range [][2]int{{0, 6}, {3, 9}, {6, 9}, {9, 6}} {
		b.Add(p[1]*Size+p[0], Black)
		b.Add((Size-1-p[1])*Size+p[0], White)
	}
	return b
}

// Add puts something on an empty square. Amazons beyond the fourth of a side are
// not added.
func (b *Board) Add(sq int, what uint8) {
	if what == Black || what == White {
		s := what - Black
		if b.count[s] == Queens {
			return
		}
		b.queens[s][b.count[s]] = uint8(sq)
		b.count[s]++
	}
	b.fill(sq, what)
}

func (b *Board) fill(sq int, what uint8) {
	b.cell[sq] = what
	b.hash ^= cellKey(sq, what)
	b.toggle(sq)
}

func (b *Board) clear(sq int) {
	b.hash ^= cellKey(sq, b.cell[sq])
	b.cell[sq] = Empty
	b.toggle(sq)
}

// toggle changes a square between occupied and empty on its four lines.
func (b *Board) toggle(sq int) {
	x, y := sq%Size, sq/Size
	b.rows[y] ^= 1 << x
	b.cols[x] ^= 1 << y
	b.down[x-y+Size-1] ^= 1 << x
	b.up[x+y] ^= 1 << x
}

// Cell returns what stands on a square.
func (b *Board) Cell(sq int) uint8 { return b.cell[sq] }

// Side returns the seat to move, or to shoot.
func (b *Board) Side() game.Seat { return game.Seat(b.side) }

// SetSide sets the seat to move.
func (b *Board) SetSide(s game.Seat) {
	if uint8(s) != b.side {
		b.side = uint8(s)
		b.hash ^= keys[sideKey]
	}
}

// Shooter returns the square of the amazon that has moved and must shoot; ok is
// false if the turn begins.
func (b *Board) Shooter() (sq int, ok bool) { return int(b.from), b.from != noFrom }

// Queens returns the squares of a seat's amazons, in no particular order. The
// slice belongs to the board.
func (b *Board) Queens(s game.Seat) []uint8 { return b.queens[s][:b.count[s]] }

// Hash returns the hash of the position, side and shooter included.
func (b *Board) Hash() uint64 { return b.hash }

// Lines returns how far a queen on sq sees: the reachable squares of its row as a
// set of columns, of its column as a set of rows, and of both diagonals as sets
// of columns. Square i of the falling diagonal is (i, i-x+y), of the rising one
// (i, x+y-i).
func (b *Board) Lines(sq int) (row, col, down, up uint16) {
	x, y := sq%Size, sq/Size
	return reach[x][b.rows[y]], reach[y][b.cols[x]], reach[x][b.down[x-y+Size-1]], reach[x][b.up[x+y]]
}

// Reach appends the squares that a queen on sq can go to or shoot at, in a fixed
// order.
func (b *Board) Reach(sq int, dst []uint8) []uint8 {
	x, y := sq%Size, sq/Size
	row, col, down, up := b.Lines(sq)
	for s := row; s != 0; s &= s - 1 {
		dst = append(dst, uint8(y*Size+bits.TrailingZeros16(s)))
	}
	for s := col; s != 0; s &= s - 1 {
		dst = append(dst, uint8(bits.TrailingZeros16(s)*Size+x))
	}
	for s := down; s != 0; s &= s - 1 {
		i := bits.TrailingZeros16(s)
		dst = append(dst, uint8((i-x+y)*Size+i))
	}
	for s := up; s != 0; s &= s - 1 {
		i := bits.TrailingZeros16(s)
		dst = append(dst, uint8((x+y-i)*Size+i))
	}
	return dst
}

// Mobility returns the number of squares that a queen on sq can go to.
func (b *Board) Mobility(sq int) int {
	x, y := sq%Size, sq/Size
	return int(reachCount[x][b.rows[y]]) + int(reachCount[y][b.cols[x]]) +
		int(reachCount[x][b.down[x-y+Size-1]]) + int(reachCount[x][b.up[x+y]])
}

// Sees reports whether a queen on a different square from can go to to.
func (b *Board) Sees(from, to int) bool {
	x, y, u, v := from%Size, from/Size, to%Size, to/Size
	row, col, down, up := b.Lines(from)
	switch {
	case y == v:
		return row>>u&1 != 0
	case x == u:
		return col>>v&1 != 0
	case x-y == u-v:
		return down>>u&1 != 0
	case x+y == u+v:
		return up>>u&1 != 0
	}
	return false
}

// CanMove reports whether a seat has a move. Whoever can move can shoot back at
// the square it left.
func (b *Board) CanMove(s game.Seat) bool {
	for _, q := range b.Queens(s) {
		if b.Mobility(int(q)) > 0 {
			return true
		}
	}
	return false
}

// Shift moves an amazon of the side to move, which then must shoot.
func (b *Board) Shift(from, to int) {
	b.move(from, to)
	b.from = int8(to)
	b.hash ^= keys[shootKey+to]
}

// Unshift takes back Shift, before the shot.
func (b *Board) Unshift(from, to int) {
	b.hash ^= keys[shootKey+to]
	b.from = noFrom
	b.move(to, from)
}

func (b *Board) move(from, to int) {
	what := b.cell[from]
	b.clear(from)
	b.fill(to, what)
	q := &b.queens[b.side]
	for i := range q {
		if q[i] == uint8(from) {
			q[i] = uint8(to)
			return
		}
	}
}

// Shoot burns a square and passes the turn.
func (b *Board) Shoot(at int) {
	b.hash ^= keys[shootKey+int(b.from)] ^ keys[sideKey]
	b.from = noFrom
	b.fill(at, Burnt)
	b.side ^= 1
}

// Unshoot takes back Shoot; shooter is the square of the amazon that shot.
func (b *Board) Unshoot(at, shooter int) {
	b.clear(at)
	b.side ^= 1
	b.from = int8(shooter)
	b.hash ^= keys[shootKey+shooter] ^ keys[sideKey]
}

// CountTurns returns the number of turns, moves with their shots, of the side to
// move. If an amazon must shoot, it is the number of its shots.
func (b *Board) CountTurns() int {
	if b.from != noFrom {
		return b.Mobility(int(b.from))
	}
	n := 0
	var buf [4 * Size]uint8
	for _, q := range b.Queens(game.Seat(b.side)) {
		from := int(q)
		to := b.Reach(from, buf[:0])
		b.toggle(from)
		for _, sq := range to {
			n += b.Mobility(int(sq))
		}
		b.toggle(from)
	}
	return n
}
