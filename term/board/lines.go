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
