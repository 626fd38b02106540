package ccgc

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"kibitz/game"
	"kibitz/record"
)

// The brackets around a point, the opening ones and what closes them.
const (
	openers = "[(【（"
	closers = "])】）"
)

// readStones reads moves such as B[E5], B:[E5] and B(J,10).
func readStones(c *cursor, f *form, g *record.Game) error {
	run := 0 // stones of the running turn of Connect6
	for {
		c.blanks()
		if c.done() || c.text[c.at] == f.shut {
			return nil
		}
		at := *c
		who, what, ok := bracketed(c)
		if !ok {
			line, _, _ := strings.Cut(at.rest(), "\n")
			return at.errorf("%q is no move: it must be like B%s", game.Shown(line, 24), f.point(game.Pt(4, 4)))
		}
		if strings.EqualFold(who, "MARK") {
			if n := len(g.Steps); n > 0 {
				g.Steps[n-1].Comment = "MARK[" + what + "]"
			}
			continue
		}
		seat, ok := mover(who, g)
		if !ok {
			return at.errorf("%q is nobody: moves begin with B or W", game.Shown(who, 24))
		}
		m, err := f.move(what)
		if err != nil {
			return at.errorf("%v", err)
		}
		n := len(g.Steps)
		if f.id == "connect6" && n > 1 {
			if seat != g.Steps[n-1].By && run == 1 { // a turn of one stone
				g.Steps = append(g.Steps, record.Step{By: g.Steps[n-1].By, Move: game.PassMove(), Line: at.line, Column: at.column})
			}
		}
		if n == 0 || seat != g.Steps[n-1].By {
			run = 0
		}
		run++
		g.Steps = append(g.Steps, record.Step{By: seat, Move: m, Line: at.line, Column: at.column})
	}
}

// bracketed reads a word and the bracket behind it.
func bracketed(c *cursor) (who, what string, ok bool) {
	rest := c.rest()
	open := strings.IndexAny(rest, openers)
	if open < 0 || strings.ContainsAny(rest[:open], ";；\n") {
		return "", "", false
	}
	bracket, size := utf8.DecodeRuneInString(rest[open:])
	k := strings.IndexRune(openers, bracket)
	shut, _ := utf8.DecodeRuneInString(closers[k:])
	end := strings.IndexRune(rest[open+size:], shut)
	if end < 0 {
		return "", "", false
	}
	who = strings.Trim(rest[:open], " \t:：")
	what = strings.Join(strings.Fields(rest[open+size:open+size+end]), "")
	c.skip(open + size + end + utf8.RuneLen(shut))
	return who, what, true
}

// mover finds whose move a word begins.
func mover(word string, g *record.Game) (game.Seat, bool) {
	switch strings.ToLower(word) {
	case "b", "black", "黑", "黑方":
		return game.First, true
	case "w", "white", "白", "白方":
		return game.Second, true
	case "":
		return game.Nobody, false
	case strings.ToLower(g.Names[0]):
		return game.First, true
	case strings.ToLower(g.Names[1]):
		return game.Second, true
	}
	return game.Nobody, false
}

// move reads what stands in a bracket: a point or a pass.
func (f *form) move(text string) (game.Move, error) {
	switch strings.ToLower(text) {
	case "", "pass", "停着", "停一手", "虚着":
		return game.PassMove(), nil
	}
	letter, number := text[0]|0x20, strings.TrimLeft(text[1:], ",，")
	row, err := strconv.Atoi(number)
	if err != nil || letter < 'a' || letter > 'z' {
		return game.Move{}, fmt.Errorf("%q is no point: it must be like %s", game.Shown(text, 24), f.point(game.Pt(4, 4)))
	}
	x, y := int(letter-'a'), f.size-row
	if f.fromTop {
		y = row - 1
	}
	if x >= f.size || y < 0 || y >= f.size {
		return game.Move{}, fmt.Errorf("the point %q is not on the board of %dx%d", game.Shown(text, 24), f.size, f.size)
	}
	return game.PlaceAt(game.Pt(x, y)), nil
}

// point writes a point with its bracket. The letters of columns leave none out.
func (f *form) point(p game.Point) string {
	row := f.size - int(p.Y)
	if f.fromTop {
		row = int(p.Y) + 1
	}
	if f.suffix {
		return fmt.Sprintf("(%c,%d)", 'A'+p.X, row)
	}
	return fmt.Sprintf("[%c%d]", 'A'+p.X, row)
}

// appendStones writes games of stones: NoGo a move to a line, the others on one.
func appendStones(f *form, g *record.Game) ([]byte, error) {
	b := appendHeader(nil, f, g)
	between, after := "", ""
	if f.id == "nogo" {
		between, after = ":", "\r\n"
		b = append(b, after...)
	}
	count := 0
	for i := range g.Steps {
		s := &g.Steps[i]
		if f.id == "phantomgo" && attempt(g.Steps, i) || f.id == "connect6" && s.Move.Op == game.Pass {
			continue
		}
		if !s.By.IsPlayer() {
			return nil, fmt.Errorf("decision %d, %s: the record does not say whose it is", i+1, s.Move)
		}
		var what string
		switch {
		case s.Move.Op == game.Place && s.Move.To.On(f.size, f.size):
			what = f.point(s.Move.To)
		case s.Move.Op == game.Pass && !f.suffix:
			what = "[pass]"
		default:
			return nil, fmt.Errorf("decision %d, %s: the form has only stones on the board of %dx%d", i+1, s.Move, f.size, f.size)
		}
		if count > 0 && f.suffix {
			b = append(b, ';')
		}
		b = append(append(append(b, "BW"[s.By]), between...), what...)
		if !f.suffix {
			b = append(append(b, ';'), after...)
		}
		count++
	}
	return append(append(b, f.shut), "\r\n"...), nil
}

// attempt reports whether a step of Phantom Go was refused: it says so itself, or
// the same seat went on.
func attempt(steps []record.Step, i int) bool {
	return steps[i].Refused || i+1 < len(steps) && steps[i+1].By == steps[i].By && steps[i].Move.Op == game.Place
}
