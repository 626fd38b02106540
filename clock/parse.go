package clock

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Keys are the words that describe a control on the command line, in the order
// in which String writes them.
func Keys() []string {
	return []string{"tc", "st", "delay", "bronstein", "byo", "canadian", "overtime", "hourglass"}
}

// Parse reads a control as String writes it: key=value words separated by
// blanks, of which the first may be the value of tc alone.
//
//	60+0.5                   a minute and half a second for each turn
//	40/5:00                  five minutes for forty turns, again and again
//	15:00 byo=1x30/3         then thirty seconds for each three turns
//	st=2                     two seconds for each turn
//	inf                      no clock
func Parse(text string) (Control, error) {
	given := map[string]string{}
	for i, word := range strings.Fields(text) {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			if i > 0 {
				return Control{}, fmt.Errorf("time control %q: %q is no key=value: write 5:00 for five minutes, 5:00+3 with three seconds more for "+
					"each turn, inf for no limit", text, word)
			}
			key, value = "tc", word
		}
		if !slices.Contains(Keys(), key) {
			return Control{}, fmt.Errorf("time control %q: unknown key %q: known are %s", text, key, strings.Join(Keys(), " "))
		}
		if _, twice := given[key]; twice {
			return Control{}, fmt.Errorf("time control %q: %s is given twice", text, key)
		}
		given[key] = value
	}
	return FromKeys(func(key string) (string, bool) { v, ok := given[key]; return v, ok })
}

// KeyError is a key of a time control whose value cannot be meant.
type KeyError struct {
	Key, Value string
	Err        error
}

func (e *KeyError) Error() string { return fmt.Sprintf("%s=%s: %v", e.Key, e.Value, e.Err) }
func (e *KeyError) Unwrap() error { return e.Err }

// FromKeys builds a control from the words of Keys; get returns the value of one
// and whether it was given. Errors quote the key and its value and say what would
// be right.
func FromKeys(get func(key string) (value string, given bool)) (Control, error) {
	var c Control
	for _, key := range Keys() {
		v, ok := get(key)
		if !ok {
			continue
		}
		if err := c.set(key, strings.TrimSpace(v)); err != nil {
			return Control{}, &KeyError{key, v, err}
		}
	}
	if v, ok := get("tc"); ok && !c.Timed() && v != "inf" {
		return Control{}, &KeyError{"tc", v, errors.New("leaves no time at all: write inf for no limit")}
	}
	return c, c.Check()
}

// Check returns why the parts of the control contradict each other, nil if they
// do not.
func (c Control) Check() error {
	after := 0
	for _, has := range []bool{c.Periods > 0, c.Canadian > 0, c.Overtime > 0} {
		if has {
			after++
		}
	}
	switch {
	case after > 1:
		return fmt.Errorf("time control %s: byo, canadian and overtime exclude each other", c)
	case c.Hourglass > 0 && (after > 0 || c.Main > 0 || c.Moves > 0 || c.Increment > 0 || c.Delay > 0 || c.Bronstein > 0):
		return fmt.Errorf("time control %s: hourglass goes with st alone", c)
	case c.Overtime > 0 && c.Main <= 0 && c.Increment <= 0:
		return fmt.Errorf("time control %s: overtime needs a tc that can run out", c)
	case c.Delay > 0 && c.Bronstein > 0:
		return fmt.Errorf("time control %s: delay and bronstein exclude each other", c)
	case c.Moves > 0 && after > 0:
		return fmt.Errorf("time control %s: a budget for %d turns that comes again leaves no room for byo, canadian or overtime", c, c.Moves)
	}
	return nil
}

func (c *Control) set(key, v string) (err error) {
	switch key {
	case "tc":
		return c.setMain(v)
	case "st":
		c.Turn, err = positive(v)
	case "delay":
		c.Delay, err = positive(v)
	case "bronstein":
		c.Bronstein, err = positive(v)
	case "overtime":
		c.Overtime, err = positive(v)
	case "hourglass":
		c.Hourglass, err = positive(v)
	case "byo":
		return c.setPeriods(v)
	case "canadian":
		span, moves, ok := strings.Cut(v, "/")
		if !ok {
			return fmt.Errorf("must be SECONDS/MOVES, for example 300/25")
		}
		if c.CanadianMoves, err = count(moves); err == nil {
			c.Canadian, err = positive(span)
		}
	}
	return err
}

