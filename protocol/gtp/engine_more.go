package gtp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/clock"
	"kibitz/game"
)

// showboard draws the board for people, as lines with the labels of the dialect.
func (e *engine) showboard(context.Context, []string) (string, error) {
	v := e.s.Position.View(game.Public)
	if e.form.Hidden {
		v = e.phantom.view(e)
	}
	var b strings.Builder
	b.WriteString("\n   " + strings.ToUpper(strings.Join(e.points.Columns(), " ")) + "\n")
	for y := range v.Height {
		fmt.Fprintf(&b, "%2s", e.points.Row(y))
		for x := range v.Width {
			b.WriteString(" " + e.cell(v.At(game.Pt(x, y))))
		}
		fmt.Fprintf(&b, " %s\n", e.points.Row(y))
	}
	if s := v.Turn.Seat; s.IsPlayer() {
		fmt.Fprintf(&b, "%s to move\n", e.colour(s))
	}
	return b.String(), nil
}

// cell is X for black, O for white, a point for nothing.
func (e *engine) cell(c game.Cell) string {
	switch {
	case c.Piece == 0:
		return "."
	case c.Owner.IsPlayer():
		return stone(e.colour(c.Owner))
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

func (e *engine) timeSettings(_ context.Context, args []string) (string, error) {
	c, err := parseSettings(args)
	if err != nil {
		return "", err
	}
	e.clocks = [2]clock.Control{c, c}
	e.resetClocks()
	return "", nil
}

func (e *engine) kgsTimeSettings(_ context.Context, args []string) (string, error) {
	c, err := parseKGS(args)
	if err != nil {
		return "", err
	}
	e.clocks = [2]clock.Control{c, c}
	e.resetClocks()
	return "", nil
}

func (e *engine) timeLeft(_ context.Context, args []string) (string, error) {
	seat, err := e.seat(args[0])
	if err != nil {
		return "", err
	}
	v, err := numbers(args[1:3])
	if err != nil {
		return "", errors.New("syntax error")
	}
	e.session.Clocks[seat] = timeLeft(e.session.Clocks[seat], v[0], int(v[1].Seconds()))
	return "", nil
}

// setGameCommand accepts the name of the game that is served; the engine is
// started for one game.
func (e *engine) setGameCommand(_ context.Context, args []string) (string, error) {
	name := strings.Join(args, " ")
	for _, n := range e.form.Names {
		if strings.EqualFold(n, name) {
			return "", e.setGame(e.spec)
		}
	}
	return "", errors.New("game not supported")
}

func (e *engine) listGames(context.Context, []string) (string, error) { return e.form.Names[0], nil }

func (e *engine) rulesSize(context.Context, []string) (string, error) {
	w, h := e.s.Position.Size()
	if w != h {
		return "", errors.New("the board is not square")
	}
	return fmt.Sprint(w), nil
}

func (e *engine) rulesBoard(context.Context, []string) (string, error) {
	v := e.s.Position.View(game.Public)
	var b strings.Builder
	for y := range v.Height {
		for x := range v.Width {
			if x > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(e.cell(v.At(game.Pt(x, y))))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

func (e *engine) rulesSide(context.Context, []string) (string, error) {
	s := e.s.Position.Turn().Seat
	if !s.IsPlayer() {
		return "none", nil
	}
	return e.colour(s).String(), nil
}

func (e *engine) rulesLegal(context.Context, []string) (string, error) {
	var words []string
	for _, m := range e.s.Position.Legal(nil) {
		var text []byte
		var ok bool
		if e.style == whole {
			text, ok = e.form.Turn.write(nil, e.points, []game.Move{m})
		} else if p, due := e.turn.due(e, m); due {
			text, ok = appendVertex(nil, e.points, p)
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
func (e *engine) listStones(_ context.Context, args []string) (string, error) {
	seat, err := e.seat(args[0])
	if err != nil {
		return "", err
	}
	v := e.s.Position.View(game.Public)
	var words []string
	for y := range v.Height {
		for x := range v.Width {
			p := game.Pt(x, y)
			if c := v.At(p); c.Piece == 0 || c.Owner != seat {
				continue
			}
			if text, ok := appendVertex(nil, e.points, p); ok {
				words = append(words, string(text))
			}
		}
	}
	return strings.Join(words, " "), nil
}

// cpuTime tells the processor time of the program in seconds.
func (e *engine) cpuTime(context.Context, []string) (string, error) {
	return strconv.FormatFloat(e.s.CPUTime().Seconds(), 'f', 3, 64), nil
}
