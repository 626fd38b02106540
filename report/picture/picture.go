// Package picture draws boards as images: a position as PNG, a game as an animated GIF.
// It draws the same shapes as report/board writes as SVG.
package picture

import (
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"

	"kibitz/game"
	"kibitz/report/board"
)

// Limits of the longer side of an image, in pixels.
const (
	Smallest = 100
	Largest  = 1600
)

// sheet draws the positions of one game: the ground once, each kind of item once.
type sheet struct {
	st     board.Style
	scale  float64
	shift  point
	size   image.Point
	ground *image.RGBA
	fonts  *fonts
	kinds  map[string]*stamp
}

// stamp is a kind of item, drawn; at is its corner as seen from the item's place.
type stamp struct {
	img *image.RGBA
	at  image.Point
}

// newSheet returns a sheet for the board of a view. size is what the longer side may
// have at most; a cell has a whole number of pixels.
func newSheet(v *game.View, st board.Style, size int) (*sheet, error) {
	w, h := board.Size(v)
	if v.Width <= 0 || v.Height <= 0 || v.Width > 100 || v.Height > 100 {
		return nil, fmt.Errorf("a board of %d by %d cannot be drawn", v.Width, v.Height)
	}
	f, err := openFonts()
	if err != nil {
		return nil, err
	}
	size = min(max(size, Smallest), Largest)
	cell := float64(size) * 40 / float64(max(w, h))
	if cell >= 8 {
		cell = math.Floor(cell)
	}
	s := &sheet{st: st, scale: cell / 40, fonts: f, kinds: map[string]*stamp{}}
	ox, oy := board.Origin(v)
	// The middle of each cell is the corner of a pixel: 48 is that of the first.
	whole := func(o int) float64 { return math.Round((48-float64(o))*s.scale) - 48*s.scale }
	s.shift = point{whole(ox), whole(oy)}
	s.size = image.Pt(int(math.Ceil(float64(w)*s.scale)), int(math.Ceil(float64(h)*s.scale)))
	s.ground = image.NewRGBA(image.Rectangle{Max: s.size})
	p := &pen{to: s.ground, scale: s.scale, shift: s.shift, fonts: f}
	list := board.GroundShapes(v)
	if len(list) > 0 { // the corners of the image are of the board too
		list[0].Corner = 0
		list[0].W, list[0].H = list[0].W+2, list[0].H+2
		list[0].X, list[0].Y = list[0].X-1, list[0].Y-1
	}
	p.draw(list)
	return s, nil
}

// stampOf draws a kind of item once.
func (s *sheet) stampOf(kind string) *stamp {
	if d, ok := s.kinds[kind]; ok {
		return d
	}
	shapes := board.SymbolShapes(kind)
	p := &pen{scale: s.scale, fonts: s.fonts}
	var all []line
	for i := range shapes {
		x := &shapes[i]
		if x.Text != "" {
			all = append(all, s.fonts.of(x.Bold).line(x.Text, x.X, x.Y, x.Size, middle)...)
			continue
		}
		for _, l := range p.outline(x) {
			all = append(all, l)
			if x.Stroke != "" {
				all = append(all, stroke(l, x.Width, x.Round, s.scale)...)
			}
		}
	}
	r := bounds(p.place(all)).Intersect(image.Rect(-2*Largest, -2*Largest, 2*Largest, 2*Largest))
	d := &stamp{image.NewRGBA(r), r.Min}
	p.to = d.img
	p.draw(shapes)
	s.kinds[kind] = d
	return d
}

// position draws one on an image that holds the ground.
func (s *sheet) position(to *image.RGBA, v *game.View) {
	copy(to.Pix, s.ground.Pix)
	for _, it := range s.st.Items(v) {
		d := s.stampOf(it.Kind)
		at := image.Pt(int(math.Round(s.shift.x+float64(it.X)*s.scale)), int(math.Round(s.shift.y+float64(it.Y)*s.scale)))
		draw.Draw(to, d.img.Rect.Add(at), d.img, d.at, draw.Over)
	}
}

// PNG writes a position. size is what the longer side may have at most.
func PNG(w io.Writer, v *game.View, st board.Style, size int) error {
	s, err := newSheet(v, st, size)
	if err != nil {
		return err
	}
	img := image.NewRGBA(s.ground.Rect)
	s.position(img, v)
	return (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(w, img)
}