func (c *Control) setMain(v string) (err error) {
	if v == "inf" {
		return nil
	}
	span, inc, plus := strings.Cut(v, "+")
	if moves, rest, ok := strings.Cut(span, "/"); ok {
		if c.Moves, err = count(moves); err != nil {
			return err
		}
		if c.Main, err = positive(rest); err != nil {
			return err
		}
	} else if c.Main, err = Span(span); err != nil {
		return err
	}
	if plus {
		c.Increment, err = Span(inc)
	}
	return err
}

func (c *Control) setPeriods(v string) (err error) {
	n, rest, ok := strings.Cut(v, "x")
	if !ok {
		return fmt.Errorf("must be PERIODSxSECONDS or PERIODSxSECONDS/MOVES, for example 5x30")
	}
	if c.Periods, err = count(n); err != nil {
		return err
	}
	span, moves, shared := strings.Cut(rest, "/")
	if shared {
		if c.PeriodMoves, err = count(moves); err != nil {
			return err
		}
	}
	c.Period, err = positive(span)
	return err
}

func count(v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, fmt.Errorf("%q is no whole number from 1 on", v)
	}
	return n, nil
}

func positive(v string) (time.Duration, error) {
	d, err := Span(v)
	if err == nil && d <= 0 {
		err = fmt.Errorf("%q must be more than nothing", v)
	}
	return d, err
}

// Span reads a length of time as people write it: seconds with decimals ("2.5"),
// minutes and seconds ("15:00"), or hours, minutes and seconds ("1:00:00"). Parts
// of a nanosecond are dropped.
func Span(v string) (time.Duration, error) {
	bad := fmt.Errorf("%q is no time: write seconds (90 or 0.5) or minutes:seconds (1:30)", v)
	parts := strings.Split(v, ":")
	if len(parts) > 3 {
		return 0, bad
	}
	whole, decimals, dot := strings.Cut(parts[len(parts)-1], ".")
	parts[len(parts)-1] = whole
	if whole == "" && dot && len(parts) == 1 {
		parts[0] = "0" // ".5"
	}
	var total int64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 40)
		if err != nil || i > 0 && (n >= 60 || len(p) > 2) {
			return 0, bad
		}
		total = total*60 + int64(n)
	}
	if total > int64(Most/time.Second) {
		return 0, fmt.Errorf("%q is longer than %d hours", v, Most/time.Hour)
	}
	nanos, err := fraction(decimals)
	if err != nil || dot && whole == "" && decimals == "" {
		return 0, bad
	}
	return time.Duration(total)*time.Second + nanos, nil
}

// fraction reads the digits after the point.
func fraction(digits string) (time.Duration, error) {
	var d, unit time.Duration = 0, time.Second
	for _, r := range digits {
		if r < '0' || r > '9' {
			return 0, strconv.ErrSyntax
		}
		unit /= 10
		d += time.Duration(r-'0') * unit
	}
	return d, nil
}

// FormatSpan writes a length of time in seconds, exact to the nanosecond and
// without zeros at the end; Span reads it back.
func FormatSpan(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	text := sign + strconv.FormatInt(int64(d/time.Second), 10)
	if frac := d % time.Second; frac > 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%09d", int64(frac)), "0")
	}
	return text
}

// String writes the control in the form that Parse reads; "inf" if it is none.
func (c Control) String() string {
	var words []string
	if c.Main > 0 || c.Increment > 0 || c.Moves > 0 {
		main := FormatSpan(c.Main)
		if c.Moves > 0 {
			main = strconv.Itoa(c.Moves) + "/" + main
		}
		if c.Increment > 0 {
			main += "+" + FormatSpan(c.Increment)
		}
		words = append(words, main)
	}
	add := func(key string, d time.Duration) {
		if d > 0 {
			words = append(words, key+"="+FormatSpan(d))
		}
	}
	add("st", c.Turn)
	add("delay", c.Delay)
	add("bronstein", c.Bronstein)
	if c.Periods > 0 {
		w := fmt.Sprintf("byo=%dx%s", c.Periods, FormatSpan(c.Period))
		if c.PeriodMoves > 0 {
			w += "/" + strconv.Itoa(c.PeriodMoves)
		}
		words = append(words, w)
	}
	if c.Canadian > 0 {
		words = append(words, fmt.Sprintf("canadian=%s/%d", FormatSpan(c.Canadian), max(1, c.CanadianMoves)))
	}
	add("overtime", c.Overtime)
	add("hourglass", c.Hourglass)
	if len(words) == 0 {
		return "inf"
	}
	return strings.Join(words, " ")
}
