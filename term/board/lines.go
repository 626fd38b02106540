package board

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/term"
)

// dots draws a board of lines between dots; Width and Height count dots, and the
// cell of a box is that of its upper left dot. The ends of the newest line are
// round.
func (p Painter) dots(v *game.View) {
	type place struct {
		at       game.Point
		vertical bool
	}
	drawn := map[place]game.Seat{}
	for _, l := range v.Lines {
		drawn[place{l.At, l.Vertical}] = l.By
	}
	line := func(x, y int, vertical bool, text string) string {
		by, ok := drawn[place{game.Pt(x, y), vertical}]
		if !ok {
			return strings.Repeat(" ", len(text))
		}
		return p.style(text, OwnerStyle(by))
	}
	margin := 2
	for _, r := range v.Rows {
		margin = max(margin, len(r))
	}
	var b strings.Builder
	header := strings.Repeat(" ", margin+1)
	for _, c := range v.Columns {
		header += fmt.Sprintf("%-4s", c)
	}
	header = p.style(strings.TrimRight(header, " "), term.Faint)
	fmt.Fprintf(&b, "%s\n", header)
	for y := range v.Height {
		label := ""
		if y < len(v.Rows) {
			label = v.Rows[y]
		}
		b.WriteString(p.style(fmt.Sprintf("%*s ", margin, label), term.Faint))
		for x := range v.Width {
			dot := "+"
			if slices.Contains(v.Marks, game.Pt(x, y)) {
				dot = "o"
			}
			b.WriteString(dot)
			if x < v.Width-1 {
				b.WriteString(line(x, y, false, "---"))
			}
		}
		b.WriteString(p.style(" "+label, term.Faint) + "\n")
		if y == v.Height-1 {
			break
		}
		row := strings.Repeat(" ", margin+1)
		for x := range v.Width {
			row += line(x, y, true, "|")
			if x == v.Width-1 {
				break
			}
			box := " "
			if v.At(game.Pt(x, y)).Piece != 0 {
				box = p.cell(v, game.Pt(x, y))
			}
			row += " " + box + " "
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	fmt.Fprintf(&b, "%s\n", header)
	io.WriteString(p.W, b.String()) //nolint:errcheck // a terminal that is gone is noticed elsewhere
}

// The drawing of Surakarta: crossings of 6x6, four columns and two lines apart,
// and around each corner the loops of the second and the third line.
const (
	loopLeft  = 8 // the first column of crossings
	loopTop   = 2 // the line of the first row of crossings
	loopWide  = 2*loopLeft + 5*4 + 1
	loopHigh  = 2*loopTop + 5*2 + 1
	innerLoop = 3 // from the first column of crossings to the loop of the second line
	outerLoop = 6 // and to that of the third line
)

// surakarta draws a board with its loops; empty crossings are plus signs, the last
// move stands in brackets.
func (p Painter) surakarta(v *game.View) {
	var canvas [loopHigh][loopWide]byte
	for y := range canvas {
		for x := range canvas[y] {
			canvas[y][x] = ' '
		}
	}
	for i := range 6 { // the lines of the grid
		for x := loopLeft; x < loopWide-loopLeft; x++ {
			canvas[loopTop+2*i][x] = '-'
		}
		for y := loopTop; y < loopHigh-loopTop; y++ {
			canvas[y][loopLeft+4*i] = '|'
		}
	}
	loop(&canvas, 1, innerLoop, 1)
	loop(&canvas, 2, outerLoop, 2)

	mark := func(at game.Point) bool { return slices.Contains(v.Marks, at) }
	var b strings.Builder
	header := strings.Repeat(" ", 3+loopLeft)
	for _, c := range v.Columns {
		header += fmt.Sprintf("%-4s", c)
	}
	header = p.style(strings.TrimRight(header, " "), term.Faint)
	fmt.Fprintf(&b, "%s\n", header)
	for y := range canvas {
		row, label, onRow := (y-loopTop)/2, "", false
		if y >= loopTop && y < loopHigh-loopTop && (y-loopTop)%2 == 0 {
			onRow = true
			if row < len(v.Rows) {
				label = v.Rows[row]
			}
		}
		line := p.style(fmt.Sprintf("%2s ", label), term.Faint)
		for x := 0; x < loopWide; x++ {
			near := game.Pt((x-loopLeft+1)/4, row)
			off := (x - loopLeft + 1) % 4
			switch {
			case !onRow || x < loopLeft-1 || x > loopWide-loopLeft || !near.On(6, 6):
				line += p.faint(canvas[y][x])
			case off == 1 && v.At(near).Piece != 0:
				line += p.cell(v, near)
			case off == 1:
				line += p.faint('+')
			case off == 0 && mark(near):
				line += "("
			case off == 2 && mark(near):
				line += ")"
			default:
				line += p.faint(canvas[y][x])
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

func (p Painter) faint(c byte) string {
	if c == ' ' {
		return " "
	}
	return p.style(string(rune(c)), term.Faint)
}

// loop draws the four loops that join row n with column n, counted from each
// edge: out columns to the side of the first crossing and up lines above it.
func loop(canvas *[loopHigh][loopWide]byte, n, out, up int) {
	for corner := range 4 {
		set := func(x, y int, c byte) {
			if corner%2 == 1 {
				x = loopWide - 1 - x
			}
			if corner >= 2 {
				y = loopHigh - 1 - y
				switch c {
				case '.':
					c = '\''
				case '\'':
					c = '.'
				}
			}
			canvas[y][x] = c
		}
		left, top := loopLeft-out, loopTop-up
		column, row := loopLeft+4*n, loopTop+2*n
		for x := left; x < column; x++ {
			set(x, top, '-')
		}
		for x := left; x < loopLeft; x++ {
			set(x, row, '-')
		}
		for y := top; y < loopTop; y++ {
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
