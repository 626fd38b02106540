package phantomgo

import "kibitz/game/grid"

// Limits of the board.
const (
	MinSize = 2
	MaxSize = 19
	stride  = MaxSize + 2 // a border surrounds the board
	cells   = stride * stride
)

// What stands on a point of the board with its border.
const (
	Empty uint8 = 0
	Black uint8 = 1 // the first seat
	White uint8 = 2 // the second seat
	edge  uint8 = 3
)

// NoKo is the ko point of a position without one.
const NoKo = 0

// Board is a position of Go without passes and history: stones, chains and the
// ko point. It is a plain value, copied by assignment. Points are numbers of the
// bordered board, see At. Its methods do not check legality unless they say so.
type Board struct {
	size  int16
	ko    int16 // point that may not be retaken at once, NoKo if none
	noKo  bool  // retaking is never forbidden
	cell  [cells]uint8
	taken [3]int16          // stones that a colour has captured
	hash  uint64            // of the stones alone
	head  [cells]int16      // the stone that stands for the chain
	next  [cells]int16      // the stones of a chain in a ring
	chain [cells]grid.Chain // of a head
}

// NewBoard returns an empty board; size is MinSize to MaxSize.
func NewBoard(size int) Board {
	b := Board{size: int16(size)}
	for i := range b.cell {
		b.cell[i] = edge
	}
	for y := range size {
		for x := range size {
			b.cell[At(x, y)] = Empty
		}
	}
	return b
}

// AllowRetaking makes a board on which no ko forbids anything, as under the
// rulings of the original SAU platform.
func (b *Board) AllowRetaking() { b.noKo, b.ko = true, NoKo }

// At returns the number of the point in column x and row y, from 0 at the top left.
func At(x, y int) int { return (y+1)*stride + x + 1 }

// XY returns the column and the row of a point.
func XY(p int) (x, y int) { return p%stride - 1, p/stride - 1 }

// Copy makes b equal to from, without the room that the size does not need.
func (b *Board) Copy(from *Board) {
	if b.size != from.size {
		*b = *from
		return
	}
	n := At(int(from.size), int(from.size)) + 1
	b.ko, b.noKo, b.taken, b.hash = from.ko, from.noKo, from.taken, from.hash
	copy(b.cell[:n], from.cell[:n])
	copy(b.head[:n], from.head[:n])
	copy(b.next[:n], from.next[:n])
	copy(b.chain[:n], from.chain[:n])
}

// Size returns the number of columns and of rows.
func (b *Board) Size() int { return int(b.size) }

// Cell returns what stands on a point: Empty, Black or White.
func (b *Board) Cell(p int) uint8 { return b.cell[p] }

// Ko returns the point that the next move may not take, NoKo if there is none.
func (b *Board) Ko() int { return int(b.ko) }

// Taken returns how many stones a colour has captured.
func (b *Board) Taken(colour uint8) int { return int(b.taken[colour]) }

// Hash returns the hash of the stones.
func (b *Board) Hash() uint64 { return b.hash }

var (
	sides = [4]int{-stride, -1, 1, stride}
	keys  = stoneKeys()
)

func stoneKeys() *[3][cells]uint64 {
	var k [3][cells]uint64
	for c := range k {
		for p := range k[c] {
			k[c][p] = grid.Key(uint64(c*cells + p))
		}
	}
	return &k
}

// Legal reports whether a colour may place a stone on a point: it is empty, not
// the ko point, and the stone captures or has a liberty afterwards.
func (b *Board) Legal(p int, colour uint8) bool {
	if b.cell[p] != Empty || p == int(b.ko) {
		return false
	}
	for _, d := range sides {
		if b.cell[p+d] == Empty {
			return true
		}
	}
	// No liberty of its own: an opposing chain that has no other is captured, an own
	// one that has others saves the stone.
	for _, d := range sides {
		if c := b.cell[p+d]; c != edge && b.chain[b.head[p+d]].Only(p) != (c == colour) {
			return true
		}
	}
	return false
}

