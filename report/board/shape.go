package board

import (
	"cmp"
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Shape is a part of a drawing, in units of the picture. It is whichever of these is
// set: a text, a circle (R), a rectangle (W, H), else the path D.
type Shape struct {
	// X, Y are the middle of a circle, the corner of a rectangle, and where the middle
	// of a text stands on its line.
	X, Y float64
	R    float64
	W, H float64
	// Corner is the radius of a rectangle's corners.
	Corner float64
	// D is path data of SVG: M, L, H, V, C, A, Z and the small letters of them.
	D    string
	Text string
	// Size is that of the letters, Bold makes them heavier.
	Size float64
	Bold bool
	// Fill and Stroke are colours, "#rrggbb"; empty for none.
	Fill, Stroke string
	// Width is that of the stroke, Round tells that its ends are.
	Width float64
	Round bool
	// Alpha is how much covers what lies below, 0 for all of it.
	Alpha float64
	// Zoom enlarges a path around 0,0 before it is moved to X,Y; 0 for 1.
	Zoom float64
}

// number writes a coordinate as short as it can be.
func number(x float64) string {
	return strconv.FormatFloat(float64(int64(x*100+sign(x)/2))/100, 'f', -1, 64)
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// element is the shape as an element of SVG.
func (s *Shape) element() string {
	var b strings.Builder
	attr := func(name string, x float64) {
		if x != 0 {
			fmt.Fprintf(&b, ` %s="%s"`, name, number(x))
		}
	}
	switch {
	case s.Text != "":
		fmt.Fprintf(&b, `<text x="%s" y="%s">%s</text>`, number(s.X), number(s.Y), html.EscapeString(s.Text))
		return b.String() // the rest stands in its group
	case s.R > 0:
		b.WriteString("<circle")
		attr("cx", s.X)
		attr("cy", s.Y)
		attr("r", s.R)
	case s.W > 0:
		b.WriteString("<rect")
		attr("x", s.X)
		attr("y", s.Y)
		attr("width", s.W)
		attr("height", s.H)
		attr("rx", s.Corner)
	default:
		fmt.Fprintf(&b, `<path d="%s"`, s.D)
		if s.Zoom != 0 {
			fmt.Fprintf(&b, ` transform="translate(%s %s) scale(%s)"`, number(s.X), number(s.Y), strconv.FormatFloat(s.Zoom, 'f', -1, 64))
		}
	}
	b.WriteString(s.paint() + "/>")
	return b.String()
}

// paint are the attributes of colours.
func (s *Shape) paint() string {
	fill := cmp.Or(s.Fill, "none")
	out := fmt.Sprintf(` fill="%s"`, fill)
	if s.Stroke != "" {
		out += fmt.Sprintf(` stroke="%s" stroke-width="%s"`, s.Stroke, number(s.Width))
		if s.Round {
			out += ` stroke-linecap="round" stroke-linejoin="round"`
		}
	}
	if s.Alpha != 0 {
		out += fmt.Sprintf(` opacity="%s"`, number(s.Alpha))
	}
	return out
}

// group is the start of a group of texts.
func (s *Shape) group() string {
	weight := ""
	if s.Bold {
		weight = ` font-weight="bold"`
	}
	return fmt.Sprintf(`<g font-family="system-ui,sans-serif" font-size="%s"%s fill="%s" text-anchor="middle">`, number(s.Size),
		weight, s.Fill)
}

// write returns shapes as elements; texts that look alike stand in one group.
func write(list []Shape) string {
	var b strings.Builder
	open := ""
	for i := range list {
		group := ""
		if list[i].Text != "" {
			group = list[i].group()
		}
		if group != open {
			if open != "" {
				b.WriteString("</g>")
			}
			b.WriteString(group)
			open = group
		}
		b.WriteString(list[i].element())
	}
	if open != "" {
		b.WriteString("</g>")
	}
	return b.String()
}
