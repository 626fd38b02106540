package cutechess

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kibitz/run/compat"
	"kibitz/run/engines"
)

// Control is a time control; times are milliseconds.
type Control struct {
	Infinite, Hourglass           bool
	Moves                         int
	PerControl, Increment, OnMove int64
}

// Read reads "moves/time+increment", time being seconds or minutes:seconds, with hg before
// it an hourglass.
func (c *Control) Read(p *compat.Args, v string) error {
	*c = Control{OnMove: c.OnMove}
	if c.Infinite = v == "inf"; c.Infinite {
		return nil
	}
	if !c.parse(v) {
		return p.Must(v, "write MOVES/TIME+INCREMENT, for example 40/1:30+0.5, or hgTIME, or inf")
	}
	return nil
}

func (c *Control) parse(v string) (ok bool) {
	left, inc, _ := strings.Cut(v, "+")
	moves, span, slash := strings.Cut(left, "/")
	if !slash {
		moves, span = "0", left
	}
	var err error
	if c.Moves, err = strconv.Atoi(moves); err != nil || c.Moves < 0 {
		return false
	}
	span, c.Hourglass = strings.CutPrefix(span, "hg")
	minutes, secs, colon := strings.Cut(span, ":")
	if !colon {
		minutes, secs = "0", span
	}
	inc = cmp.Or(inc, "0")
	var x [3]float64
	for i, s := range []string{minutes, secs, inc} {
		if x[i], err = compat.ParseAmount(s); err != nil {
			return false
		}
	}
	c.PerControl, c.Increment = int64(x[0]*60000+x[1]*1000), int64(x[2]*1000)
	return c.PerControl > 0 && (!c.Hourglass || c.Increment == 0 && c.Moves == 0)
}

// given reports whether there is any clock.
func (c *Control) given() bool { return c.Infinite || c.PerControl > 0 || c.OnMove > 0 }

// word is the control as a run takes it.
func (c *Control) word() engines.Word {
	switch {
	case c.Infinite:
		return engines.Word{Key: "tc", Value: "inf"}
	case c.OnMove > 0:
		return engines.Word{Key: "st", Value: compat.Seconds(c.OnMove)}
	case c.Hourglass:
		return engines.Word{Key: "hourglass", Value: compat.Seconds(c.PerControl)}
	}
	return engines.Word{Key: "tc", Value: c.text(compat.Seconds)}
}

// String prints the control as cutechess-cli does.
func (c *Control) String() string {
	secs := func(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'g', 6, 64) }
	switch {
	case c.Infinite:
		return "inf"
	case c.OnMove > 0:
		return secs(c.OnMove) + "/move"
	case c.Hourglass:
		return "hg" + c.text(secs)
	}
	return c.text(secs)
}

// text writes moves, time and increment.
func (c *Control) text(secs func(ms int64) string) (out string) {
	if c.Moves > 0 {
		out = fmt.Sprintf("%d/", c.Moves)
	}
	out += secs(c.PerControl)
	if c.Increment > 0 {
		out += "+" + secs(c.Increment)
	}
	return out
}
