package sau

import (
	"bytes"

	"kibitz/game"
)

// The words of the protocol.
const (
	wordName   = "name"
	wordAsk    = "name?"
	wordNew    = "new"
	wordMove   = "move"
	wordAccept = "accept"
	wordRefuse = "refuse"
	wordTake   = "take"
	wordTaked  = "taked"
	wordError  = "error"
	wordEnd    = "end"
	wordQuit   = "quit"
	argBlack   = "black"
	argWhite   = "white"
	argGo      = "go"
	argPass    = "pass"
)

// sideNames are the colours of the seats; black always moves first.
var sideNames = [2]string{argBlack, argWhite}

// MaxLetter is the number of the last letter that a coordinate can have.
const MaxLetter = 25

// Letters says how the other end writes points: the character for column 0 and row
// 0, and for the first direction of a line (Dots and Boxes). Transpose exchanges
// columns and rows on every point.
type Letters struct {
	X, Y, E   byte
	Transpose bool
}

// Plain is how the platform writes: "AA" is the point at the top left.
var Plain = Letters{X: 'A', Y: 'A', E: 'A'}

// number reads a coordinate from 0 to MaxLetter. A letter in the other case than
// the base's counts as well.
func number(c, base byte) (int, bool) {
	n := int(c) - int(base)
	if (n < 0 || n > MaxLetter) && (c|0x20) >= 'a' && (c|0x20) <= 'z' {
		n = int(c^0x20) - int(base)
	}
	return n, n >= 0 && n <= MaxLetter
}

// point reads two characters.
func (l *Letters) point(b []byte) (game.Point, bool) {
	if len(b) < 2 {
		return game.NoPoint, false
	}
	x, okX := number(b[0], l.X)
	y, okY := number(b[1], l.Y)
	if !okX || !okY {
		return game.NoPoint, false
	}
	if l.Transpose {
		x, y = y, x
	}
	return game.Pt(x, y), true
}

// glued reports whether the first n characters of arg are no move but the beginning
// of a word: something follows them without a blank, and not all their letters are
// in the case that was agreed on. "EEx" is e5 as on the platform, "move hello" is
// prose.
func (l *Letters) glued(arg []byte, n int) bool {
	if len(arg) <= n || arg[n] == ' ' {
		return false
	}
	for i, c := range arg[:n] {
		base := l.X
		if i%2 == 1 {
			base = l.Y
		}
		if d := int(c) - int(base); d < 0 || d > MaxLetter {
			return true
		}
	}
	return false
}

// none reports whether two characters say "no point": one before 0 each.
func (l *Letters) none(b []byte) bool {
	return len(b) >= 2 && b[0] == l.X-1 && b[1] == l.Y-1
}

func (l *Letters) appendPoint(dst []byte, p game.Point) []byte {
	if l.Transpose {
		p.X, p.Y = p.Y, p.X
	}
	return append(dst, l.X+byte(p.X), l.Y+byte(p.Y))
}

func (l *Letters) appendPoints(dst []byte, list []game.Point) []byte {
	for _, p := range list {
		dst = l.appendPoint(dst, p)
	}
	return dst
}

// edge reads three characters: the direction, the line of dots, the place in it.
func (l *Letters) edge(b []byte) (game.Move, bool) {
	if len(b) < 3 {
		return game.Move{}, false
	}
	k, okK := number(b[0], l.E)
	i, okI := number(b[1], l.X)
	j, okJ := number(b[2], l.Y)
	if !okK || !okI || !okJ || k > 1 {
		return game.Move{}, false
	}
	if l.Transpose {
		k = 1 - k
	}
	if k == 0 {
		return game.EdgeAt(game.Pt(j, i), false), true
	}
	return game.EdgeAt(game.Pt(i, j), true), true
}

