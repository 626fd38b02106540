package ggf

import (
	"math"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
)

// ParseMove reads a square ("F5", "j10") or a pass ("PA", "pass", "ps", "--") in
// any case. What follows the square is ignored, as annotation characters occur
// there. It does not know the size of the board: the square may lie anywhere up
// to column z and row 99.
func ParseMove(text string) (game.Move, bool) {
	if IsPass(text) {
		return game.PassMove(), true
	}
	if len(text) < 2 {
		return game.Move{}, false
	}
	x := int(text[0]|0x20) - 'a'
	y := int(text[1]) - '0'
	if x < 0 || x > 25 || y < 0 || y > 9 {
		return game.Move{}, false
	}
	if len(text) > 2 && text[2] >= '0' && text[2] <= '9' {
		y = 10*y + int(text[2]-'0')
	}
	if y == 0 {
		return game.Move{}, false
	}
	return game.PlaceAt(game.Pt(x, y-1)), true
}

// IsPass reports whether text is one of the ways to write a pass.
func IsPass(text string) bool {
	const pass = "pass"
	if len(text) < 2 || len(text) > len(pass) {
		return false
	}
	return text == "--" || strings.EqualFold(text, pass[:len(text)]) || len(text) == 2 && strings.EqualFold(text, "ps")
}

// AppendMove appends a placement as an upper-case square and everything else as
// the pass "PA".
func AppendMove(dst []byte, m game.Move) []byte {
	if m.Op != game.Place {
		return append(dst, "PA"...)
	}
	dst = append(dst, 'A'+byte(m.To.X))
	return strconv.AppendInt(dst, int64(m.To.Y)+1, 10)
}

// ParseNumber reads a decimal number with an optional sign, fraction and
// exponent, or NaN. Anything else is false, infinities included.
func ParseNumber(text string) (float64, bool) {
	if strings.EqualFold(text, "nan") {
		return math.NaN(), true
	}
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// ParseEval reads an evaluation in discs, a number or a pair "a,b" without
// blanks, in either order.
func ParseEval(text string) (game.Eval, bool) {
	first, second, pair := strings.Cut(text, ",")
	a, ok := ParseNumber(first)
	if !ok {
		return game.Eval{}, false
	}
	b := a
	if pair {
		if b, ok = ParseNumber(second); !ok {
			return game.Eval{}, false
		}
	}
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return game.Eval{}, true
	case math.IsNaN(a):
		a = b
	case math.IsNaN(b):
		b = a
	}
	return game.Eval{Unit: game.Discs, Lo: min(a, b), Hi: max(a, b)}, true
}

// AppendEval appends the middle of a known evaluation with two decimals, nothing
// for an unknown one. A negative zero loses its sign.
func AppendEval(dst []byte, e game.Eval) []byte {
	if !e.Known() {
		return dst
	}
	v := e.Mid()
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return dst
	}
	if v > -0.005 && v < 0.005 {
		v = 0
	}
	return strconv.AppendFloat(dst, v, 'f', 2, 64)
}

// maxSeconds keeps durations far from overflow.
const maxSeconds = 1e8

// ParseSeconds reads a number of seconds, zero or more.
func ParseSeconds(text string) (time.Duration, bool) {
	f, ok := ParseNumber(text)
	if !ok || !(f >= 0 && f <= maxSeconds) {
		return 0, false
	}
	return time.Duration(math.Round(f * 1e9)), true
}

// AppendSeconds appends a duration in seconds with three decimals. What is below
// zero counts as zero.
func AppendSeconds(dst []byte, d time.Duration) []byte {
	ms := (max(0, d) + time.Millisecond/2) / time.Millisecond
	dst = strconv.AppendInt(dst, int64(ms/1000), 10)
	ms %= 1000
	return append(dst, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
}

// Item is a move item: what stands in B[], W[], KB[], KW[], and after "move" or
// "===" in NBoard.
type Item struct {
	Move game.Move
	// Eval is the mover's evaluation; Text it as written, kept when it could not
	// be read.
	Eval game.Eval
	// Time is the time used for the move, if Timed.
	Time  time.Duration
	Timed bool
	// Bad names the fields that could not be read and count as unknown: "eval",
	// "time" or both.
	Bad string
}

// ParseItem reads "square[/[eval][/[time]]]". Only the move is obligatory; an
// evaluation or a time that cannot be read is unknown and named in Bad.
func ParseItem(text string) (Item, bool) {
	mv, rest, _ := strings.Cut(text, "/")
	m, ok := ParseMove(strings.TrimSpace(mv))
	if !ok {
		return Item{}, false
	}
	it := Item{Move: m}
	eval, rest, _ := strings.Cut(rest, "/")
	used, _, _ := strings.Cut(rest, "/")
	if eval = strings.TrimSpace(eval); eval != "" {
		if it.Eval, ok = ParseEval(eval); !ok {
			it.Bad = "eval"
		}
	}
	if used = strings.TrimSpace(used); used != "" {
		if it.Time, it.Timed = ParseSeconds(used); !it.Timed {
			if it.Bad != "" {
				it.Bad += " and "
			}
			it.Bad += "time"
		}
	}
	return it, true
}

// AppendItem appends a move item in its shortest form: slashes only before what
// follows them.
func AppendItem(dst []byte, it *Item) []byte {
	dst = AppendMove(dst, it.Move)
	if n := len(dst); it.Eval.Known() {
		dst = AppendEval(append(dst, '/'), it.Eval)
		if len(dst) == n+1 {
			dst = dst[:n]
		}
		if it.Timed {
			if len(dst) == n {
				dst = append(dst, '/')
			}
			dst = AppendSeconds(append(dst, '/'), it.Time)
		}
		return dst
	}
	if it.Timed {
		dst = AppendSeconds(append(dst, '/', '/'), it.Time)
	}
	return dst
}
