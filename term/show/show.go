// Package show prints games of records on a terminal: a position as one of those who looked on saw
// it, and to the arbiter the moves and what shows a fault.
package show

import (
	"fmt"
	"io"
	"strings"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/replay"
	"kibitz/rules"
	"kibitz/term/board"
)

// Printer prints games.
type Printer struct {
	W      io.Writer
	Colour bool
	// Open opens the rules of a game.
	Open func(game.Spec) (rules.Rules, error)
	// File is that of the records, whose run may have ruled about them.
	File string
	// View says who looks: first, second, public, all or arbiter.
	View string
	// Ply is the position after so many decisions of which the view knows; nil: the last.
	Ply *int
	// Orientation is one of package board.
	Orientation string
	// Moves prints them too.
	Moves bool
}

func (c *Printer) audience() game.Audience {
	switch c.View {
	case "first":
		return game.ToFirst
	case "second":
		return game.ToSecond
	case "public":
		return game.Public
	}
	return game.Arbiter
}

// Game prints one of the games of a record. Its error is that the game has no such position, or that
// it cannot be replayed.
func (c *Printer) Game(g *record.Game) error {
	l, err := replay.Play(g, c.Open)
	if err != nil {
		return err
	}
	to := c.audience()
	known := l.Known(to)
	ply := len(known) - 1
	if c.Ply != nil {
		ply = *c.Ply
	}
	if ply < 0 || ply >= len(known) {
		return fmt.Errorf("position %d does not exist: the game has 0 to %d", ply, len(known)-1)
	}
	if ply == len(known)-1 && l.Verdict.Final() != nil { // a game that is over has no secrets
		to, known = game.Arbiter, l.Known(game.Arbiter)
		ply = len(known) - 1
	}
	v, err := l.View(known[ply], to)
	if err != nil {
		return err
	}
	names, full := g.SeatNames(), g.FullNames()
	fmt.Fprintf(c.W, "%s: %s - %s", l.Rules.Spec(), full[0], full[1])
	for _, x := range []string{g.Event, g.Date} {
		if x != "" {
			fmt.Fprintf(c.W, ", %s", x)
		}
	}
	fmt.Fprintln(c.W)
	drawn := v
	if err := board.Orient(&drawn, c.Orientation); err != nil {
		return err
	}
	board.Painter{W: c.W, Colour: c.Colour, Lying: c.Orientation == board.Lying}.Draw(&drawn)
	c.status(&v, ply, len(known)-1, turnsText(l, to, known[ply]), names)
	if v.Result != nil {
		ruled, err := folder.Ruled(c.File, g)
		if err != nil {
			return err
		}
		if ruled != "" {
			fmt.Fprintf(c.W, "ruled: %s\n", ruled)
		}
	}
	if c.audience() == game.Arbiter {
		if c.Moves {
			c.moves(l)
		}
		c.evidence(g, names)
	}
	switch {
	case l.Illegal == nil:
	case to == game.Arbiter || l.Rules.Doc().Info != rules.Private:
		fmt.Fprintf(c.W, "not legal: %v\n", l.Illegal)
	default:
		fmt.Fprintln(c.W, "not legal: what follows in the record; --view all says more")
	}
	return nil
}

// status tells whose turn it is after so many of all decisions that the view knows
// of, or how the game ended.
func (c *Printer) status(v *game.View, ply, all int, turns string, names [2]string) {
	line := fmt.Sprintf("after %d of %s%s", ply, plain.Count(all, "decision"), turns)
	if v.HasScore {
		line += ", " + plain.Score(v.Score)
	}
	switch {
	case v.Result != nil:
		line += ", " + plain.Result(*v.Result, names)
		if v.Result.Detail != "" {
			line += "; " + v.Result.Detail
		}
	case v.Turn.Seat.IsPlayer():
		line += ", " + names[v.Turn.Seat] + " to decide"
	}
	fmt.Fprintln(c.W, line)
}

// evidence prints what shows the fault of a forfeited game, and what the engines
// used.
func (c *Printer) evidence(g *record.Game, names [2]string) {
	if text := usedText(g.Resources, names); text != "" {
		fmt.Fprintf(c.W, "used: %s\n", text)
	}
	for _, line := range g.Evidence {
		fmt.Fprintf(c.W, "evidence: %s\n", plain.Printable(line))
	}
}

// turnsText tells how many of the turns a position has behind it, for whoever knows all
// decisions of a game in which turns have several.
func turnsText(l *replay.Line, to game.Audience, n int) string {
	turns := l.Turns()
	if len(turns) == l.Len() || len(l.Known(to)) <= l.Len() {
		return ""
	}
	k := 0
	for k < len(turns) && turns[k].From < n {
		k++
	}
	return fmt.Sprintf(" (turn %d of %d)", k, len(turns))
}

// moves prints the moves, ten turns to a line, with the number of the first. The
// decisions of a turn are joined by commas. Opening moves stand in brackets, refused
// attempts have a question mark.
func (c *Printer) moves(l *replay.Line) {
	var texts []string
	for _, t := range l.Turns() {
		var words []string
		for i := range l.Steps[t.From:t.To] {
			s := &l.Steps[t.From+i]
			w := l.Rules.FormatMove(s.Move)
			if s.Refused {
				w += "?"
			}
			words = append(words, w)
		}
		text := strings.Join(words, ",")
		if l.Steps[t.From].Opening {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	for i := 0; i < len(texts); i += 10 {
		fmt.Fprintf(c.W, "%4d. %s\n", i+1, strings.Join(texts[i:min(i+10, len(texts))], " "))
	}
}

// usedText tells for people what the seats of a game used: "A 1.2s of processor
// time and 45 MB, B 300ms and 8.1 MB". It is empty where nothing is known.
func usedText(list [2]record.Resources, names [2]string) string {
	text := ""
	for i, u := range list {
		if !u.Known {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s %s of processor time", names[i], plain.Span(u.CPU.Seconds()))
		if u.Memory > 0 {
			text += " and " + plain.Megabytes(u.Memory) + " of memory"
		}
	}
	return text
}
