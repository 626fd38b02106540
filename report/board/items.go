package board

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"kibitz/game"
)

// Item is one thing on a board: a piece, a drawn line, a taken box, the mark of
// the last move.
type Item struct {
	// Kind names the symbol; X and Y are the place in units of the picture.
	Kind string
	X, Y int
}

// Use returns the element that shows the item; its symbol must be in the document.
func (it Item) Use() string {
	return fmt.Sprintf(`<use href="#kb-%s" x="%d" y="%d"/>`, it.Kind, it.X, it.Y)
}

// items are collected in the order in which they are drawn.
type items struct {
	v   *game.View
	out []Item
}

func (l *items) put(kind string, at game.Point) {
	l.out = append(l.out, Item{kind, middle(int(at.X)), middle(int(at.Y))})
}

// piece is the letter on a point, 0 for none.
func (l *items) piece(at game.Point) byte {
	if !at.On(l.v.Width, l.v.Height) || at.Index(l.v.Width) >= len(l.v.Cells) {
		return 0
	}
	return l.v.At(at).Piece
}

// Items returns what stands on the board, in the order in which it is drawn.
func Items(v *game.View) []Item {
	l := &items{v: v}
	marks := distinct(v.Marks)
	l.under(marks)
	// Small letters are stones of their own in some games; beside great ones they are
	// stones that count no more.
	mixed := slices.ContainsFunc(v.Cells, func(c game.Cell) bool { return c.Piece == 'B' || c.Piece == 'W' })
	for i, c := range v.Cells {
		if at := game.Pt(i%max(1, v.Width), i/max(1, v.Width)); c.Piece != 0 {
			kind := kindOf(v.Shape, c)
			if mixed && (c.Piece == 'b' || c.Piece == 'w') {
				kind = "dead" + string(rune(c.Piece))
			}
			l.put(kind, at)
		}
	}
	l.lines()
	l.over(marks)
	for _, at := range v.Barred {
		l.put("bar", at)
	}
	for _, at := range v.Attempts {
		l.put("try", at)
	}
	l.decided()
	return l.out
}

