package darkchess

import (
	"math/bits"

	"kibitz/game/grid"
)

// The board has four columns and eight rows; squares are numbered row by row from
// the top left: a8 is 0, d8 is 3, d1 is 31.
const (
	Width   = 4
	Height  = 8
	Squares = Width * Height
)

// Pieces in the canonical order, red then black, and what else a square can hold.
const (
	RedKing uint8 = iota
	RedGuard
	RedMinister
	RedRook
	RedKnight
	RedCannon
	RedPawn
	BlackKing
	BlackGuard
	BlackMinister
	BlackRook
	BlackKnight
	BlackCannon
	BlackPawn
	Hidden // face down
	Empty

	Kinds  = 7  // kinds of piece of a colour, by falling rank
	Pieces = 14 // different pieces
)

// Colours of the pieces.
const (
	Red   uint8 = 0
	Black uint8 = 1
)

// Ranks of the kinds within a colour.
const (
	king   = 0
	cannon = 5
	pawn   = 6
)

// Letters of the pieces in canonical order, then face down and empty.
const Letters = "KGMRNCPkgmrncpX-"

// FullSet is how many of each piece the complete set has.
var FullSet = [Pieces]uint8{1, 2, 2, 2, 2, 2, 5, 1, 2, 2, 2, 2, 2, 5}

// ColourOf returns the colour of a piece.
func ColourOf(piece uint8) uint8 { return piece / Kinds }

// Board is what lies on the table: the pieces face up, the squares face down, and
// how many of each piece are still face down, but not where. It is a plain value,
// copied by assignment. Its methods do not check legality.
type Board struct {
	cell [Squares]uint8
	at   [Empty + 1]uint32 // squares of each piece, of Hidden and of Empty
	down [Pieces]uint8     // pieces face down
	hash uint64
}

const everywhere = 1<<Squares - 1

// EmptyBoard returns a board without pieces.
func EmptyBoard() Board {
	var b Board
	for sq := range b.cell {
		b.cell[sq] = Empty
	}
	b.at[Empty] = everywhere
	return b
}

// StartBoard returns the board with all pieces face down.
func StartBoard() Board {
	b := EmptyBoard()
	for sq := range Squares {
		b.Put(sq, Hidden)
	}
	b.SetDown(FullSet)
	return b
}

// Put changes what a square holds.
func (b *Board) Put(sq int, what uint8) {
	old := b.cell[sq]
	b.at[old] &^= 1 << sq
	b.at[what] |= 1 << sq
	b.cell[sq] = what
	b.hash ^= keys[old][sq] ^ keys[what][sq]
}

// SetDown sets how many of each piece are face down.
func (b *Board) SetDown(count [Pieces]uint8) {
	for p, n := range count {
		b.hash ^= downKey(p, b.down[p]) ^ downKey(p, n)
	}
	b.down = count
}

var keys = hashKeys()

func hashKeys() *[Empty + 1][Squares]uint64 {
	var k [Empty + 1][Squares]uint64
	for what := range k[:Empty] {
		for sq := range k[what] {
			k[what][sq] = grid.Key(uint64(what*Squares + sq))
		}
	}
	return &k
}

func downKey(piece int, n uint8) uint64 { return grid.Key(uint64(1<<10 + piece<<8 + int(n))) }

// Cell returns what a square holds.
func (b *Board) Cell(sq int) uint8 { return b.cell[sq] }

// At returns the set of squares that hold a piece, Hidden or Empty; bit i is
// square i.
func (b *Board) At(what uint8) uint32 { return b.at[what] }

// Down returns how many of each piece are face down.
func (b *Board) Down() [Pieces]uint8 { return b.down }

// Alive returns how many pieces of a colour are left, those face down included.
func (b *Board) Alive(colour uint8) int {
	n := 0
	for p := colour * Kinds; p < (colour+1)*Kinds; p++ {
		n += bits.OnesCount32(b.at[p]) + int(b.down[p])
	}
	return n
}

// Hash returns the hash of the squares and of what is face down.
func (b *Board) Hash() uint64 { return b.hash }

// Own returns the squares with pieces of a colour face up.
func (b *Board) Own(colour uint8) uint32 {
	a := (*[Kinds]uint32)(b.at[colour*Kinds:])
	return a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6]
}

// Move shifts a piece and returns what it took, Empty if nothing.
func (b *Board) Move(from, to int) (taken uint8) {
	piece := b.cell[from]
	taken = b.cell[to]
	f, t := uint32(1)<<from, uint32(1)<<to
	b.at[piece] ^= f | t
	b.at[taken] &^= t
	b.at[Empty] = b.at[Empty]&^t | f
	b.cell[from], b.cell[to] = Empty, piece
	b.hash ^= keys[piece][from] ^ keys[piece][to] ^ keys[taken][to]
	return taken
}

// Unmove takes back Move.
func (b *Board) Unmove(from, to int, taken uint8) {
	piece := b.cell[to]
	f, t := uint32(1)<<from, uint32(1)<<to
	b.at[piece] ^= f | t
	b.at[Empty] = b.at[Empty]&^f | t
	b.at[taken] |= t
	if taken != Empty {
		b.at[Empty] &^= t
	}
	b.cell[from], b.cell[to] = piece, taken
	b.hash ^= keys[piece][from] ^ keys[piece][to] ^ keys[taken][to]
}

