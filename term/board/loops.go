package board

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/term"
)

// loopCanvas is the drawing of crossings with loops: crossings are four columns and two
// lines apart, and around each corner there is room for the loops.
type loopCanvas struct {
	text       [][]byte
	left, top  int // the column and the line of the first crossing
	wide, high int
}

// newLoopCanvas draws the lines of an empty board.
func newLoopCanvas(v *game.View) *loopCanvas {
	c := &loopCanvas{left: 2 + 3*v.Loops, top: v.Loops}
	c.wide, c.high = 2*c.left+4*(v.Width-1)+1, 2*c.top+2*(v.Height-1)+1
	for range c.high {
		c.text = append(c.text, []byte(strings.Repeat(" ", c.wide)))
	}
	for i := range v.Height {
		for x := c.left; x < c.wide-c.left; x++ {
			c.text[c.top+2*i][x] = '-'
		}
	}
	for i := range v.Width {
		for y := c.top; y < c.high-c.top; y++ {
			c.text[y][c.left+4*i] = '|'
		}
	}
	for n := 1; n <= v.Loops; n++ {
		c.loop(n)
	}
	return c
}

// loop draws the four loops that join row n with column n, counted from each edge.
func (c *loopCanvas) loop(n int) {
	for corner := range 4 {
		set := func(x, y int, b byte) {
			if corner%2 == 1 {
				x = c.wide - 1 - x
			}
			if corner >= 2 {
				y = c.high - 1 - y
				switch b {
				case '.':
					b = '\''
				case '\'':
					b = '.'
				}
			}
			c.text[y][x] = b
		}
		left, top := c.left-3*n, c.top-n
		column, row := c.left+4*n, c.top+2*n
		for x := left; x < column; x++ {
			set(x, top, '-')
		}
		for x := left; x < c.left; x++ {
			set(x, row, '-')
		}
		for y := top; y < c.top; y++ {
			set(column, y, '|')
		}
		for y := top; y < row; y++ {
			set(left, y, '|')
		}
		set(left, top, '.')
		set(column, top, '.')
		set(left, row, '\'')
	}
}

// looped draws a board with its loops; empty crossings are plus signs, the last
// move stands in brackets.
func (p Painter) looped(v *game.View) {
	c := newLoopCanvas(v)
	var b strings.Builder
	header := strings.Repeat(" ", 3+c.left)
	for _, name := range v.Columns {
		header += fmt.Sprintf("%-4s", name)
	}
	header = p.style(strings.TrimRight(header, " "), term.Faint)
	fmt.Fprintf(&b, "%s\n", header)
	for y, text := range c.text {
		row, label := (y-c.top)/2, ""
		onRow := y >= c.top && y < c.high-c.top && (y-c.top)%2 == 0
		if onRow && row < len(v.Rows) {
			label = v.Rows[row]
		}
		line := p.style(fmt.Sprintf("%2s ", label), term.Faint)
		for x, mark := range text {
			if onRow && x >= c.left-1 && x <= c.wide-c.left {
				line += p.crossing(v, x-c.left+1, row, mark)
			} else {
				line += p.faint(mark)
			}
		}
		if label != "" {
			line += p.style(" "+label, term.Faint)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	fmt.Fprintf(&b, "%s\n", header)
	io.WriteString(p.W, b.String()) //nolint:errcheck // a terminal that is gone is noticed elsewhere
}

// crossing draws one character of a row of crossings; x counts from the bracket of the
// first one.
func (p Painter) crossing(v *game.View, x, row int, text byte) string {
	at := game.Pt(x/4, row)
	marked := slices.Contains(v.Marks, at)
	switch {
	case !at.On(v.Width, v.Height):
	case x%4 == 1 && v.At(at).Piece != 0:
		return p.cell(v, at)
	case x%4 == 1:
		return p.faint('+')
	case x%4 == 0 && marked:
		return "("
	case x%4 == 2 && marked:
		return ")"
	}
	return p.faint(text)
}

func (p Painter) faint(c byte) string {
	if c == ' ' {
		return " "
	}
	return p.style(string(rune(c)), term.Faint)
}
