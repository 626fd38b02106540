package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"

	"golang.org/x/image/vector"

	"kibitz/report/board"
)

// pen draws shapes on an image: x, y of a drawing become shift + x*scale.
type pen struct {
	to    draw.Image
	scale float64
	shift point
	fonts *fonts
}

// draw draws shapes in their order.
func (p *pen) draw(list []board.Shape) {
	for i := range list {
		p.shape(&list[i])
	}
}

// place turns lines of a drawing into pixels.
func (p *pen) place(list []line) []line {
	for i := range list {
		for k, at := range list[i].at {
			list[i].at[k] = point{p.shift.x + at.x*p.scale, p.shift.y + at.y*p.scale}
		}
	}
	return list
}

func (p *pen) shape(s *board.Shape) {
	if s.Text != "" {
		p.fill(p.place(p.fonts.of(s.Bold).line(s.Text, s.X, s.Y, s.Size, middle)), s.Fill, s.Alpha)
		return
	}
	outline := p.outline(s)
	if s.Fill != "" {
		var list []line
		for _, l := range outline {
			list = append(list, line{append([]point(nil), l.at...), true})
		}
		p.fill(p.place(list), s.Fill, s.Alpha)
	}
	if s.Stroke == "" {
		return
	}
	var list []line
	for _, l := range outline {
		list = append(list, stroke(l, s.Width, s.Round, p.scale)...)
	}
	p.fill(p.place(list), s.Stroke, s.Alpha)
}

// outline is a shape without a text as lines.
func (p *pen) outline(s *board.Shape) []line {
	switch {
	case s.R > 0:
		return []line{circle(point{s.X, s.Y}, s.R, p.scale)}
	case s.W > 0:
		return []line{rounded(s.X, s.Y, s.W, s.H, s.Corner, p.scale)}
	case s.Zoom == 0:
		return flatten(s.D, p.scale)
	}
	list := flatten(s.D, p.scale*s.Zoom)
	for i := range list {
		for k, at := range list[i].at {
			list[i].at[k] = point{s.X + at.x*s.Zoom, s.Y + at.y*s.Zoom}
		}
	}
	return list
}

// bounds is the rectangle of pixels around lines.
func bounds(list []line) image.Rectangle {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, l := range list {
		for _, at := range l.at {
			low = point{min(low.x, at.x), min(low.y, at.y)}
			high = point{max(high.x, at.x), max(high.y, at.y)}
		}
	}
	if low.x > high.x {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x))+1, int(math.Ceil(high.y))+1)
}

// fill covers what lies within lines.
func (p *pen) fill(list []line, text string, alpha float64) {
	r := bounds(list).Intersect(p.to.Bounds())
	if r.Empty() {
		return
	}
	z := vector.NewRasterizer(r.Dx(), r.Dy())
	for _, l := range list {
		for i, at := range l.at {
			x, y := float32(at.x-float64(r.Min.X)), float32(at.y-float64(r.Min.Y))
			if i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
	}
	z.Draw(p.to, r, image.NewUniform(paint(text, alpha)), image.Point{})
}

// paint reads a colour, "#rrggbb"; one that cannot be read is black.
func paint(text string, alpha float64) color.NRGBA {
	c := color.NRGBA{A: 255}
	if len(text) == 7 && text[0] == '#' {
		if n, err := strconv.ParseUint(text[1:], 16, 32); err == nil {
			c.R, c.G, c.B = uint8(n>>16), uint8(n>>8), uint8(n) //nolint:gosec // the bytes of a number of three
		}
	}
	if alpha > 0 {
		c.A = uint8(min(alpha, 1) * 255)
	}
	return c
}