// Reveal turns over the piece on a square; it was one of those face down.
func (b *Board) Reveal(sq int, piece uint8) {
	b.hash ^= downKey(int(piece), b.down[piece]) ^ downKey(int(piece), b.down[piece]-1)
	b.down[piece]--
	b.Put(sq, piece)
}

// Hide takes back Reveal.
func (b *Board) Hide(sq int) {
	piece := b.cell[sq]
	b.hash ^= downKey(int(piece), b.down[piece]) ^ downKey(int(piece), b.down[piece]+1)
	b.down[piece]++
	b.Put(sq, Hidden)
}

// Squares beside, and squares in line: up and left have lower numbers.
var beside, rays = neighbours()

const (
	up = iota
	left
	right
	below
)

func neighbours() (*[Squares]uint32, *[Squares][4]uint32) {
	var near [Squares]uint32
	var line [Squares][4]uint32
	steps := [4][2]int{up: {0, -1}, left: {-1, 0}, right: {1, 0}, below: {0, 1}}
	for sq := range Squares {
		for d, s := range steps {
			x, y := sq%Width+s[0], sq/Width+s[1]
			for n := 0; x >= 0 && y >= 0 && x < Width && y < Height; n++ {
				if n == 0 {
					near[sq] |= 1 << (y*Width + x)
				}
				line[sq][d] |= 1 << (y*Width + x)
				x, y = x+s[0], y+s[1]
			}
		}
	}
	return &near, &line
}

// jumps returns the second pieces that a cannon on sq meets in the four
// directions, whatever they are.
func jumps(sq int, occupied uint32) uint32 {
	var set uint32
	r := &rays[sq]
	for _, d := range [2]int{right, below} {
		s := r[d] & occupied
		s &= s - 1 // without the screen
		set |= s & -s
	}
	for _, d := range [2]int{up, left} {
		if s := r[d] & occupied; s != 0 {
			if s ^= 1 << (31 - bits.LeadingZeros32(s)); s != 0 {
				set |= 1 << (31 - bits.LeadingZeros32(s))
			}
		}
	}
	return set
}

// prey returns for each kind of a colour the squares of the enemies that it takes
// by a step. A cannon takes none.
func (b *Board) prey(colour uint8) (p [Kinds]uint32) {
	e := (*[Kinds]uint32)(b.at[(1-colour)*Kinds:])
	all := e[pawn]
	for kind := 4; kind >= 0; kind-- {
		if kind == 4 {
			all |= e[cannon]
		}
		all |= e[kind]
		p[kind] = all
	}
	p[king] &^= e[pawn]
	p[pawn] = e[pawn] | e[king]
	return p
}

// Targets returns where the piece on a square can go.
func (b *Board) Targets(sq int) uint32 {
	piece := b.cell[sq]
	if piece >= Hidden {
		return 0
	}
	colour, kind := piece/Kinds, piece%Kinds
	steps := beside[sq] & b.at[Empty]
	if kind == cannon {
		return steps | jumps(sq, ^b.at[Empty])&b.Own(1-colour)
	}
	prey := b.prey(colour)
	return steps | beside[sq]&prey[kind]
}

// Columns a and d, which steps to the left and right cannot leave.
const (
	columnA = 0x11111111
	columnD = 0x88888888
)

// CountMoves returns the number of moves and captures of a colour, without flips.
func (b *Board) CountMoves(colour uint8) int {
	prey := b.prey(colour)
	own := (*[Kinds]uint32)(b.at[colour*Kinds:])
	n := 0
	for kind, set := range own {
		if set == 0 {
			continue
		}
		t := b.at[Empty] | prey[kind]
		n += bits.OnesCount32(set>>Width&t) + bits.OnesCount32(set<<Width&t) +
			bits.OnesCount32(set&^columnA>>1&t) + bits.OnesCount32(set&^columnD<<1&t)
	}
	if set := own[cannon]; set != 0 {
		enemies, occupied := b.Own(1-colour), ^b.at[Empty]
		for ; set != 0; set &= set - 1 {
			n += bits.OnesCount32(jumps(bits.TrailingZeros32(set), occupied) & enemies)
		}
	}
	return n
}

// CanMove reports whether a colour has a move or a capture.
func (b *Board) CanMove(colour uint8) bool { return b.CountMoves(colour) > 0 }

// Perft counts sequences of moves and captures, without flips and without the
// draws by count and repetition; the last move is counted in bulk. The board is
// unchanged afterwards.
func (b *Board) Perft(colour uint8, depth int) uint64 {
	switch depth {
	case 0:
		return 1
	case 1:
		return uint64(b.CountMoves(colour))
	}
	var n uint64
	for set := b.Own(colour); set != 0; set &= set - 1 {
		from := bits.TrailingZeros32(set)
		for t := b.Targets(from); t != 0; t &= t - 1 {
			to := bits.TrailingZeros32(t)
			taken := b.Move(from, to)
			n += b.Perft(1-colour, depth-1)
			b.Unmove(from, to, taken)
		}
	}
	return n
}
