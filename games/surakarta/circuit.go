package surakarta

import (
	"math/bits"
	"slices"
)

// A circuit is four straight lines of six points, joined by four arcs into a ring
// of 24 entries. A point on two lines of one circuit is two of its entries. The
// corners lie on none.
const (
	ring = 4 * Size
	// shelf is the distance between the circuits in the number of occupied entries:
	// the inner one begins at bit 0, the outer one at bit shelf.
	shelf    = 32
	ringMask = 1<<ring - 1
)

// MaxCaptures is the largest number of captures that Captures has to hold: each of
// the eight arcs serves two runs at most, and so do the four corners with both
// circuits and directions under the rulings of the original platform.
const MaxCaptures = 8*2 + 4*4

var (
	// entries[c][i] is the point of entry i of a circuit, the inner one first; twice
	// around, so that runs need not wrap. An arc lies before every sixth entry.
	entries = entryTable()
	// tracks[sq] are the entries of a point on both circuits.
	tracks = trackTable()
)

// entryTable walks the circuits: down the left line of each, then by the arcs at
// the bottom left, the bottom right, the top right and the top left.
func entryTable() *[2][2 * ring]uint8 {
	var t [2][2 * ring]uint8
	for c := range t {
		near := c + 1 // the line's distance from the edge
		far := Size - 1 - near
		for i := range Size {
			up := Size - 1 - i
			t[c][i] = uint8(i*Size + near)
			t[c][i+Size] = uint8(far*Size + i)
			t[c][i+2*Size] = uint8(up*Size + far)
			t[c][i+3*Size] = uint8(near*Size + up)
		}
		copy(t[c][ring:], t[c][:ring])
	}
	return &t
}

func trackTable() *[Points]uint64 {
	var t [Points]uint64
	for c := range entries {
		for i, sq := range entries[c][:ring] {
			t[sq] |= 1 << (c*shelf + i)
		}
	}
	return &t
}

// Captures appends the captures of the side to move, each pair of end points once.
//
// Whatever a capturing piece passes before its target is empty or its own point
// of departure. So the run leads over some arc from the last occupied entry before
// it to the first one behind it, unless one of the two is the piece's own other
// entry: then it goes on to the next one.
func (b *Board) Captures(dst []Step) []Step {
	base := len(dst)
	own := b.pieces[b.side]
	for c := range entries {
		line := &entries[c]
		taken := b.track >> (c * shelf) & ringMask
		if taken == 0 {
			continue
		}
		twice := taken | taken<<ring
		for arc := 0; arc < ring; arc += Size {
			x, y := line[before(twice, arc)], line[behind(twice, arc)]
			switch {
			case x == y:
				rest := taken &^ (tracks[x] >> (c * shelf))
				if own>>x&1 == 0 || rest == 0 {
					continue
				}
				rest |= rest << ring
				dst = b.capture(dst, base, x, line[behind(rest, arc)])
				dst = b.capture(dst, base, x, line[before(rest, arc)])
			case own>>x&1 != own>>y&1:
				if own>>x&1 == 0 {
					x, y = y, x
				}
				dst = add(dst, base, Step{x, y})
			}
		}
	}
	if b.corners && own&cornerPoints != 0 {
		dst = b.cornerCaptures(dst, base)
	}
	return dst
}

// Way fills dst with the points along which the piece on from captures on to, both ends
// included, by the shortest way, and returns their number: 0 if no circuit leads there
// over an arc, as for a quiet move.
func (b *Board) Way(from, to uint8, dst *[ring + 1]uint8) int {
	occupied := (b.pieces[0] | b.pieces[1]) &^ (1 << from)
	if occupied>>to&1 == 0 {
		return 0
	}
	best := ring + 1
	for c := range entries {
		line := &entries[c]
		for at := range ring {
			if line[at] != from {
				continue
			}
			for _, step := range [2]int{1, ring - 1} {
				n, arcs := b.walk(line, at, step, occupied)
				if n == 0 || arcs == 0 || n >= best || line[(at+n*step)%ring] != to {
					continue
				}
				best = n
				for i := range n + 1 {
					dst[i] = line[(at+i*step)%ring]
				}
			}
		}
	}
	if best > ring {
		return 0
	}
	return best + 1
}

// walk returns after how many entries of a circuit, and how many arcs, the first
// occupied point comes; n is 0 if there is none before the run is back.
func (b *Board) walk(line *[2 * ring]uint8, at, step int, occupied uint64) (n, arcs int) {
	for n = 1; n < ring; n++ {
		next := (at + n*step) % ring
		// The arc lies before every sixth entry: forwards it is passed when one is
		// entered, backwards when one is left.
		if step == 1 && next%Size == 0 || step != 1 && (next+1)%Size == 0 {
			arcs++
		}
		if occupied>>line[next]&1 != 0 {
			return n, arcs
		}
	}
	return 0, 0
}

// Arcs is the number of arcs, four of each circuit, the inner one first.
const Arcs = 8

// Arc returns the points of the first pieces on both sides of an arc; they may be
// the same. ok is false if there is no piece on the circuit.
func (b *Board) Arc(arc int) (x, y uint8, ok bool) {
	c := arc >> 2 & 1
	taken := b.track >> (c * shelf) & ringMask
	if taken == 0 {
		return 0, 0, false
	}
	twice, at := taken|taken<<ring, arc&3*Size
	return entries[c][before(twice, at)], entries[c][behind(twice, at)], true
}

// before and behind return the occupied entry next to an arc on either side, of a
// ring that is given twice around and not empty.
func before(twice uint64, arc int) int {
	return 63 - bits.LeadingZeros64(twice&(1<<((arc+ring)&63)-1))
}

func behind(twice uint64, arc int) int {
	return arc + bits.TrailingZeros64(twice>>(arc&63))
}

// capture appends a capture if the target is no own piece.
func (b *Board) capture(dst []Step, base int, from, to uint8) []Step {
	if b.pieces[b.side]>>to&1 != 0 {
		return dst
	}
	return add(dst, base, Step{from, to})
}

// add appends a move that is not yet in dst[base:].
func add(dst []Step, base int, m Step) []Step {
	if slices.Contains(dst[base:], m) {
		return dst
	}
	return append(dst, m)
}

const cornerPoints uint64 = 1 | 1<<(Size-1) | 1<<(Points-Size) | 1<<(Points-1)

// cornerOf is the corner that the original platform takes for the arc before entry
// 0, 6, 12 and 18 of both circuits.
var cornerOf = [4]uint8{0, Points - Size, Points - 1, Size - 1}

// cornerCaptures appends the captures of pieces on corners. The original platform
// writes an arc into its circuits as the coordinates of the corner it runs around,
// so that a piece on that corner stands in the middle of the arc of both circuits.
// From there it has to pass another arc; a corner never stops a run, whatever
// stands on it.
func (b *Board) cornerCaptures(dst []Step, base int) []Step {
	for i, corner := range cornerOf {
		if b.pieces[b.side]>>corner&1 == 0 {
			continue
		}
		arc := i * Size
		for c := range entries {
			taken := b.track >> (c * shelf) & ringMask
			if taken == 0 {
				continue
			}
			twice := taken | taken<<ring
			if n := behind(twice, arc); n-arc >= Size {
				dst = b.capture(dst, base, corner, entries[c][n])
			}
			if n := before(twice, arc); arc+ring-n > Size {
				dst = b.capture(dst, base, corner, entries[c][n])
			}
		}
	}
	return dst
}
