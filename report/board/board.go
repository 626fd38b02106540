// Package board draws what a game.View shows as SVG: the picture of a position.
//
// A picture is a ground (the empty board with its labels) and items that stand on
// it. Pages that show many positions of a game draw the ground once and set the
// items for each position themselves: see Ground, Symbols and Items.
package board

import (
	"fmt"
	"html"
	"strings"

	"kibitz/game"
)

// Sizes in units of the picture: a cell, and the margin that holds the labels.
const (
	cell   = 40
	margin = 28
)

// The colours of the ground. They do not follow a page's light or dark: the board
// is an object of its own.
const (
	woodFill  = "#e8c98f"
	tableFill = "#d9b878"
	feltFill  = "#3c8f62"
	feltEdge  = "#2c6c4a"
	paper     = "#f6f2e7"
	paperEdge = "#e2d9c2"
	lineInk   = "#6b4d1f"
	labelInk  = "#3a2a10"
)

// Style says what a view does not.
type Style struct {
	// Loops draws the loops around the corners of the board (Surakarta).
	Loops bool
	// Felt draws cells of one colour (Othello); else they are chequered.
	Felt bool
	// Title is the text for those who cannot see the picture.
	Title string
}

// StyleOf returns the style of a game's boards.
func StyleOf(spec game.Spec) Style {
	id := spec.ID()
	return Style{Loops: id == "surakarta", Felt: id == "othello"}
}

// SVG returns a picture that needs nothing else.
func SVG(v *game.View, st Style) string {
	var b strings.Builder
	b.WriteString(Open(v, st))
	items := Items(v)
	b.WriteString(Symbols(Kinds(items)))
	b.WriteString(Ground(v, st))
	for _, it := range items {
		b.WriteString(it.Use())
	}
	b.WriteString("</svg>")
	return b.String()
}

// Size returns width and height of the picture in its own units.
func Size(v *game.View, st Style) (width, height int) {
	m := st.margin()
	return 2*m + cell*v.Width, 2*m + cell*v.Height
}

func (st Style) margin() int {
	if st.Loops {
		return margin + 2*cell
	}
	return margin
}

// Open returns the start tag of a picture, with its title.
func Open(v *game.View, st Style) string {
	w, h := Size(v, st)
	d := st.margin() - margin // points count from the same place with loops and without
	title := st.Title
	if title == "" {
		title = fmt.Sprintf("board of %d by %d", v.Width, v.Height)
	}
	title = html.EscapeString(title)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" role="img" aria-label="%s"><title>%s</title>`, -d, -d, w, h, title, title)
}

// middle is the centre of a column or row.
func middle(n int) int { return margin + cell*n + cell/2 }

