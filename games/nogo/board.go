package nogo

import "kibitz/game/grid"

// Limits of the board.
const (
	MinSize = 2
	MaxSize = 19
	// Points is the room for the numbers of points: a border above and below, and one
	// column of border, which the end of a row shares with the start of the next.
	Points = (MaxSize + 2) * (MaxSize + 1)

	cells = Points
)

// What stands on a point of the board with its border.
const (
	Empty uint8 = 0
	Black uint8 = 1 // the first seat
	White uint8 = 2 // the second seat
	edge  uint8 = 3
)

// Verdict says what a stone on an empty point does.
type Verdict uint8

// The verdicts. A stone that would both be without liberty itself and leave an
// opposing chain without one is a suicide: that is what the original looks at first.
const (
	Harmless Verdict = iota
	Suicide          // the stone's own chain has no liberty
	Capture          // an opposing chain has no liberty
)

// Board is a position of NoGo: stones, chains and what is left of their
// liberties. It is a plain value, copied by assignment or, faster, by Copy.
// Points are numbers of the bordered board, see At. Nothing is ever removed, so a
// point that is harmful to a colour stays so until somebody takes it.
type Board struct {
	size   int16
	stride int16
	hash   uint64 // of the stones
	cell   [cells]uint8
	head   [cells]int16      // the stone that stands for the chain
	next   [cells]int16      // the stones of a chain in a ring
	chain  [cells]grid.Chain // of a head
}

// NewBoard returns an empty board; size is MinSize to MaxSize.
func NewBoard(size int) Board {
	b := Board{size: int16(size), stride: int16(size + 1)}
	for i := range b.cell {
		b.cell[i] = edge
	}
	for y := range size {
		for x := range size {
			b.cell[b.At(x, y)] = Empty
		}
	}
	return b
}

// Copy makes b equal to from, without the room that the size does not need.
func (b *Board) Copy(from *Board) {
	if b.size != from.size {
		*b = *from
		return
	}
	n := int(from.stride) * int(from.size+2)
	b.hash = from.hash
	copy(b.cell[:n], from.cell[:n])
	copy(b.head[:n], from.head[:n])
	copy(b.next[:n], from.next[:n])
	copy(b.chain[:n], from.chain[:n])
}

// At returns the number of the point in column x and row y, from 0 at the top left.
func (b *Board) At(x, y int) int { return (y+1)*int(b.stride) + x }

// XY returns the column and the row of a point.
func (b *Board) XY(p int) (x, y int) { return p % int(b.stride), p/int(b.stride) - 1 }

// Size returns the number of columns and of rows.
func (b *Board) Size() int { return int(b.size) }

// Cell returns what stands on a point: Empty, Black or White.
func (b *Board) Cell(p int) uint8 { return b.cell[p] }

// Hash returns the hash of the stones.
func (b *Board) Hash() uint64 { return b.hash }

// Sides returns the distances from a point to its four neighbours, which may lie
// on the border.
func (b *Board) Sides() [4]int {
	s := int(b.stride)
	return [4]int{-s, -1, 1, s}
}

// Judge says what a stone on an empty point does.
func (b *Board) Judge(p int, colour uint8) Verdict {
	alive, captures := false, false
	for _, d := range b.Sides() {
		switch q := p + d; b.cell[q] {
		case Empty:
			alive = true
		case colour:
			alive = alive || !b.chain[b.head[q]].Only(p)
		case 3 - colour:
			captures = captures || b.chain[b.head[q]].Only(p)
		}
	}
	switch {
	case !alive:
		return Suicide
	case captures:
		return Capture
	}
	return Harmless
}

// Harmless reports whether a point is empty and a stone there neither captures
// nor is without liberty.
func (b *Board) Harmless(p int, colour uint8) bool {
	if b.cell[p] != Empty {
		return false
	}
	s := int(b.stride)
	alive, ok := b.looks(p, p-s, colour, false)
	if ok {
		alive, ok = b.looks(p, p-1, colour, alive)
	}
	if ok {
		alive, ok = b.looks(p, p+1, colour, alive)
	}
	if ok {
		alive, ok = b.looks(p, p+s, colour, alive)
	}
	return alive && ok
}

// looks adds what the neighbour q says about a stone on p: whether it lives, and
// whether it captures nothing there.
func (b *Board) looks(p, q int, colour uint8, alive bool) (lives, ok bool) {
	c := b.cell[q]
	if c == Empty {
		return true, true
	}
	if c == edge || c == colour && alive {
		return alive, true
	}
	only := b.chain[b.head[q]].Only(p)
	if c == colour {
		return !only, true
	}
	return alive, !only
}

// Count returns the number of harmless points of a colour.
func (b *Board) Count(colour uint8) int {
	n := 0
	for y := range b.Size() {
		for p := b.At(0, y); p < b.At(b.Size(), y); p++ {
			if b.Harmless(p, colour) {
				n++
			}
		}
	}
	return n
}

// Bound is one more than the highest number of a point of this size.
func (b *Board) Bound() int { return b.At(b.Size(), b.Size()-1) }

// CanMove reports whether a colour has a harmless point.
func (b *Board) CanMove(colour uint8) bool {
	for y := range b.Size() {
		for p := b.At(0, y); p < b.At(b.Size(), y); p++ {
			if b.Harmless(p, colour) {
				return true
			}
		}
	}
	return false
}

// Place puts a stone on an empty point, whatever it does there. Nothing is
// removed. What it does must be asked before, see Judge.
func (b *Board) Place(p int, colour uint8) {
	b.cell[p] = colour
	b.hash ^= keys[colour-1][p]
	b.head[p], b.next[p] = int16(p), int16(p)
	own := grid.Chain{Stones: 1}
	sides := b.Sides()
	for _, d := range sides {
		q := p + d
		switch b.cell[q] {
		case Empty:
			own.Open(q)
		case Black, White:
			b.chain[b.head[q]].Close(p)
		}
	}
	b.chain[p] = own
	for _, d := range sides {
		if q := p + d; b.cell[q] == colour && b.head[q] != b.head[p] {
			grid.Join(b.head[:], b.next[:], b.chain[:], b.head[q], b.head[p])
		}
	}
}

// Head returns the stone that stands for the chain of a stone: two stones are of
// one chain exactly if their heads are equal.
func (b *Board) Head(p int) int { return int(b.head[p]) }

// Loose returns the number of empty neighbours of the chain of a stone, counted
// once for every stone that they adjoin.
func (b *Board) Loose(p int) int { return int(b.chain[b.head[p]].N) }

// Dead reports whether a colour has a chain without liberty, which ends the game.
func (b *Board) Dead(colour uint8) bool {
	for p, c := range b.cell[:int(b.stride)*int(b.size+2)] {
		if c == colour && b.chain[b.head[p]].N == 0 {
			return true
		}
	}
	return false
}

var keys = stoneKeys()

func stoneKeys() *[2][cells]uint64 {
	var k [2][cells]uint64
	for c := range k {
		for p := range k[c] {
			k[c][p] = grid.Key(uint64(c*cells + p))
		}
	}
	return &k
}
