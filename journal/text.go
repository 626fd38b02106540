package journal

import (
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"kibitz/clock"
	"kibitz/game"
)

// opLetters are the first letters of moves in the journal, by operation.
const opLetters = "?psxfe-crd"

// AppendMove appends a move in the journal's form, the same for all games: a
// letter for the operation, then points as column,row from 0 and the argument.
//
//	p7,7   s1,2>3,4   x5,6   f0,3   e2,2:1   -   c1   r   d3,3:12
func AppendMove(dst []byte, m game.Move) []byte {
	if int(m.Op) >= len(opLetters) {
		m.Op = game.NoOp
	}
	dst = append(dst, opLetters[m.Op])
	switch m.Op {
	case game.Place, game.Shoot, game.Flip:
		dst = appendPoint(dst, m.To)
	case game.Shift:
		dst = append(appendPoint(dst, m.From), '>')
		dst = appendPoint(dst, m.To)
	case game.Edge, game.Deal:
		dst = append(appendPoint(dst, m.To), ':')
		dst = strconv.AppendInt(dst, int64(m.Arg), 10)
	case game.Choose:
		dst = strconv.AppendInt(dst, int64(m.Arg), 10)
	}
	return dst
}

// FormatMove returns what AppendMove appends.
func FormatMove(m game.Move) string { return string(AppendMove(nil, m)) }

// FormatMoves returns each move of a list as FormatMove does; the answer is not nil.
func FormatMoves(list []game.Move) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = FormatMove(m)
	}
	return out
}

func appendPoint(dst []byte, p game.Point) []byte {
	dst = append(strconv.AppendInt(dst, int64(p.X), 10), ',')
	return strconv.AppendInt(dst, int64(p.Y), 10)
}

// ParseMove reads a move in the journal's form.
func ParseMove(text string) (game.Move, error) {
	c := cursor{line: []byte(text)}
	if m := c.move(); !c.odd && c.at == len(c.line) {
		return m, nil
	}
	return game.Move{}, fmt.Errorf("%q is no move", text)
}

// enc appends JSON to a buffer; it allocates nothing once that is large enough.
type enc struct{ b []byte }

// key begins a member; the name needs no quoting.
func (e *enc) key(name string) {
	if last := e.b[len(e.b)-1]; last != '{' && last != '[' {
		e.b = append(e.b, ',')
	}
	e.b = append(e.b, '"')
	e.b = append(e.b, name...)
	e.b = append(e.b, '"', ':')
}

func (e *enc) comma() {
	if last := e.b[len(e.b)-1]; last != '{' && last != '[' && last != ':' {
		e.b = append(e.b, ',')
	}
}

func (e *enc) raw(s string) { e.b = append(e.b, s...) }

func (e *enc) int(n int64) { e.b = strconv.AppendInt(e.b, n, 10) }

func (e *enc) float(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		e.raw("null")
		return
	}
	e.b = strconv.AppendFloat(e.b, f, 'g', -1, 64)
}

const hexDigits = "0123456789abcdef"

// str appends a quoted string. Bytes that are no UTF-8 are taken as Latin-1, so
// that what an engine says is never lost.
func (e *enc) str(s string) {
	if bare(s) {
		e.word(s)
		return
	}
	b := e.b
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			b = append(b, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				r = rune(c)
			}
			b = utf8.AppendRune(b, r)
			i += n
			continue
		}
		i++
	}
	b = append(b, '"')
	e.b = b
}

// bare reports whether a text needs nothing but quotes.
func bare(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			return false
		}
	}
	return true
}

// word appends a text that is bare in quotes.
func (e *enc) word(s string) {
	e.b = append(append(append(e.b, '"'), s...), '"')
}

func (e *enc) moves(list []game.Move) {
	b := e.b
	b = append(b, '[')
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendMove(append(b, '"'), m), '"')
	}
	b = append(b, ']')
	e.b = b
}

func (e *enc) seat(name string, s game.Seat) {
	e.key(name)
	e.word(s.String())
}

func (e *enc) optInt(name string, n int64) {
	if n != 0 {
		e.key(name)
		e.int(n)
	}
}

func (e *enc) optStr(name, s string) {
	if s != "" {
		e.key(name)
		e.str(s)
	}
}

func (e *enc) optBool(name string, v bool) {
	if v {
		e.key(name)
		e.raw("true")
	}
}

// clocks appends both clocks as lists of numbers: left, total, moves, periods,
// stage, without zeros at the end.
func (e *enc) clocks(list *[2]Clock) {
	e.key("clocks")
	b := e.b
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		k := &list[i]
		v := [...]int64{int64(k.Left), int64(k.Total), int64(k.Moves), int64(k.Periods), int64(k.Stage)}
		n := len(v)
		for n > 0 && v[n-1] == 0 {
			n--
		}
		b = append(b, '[')
		for j, x := range v[:n] {
			if j > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, x, 10)
		}
		b = append(b, ']')
	}
	b = append(b, ']')
	e.b = b
}

func clockFrom(v []int64) Clock {
	var all [5]int64
	copy(all[:], v)
	return Clock{
		Left: time.Duration(all[0]), Total: time.Duration(all[1]),
		Moves: int(all[2]), Periods: int(all[3]), Stage: clock.Stage(all[4]),
	}
}

// turn appends who decides next: seat, step, phase.
func (e *enc) turn(t game.Turn) {
	e.raw(`,"next":[`)
	e.word(t.Seat.String())
	e.raw(",")
	e.int(int64(t.Step))
	e.raw(",")
	e.str(t.Phase)
	e.raw("]")
}
