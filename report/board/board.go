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
	// Chinese draws characters on the pieces of dark chess (else letters).
	Chinese bool
	// Title is the text for those who cannot see the picture.
	Title string
}

// SVG returns a picture that needs nothing else.
func SVG(v *game.View, st Style) string {
	var b strings.Builder
	b.WriteString(Open(v, st))
	items := st.Items(v)
	b.WriteString(Symbols(Kinds(items)))
	b.WriteString(Ground(v))
	for _, it := range items {
		b.WriteString(it.Use())
	}
	b.WriteString("</svg>")
	return b.String()
}

// Items returns what stands on the board, in the order in which it is drawn.
func (st Style) Items(v *game.View) []Item {
	list := Items(v)
	for i, it := range list {
		if st.Chinese && len(it.Kind) == 3 && it.Kind[0] == 'p' && face(pieceOf(it.Kind)) != "" {
			list[i].Kind = "f" + it.Kind[1:]
		}
	}
	return list
}

// Size returns width and height of the picture in its own units.
func Size(v *game.View) (width, height int) {
	m := around(v)
	return 2*m + cell*v.Width, 2*m + cell*v.Height
}

// around is how wide the margin of a board is: its loops need room.
func around(v *game.View) int { return margin + v.Loops*cell }

// Open returns the start tag of a picture, with its title.
func Open(v *game.View, st Style) string {
	w, h := Size(v)
	d := v.Loops * cell // points count from the same place with loops and without
	title := st.Title
	if title == "" {
		title = fmt.Sprintf("board of %d by %d", v.Width, v.Height)
	}
	title = html.EscapeString(title)
	const tag = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" role="img" aria-label="%s"><title>%s</title>`
	return fmt.Sprintf(tag, -d, -d, w, h, title, title)
}

// middle is the centre of a column or row.
func middle(n int) int { return margin + cell*n + cell/2 }

// Origin returns the top left corner of the picture in its own units.
func Origin(v *game.View) (x, y int) {
	d := -v.Loops * cell
	return d, d
}

// Ground returns the empty board with its labels.
func Ground(v *game.View) string { return write(GroundShapes(v)) }

// GroundShapes returns the empty board with its labels as it is drawn, part by part.
func GroundShapes(v *game.View) []Shape {
	w, h := Size(v)
	d := v.Loops * cell
	fill := tableFill
	switch v.Surface() {
	case game.Paper:
		fill = paper
	case game.Wood:
		fill = woodFill
	case game.Felt:
		fill = feltEdge
	}
	g := &ground{v: v, ink: labelInk}
	if fill == feltEdge {
		g.ink = "#f2f7f3"
	}
	g.add(&Shape{X: float64(-d), Y: float64(-d), W: float64(w), H: float64(h), Corner: 10, Fill: fill})
	switch v.Shape {
	case game.Crossings:
		g.crossings()
	case game.Dots:
		g.dots()
	default:
		g.cells()
	}
	g.labels()
	return g.out
}

type ground struct {
	out []Shape
	v   *game.View
	ink string
}

func (g *ground) add(s *Shape) { g.out = append(g.out, *s) }

func (g *ground) cells() {
	light, dark, edge := paper, paper, "#b9a67c"
	switch g.v.Surface() {
	case game.Felt:
		light, dark, edge = feltFill, feltFill, feltEdge
	case game.Chequer:
		dark = paperEdge
	}
	w, h := cell*g.v.Width, cell*g.v.Height
	g.add(&Shape{X: margin, Y: margin, W: float64(w), H: float64(h), Fill: light})
	if dark != light {
		var p strings.Builder
		for y := range g.v.Height {
			for x := range g.v.Width {
				if (x+y)%2 == 1 {
					fmt.Fprintf(&p, "M%d %dh%dv%dh-%dz", margin+cell*x, margin+cell*y, cell, cell, cell)
				}
			}
		}
		g.add(&Shape{D: p.String(), Fill: dark})
	}
	var p strings.Builder
	for x := range g.v.Width + 1 {
		fmt.Fprintf(&p, "M%d %dv%d", margin+cell*x, margin, h)
	}
	for y := range g.v.Height + 1 {
		fmt.Fprintf(&p, "M%d %dh%d", margin, margin+cell*y, w)
	}
	g.add(&Shape{D: p.String(), Stroke: edge, Width: 1.5})
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
	g.add(&Shape{D: p.String(), Stroke: lineInk, Width: 1.4, Round: true})
	if g.v.Loops > 0 {
		g.loops()
		return
	}
	for _, at := range stars(g.v.Width, g.v.Height) {
		g.add(&Shape{X: float64(middle(int(at.X))), Y: float64(middle(int(at.Y))), R: 4, Fill: lineInk})
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

// loops draws three quarters of a circle around each corner, for each line that runs on.
func (g *ground) loops() {
	left, top := middle(0), middle(0)
	right, bottom := middle(g.v.Width-1), middle(g.v.Height-1)
	var p strings.Builder
	for n := 1; n <= g.v.Loops; n++ {
		r := cell * n
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", left, top+r, r, r, left+r, top)
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", right-r, top, r, r, right, top+r)
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", right, bottom-r, r, r, right-r, bottom)
		fmt.Fprintf(&p, "M%d %dA%d %d 0 1 1 %d %d", left+r, bottom, r, r, left, bottom-r)
	}
	g.add(&Shape{D: p.String(), Stroke: lineInk, Width: 1.4})
}

func (g *ground) dots() {
	for y := range g.v.Height {
		for x := range g.v.Width {
			g.add(&Shape{X: float64(middle(x)), Y: float64(middle(y)), R: 4.5, Fill: labelInk})
		}
	}
}

// labels writes the names of columns and rows along all four edges.
func (g *ground) labels() {
	d := g.v.Loops * cell
	w, h := margin*2+cell*g.v.Width+d, margin*2+cell*g.v.Height+d
	put := func(x, y int, text string) {
		if text != "" {
			g.add(&Shape{X: float64(x), Y: float64(y), Text: text, Size: 15, Fill: g.ink})
		}
	}
	for x, text := range g.v.Columns {
		put(middle(x), 19-d, text)
		put(middle(x), h-9, text)
	}
	for y, text := range g.v.Rows {
		put(14-d, middle(y)+5, text)
		put(w-14, middle(y)+5, text)
	}
}
