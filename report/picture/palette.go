package picture

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// palette chooses the colours of a film: those that are seen most, of like ones one.
func (c count) palette() *palette {
	type tone struct {
		c [3]uint8
		n int
	}
	var list []tone
	for k, n := range c {
		list = append(list, tone{k, n})
	}
	slices.SortFunc(list, func(a, b tone) int {
		return cmp.Or(b.n-a.n, slices.Compare(a.c[:], b.c[:]))
	})
	p := &palette{list: color.Palette{color.RGBA{}}, known: map[[3]uint8]uint8{}}
	limit := 0 // what differs by less than a few steps is one colour, if there are too many
	if len(list) > 255 {
		limit = 60
	}
	for _, t := range list {
		if len(p.list) == 256 {
			break
		}
		if !slices.ContainsFunc(p.list[1:], func(x color.Color) bool { return far(x, t.c) < limit }) {
			p.list = append(p.list, color.RGBA{t.c[0], t.c[1], t.c[2], 255})
		}
	}
	return p
}

// far is how much two colours differ.
func far(x color.Color, c [3]uint8) int {
	y, ok := x.(color.RGBA)
	if !ok {
		return 0
	}
	dr, dg, db := int(y.R)-int(c[0]), int(y.G)-int(c[1]), int(y.B)-int(c[2])
	return 2*dr*dr + 4*dg*dg + 3*db*db
}

// clear is the place in a palette of what stays as it is.
const clear = 0

// palette is at most 256 colours, the first one clear.
type palette struct {
	list  color.Palette
	known map[[3]uint8]uint8
}

type count map[[3]uint8]int

func (c count) add(img *image.RGBA) {
	for i := 0; i < len(img.Pix); i += 4 {
		c[[3]uint8(img.Pix[i:])]++
	}
}

// index is the place of the nearest colour.
func (p *palette) index(c [3]uint8) uint8 {
	if i, ok := p.known[c]; ok {
		return i
	}
	best, at := math.MaxInt, 1
	for i, x := range p.list[1:] {
		if d := far(x, c); d < best {
			best, at = d, i+1
		}
	}
	p.known[c] = uint8(at) //nolint:gosec // at most 255
	return p.known[c]
}
