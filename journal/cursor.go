package journal

import (
	"math"
	"strconv"
	"unicode/utf8"

	"kibitz/game"
)

// cursor takes a line of JSON apart from the left. Once something is not as asked,
// odd is set and stays; what is returned from then on means nothing.
type cursor struct {
	line []byte
	at   int
	odd  bool
}

func (c *cursor) rest() []byte { return c.line[c.at:] }

// lit passes over a text if it comes next.
func (c *cursor) lit(text string) bool {
	if end := c.at + len(text); end <= len(c.line) && string(c.line[c.at:end]) == text {
		c.at = end
		return true
	}
	return false
}

// need passes over a text that must come next.
func (c *cursor) need(text string) {
	if !c.lit(text) {
		c.odd = true
	}
}

// key passes over the beginning of a member if it comes next; the comma that text
// begins with is missing from the first member of an object.
func (c *cursor) key(text string) bool {
	if c.at > 0 && c.line[c.at-1] == '{' {
		text = text[1:]
	}
	return c.lit(text)
}

// optInt returns the number of a member, 0 if it does not come next.
func (c *cursor) optInt(text string) int64 {
	if !c.key(text) {
		return 0
	}
	return c.int()
}

// optSize is optInt for an int.
func (c *cursor) optSize(text string) int {
	if !c.key(text) {
		return 0
	}
	return c.size()
}

// size takes a number that an int holds, on whatever machine.
func (c *cursor) size() int {
	n := c.int()
	c.odd = c.odd || int64(int(n)) != n
	return int(n)
}

// natural takes a number that may have no sign, small one from low to 255.
func (c *cursor) natural() int64 {
	c.odd = c.odd || c.lit("-")
	return c.int()
}

func (c *cursor) small(low int64) uint8 {
	n := c.natural()
	c.odd = c.odd || n < low || n > math.MaxUint8
	return uint8(n)
}

// int takes a whole number as JSON writes it, of at most 18 digits.
func (c *cursor) int() int64 {
	n, zeros := c.number()
	c.odd = c.odd || zeros
	return n
}

// number takes a whole number of at most 18 digits; zeros tells that it begins with needless ones.
func (c *cursor) number() (n int64, zeros bool) {
	minus := c.lit("-")
	from := c.at
	for c.at < len(c.line) && c.line[c.at]-'0' <= 9 {
		n = n*10 + int64(c.line[c.at]-'0')
		c.at++
	}
	digits := c.at - from
	if digits == 0 || digits > 18 {
		c.odd = true
		return 0, false
	}
	if minus {
		n = -n
	}
	return n, digits > 1 && c.line[from] == '0'
}

// within takes a number of a move, from low to high.
func (c *cursor) within(low, high int64) int {
	n, _ := c.number()
	if n < low || n > high {
		c.odd = true
		return 0
	}
	return int(n)
}

// count passes over digits and returns how many there are.
func (c *cursor) count() int {
	from := c.at
	for c.at < len(c.line) && c.line[c.at]-'0' <= 9 {
		c.at++
	}
	return c.at - from
}

// powers are exact.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// float takes a number as JSON writes it.
func (c *cursor) float() float64 {
	from := c.at
	minus := c.lit("-")
	first := c.at
	whole, part, short := c.count(), 0, true
	bad := whole == 0 || whole > 1 && c.line[first] == '0'
	if c.lit(".") {
		part = c.count()
		bad = bad || part == 0
	}
	if c.lit("e") || c.lit("E") {
		short = false
		_ = c.lit("-") || c.lit("+")
		bad = bad || c.count() == 0
	}
	if bad {
		c.odd = true
		return 0
	}
	if !short || whole+part >= len(powers) {
		x, err := strconv.ParseFloat(string(c.line[from:c.at]), 64)
		c.odd = c.odd || err != nil
		return x
	}
	n := int64(0) // of at most 15 digits: a float64 holds it, and one division rounds once
	for _, d := range c.line[first:c.at] {
		if d != '.' {
			n = n*10 + int64(d-'0')
		}
	}
	x := float64(n) / powers[part]
	if minus {
		return -x
	}
	return x
}

func (c *cursor) floatOrNull() float64 {
	if c.lit("null") {
		return math.NaN()
	}
	return c.float()
}

func (c *cursor) pair() (v [2]float64) {
	c.need("[")
	v[0] = c.float()
	c.need(",")
	v[1] = c.float()
	c.need("]")
	return v
}

// word takes what is between quotes, without anything that is escaped.
func (c *cursor) word() []byte {
	c.need(`"`)
	from, high := c.at, byte(0)
	for c.at < len(c.line) {
		b := c.line[c.at]
		if b == '"' {
			word := c.line[from:c.at]
			c.at++
			if high >= utf8.RuneSelf && !utf8.Valid(word) {
				c.odd = true
			}
			return word
		}
		if b < ' ' || b == '\\' {
			break
		}
		high |= b
		c.at++
	}
	c.odd = true
	return nil
}

// move takes a move without its quotes.
func (c *cursor) move() game.Move {
	m := game.Move{From: game.NoPoint, To: game.NoPoint}
	if c.at >= len(c.line) {
		c.odd = true
		return m
	}
	letter := c.line[c.at]
	c.at++
	switch letter {
	case 'p':
		m.Op, m.To = game.Place, c.spot()
	case 's':
		m.Op, m.From = game.Shift, c.spot()
		c.need(">")
		m.To = c.spot()
	case 'x':
		m.Op, m.To = game.Shoot, c.spot()
	case 'f':
		m.Op, m.To = game.Flip, c.spot()
	case 'e', 'd':
		if m.Op = game.Edge; letter == 'd' {
			m.Op = game.Deal
		}
		m.To = c.spot()
		c.need(":")
		m.Arg = int16(c.within(math.MinInt16, math.MaxInt16))
	case '-':
		m.Op = game.Pass
	case 'c':
		m.Op, m.Arg = game.Choose, int16(c.within(math.MinInt16, math.MaxInt16))
	case 'r':
		m.Op = game.Resign
	default:
		c.odd = true
	}
	return m
}

// spot takes the point of a move.
func (c *cursor) spot() game.Point {
	x := c.within(-1, math.MaxInt8)
	c.need(",")
	return game.Pt(x, c.within(-1, math.MaxInt8))
}

// texts finds texts that came before, so that they are made once. It forgets some.
type texts [256]string

// longText is the length in bytes from which texts are not remembered.
const longText = 80

func (t *texts) get(b []byte) string {
	if len(b) == 0 || len(b) >= longText {
		return string(b)
	}
	sum := uint32(len(b))
	for _, c := range b {
		sum = sum*31 + uint32(c)
	}
	s := &t[sum%uint32(len(t))]
	if *s != string(b) {
		*s = string(b)
	}
	return *s
}
