package picture

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Where a text begins: a third of it on the left of its place, its middle, its end.
const (
	left = iota
	middle
	right
)

// fonts are those of a picture. They have Latin, Greek and Cyrillic letters.
type fonts struct{ usual, bold *letters }

// letters is a font with its room to work in.
type letters struct {
	font *sfnt.Font
	buf  sfnt.Buffer
}

// em is the size at which outlines are read.
const em = 1024

func openFonts() (*fonts, error) {
	usual, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := sfnt.Parse(gobold.TTF)
	return &fonts{&letters{font: usual}, &letters{font: bold}}, err
}

func (f *fonts) of(bold bool) *letters {
	if bold {
		return f.bold
	}
	return f.usual
}

// width is how wide a text of size 1 is.
func (l *letters) width(text string) float64 {
	sum := fixed.Int26_6(0)
	for _, r := range text {
		// A letter that is missing has the width of the sign for it.
		i, _ := l.font.GlyphIndex(&l.buf, r)
		a, err := l.font.GlyphAdvance(&l.buf, i, fixed.I(em), font.HintingNone)
		if err == nil {
			sum += a
		}
	}
	return float64(sum) / 64 / em
}

// cut shortens a text so that it is not wider than so many times its size.
func (l *letters) cut(text string, most float64) string {
	if l.width(text) <= most {
		return text
	}
	list := []rune(text)
	for len(list) > 0 && l.width(string(list)+"…") > most {
		list = list[:len(list)-1]
	}
	return string(list) + "…"
}

// line returns the outlines of a text that stands at a place.
func (l *letters) line(text string, x, y, size float64, at int) []line {
	switch at {
	case middle:
		x -= l.width(text) * size / 2
	case right:
		x -= l.width(text) * size
	}
	var out []line
	for _, r := range text {
		i, _ := l.font.GlyphIndex(&l.buf, r)
		segments, err := l.font.LoadGlyph(&l.buf, i, fixed.I(em), nil)
		if err == nil {
			out = append(out, outlines(segments, x, y, size/em/64)...)
		}
		if a, err := l.font.GlyphAdvance(&l.buf, i, fixed.I(em), font.HintingNone); err == nil {
			x += float64(a) / 64 / em * size
		}
	}
	return out
}

// outlines turns those of a font, whose bends are quadratic, into straight lines.
func outlines(segments sfnt.Segments, x, y, k float64) []line {
	var out []line
	at := func(p fixed.Point26_6) point { return point{x + float64(p.X)*k, y + float64(p.Y)*k} }
	for _, s := range segments {
		if s.Op == sfnt.SegmentOpMoveTo {
			out = append(out, line{[]point{at(s.Args[0])}, true})
			continue
		}
		last := &out[len(out)-1]
		switch s.Op {
		case sfnt.SegmentOpLineTo:
			last.at = append(last.at, at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			a, b, c := last.at[len(last.at)-1], at(s.Args[0]), at(s.Args[1])
			for n := 1; n <= 5; n++ {
				t := float64(n) / 5
				u := 1 - t
				last.at = append(last.at, point{u*u*a.x + 2*u*t*b.x + t*t*c.x, u*u*a.y + 2*u*t*b.y + t*t*c.y})
			}
		}
	}
	return out
}