func distinct(list []game.Point) []game.Point {
	var out []game.Point
	for _, at := range list {
		if !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// walked reports whether the last move took a piece from one point to another.
func (l *items) walked() bool {
	m := l.v.Marks
	return len(m) > 1 && (l.piece(m[0]) == 0 || l.piece(m[0]) == '#')
}

// under draws what lies under the pieces: how the last one came where it is.
func (l *items) under(marks []game.Point) {
	m := l.v.Marks
	switch {
	case l.v.Shape == game.Cells && !l.stones(marks):
		for _, at := range marks {
			l.put("came", at)
		}
		if l.walked() {
			l.put("walk"+offset(m[0], m[1]), m[0])
		}
	case l.v.Shape == game.Crossings && l.walked():
		if len(l.v.Path) > 1 {
			l.put(l.way(), game.Pt(0, 0))
		} else {
			l.put("walk"+offset(m[0], m[1]), m[0])
		}
		l.put("gone", m[0])
	}
}

// stones reports whether the last move only put stones: they get rings.
func (l *items) stones(marks []game.Point) bool {
	for _, at := range marks {
		if k := kindOf(l.v.Shape, game.Cell{Piece: l.piece(at)}); k != "black" && k != "white" {
			return false
		}
	}
	return !l.walked()
}

// over draws the marks of the last move over the stones.
func (l *items) over(marks []game.Point) {
	if l.v.Shape == game.Dots || l.v.Shape == game.Cells && !l.stones(marks) {
		return
	}
	for i, at := range marks {
		if i == 0 && l.walked() {
			continue
		}
		switch kindOf(l.v.Shape, game.Cell{Piece: l.piece(at)}) {
		case "black":
			l.put("lastb", at)
		case "white":
			l.put("lastw", at)
		default:
			l.put("last", at)
		}
	}
}

// lines draws those of a board of dots, the last one heavier.
func (l *items) lines() {
	m := l.v.Marks
	for _, line := range l.v.Lines {
		way := "h"
		if line.Vertical {
			way = "v"
		}
		if len(m) > 1 && m[0] == line.At && line.Vertical == (m[1].X == m[0].X) {
			way += "new"
		}
		l.put(way+owner(line.By), line.At)
	}
}

// decided draws what decided the game: a bar through the stones of a row, or rings
// around the stones that fell.
func (l *items) decided() {
	won := distinct(l.v.Won)
	have := func(x, y int) bool {
		return x >= 0 && y >= 0 && slices.Contains(won, game.Pt(x, y))
	}
	kind := "fell"
	for _, at := range won {
		x, y := int(at.X), int(at.Y)
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			if have(x-d[0], y-d[1]) {
				continue
			}
			k := 0
			for have(x+(k+1)*d[0], y+(k+1)*d[1]) {
				k++
			}
			if k >= 4 {
				l.put("row"+offset(at, game.Pt(x+k*d[0], y+k*d[1])), at)
				kind = "won"
			}
		}
	}
	for _, at := range won {
		l.put(kind, at)
	}
}

// offset writes the way between two points into the name of a kind.
func offset(a, b game.Point) string {
	return fmt.Sprintf("%d.%d", int(b.X)-int(a.X), int(b.Y)-int(a.Y))
}

// readOffset is its inverse, in units of the picture.
func readOffset(text string) (x, y float64) {
	var dx, dy int
	if n, err := fmt.Sscanf(text, "%d.%d", &dx, &dy); n != 2 || err != nil {
		return 0, 0
	}
	return float64(cell * dx), float64(cell * dy)
}

// way names the kind of the path along which the last piece ran.
func (l *items) way() string {
	var b strings.Builder
	fmt.Fprintf(&b, "way%dx%d", l.v.Width, l.v.Height)
	for _, at := range l.v.Path {
		fmt.Fprintf(&b, "-%d.%d", at.X, at.Y)
	}
	return b.String()
}

// wayPath is the path of such a kind, seen from the first point of the board: straight
// along a line, three quarters of a circle around a corner.
func wayPath(kind string) string {
	size, rest, _ := strings.Cut(strings.TrimPrefix(kind, "way"), "-")
	var w, h int
	if n, err := fmt.Sscanf(size, "%dx%d", &w, &h); n != 2 || err != nil {
		return ""
	}
	var b strings.Builder
	var px, py int
	for i, text := range strings.Split(rest, "-") {
		var x, y int
		if n, err := fmt.Sscanf(text, "%d.%d", &x, &y); n != 2 || err != nil {
			return ""
		}
		switch {
		case i == 0:
			fmt.Fprintf(&b, "M%d %d", cell*x, cell*y)
		case x == px || y == py:
			fmt.Fprintf(&b, "L%d %d", cell*x, cell*y)
		default:
			cx, cy := corner(px, x, w), corner(py, y, h)
			r := cell * max(abs(px-cx), abs(py-cy))
			sweep := 1
			if (px-cx)*(y-cy)-(py-cy)*(x-cx) > 0 {
				sweep = 0
			}
			fmt.Fprintf(&b, "A%d %d 0 1 %d %d %d", r, r, sweep, cell*x, cell*y)
		}
		px, py = x, y
	}
	return b.String()
}

// corner is the edge that one of two numbers is on.
func corner(a, b, n int) int {
	if a == 0 || a == n-1 {
		return a
	}
	return b
}

func abs(n int) int { return max(n, -n) }

// Kinds returns the kinds of items, each once, in order.
func Kinds(items []Item) []string {
	var out []string
	for _, it := range items {
		out = append(out, it.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// owner is the seat's part of a kind: 0, 1, or n for what nobody owns.
func owner(s game.Seat) string {
	switch s {
	case game.First:
		return "0"
	case game.Second:
		return "1"
	}
	return "n"
}

func kindOf(shape game.Shape, c game.Cell) string {
	if shape == game.Dots {
		return "box" + owner(c.Owner)
	}
	switch c.Piece {
	case 'B', 'b':
		return "black"
	case 'W', 'w':
		return "white"
	case '#':
		return "burnt"
	case 'X':
		return "back"
	}
	return fmt.Sprintf("p%02x", c.Piece)
}

func pieceOf(kind string) byte {
	var piece byte
	if _, err := fmt.Sscanf(kind[1:], "%02x", &piece); err != nil {
		return 0
	}
	return piece
}

// Symbols returns the definitions of the kinds, for one use in a document.
func Symbols(kinds []string) string {
	var b strings.Builder
	b.WriteString("<defs>")
	for _, k := range kinds {
		fmt.Fprintf(&b, `<g id="kb-%s">%s</g>`, html.EscapeString(k), write(SymbolShapes(k)))
	}
	b.WriteString("</defs>")
	return b.String()
}

// arrow draws one from 0,0 that ends before the piece on its end.
func arrow(x, y float64) []Shape {
	far := math.Hypot(x, y)
	if far < cell/2 {
		return nil
	}
	const tone = "#d97706"
	ux, uy := x/far, y/far
	tx, ty := x-ux*15, y-uy*15
	bx, by := tx-ux*13, ty-uy*13
	d := "M0 0L" + number(bx) + " " + number(by)
	tip := "M" + number(tx) + " " + number(ty) + "L" + number(bx-uy*8) + " " + number(by+ux*8) +
		"L" + number(bx+uy*8) + " " + number(by-ux*8) + "Z"
	return []Shape{{D: d, Stroke: tone, Width: 6, Round: true, Alpha: .75}, {D: tip, Fill: tone, Alpha: .75}}
}
