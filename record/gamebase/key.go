package gamebase

import (
	"cmp"
	"math/bits"
	"slices"

	"kibitz/game"
)

// Keyer finds the keys of the positions of one game. It is used by one goroutine.
type Keyer struct {
	seed   uint64
	width  int
	images []image
	// hashes are those of each piece on each point, made when one is first seen.
	hashes [256][]uint64
	found  []cell // room for those of a position
}

// image is one symmetry of the board as tables over its points.
type image struct {
	to, from []int32 // where a point goes, and where it comes from
	box      []int32 // likewise for the boxes of a board of dots, by their top left dot
}

// NewKeyer returns the keyer of a game. Symmetries are those of the rules, the
// identity first; none means the identity alone.
func NewKeyer(spec game.Spec, width, height int, symmetries []func(game.Point) game.Point) *Keyer {
	k := &Keyer{seed: mixText(0, string(spec)), width: width}
	if len(symmetries) == 0 {
		symmetries = []func(game.Point) game.Point{func(p game.Point) game.Point { return p }}
	}
	for _, f := range symmetries {
		n := width * height
		im := image{make([]int32, n), make([]int32, n), make([]int32, n)}
		for y := range height {
			for x := range width {
				i := y*width + x
				j := f(game.Pt(x, y)).Index(width)
				im.to[i], im.from[j] = int32(j), int32(i)
				im.box[i] = int32(i)
				if x+1 < width && y+1 < height {
					a, b := f(game.Pt(x, y)), f(game.Pt(x+1, y+1))
					im.box[i] = int32(game.Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)}.Index(width))
				}
			}
		}
		k.images = append(k.images, im)
	}
	return k
}

// Place is a position as the base knows it: its key, and how moves in the position
// are turned into moves in the image that the key stands for.
type Place struct {
	Key  int64
	k    *Keyer
	uses uint64 // the images that have the key, a bit each; several if the position is symmetric
}

// Find returns the place of a position: what the arbiter sees of it, and the legal
// decisions, which are looked at only within a turn.
func (k *Keyer) Find(v *game.View, legal []game.Move) Place {
	common := k.common(v)
	p := Place{k: k}
	var least uint64
	k.pieces(v)
	for i := range k.images {
		h := mix(common ^ k.board(v, &k.images[i]))
		if v.Turn.Step > 0 {
			var sum uint64
			for _, m := range legal {
				sum += mix(uint64(pack(k.turn(m, k.images[i].to))) ^ k.seed)
			}
			h = mix(h ^ sum)
		}
		if p.uses == 0 || h < least {
			least, p.uses = h, 1<<i
		} else if h == least {
			p.uses |= 1 << i
		}
	}
	p.Key = int64(least)
	return p
}

// common hashes what no symmetry changes.
func (k *Keyer) common(v *game.View) uint64 {
	h := mixText(k.seed, v.Turn.Phase)
	if s := v.Turn.Seat; s.IsPlayer() {
		if c := v.Colours[s]; c != game.NoColour {
			h = mix(h ^ 0x10 ^ uint64(c))
		} else {
			h = mix(h ^ 0x20 ^ uint64(s))
		}
	}
	if v.Turn.Step > 0 {
		h = mix(h ^ 0x40)
	}
	for i := range v.Trays {
		t := &v.Trays[i]
		for _, it := range t.Items {
			if it.Count > 0 {
				h += mixText(mix(uint64(it.Piece)<<32|uint64(it.Count)), t.Name)
			}
		}
	}
	return h
}

// cell is a cell with a piece.
type cell struct {
	at    int32
	piece byte
}

// pieces finds the cells with a piece.
func (k *Keyer) pieces(v *game.View) {
	k.found = k.found[:0]
	for i := range v.Cells {
		c := v.Cells[i].Piece
		if c == 0 {
			continue
		}
		k.found = append(k.found, cell{int32(i), c})
		if k.hashes[c] == nil {
			list := make([]uint64, len(k.images[0].to))
			for j := range list {
				list[j] = mix(k.seed ^ uint64(c)<<32 ^ uint64(j))
			}
			k.hashes[c] = list
		}
	}
}

// board hashes pieces and lines in an image.
func (k *Keyer) board(v *game.View, im *image) uint64 {
	var h uint64
	table := im.to
	if v.Shape == game.Dots {
		table = im.box
	}
	for _, c := range k.found {
		h += k.hashes[c.piece][table[c.at]]
	}
	for i := range v.Lines {
		m := k.turn(game.EdgeAt(v.Lines[i].At, v.Lines[i].Vertical), im.to)
		h += mix(k.seed ^ 1<<48 ^ uint64(pack(m)))
	}
	return h
}

// Canon returns a move of the position as it is kept: of all images that have the
// key, the one with the smallest number.
func (p *Place) Canon(m game.Move) int64 {
	least := int64(-1)
	for set := p.uses; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if n := pack(p.k.turn(m, p.k.images[i].to)); least < 0 || n < least {
			least = n
		}
	}
	return least
}

// Moves returns what a kept move is in the position: more than one if the position
// is symmetric, the rightmost first and of those the lowest on the board (f5 of the
// four first moves of Othello).
func (p *Place) Moves(kept int64) []game.Move {
	m := unpack(kept)
	var list []game.Move
	for set := p.uses; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if b := p.k.turn(m, p.k.images[i].from); !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b game.Move) int {
		return cmp.Or(
			cmp.Compare(b.To.X, a.To.X), cmp.Compare(b.To.Y, a.To.Y),
			cmp.Compare(b.From.X, a.From.X), cmp.Compare(b.From.Y, a.From.Y), cmp.Compare(b.Arg, a.Arg),
		)
	})
	return list
}

// turn moves the points of a decision by a table.
func (k *Keyer) turn(m game.Move, table []int32) game.Move {
	return m.Through(func(p game.Point) game.Point { return k.point(p, table) })
}

func (k *Keyer) point(p game.Point, table []int32) game.Point {
	i := p.Index(k.width)
	if i < 0 || i >= len(table) {
		return p // off the board: whoever judges moves will say so
	}
	i = int(table[i])
	return game.Pt(i%k.width, i/k.width)
}

// pack makes a number of a move, above 0 for every operation there is; 0 stands
// for the end of a game.
func pack(m game.Move) int64 {
	b := func(x int8) int64 { return int64(uint8(x)) }
	return int64(m.Op)<<48 | b(m.From.X)<<40 | b(m.From.Y)<<32 | b(m.To.X)<<24 | b(m.To.Y)<<16 | int64(uint16(m.Arg))
}

func unpack(n int64) game.Move {
	return game.Move{
		Op: game.Op(n >> 48), From: game.Point{X: int8(n >> 40), Y: int8(n >> 32)},
		To: game.Point{X: int8(n >> 24), Y: int8(n >> 16)}, Arg: int16(n),
	}
}

// mix is the finisher of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func mixText(h uint64, s string) uint64 {
	h = mix(h ^ uint64(len(s)))
	for i := range len(s) {
		h = mix(h ^ uint64(s[i]))
	}
	return h
}
