// Package nboard speaks the NBoard protocol of Othello, versions 1 and 2, as the
// manager that drives an engine and as the engine.
//
// The codec in codec.go, reply.go and command.go is pure: bytes in, values out,
// and back. Host drives an engine, Serve is one. Squares are written a1 to h8
// with a1 at the top left, so that column and row are X and Y of package game.
// Black is seat First, White seat Second. Evaluations are discs for the side to
// move; games travel as GGF, see record/ggf.
package nboard

import (
	"bytes"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"kibitz/game"
	"kibitz/record/ggf"
)

// Answer is what follows "===" or "move": a move with what may come with it.
type Answer struct {
	// Move is meaningful if Valid; an answer whose move cannot be read is
	// illegal, not unknown.
	Move  game.Move
	Valid bool
	// Eval is the mover's evaluation, unknown if left out or unreadable.
	Eval game.Eval
	// Time is the time for the move as the sender says, if Timed.
	Time  time.Duration
	Timed bool
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n'
}

// word cuts the first word off; rest has no blanks in front.
func word(b []byte) (w, rest []byte) {
	i := 0
	for i < len(b) && !isBlank(b[i]) {
		i++
	}
	w, rest = b[:i], b[i:]
	for len(rest) > 0 && isBlank(rest[0]) {
		rest = rest[1:]
	}
	return w, rest
}

// field cuts off what stands before the next separator: a slash with blanks
// around it, or blanks alone.
func field(b []byte) (f, rest []byte) {
	i := 0
	for i < len(b) && b[i] != '/' && !isBlank(b[i]) {
		i++
	}
	f, rest = b[:i], b[i:]
	for len(rest) > 0 && isBlank(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] == '/' {
		rest = rest[1:]
		for len(rest) > 0 && isBlank(rest[0]) {
			rest = rest[1:]
		}
	}
	return f, rest
}

// parseAnswer reads "move[sep[eval][sep[time]]]", leniently: what cannot be read
// of evaluation and time is unknown.
func parseAnswer(b []byte) Answer {
	var a Answer
	f, rest := field(bytes.TrimSpace(b))
	a.Move, a.Valid = parseMove(f)
	f, rest = field(rest)
	if e, ok := ggf.ParseEval(string(f)); ok {
		a.Eval = e
	}
	f, _ = field(rest)
	a.Time, a.Timed = ggf.ParseSeconds(string(f))
	return a
}

// parseMove reads a square of the board or a pass; letters after a square are
// annotation.
func parseMove(f []byte) (game.Move, bool) {
	if len(f) >= 2 && onBoard(f[0], f[1]) {
		if len(f) > 2 && f[2] >= '0' && f[2] <= '9' {
			return game.Move{}, false
		}
		return square(f[0], f[1]), true
	}
	if len(f) <= 4 && ggf.IsPass(string(f)) {
		return game.PassMove(), true
	}
	return game.Move{}, false
}

// noSquare says why what follows "===" cannot be read as a move.
func noSquare(b []byte) string {
	f, _ := field(bytes.TrimSpace(b))
	switch {
	case len(f) == 0:
		return "a square was due behind the three signs, such as F3, or PA for a pass"
	case len(f) > 1 && f[0]|0x20 >= 'a' && f[0]|0x20 <= 'z' && f[1] >= '0' && f[1] <= '9':
		return clip(f) + " is not on the board: squares go from A1 to H8"
	}
	return clip(f) + " is no square: a letter, then a number, such as F3"
}

func onBoard(col, row byte) bool {
	col |= 0x20
	return col >= 'a' && col <= 'h' && row >= '1' && row <= '8'
}

func square(col, row byte) game.Move {
	return game.PlaceAt(game.Pt(int(col|0x20-'a'), int(row-'1')))
}

// AppendAnswer appends a move with evaluation and time as "F5/0.42/1.310", in the
// shortest form that says what is known.
func AppendAnswer(dst []byte, a *Answer) []byte {
	return ggf.AppendItem(dst, &ggf.Item{Move: a.Move, Eval: a.Eval, Time: a.Time, Timed: a.Timed})
}

// ParsePV appends the moves of a principal variation, glued or joined by hyphens,
// up to the first that cannot be read. Whether they are legal it does not know.
func ParsePV(dst []game.Move, pv []byte) []game.Move {
	for len(pv) >= 2 {
		switch {
		case onBoard(pv[0], pv[1]):
			dst = append(dst, square(pv[0], pv[1]))
		case pv[0] == '-' && pv[1] != '-':
			pv = pv[1:]
			continue
		case ggf.IsPass(string(pv[:2])):
			dst = append(dst, game.PassMove())
			if len(pv) >= 4 && ggf.IsPass(string(pv[:4])) {
				pv = pv[2:]
			}
		default:
			return dst
		}
		pv = pv[2:]
	}
	return dst
}

// AppendPV appends a principal variation, its squares glued.
func AppendPV(dst []byte, pv []game.Move) []byte {
	for _, m := range pv {
		dst = ggf.AppendMove(dst, m)
	}
	return dst
}

// depth is the depth token of search and book lines.
type depth struct {
	plies      int
	bound      game.Bound
	confidence float64
}

// parseDepth reads a token that starts with an integer: plies, or with a per cent
// sign how far the position is solved.
func parseDepth(tok []byte) (d depth, ok bool) {
	i, n := 0, 0
	for i < len(tok) && i < 9 && tok[i] >= '0' && tok[i] <= '9' {
		n = 10*n + int(tok[i]-'0')
		i++
	}
	if i == 0 {
		return d, false
	}
	if i == len(tok) || tok[i] != '%' {
		d.plies = n
		return d, true
	}
	switch suffix := tok[i+1:]; {
	case n == 100 && len(suffix) == 0:
		d.bound = game.Exact
	case n == 100 && len(suffix) == 1 && suffix[0]|0x20 == 'w':
		d.bound = game.WinLoss
	default:
		d.bound, d.confidence = game.Selective, float64(n)
	}
	return d, true
}

func appendDepth(dst []byte, in *game.Info) []byte {
	switch in.Bound {
	case game.Exact:
		return append(dst, "100%"...)
	case game.WinLoss:
		return append(dst, "100%W"...)
	case game.Selective:
		return append(strconv.AppendInt(dst, int64(in.Confidence), 10), '%')
	}
	return strconv.AppendInt(dst, int64(max(0, in.Depth)), 10)
}

// appendEval appends an evaluation with its sign and two decimals, a pair for an
// interval, NaN if unknown.
func appendEval(dst []byte, e game.Eval) []byte {
	if !e.Known() || math.IsInf(e.Lo, 0) || math.IsInf(e.Hi, 0) || math.IsNaN(e.Hi) {
		return append(dst, "NaN"...)
	}
	dst = appendSigned(dst, e.Hi)
	if e.Lo != e.Hi {
		dst = appendSigned(append(dst, ','), e.Lo)
	}
	return dst
}

func appendSigned(dst []byte, v float64) []byte {
	if v > -0.005 { // a negative zero is a zero
		if v <= 0 {
			v = 0
		}
		dst = append(dst, '+')
	}
	return strconv.AppendFloat(dst, v, 'f', 2, 64)
}

func parseInt(b []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(b), 10, 64)
	return n, err == nil
}

// text returns bytes as valid UTF-8.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}
