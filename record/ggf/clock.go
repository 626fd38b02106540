package ggf

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
)

// Clock is the value of a TI, TB or TW tag.
type Clock struct {
	Initial, Increment, Extension Part
}

// Part is one of the three parts of a clock. The extended form with a comma
// means, for the initial time: Moves must be made within it, NoLoss says that
// running out is not lost; for the increment: granted each Moves moves, not
// cumulative; for the extension: Moves as in the initial time, not added to what
// is left over.
type Part struct {
	Time time.Duration
	// Given tells that the part stands in the text at all.
	Given bool
	// Extended tells that a comma follows; N and Moves are what came after it,
	// Moves 0 if no number did.
	Extended bool
	N        bool
	Moves    int
}

// ParseClock reads a clock. All forms are read; those with a comma cannot be
// played by, see Plain.
func ParseClock(text string) (Clock, error) {
	var c Clock
	parts := strings.Split(strings.TrimSpace(text), "/")
	if len(parts) > 3 {
		return c, fmt.Errorf("clock %q: more than three parts", game.Shown(text, 40))
	}
	for i, p := range []*Part{&c.Initial, &c.Increment, &c.Extension} {
		if i >= len(parts) {
			break
		}
		s := strings.TrimSpace(parts[i])
		if s == "" {
			continue
		}
		var err error
		if *p, err = parsePart(s); err != nil {
			return Clock{}, fmt.Errorf("clock %q: %w", game.Shown(text, 40), err)
		}
	}
	if !c.Initial.Given {
		return Clock{}, fmt.Errorf("clock %q: no initial time", game.Shown(text, 40))
	}
	return c, nil
}

func parsePart(s string) (Part, error) {
	span, ext, extended := strings.Cut(s, ",")
	d, err := parseSpan(strings.TrimSpace(span))
	if err != nil {
		return Part{}, err
	}
	p := Part{Time: d, Given: true, Extended: extended}
	if !extended {
		return p, nil
	}
	ext = strings.TrimSpace(ext)
	if rest, ok := strings.CutPrefix(strings.ToUpper(ext), "N"); ok {
		p.N, ext = true, rest
	}
	if ext != "" {
		if p.Moves, err = strconv.Atoi(ext); err != nil || p.Moves < 0 || p.Moves > 1e6 || ext[0] == '+' {
			return Part{}, fmt.Errorf("%q after the comma is no number of moves", game.Shown(ext, 40))
		}
	}
	return p, nil
}

// parseSpan reads [[[days.]hours:]minutes:]seconds; seconds may have decimals.
func parseSpan(s string) (time.Duration, error) {
	bad := fmt.Errorf("%q is no time, write [[hours:]minutes:]seconds", game.Shown(s, 40))
	fields := strings.Split(s, ":")
	if len(fields) > 3 || s == "" {
		return 0, bad
	}
	var total time.Duration
	if len(fields) == 3 {
		if days, hours, ok := strings.Cut(fields[0], "."); ok {
			n, ok := parseCount(days)
			if !ok {
				return 0, bad
			}
			total = time.Duration(n) * 24 * time.Hour
			fields[0] = hours
		}
	}
	unit := time.Minute
	if len(fields) == 3 {
		unit = time.Hour
	}
	for _, f := range fields[:len(fields)-1] {
		n, ok := parseCount(f)
		if !ok {
			return 0, bad
		}
		total += time.Duration(n) * unit
		unit = time.Minute
	}
	sec, ok := ParseSeconds(fields[len(fields)-1])
	if !ok {
		return 0, bad
	}
	return total + sec, nil
}

func parseCount(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n <= 100_000 && s[0] != '+'
}

// Plain returns nil if the clock can be played by, else an error for people that
// names the form that cannot.
func (c Clock) Plain() error {
	for _, p := range []Part{c.Initial, c.Increment, c.Extension} {
		if p.Extended {
			return fmt.Errorf("the clock %q has a part with a comma, which only records can have; write initial/increment/extension", c.String())
		}
	}
	return nil
}

// String writes the clock as a tag value, for example "05:00/00:01/02:00".
func (c Clock) String() string {
	dst := appendPart(nil, c.Initial)
	if c.Increment.Given || c.Extension.Given {
		dst = appendPart(append(dst, '/'), c.Increment)
	}
	if c.Extension.Given {
		dst = appendPart(append(dst, '/'), c.Extension)
	}
	return string(dst)
}

func appendPart(dst []byte, p Part) []byte {
	if !p.Given {
		return dst
	}
	d := p.Time
	if d >= time.Hour {
		dst = appendTwo(dst, int64(d/time.Hour))
		dst = append(dst, ':')
		d %= time.Hour
	}
	dst = appendTwo(dst, int64(d/time.Minute))
	dst = append(dst, ':')
	d %= time.Minute
	dst = appendTwo(dst, int64(d/time.Second))
	if frac := d % time.Second; frac > 0 {
		s := strings.TrimRight(fmt.Sprintf("%09d", int64(frac)), "0")
		dst = append(append(dst, '.'), s...)
	}
	if !p.Extended {
		return dst
	}
	dst = append(dst, ',')
	if p.N {
		dst = append(dst, 'N')
	}
	if p.Moves > 0 {
		dst = strconv.AppendInt(dst, int64(p.Moves), 10)
	}
	return dst
}

func appendTwo(dst []byte, n int64) []byte {
	if n < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, n, 10)
}

// Control returns the clock in the command line's form, "300+5 overtime=120".
// It is empty when there is no clock, and ok is false for forms with a comma,
// which the command line does not have.
func (c Clock) Control() (text string, ok bool) {
	if c.Plain() != nil {
		return "", false
	}
	if c.Initial.Time == 0 && c.Increment.Time == 0 {
		return "", true
	}
	text = seconds(c.Initial.Time)
	if c.Increment.Time > 0 {
		text += "+" + seconds(c.Increment.Time)
	}
	if c.Extension.Time > 0 {
		text += " overtime=" + seconds(c.Extension.Time)
	}
	return text, true
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

// FromControl reads the command line's form back as far as a GGF clock can say
// it: main time, increment and overtime. For any other control it returns false.
func FromControl(text string) (Clock, bool) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Clock{}, false
	}
	var c Clock
	for i, w := range words {
		key, value, named := strings.Cut(w, "=")
		switch {
		case i == 0 && !named:
			value = w
		case i == 0 && key == "tc":
		case key == "overtime":
			d, err := parseSpan(value)
			if err != nil {
				return Clock{}, false
			}
			c.Extension = Part{Time: d, Given: d > 0}
			continue
		default:
			return Clock{}, false
		}
		start, inc, hasInc := strings.Cut(value, "+")
		d, err := parseSpan(start)
		if err != nil {
			return Clock{}, false
		}
		c.Initial = Part{Time: d, Given: true}
		if hasInc {
			if d, err = parseSpan(inc); err != nil {
				return Clock{}, false
			}
			c.Increment = Part{Time: d, Given: d > 0}
		}
	}
	return c, true
}
