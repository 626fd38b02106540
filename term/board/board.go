// Package board draws what a game.View shows as text, for terminals and files.
package board

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"kibitz/game"
	"kibitz/term"
)

// Painter draws views on a terminal or into a file.
type Painter struct {
	W      io.Writer
	Colour bool
	// Lying tells that columns stand where rows are drawn (Orient).
	Lying bool
	// Unicode tells that stones are drawn as discs.
	Unicode bool
}

// discs are stones as Unicode draws them: filled is black.
var discs = strings.NewReplacer("b", "●", "B", "●", "w", "○", "W", "○", "#", "■", ".", "·")

// Piece is how the painter draws a piece of one character.
func (p Painter) Piece(text string) string {
	if p.Unicode {
		return discs.Replace(text)
	}
	return text
}

func (p Painter) style(text, style string) string { return term.Styled(text, style, p.Colour) }

// Draw draws what a view shows: labels, cells with the last move in brackets,
// lines of a dots board, trays, notes.
func (p Painter) Draw(v *game.View) {
	switch {
	case v.Shape == game.Dots:
		p.dots(v)
	case v.Loops > 0:
		p.looped(v)
	default:
		p.grid(v)
	}
	if len(v.Attempts) > 0 {
		var list []string
		for _, at := range v.Attempts {
			list = append(list, p.Label(v, at))
		}
		fmt.Fprintf(p.W, "  refused in this turn: %s\n", strings.Join(list, " "))
	}
	for _, t := range v.Trays {
		p.tray(t)
	}
	for _, n := range v.Notes {
		fmt.Fprintf(p.W, "  %s\n", n.Text)
	}
}

func (p Painter) grid(v *game.View) {
	margin, wide := 2, 1
	for _, r := range v.Rows {
		margin = max(margin, utf8.RuneCountInString(r))
	}
	for _, c := range v.Columns {
		wide = max(wide, utf8.RuneCountInString(c))
	}
	var b strings.Builder
	header := strings.Repeat(" ", margin+1)
	for _, c := range v.Columns {
		header += fmt.Sprintf("%*s ", wide+1-1, c)
	}
	header = p.style(strings.TrimRight(header, " "), term.Faint)
	fmt.Fprintf(&b, "%s\n", header)
	for y := range v.Height {
		label := ""
		if y < len(v.Rows) {
			label = v.Rows[y]
		}
		b.WriteString(p.style(fmt.Sprintf("%*s", margin, label), term.Faint))
		for x := range v.Width {
			at := game.Pt(x, y)
			left := " "
			switch {
			case slices.Contains(v.Marks, at):
				left = "("
			case x > 0 && slices.Contains(v.Marks, game.Pt(x-1, y)):
				left = ")"
			case slices.Contains(v.Attempts, at) && v.At(at).Piece != 0:
				left = "?"
			}
			b.WriteString(left + strings.Repeat(" ", wide-1) + p.cell(v, at))
		}
		if slices.Contains(v.Marks, game.Pt(v.Width-1, y)) {
			b.WriteString(")")
		} else {
			b.WriteString(" ")
		}
		b.WriteString(p.style(label, term.Faint) + "\n")
	}
	fmt.Fprintf(&b, "%s\n", header)
	io.WriteString(p.W, b.String()) //nolint:errcheck // a terminal that is gone is noticed elsewhere
}

// Label names a point by the labels of the edges.
func (p Painter) Label(v *game.View, at game.Point) string {
	switch {
	case int(at.X) >= len(v.Columns) || int(at.Y) >= len(v.Rows):
		return fmt.Sprintf("%d,%d", at.X, at.Y)
	case p.Lying:
		return v.Rows[at.Y] + v.Columns[at.X]
	}
	return v.Columns[at.X] + v.Rows[at.Y]
}

// OwnerStyle is the colour of what belongs to a seat.
func OwnerStyle(s game.Seat) string {
	switch s {
	case game.First:
		return term.First
	case game.Second:
		return term.Second
	}
	return ""
}

func (p Painter) cell(v *game.View, at game.Point) string {
	c := v.At(at)
	if c.Piece == 0 {
		if slices.Contains(v.Attempts, at) {
			return "?"
		}
		return p.style(p.Piece("."), term.Faint)
	}
	return p.style(p.Piece(string(rune(c.Piece))), OwnerStyle(c.Owner))
}

func (p Painter) tray(t game.Tray) {
	var items []string
	for _, it := range t.Items {
		if it.Count == 0 {
			continue
		}
		s := string(rune(it.Piece))
		if it.Count > 1 {
			s += fmt.Sprintf("x%d", it.Count)
		}
		items = append(items, s)
	}
	if len(items) == 0 {
		return
	}
	name := t.Name
	if t.Owner.IsPlayer() {
		name += " (" + t.Owner.String() + ")"
	}
	fmt.Fprintf(p.W, "  %s: %s\n", name, strings.Join(items, " "))
}
