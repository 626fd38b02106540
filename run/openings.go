package run

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/shlex"

	"kibitz/opening"
	"kibitz/run/engines"
	"kibitz/run/openings"
)

// Openings say from where games begin, in words.
type Openings openings.Source

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *Openings) UnmarshalText(b []byte) error {
	text := string(b)
	out := Openings{Start: 1}
	fail := func(got, want string) error { return &Error{Path: "/openings", Got: got, Want: want} }
	words, err := shlex.Split(text)
	if err != nil {
		return fail(strconv.Quote(text), err.Error())
	}
	seen := map[string]bool{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		if seen[key] {
			return fail("", key+" is given twice")
		}
		seen[key] = true
		if err := out.set(key, value); err != nil {
			return fail("", err.Error())
		}
	}
	sources := 0
	for _, key := range []string{"file", "suite", "random"} {
		if seen[key] {
			sources++
		}
	}
	switch {
	case sources != 1 || seen["file"] && out.File == "":
		return fail(strconv.Quote(text), "write one of file=F, suite and random=N")
	case out.Random == 0 && (seen["within"] || seen["level"]):
		return fail(strconv.Quote(text), "within and level go with random=N alone")
	}
	*o = out
	return nil
}

func (o *Openings) set(key, value string) (err error) {
	switch key {
	case "file":
		o.File = value
	case "suite":
		if o.Suite = value; value == "" {
			o.Suite = opening.Balance
		}
	case "random":
		o.Random, err = wholeFrom(key, value, 1)
	case "within":
		x, bad := strconv.ParseFloat(value, 64)
		if bad != nil || !(x >= 0) {
			return fmt.Errorf("within=%s: must be a number from 0", value)
		}
		o.Within = &x
	case "level":
		o.Level, err = wholeFrom(key, value, 1)
	case "order":
		if value != "random" && value != "sequential" {
			return fmt.Errorf("order=%s: must be random or sequential", value)
		}
		o.Shuffled = value == "random"
	case "start":
		o.Start, err = wholeFrom(key, value, 1)
	case "plies":
		o.Plies, err = wholeFrom(key, value, 1)
	case "transform":
		o.Turned, err = engines.ParseBool(key, value)
	default:
		return fmt.Errorf("unknown key %q: known are file suite random order start plies transform within level; a name with blanks needs "+
			"quotes, file='my openings.txt'", key)
	}
	return err
}

// wholeFrom reads a whole number that is not below least.
func wholeFrom(key, value string, least int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least {
		return 0, fmt.Errorf("%s=%s: must be a number from %d", key, value, least)
	}
	return n, nil
}

// MarshalText implements encoding.TextMarshaler.
func (o Openings) MarshalText() ([]byte, error) {
	var w engines.Words
	add := func(key, value string, given bool) {
		if given {
			w = w.With(key, value)
		}
	}
	add("file", o.File, o.File != "")
	add("suite", o.Suite, o.Suite != "")
	add("random", strconv.Itoa(o.Random), o.Random > 0)
	add("level", strconv.Itoa(o.Level), o.Level > 0)
	if o.Within != nil {
		add("within", number(*o.Within), true)
	}
	add("order", "random", o.Shuffled)
	add("start", strconv.Itoa(o.Start), o.Start > 1)
	add("plies", strconv.Itoa(o.Plies), o.Plies > 0)
	add("transform", "true", o.Turned)
	return []byte(w.String()), nil
}

// String is what UnmarshalText reads.
func (o *Openings) String() string {
	b, _ := o.MarshalText() // never fails
	return string(b)
}

// Kept are openings that were made by chance as they are taken from the file in which they
// were kept: ordered and turned as they were. Other openings are returned as they are.
func (o *Openings) Kept(file string) *Openings {
	if o == nil || o.Random == 0 {
		return o
	}
	return o.From(file)
}

// From are the openings of another file, ordered and turned as these.
func (o *Openings) From(file string) *Openings {
	return &Openings{File: file, Shuffled: o.Shuffled, Start: o.Start, Turned: o.Turned}
}
