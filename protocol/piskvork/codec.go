// Package piskvork speaks the Piskvork (Gomocup) brain protocol of five in a row
// with its Yixin dialect, as the manager that drives a brain and as the brain.
//
// The codec in codec.go, command.go, stats.go and about.go is pure: bytes in,
// values out. Host drives an engine, Serve is one. Coordinates are those of
// package game: X from the left, Y from the top, both from 0.
package piskvork

import (
	"bytes"
	"math"
	"strconv"

	"kibitz/game"
)

// ReplyKind is the kind of a line that a brain sends.
type ReplyKind uint8

// The kinds of reply.
const (
	// Other is a line that is none of the others: prose, the reply to ABOUT.
	Other ReplyKind = iota
	// Coords is one or more points.
	Coords
	// OK acknowledges START, RECTSTART, RESTART and TAKEBACK.
	OK
	// Swap takes the other colour in the swap2 opening.
	Swap
	// Suggest proposes a point and waits for PLAY.
	Suggest
	// Unknown says that the command is not implemented.
	Unknown
	// Error says that the command cannot be done.
	Error
	// Message is for people, Debug for the engine's author.
	Message
	Debug
	// InfoLine is a line of analysis of the Yixin dialect.
	InfoLine
	// Forbid lists the forbidden points of the Yixin dialect.
	Forbid
)

// MaxCoords is how many points of a reply are kept; the longest legal reply, the
// first one of swap2, has three.
const MaxCoords = 3

// Reply is one line of a brain.
type Reply struct {
	Kind ReplyKind
	// N is the number of points of the line, also beyond MaxCoords.
	N int
	// Points are the first of them. A coordinate that no board has is -1 or 127,
	// so that it stays off every board.
	Points [MaxCoords]game.Point
	// Text is what follows the word of a reply; for Other the whole line without
	// surrounding blanks. It shares the memory of the line.
	Text []byte
}

var replyWords = []struct {
	word string
	kind ReplyKind
}{
	{"OK", OK},
	{"MESSAGE", Message},
	{"DEBUG", Debug},
	{"INFO", InfoLine},
	{"SUGGEST", Suggest},
	{"ERROR", Error},
	{"UNKNOWN", Unknown},
	{"SWAP", Swap},
	{"FORBID", Forbid},
}

// ParseReply decodes a line without its end. It accepts words in any case,
// blanks around numbers, text after a single point, and a reply behind one to ABOUT
// that had no line end. It never fails: what is not understood is Other. It does not
// allocate.
func ParseReply(line []byte) Reply {
	line = trim(line)
	if len(line) == 0 {
		return Reply{}
	}
	if c := line[0]; c == '-' || c == '+' || isDigit(c) {
		r := Reply{Kind: Coords}
		if r.parseCoords(line); r.N == 0 {
			return Reply{Text: line}
		}
		return r
	}
	word, rest := cutWord(line)
	for _, w := range replyWords {
		if !equalFold(word, w.word) {
			continue
		}
		r := Reply{Kind: w.kind, Text: rest}
		if w.kind == Suggest {
			if r.parseCoords(rest); r.N == 0 {
				return Reply{Text: line}
			}
		}
		return r
	}
	if next := unended(line); len(next) > 0 {
		if r := ParseReply(next); r.Kind != Other {
			return r
		}
	}
	return Reply{Text: line}
}

// unended returns what stands right behind the last quote of a line that begins as a
// reply to ABOUT does: some brains do not end theirs, and their next reply goes on in
// the same line (PentaZen 0.2.1).
func unended(line []byte) []byte {
	const first = `NAME="`
	if len(line) < len(first) || !equalFold(line[:len(first)], first) {
		return nil
	}
	return line[bytes.LastIndexByte(line, '"')+1:]
}

func (r *Reply) parseCoords(s []byte) {
	for {
		p, rest, ok := parsePoint(s)
		if !ok {
			return
		}
		if r.N < MaxCoords {
			r.Points[r.N] = p
		}
		r.N++
		if len(rest) == 0 || !isBlank(rest[0]) {
			return
		}
		s = rest
	}
}