// Place puts a stone where Legal allows it, captures, and sets the ko point. It
// returns the number of captured stones.
func (b *Board) Place(p int, colour uint8) int {
	b.set(p, colour)
	captured, last := 0, 0
	for _, d := range sides {
		if q := p + d; b.cell[q] == 3-colour && b.chain[b.head[q]].N == 0 {
			captured += b.remove(q)
			last = q
		}
	}
	b.taken[colour] += int16(captured)
	b.ko = NoKo
	if c := &b.chain[b.head[p]]; captured == 1 && !b.noKo && c.Stones == 1 && c.N == 1 {
		b.ko = int16(last)
	}
	return captured
}

// set puts a stone on an empty point without captures.
func (b *Board) set(p int, colour uint8) {
	b.cell[p] = colour
	b.hash ^= keys[colour][p]
	b.head[p], b.next[p] = int16(p), int16(p)
	own := grid.Chain{Stones: 1}
	for _, d := range sides {
		switch q := p + d; b.cell[q] {
		case Empty:
			own.Open(q)
		case Black, White:
			b.chain[b.head[q]].Close(p)
		}
	}
	b.chain[p] = own
	for _, d := range sides {
		if b.cell[p+d] == colour && b.head[p+d] != b.head[p] {
			grid.Join(b.head[:], b.next[:], b.chain[:], b.head[p+d], b.head[p])
		}
	}
}

// Pass lifts the ko.
func (b *Board) Pass() { b.ko = NoKo }

// remove takes the chain of a point off the board.
func (b *Board) remove(p int) int {
	colour := b.cell[p]
	n := 0
	for s := p; ; {
		next := int(b.next[s])
		b.cell[s] = Empty
		b.hash ^= keys[colour][s]
		n++
		for _, d := range sides {
			if c := b.cell[s+d]; c == Black || c == White {
				b.chain[b.head[s+d]].Open(s)
			}
		}
		if s = next; s == p {
			return n
		}
	}
}

// Liberties returns how many different empty points adjoin the chain of a stone;
// it stops counting at limit.
func (b *Board) Liberties(p, limit int) int {
	var seen [cells]bool
	n := 0
	for s := p; ; {
		for _, d := range sides {
			if q := s + d; b.cell[q] == Empty && !seen[q] {
				seen[q] = true
				if n++; n == limit {
					return n
				}
			}
		}
		if s = int(b.next[s]); s == p {
			return n
		}
	}
}

// Atari returns the only liberty of the chain of a stone, 0 if it has more or none.
func (b *Board) Atari(p int) int { return b.chain[b.head[p]].Last() }

// Area returns the points of both colours by area: stones, all of them alive, and
// empty regions that touch stones of one colour only.
func (b *Board) Area() (black, white int) {
	var seen [cells]bool
	var stack [MaxSize * MaxSize]int16
	n := [3]int{}
	for y := range b.Size() {
		for x := range b.Size() {
			p := At(x, y)
			if c := b.cell[p]; c != Empty {
				n[c]++
				continue
			}
			if seen[p] {
				continue
			}
			seen[p] = true
			stack[0] = int16(p)
			touched := uint8(0)
			points := 0
			for top := 1; top > 0; {
				top--
				s := int(stack[top])
				points++
				for _, d := range sides {
					q := s + d
					switch c := b.cell[q]; {
					case c == Black || c == White:
						touched |= c
					case c == Empty && !seen[q]:
						seen[q] = true
						stack[top] = int16(q)
						top++
					}
				}
			}
			if touched == Black || touched == White {
				n[touched] += points
			}
		}
	}
	return n[Black], n[White]
}

// After returns the hash of the stones after a legal placement.
func (b *Board) After(p int, colour uint8) uint64 {
	c := *b
	c.Place(p, colour)
	return c.hash
}