func (l *Letters) appendEdge(dst []byte, m game.Move) []byte {
	k, i, j := byte(0), m.To.Y, m.To.X
	if m.Arg != 0 {
		k, i, j = 1, m.To.X, m.To.Y
	}
	if l.Transpose {
		k = 1 - k
	}
	return append(dst, l.E+k, l.X+byte(i), l.Y+byte(j))
}

// Find looks for a command in a line that an engine printed: at its beginning,
// after blanks, or after a NUL byte, which the platform takes for the end of a
// line; with anywhere after any blank, and then the last one counts. The word must
// be followed by a blank. arg is what stands after it up to a tab or a NUL, without
// the blanks around.
func Find(line []byte, word string, anywhere bool) (arg []byte, ok bool) {
	for {
		piece, rest, more := bytes.Cut(line, []byte{0})
		if a, found := findIn(piece, word, anywhere); found {
			arg, ok = a, true
			if !anywhere {
				return arg, true
			}
		}
		if !more {
			return arg, ok
		}
		line = rest
	}
}

// byteOrderMark is what some Windows programs print first.
const byteOrderMark = "\xef\xbb\xbf"

func findIn(line []byte, word string, anywhere bool) (arg []byte, ok bool) {
	if len(line) >= len(byteOrderMark) && string(line[:len(byteOrderMark)]) == byteOrderMark {
		line = line[len(byteOrderMark):]
	}
	line = bytes.TrimLeft(line, " \t")
	if a, found := argument(line, word); found {
		arg, ok = a, true
	}
	if !anywhere {
		return arg, ok
	}
	for i := 1; i < len(line); i++ {
		if line[i-1] != ' ' && line[i-1] != '\t' {
			continue
		}
		if a, found := argument(line[i:], word); found {
			arg, ok = a, true
		}
	}
	return arg, ok
}

// argument returns what follows the word and a blank at the beginning of b.
func argument(b []byte, word string) ([]byte, bool) {
	if len(b) <= len(word) || string(b[:len(word)]) != word || b[len(word)] != ' ' {
		return nil, false
	}
	b = bytes.TrimLeft(b[len(word):], " ")
	if i := bytes.IndexByte(b, '\t'); i >= 0 {
		b = b[:i]
	}
	return bytes.TrimRight(b, " "), true
}

// appendWord appends a command without an argument.
func appendWord(dst []byte, word string) []byte {
	return append(append(dst, word...), '\n')
}

// appendArg appends a command with an argument.
func appendArg(dst []byte, word, arg string) []byte {
	return append(append(append(append(dst, word...), ' '), arg...), '\n')
}

// appendList appends "take N LIST" or "taked N LIST".
func (l *Letters) appendList(dst []byte, word string, points []game.Point) []byte {
	dst = append(append(dst, word...), ' ')
	dst = appendInt(dst, len(points))
	dst = append(dst, ' ')
	return append(l.appendPoints(dst, points), '\n')
}

// list appends the points of "N LIST" to dst. The blank between them may be
// missing, as the published description once has it.
func (l *Letters) list(arg []byte, dst []game.Point) ([]game.Point, bool) {
	n, rest, ok := count(arg)
	rest = bytes.TrimLeft(rest, " ")
	if !ok || len(rest) < 2*n {
		return dst, false
	}
	for i := range n {
		p, ok := l.point(rest[2*i:])
		if !ok {
			return dst[:len(dst)-i], false
		}
		dst = append(dst, p)
	}
	return dst, true
}

// mostListed bounds the numbers in front of lists.
const mostListed = 2000

// count reads a decimal number from 1 without a leading zero, and returns what
// stands behind it.
func count(b []byte) (n int, rest []byte, ok bool) {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' && n <= mostListed {
		n = 10*n + int(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0 && b[0] != '0' && n <= mostListed
}

func appendInt(dst []byte, n int) []byte {
	if n >= 10 {
		dst = appendInt(dst, n/10)
	}
	return append(dst, byte('0'+n%10))
}
