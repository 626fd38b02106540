package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"kibitz/game"
)

// painter draws views on a terminal or into a file.
type painter struct {
	w      io.Writer
	colour bool
	// loops tells that lines of the board run on around its corners (Surakarta),
	// which a view does not say.
	loops bool
	// lying tells that columns stand where rows are drawn (orient).
	lying bool
}

// of returns the painter for the boards of a game.
func (p painter) of(spec game.Spec) painter {
	p.loops = spec.ID() == "surakarta"
	return p
}

// newPainter colours only on terminals, and not where NO_COLOR is set.
func newPainter(w io.Writer) painter {
	return painter{w: w, colour: isTerminal(w) && os.Getenv("NO_COLOR") == ""}
}

func isTerminal(w any) bool {
	if o, wrapped := w.(*output); wrapped {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

const (
	styleFirst  = "\x1b[1;36m"
	styleSecond = "\x1b[1;33m"
	styleFaint  = "\x1b[2m"
	styleOff    = "\x1b[0m"
)

func (p painter) style(s, code string) string {
	if !p.colour || code == "" {
		return s
	}
	return code + s + styleOff
}

// board draws what a view shows: labels, cells with the last move in brackets,
// lines of a dots board, trays, notes.
func (p painter) board(v *game.View) {
	switch {
	case v.Shape == game.Dots:
		p.dots(v)
	case p.loops && v.Width == 6 && v.Height == 6:
		p.surakarta(v)
	default:
		p.grid(v)
	}
	if len(v.Attempts) > 0 {
		var list []string
		for _, at := range v.Attempts {
			list = append(list, p.label(v, at))
		}
		fmt.Fprintf(p.w, "  refused in this turn: %s\n", strings.Join(list, " "))
	}
	for _, t := range v.Trays {
		p.tray(t)
	}
	for _, n := range v.Notes {
		fmt.Fprintf(p.w, "  %s\n", n)
	}
}

func (p painter) grid(v *game.View) {
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
	header = p.style(strings.TrimRight(header, " "), styleFaint)
	fmt.Fprintf(&b, "%s\n", header)
	for y := range v.Height {
		label := ""
		if y < len(v.Rows) {
			label = v.Rows[y]
		}
		b.WriteString(p.style(fmt.Sprintf("%*s", margin, label), styleFaint))
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
		b.WriteString(p.style(label, styleFaint) + "\n")
	}
	fmt.Fprintf(&b, "%s\n", header)
	io.WriteString(p.w, b.String()) //nolint:errcheck // a terminal that is gone is noticed elsewhere
}

// label names a point by the labels of the edges.
func (p painter) label(v *game.View, at game.Point) string {
	switch {
	case int(at.X) >= len(v.Columns) || int(at.Y) >= len(v.Rows):
		return fmt.Sprintf("%d,%d", at.X, at.Y)
	case p.lying:
		return v.Rows[at.Y] + v.Columns[at.X]
	}
	return v.Columns[at.X] + v.Rows[at.Y]
}

// ownerStyle is the colour of what belongs to a seat.
func ownerStyle(s game.Seat) string {
	switch s {
	case game.First:
		return styleFirst
	case game.Second:
		return styleSecond
	}
	return ""
}

func (p painter) cell(v *game.View, at game.Point) string {
	c := v.At(at)
	if c.Piece == 0 {
		if slices.Contains(v.Attempts, at) {
			return "?"
		}
		return p.style(".", styleFaint)
	}
	return p.style(string(rune(c.Piece)), ownerStyle(c.Owner))
}

func (p painter) tray(t game.Tray) {
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
	fmt.Fprintf(p.w, "  %s: %s\n", name, strings.Join(items, " "))
}
