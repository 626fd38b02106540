package ccgc

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/record"
)

var amazonNames = grid.Names{Width: 10, Height: 10}

// readAmazons reads moves such as d1d7(g7), a number before every second one.
func readAmazons(c *cursor, g *record.Game) error {
	for {
		c.blanks()
		if c.done() {
			return nil
		}
		if n := moveNumber(c.rest()); n > 0 {
			c.skip(n)
			continue
		}
		var at [3]game.Point
		n, points, lettered := amazonMove(c.rest(), &at)
		seat := game.Seat(len(g.Steps) / 2 % 2)
		step := record.Step{By: seat, Line: c.line, Column: c.column}
		switch {
		case points == 3:
		case points == 2 && !lettered && len(g.Steps)%2 == 0:
			step.Move = game.ShiftTo(at[0], at[1])
			g.Steps = append(g.Steps, step)
			c.skip(n)
			if c.blanks(); !c.done() {
				return record.Errorf(step.Line, step.Column, "the move has no arrow: it must be like d1d7(g7)")
			}
			return nil
		case points > 0:
			return c.errorf("%q is no move: it must be like d1d7(g7)", word(c.rest()))
		default: // a remark
			w := word(c.rest())
			g.Warnings = append(g.Warnings, fmt.Sprintf("line %d, column %d: %q is passed over", c.line, c.column, game.Shown(w, 24)))
			if len(g.Warnings) > 100 {
				return c.errorf("this is no record of Amazons: a move is like d1d7(g7)")
			}
			c.skip(len(w))
			continue
		}
		step.Move = game.ShiftTo(at[0], at[1])
		g.Steps = append(g.Steps, step)
		step.Move = game.ShootAt(at[2])
		g.Steps = append(g.Steps, step)
		c.skip(n)
	}
}

// word returns what stands up to the next blank.
func word(s string) string {
	if i := strings.IndexAny(s, " \t\r\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// moveNumber returns the length of a number that is no part of a move.
func moveNumber(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n < len(s) && (s[n] == '.' || s[n] == ':') {
		n++
	}
	return n
}

// amazonMove reads up to three points with what writers put between them: a letter
// and a number each, or two letters each as the platform sends them (lettered). It
// returns the length and the number of points; a text that does not look like a
// point has none.
func amazonMove(s string, at *[3]game.Point) (n, points int, lettered bool) {
	if len(s) >= 6 && isUpper(s[:6]) {
		for i := range at {
			at[i] = game.Pt(int(s[2*i]-'A'), int(s[2*i+1]-'A'))
			if !at[i].On(10, 10) {
				return 0, 1, true
			}
		}
		return 6, 3, true
	}
	for points < 3 {
		i := n
		for i < len(s) {
			r, size := utf8.DecodeRuneInString(s[i:])
			if points == 0 || !strings.ContainsRune("-(（[/,>", r) {
				break
			}
			i += size
		}
		p, size := amazonPoint(s[i:])
		if size == 0 {
			return n, points, false
		}
		at[points] = p
		points++
		n = i + size
	}
	if r, size := utf8.DecodeRuneInString(s[n:]); strings.ContainsRune(")）]", r) && size > 0 {
		n += size
	}
	return n, points, false
}

func isUpper(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// amazonPoint reads a point at the start of a text: the letter of a column, a row
// from 1 to 10 from the bottom.
func amazonPoint(s string) (game.Point, int) {
	if len(s) < 2 {
		return game.NoPoint, 0
	}
	n := 2
	if strings.HasPrefix(s[1:], "10") {
		n = 3
	}
	p, err := amazonNames.Parse(s[:n])
	if err != nil || s[0] == ' ' {
		return game.NoPoint, 0
	}
	return p, n
}

// appendAmazons writes two moves to a line, with its number.
func appendAmazons(f *form, g *record.Game) ([]byte, error) {
	b := append(appendHeader(nil, f, g), "\r\n"...)
	turns := 0
	for i := range g.Steps {
		m := g.Steps[i].Move
		switch {
		case m.Op == game.Shift && i%2 == 0 && m.From.On(10, 10) && m.To.On(10, 10):
			if turns%2 == 0 {
				b = strconv.AppendInt(b, int64(turns/2+1), 10)
			}
			b = append(b, ' ')
			b = append(append(b, amazonNames.Format(m.From)...), amazonNames.Format(m.To)...)
		case m.Op == game.Shoot && i%2 == 1 && m.To.On(10, 10):
			b = append(append(append(b, '('), amazonNames.Format(m.To)...), ')')
			if turns++; turns%2 == 0 {
				b = append(b, "\r\n"...)
			}
		default:
			return nil, fmt.Errorf("decision %d, %s: a record of Amazons holds moves and arrows in turn", i+1, m)
		}
	}
	if len(g.Steps)%4 != 0 {
		b = append(b, "\r\n"...)
	}
	return b, nil
}
