package gtp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/clock"
	"kibitz/game"
)

func (g *runningGame) showboard(context.Context, []string) (string, error) {
	return g.draw(g.s.Position.View(game.Public)), nil
}

// draw draws a board for people, as lines with the labels of the dialect.
func (g *runningGame) draw(v game.View) string {
	var b strings.Builder
	b.WriteString("\n   " + strings.ToUpper(strings.Join(g.points.Columns(), " ")) + "\n")
	for y := range v.Height {
		fmt.Fprintf(&b, "%2s", g.points.Row(y))
		for x := range v.Width {
			b.WriteString(" " + g.cell(v.At(game.Pt(x, y))))
		}
		fmt.Fprintf(&b, " %s\n", g.points.Row(y))
	}
	if s := v.Turn.Seat; s.IsPlayer() {
		fmt.Fprintf(&b, "%s to move\n", g.colour(s))
	}
	return b.String()
}

// cell is X for black, O for white, a point for nothing.
func (g *runningGame) cell(c game.Cell) string {
	switch {
	case c.Piece == 0:
		return "."
	case c.Owner.IsPlayer():
		return stone(g.colour(c.Owner))
	default:
		return string(rune(c.Piece))
	}
}

func stone(c game.Colour) string {
	if c == game.White {
		return "O"
	}
	return "X"
}

// timed begins a game's clocks by the words of a command.
func (g *runningGame) timed(parse func([]string) (clock.Control, error)) handler {
	return func(_ context.Context, args []string) (string, error) {
		c, err := parse(args)
		if err == nil {
			g.clocks = [2]clock.Control{c, c}
			g.resetClocks()
		}
		return "", err
	}
}

func (g *runningGame) timeLeft(_ context.Context, args []string) (string, error) {
	seat, err := g.seat(args[0])
	if err != nil {
		return "", err
	}
	v, err := numbers(args[1:3])
	if err != nil {
		return "", errSyntax
	}
	g.session.Clocks[seat] = timeLeft(g.session.Clocks[seat], v[0], int(v[1].Seconds()))
	return "", nil
}

func (g *runningGame) rulesSize(context.Context, []string) (string, error) {
	w, h := g.s.Position.Size()
	if w != h {
		return "", errors.New("the board is not square")
	}
	return fmt.Sprint(w), nil
}

func (g *runningGame) rulesBoard(context.Context, []string) (string, error) {
	v := g.s.Position.View(game.Public)
	var b strings.Builder
	for y := range v.Height {
		for x := range v.Width {
			if x > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(g.cell(v.At(game.Pt(x, y))))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

func (g *runningGame) rulesSide(context.Context, []string) (string, error) {
	s := g.s.Position.Turn().Seat
	if !s.IsPlayer() {
		return "none", nil
	}
	return g.colour(s).String(), nil
}

func (g *runningGame) rulesLegal(context.Context, []string) (string, error) {
	var words []string
	for _, m := range g.s.Position.Legal(nil) {
		var text []byte
		var ok bool
		if g.style == whole {
			text, ok = g.form.Turn.write(nil, g.points, []game.Move{m})
		} else if p, due := g.turn.due(m); due {
			text, ok = appendVertex(nil, g.points, p)
		} else {
			continue
		}
		if ok && !slices.Contains(words, string(text)) {
			words = append(words, string(text))
		}
	}
	return strings.Join(words, " "), nil
}

// listStones names the points on which stones of a colour lie.
func (g *runningGame) listStones(_ context.Context, args []string) (string, error) {
	seat, err := g.seat(args[0])
	if err != nil {
		return "", err
	}
	v := g.s.Position.View(game.Public)
	var words []string
	for y := range v.Height {
		for x := range v.Width {
			p := game.Pt(x, y)
			if c := v.At(p); c.Piece == 0 || c.Owner != seat {
				continue
			}
			if text, ok := appendVertex(nil, g.points, p); ok {
				words = append(words, string(text))
			}
		}
	}
	return strings.Join(words, " "), nil
}