// Ground returns the empty board with its labels.
func Ground(v *game.View, st Style) string {
	w, h := Size(v, st)
	d := st.margin() - margin
	fill := woodFill
	switch {
	case v.Shape == game.Dots:
		fill = paper
	case v.Shape == game.Cells && st.Felt:
		fill = feltEdge
	case v.Shape == game.Cells:
		fill = tableFill
	}
	g := &ground{v: v, st: st, ink: labelInk}
	if fill == feltEdge {
		g.ink = "#f2f7f3"
	}
	g.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="10" fill="%s"/>`, -d, -d, w, h, fill)
	switch v.Shape {
	case game.Crossings:
		g.crossings()
	case game.Dots:
		g.dots()
	default:
		g.cells()
	}
	g.labels()
	return g.b.String()
}

type ground struct {
	b   strings.Builder
	v   *game.View
	st  Style
	ink string
}

func (g *ground) add(format string, args ...any) { fmt.Fprintf(&g.b, format, args...) }

func (g *ground) cells() {
	light, dark, edge := paper, paperEdge, "#b9a67c"
	if g.st.Felt {
		light, dark, edge = feltFill, feltFill, feltEdge
	}
	w, h := cell*g.v.Width, cell*g.v.Height
	g.add(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, margin, margin, w, h, light)
	if dark != light {
		var p strings.Builder
		for y := range g.v.Height {
			for x := range g.v.Width {
				if (x+y)%2 == 1 {
					fmt.Fprintf(&p, "M%d %dh%dv%dh-%dz", margin+cell*x, margin+cell*y, cell, cell, cell)
				}
			}
		}
		g.add(`<path d="%s" fill="%s"/>`, p.String(), dark)
	}
	var p strings.Builder
	for x := range g.v.Width + 1 {
		fmt.Fprintf(&p, "M%d %dv%d", margin+cell*x, margin, h)
	}
	for y := range g.v.Height + 1 {
		fmt.Fprintf(&p, "M%d %dh%d", margin, margin+cell*y, w)
	}
	g.add(`<path d="%s" fill="none" stroke="%s" stroke-width="1.5"/>`, p.String(), edge)
}

func (g *ground) crossings() {
	var p strings.Builder
	w, h := cell*(g.v.Width-1), cell*(g.v.Height-1)
	for x := range g.v.Width {
		fmt.Fprintf(&p, "M%d %dv%d", middle(x), middle(0), h)
	}
	for y := range g.v.Height {
		fmt.Fprintf(&p, "M%d %dh%d", middle(0), middle(y), w)
	}
	g.add(`<path d="%s" fill="none" stroke="%s" stroke-width="1.4" stroke-linecap="square"/>`, p.String(), lineInk)
	if g.st.Loops {
		g.loops()
		return
	}
	for _, at := range stars(g.v.Width, g.v.Height) {
		g.add(`<circle cx="%d" cy="%d" r="4" fill="%s"/>`, middle(int(at.X)), middle(int(at.Y)), lineInk)
	}
}

// stars are the points that boards of stones mark: the middle, and four or eight
// around it on the larger ones.
func stars(w, h int) []game.Point {
	if w != h || w < 7 || w%2 == 0 {
		return nil
	}
	out := []game.Point{game.Pt(w/2, h/2)}
	near := 3
	if w < 12 {
		near = 2
	}
	rows := []int{near, w - 1 - near}
	if w >= 19 {
		rows = []int{near, w / 2, w - 1 - near}
	}
	for _, y := range rows {
		for _, x := range rows {
			if x != w/2 || y != h/2 {
				out = append(out, game.Pt(x, y))
			}
		}
	}
	return out
}

// loops draws three quarters of a circle around each corner, for the second and
// the third line from the edge.
func (g *ground) loops() {
	left, top := middle(0), middle(0)
	right, bottom := middle(g.v.Width-1), middle(g.v.Height-1)
	var p strings.Builder
	for n := 1; n <= 2; n++ {
		r := cell * n
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", left, top+r, r, r, left+r, top)
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", right-r, top, r, r, right, top+r)
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", right, bottom-r, r, r, right-r, bottom)
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", left+r, bottom, r, r, left, bottom-r)
	}
	g.add(`<path d="%s" fill="none" stroke="%s" stroke-width="1.4"/>`, p.String(), lineInk)
}

func (g *ground) dots() {
	for y := range g.v.Height {
		for x := range g.v.Width {
			g.add(`<circle cx="%d" cy="%d" r="4.5" fill="%s"/>`, middle(x), middle(y), labelInk)
		}
	}
}

// labels writes the names of columns and rows along all four edges.
func (g *ground) labels() {
	d := g.st.margin() - margin
	w, h := margin*2+cell*g.v.Width+d, margin*2+cell*g.v.Height+d
	g.add(`<g font-family="system-ui,sans-serif" font-size="15" fill="%s" text-anchor="middle">`, g.ink)
	for x, text := range g.v.Columns {
		text = html.EscapeString(text)
		g.add(`<text x="%d" y="%d">%s</text><text x="%[1]d" y="%[4]d">%[3]s</text>`, middle(x), 19-d, text, h-9)
	}
	for y, text := range g.v.Rows {
		text = html.EscapeString(text)
		g.add(`<text x="%d" y="%d">%s</text><text x="%[4]d" y="%[2]d">%[3]s</text>`, 14-d, middle(y)+5, text, w-14)
	}
	g.b.WriteString("</g>")
}
