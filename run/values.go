package run

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kibitz/match"
	"kibitz/rating"
	"kibitz/tournament"
)

// The settings below are written as a few words, and read here alone.

// Points are those of a win, a draw and a loss: 3/1/0.
type Points tournament.Points

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Points) UnmarshalText(b []byte) error {
	text := string(b)
	fail := func(want string) error { return &Error{Path: "/points", Got: text, Want: want} }
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return fail("write W/D/L, for example 3/1/0")
	}
	var out Points
	for i, dst := range []*float64{&out.Win, &out.Draw, &out.Loss} {
		x, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || !(math.Abs(x) <= 1e6) {
			return fail(fmt.Sprintf("%q is not a number", parts[i]))
		}
		*dst = x
	}
	if out.Win <= out.Loss || out.Draw < out.Loss || out.Draw > out.Win {
		return fail("a win must count more than a loss, and a draw lie between")
	}
	*p = out
	return nil
}

// ParsePoints reads points: 3/1/0.
func ParsePoints(text string) (tournament.Points, error) {
	var p Points
	err := p.UnmarshalText([]byte(text))
	return tournament.Points(p), err
}

// MarshalText implements encoding.TextMarshaler.
func (p Points) MarshalText() ([]byte, error) {
	return []byte(number(p.Win) + "/" + number(p.Draw) + "/" + number(p.Loss)), nil
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// TieBreaks order engines of equal points, the first first.
type TieBreaks []tournament.TieBreak

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *TieBreaks) UnmarshalText(text []byte) error {
	list, err := tournament.ParseTieBreaks(string(text))
	*b = list
	return FaultAt("/tiebreaks", err)
}

// MarshalText implements encoding.TextMarshaler.
func (b TieBreaks) MarshalText() ([]byte, error) {
	out := make([]string, len(b))
	for i, x := range b {
		out[i] = string(x)
	}
	return []byte(strings.Join(out, ",")), nil
}

// Test is a sequential test of the first engine.
type Test rating.Test

// Check returns why it can decide nothing.
func (t *Test) Check() error { return (*rating.Test)(t).Check() }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Test) UnmarshalText(text []byte) error {
	x, err := rating.ParseTest(string(text))
	if err != nil {
		return FaultAt("/sprt", err)
	}
	*t = Test(*x)
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (t Test) MarshalText() ([]byte, error) {
	text := fmt.Sprintf("elo0=%v elo1=%v", t.Elo0, t.Elo1)
	for _, x := range []struct {
		key   string
		value float64
	}{{"alpha", t.Alpha}, {"beta", t.Beta}} {
		if x.value != 0.05 { // which is usual
			text += fmt.Sprintf(" %s=%v", x.key, x.value)
		}
	}
	if t.Model != rating.Logistic {
		text += " model=" + string(t.Model)
	}
	if t.Corrected {
		text += " overshoot=true"
	}
	return []byte(text), nil
}

// DrawRule ends a game by scores about even; without a Count it is none.
type DrawRule match.DrawRule

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *DrawRule) UnmarshalText(text []byte) error {
	v, err := numbers("/draw", string(text), "move", "count", "score")
	if err == nil {
		*d = DrawRule{FromMove: int(v["move"]), Count: int(v["count"]), Score: v["score"]}
	}
	return err
}

// MarshalText implements encoding.TextMarshaler.
func (d DrawRule) MarshalText() ([]byte, error) {
	if d.Count == 0 {
		return nil, nil
	}
	return fmt.Appendf(nil, "move=%d count=%d score=%s", d.FromMove, d.Count, number(d.Score)), nil
}

// ResignRule ends a game by the scores of a side that is lost; without a Count it is none.
type ResignRule match.ResignRule

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *ResignRule) UnmarshalText(text []byte) error {
	v, err := numbers("/resign", string(text), "count", "score")
	if err == nil {
		*r = ResignRule{Count: int(v["count"]), Score: v["score"]}
	}
	return err
}

// MarshalText implements encoding.TextMarshaler.
func (r ResignRule) MarshalText() ([]byte, error) {
	if r.Count == 0 {
		return nil, nil
	}
	return fmt.Appendf(nil, "count=%d score=%s", r.Count, number(r.Score)), nil
}

// numbers reads "key=number" words; every key must be given. Nothing at all is no rule.
func numbers(path, text string, keys ...string) (map[string]float64, error) {
	out := map[string]float64{}
	if text == "" {
		return out, nil
	}
	want := strings.Join(keys, "=N ") + "=N"
	fail := func(format string, args ...any) (map[string]float64, error) {
		return nil, &Error{Path: path, Want: fmt.Sprintf(format, args...)}
	}
	for w := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(w, "=")
		x, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil || !(x >= 0 && x <= 1e9):
			return fail("%q is not key=number; write %q", w, want)
		case key != "score" && x != math.Trunc(x):
			return fail("%q must be a whole number", w)
		case key == "count" && x < 1:
			return fail("%q must be at least 1", w)
		}
		out[key] = x
	}
	for _, k := range keys {
		if _, ok := out[k]; !ok {
			return fail("%s is missing; write %q", k, want)
		}
	}
	if len(out) != len(keys) {
		return fail("unknown key in %q; write %q", text, want)
	}
	return out, nil
}

// Illegal says what becomes of illegal answers.
type Illegal struct {
	// Usual gives back what the custom of an engine's protocol is; else Retries are given
	// back in a game.
	Usual   bool
	Retries int
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (x *Illegal) UnmarshalText(b []byte) error {
	text := string(b)
	n, retry := strings.CutPrefix(text, "retry:")
	k, err := strconv.Atoi(n)
	switch {
	case text == "lose" || text == "usual":
		*x = Illegal{Usual: text == "usual"}
	case retry && err == nil && k >= 0:
		*x = Illegal{Retries: k}
	default:
		return &Error{Path: "/illegal", Got: text, Want: "write lose, usual or retry:N"}
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (x Illegal) MarshalText() ([]byte, error) {
	switch {
	case x.Usual:
		return []byte("usual"), nil
	case x.Retries > 0:
		return fmt.Appendf(nil, "retry:%d", x.Retries), nil
	}
	return []byte("lose"), nil
}