// parsePoint reads "x,y" with blanks around both numbers and returns what
// follows the second number.
func parsePoint(s []byte) (p game.Point, rest []byte, ok bool) {
	x, s, ok := parseInt(skipBlanks(s))
	if !ok {
		return p, s, false
	}
	s = skipBlanks(s)
	if len(s) == 0 || s[0] != ',' {
		return p, s, false
	}
	y, s, ok := parseInt(skipBlanks(s[1:]))
	if !ok {
		return p, s, false
	}
	return game.Point{X: clampCoord(x), Y: clampCoord(y)}, s, true
}

// maxCoord is the least coordinate that no board has.
const maxCoord = 127

// clampCoord keeps a coordinate that no board has off every board.
func clampCoord(n int) int8 {
	switch {
	case n < 0:
		return -1
	case n > maxCoord:
		return maxCoord
	default:
		return int8(n)
	}
}

const intCap = 1 << 40

// parseInt reads an optional sign and digits; beyond intCap it saturates.
func parseInt(s []byte) (n int, rest []byte, ok bool) {
	neg := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	i, v := 0, int64(0)
	for i < len(s) && isDigit(s[i]) {
		if v = v*10 + int64(s[i]-'0'); v > intCap {
			v = intCap
		}
		i++
	}
	n = int(min(v, math.MaxInt)) // which may be less
	if neg {
		n = -n
	}
	return n, s[i:], i > 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isBlank counts NUL among the blanks: some brains send it.
func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == 0 || c == '\r' || c == '\n' || c == '\v' || c == '\f'
}

func skipBlanks(s []byte) []byte {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func trim(s []byte) []byte {
	s = skipBlanks(s)
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// cutWord returns the leading run of letters, digits and underscores and the
// rest without leading blanks. A word that runs into another character is none.
func cutWord(s []byte) (word, rest []byte) {
	i := 0
	for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '_') {
		i++
	}
	if i < len(s) && !isBlank(s[i]) && s[i] != ':' {
		return nil, s
	}
	rest = s[i:]
	if len(rest) > 0 && rest[0] == ':' {
		rest = rest[1:]
	}
	return s[:i], skipBlanks(rest)
}

// equalFold compares an ASCII word in any case with one in upper case.
func equalFold(s []byte, upper string) bool {
	if len(s) != len(upper) {
		return false
	}
	for i := range len(upper) {
		c := s[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != upper[i] {
			return false
		}
	}
	return true
}

// AppendPoint appends "x,y".
func AppendPoint(dst []byte, p game.Point) []byte {
	dst = strconv.AppendInt(dst, int64(p.X), 10)
	dst = append(dst, ',')
	return strconv.AppendInt(dst, int64(p.Y), 10)
}

// AppendReply appends a reply as a line without its end. Points beyond MaxCoords
// are not written.
func AppendReply(dst []byte, r Reply) []byte {
	switch r.Kind {
	case Coords:
		for i := range min(r.N, MaxCoords) {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = AppendPoint(dst, r.Points[i])
		}
		return dst
	case Suggest:
		dst = append(dst, "SUGGEST "...)
		return AppendPoint(dst, r.Points[0])
	case Other:
		return append(dst, r.Text...)
	}
	for _, w := range replyWords {
		if w.kind == r.Kind {
			dst = append(dst, w.word...)
		}
	}
	if len(r.Text) > 0 {
		dst = append(dst, ' ')
		dst = append(dst, r.Text...)
	}
	return dst
}

// ParseForbid reads the text after FORBID: two digits for each coordinate, ended
// by a dot. It reports false if the text has another form.
func ParseForbid(text []byte, dst []game.Point) ([]game.Point, bool) {
	text = trim(text)
	i := bytes.IndexByte(text, '.')
	if i < 0 || i%4 != 0 {
		return dst, false
	}
	for s := text[:i]; len(s) > 0; s = s[4:] {
		for _, c := range s[:4] {
			if !isDigit(c) {
				return dst, false
			}
		}
		dst = append(dst, game.Point{
			X: int8(s[0]-'0')*10 + int8(s[1]-'0'),
			Y: int8(s[2]-'0')*10 + int8(s[3]-'0'),
		})
	}
	return dst, true
}

// AppendForbid appends "FORBID XXYY...." for points below 100.
func AppendForbid(dst []byte, points []game.Point) []byte {
	dst = append(dst, "FORBID "...)
	for _, p := range points {
		dst = append(dst, '0'+byte(p.X/10), '0'+byte(p.X%10), '0'+byte(p.Y/10), '0'+byte(p.Y%10))
	}
	return append(dst, '.')
}
