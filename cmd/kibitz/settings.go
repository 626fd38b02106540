package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/google/shlex"
	"github.com/pelletier/go-toml/v2"
)

// A run's file holds the flags of kibitz match under their own names: a file is
// turned into a command line and read as one, so that both take the same values
// and refuse the same mistakes.

// setting is one flag with its values.
type setting struct {
	key    string
	values []any
}

// flagsOf returns the flags of a match and where their values are.
func flagsOf(c *matchCmd) ([]*kong.Flag, error) {
	k, err := kong.New(c, kong.Name("kibitz match"))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(k.Model.Flags, func(f *kong.Flag) bool { return f.Name == "help" }), nil
}

// settingsOf returns the flags of a match that are not as they are if nobody says,
// without those that only say how it is shown and where it is kept.
func settingsOf(c *matchCmd) ([]setting, error) {
	flags, err := flagsOf(c)
	if err != nil {
		return nil, err
	}
	var out []setting
	for _, f := range flags {
		if slices.Contains(notKept, f.Name) {
			continue
		}
		if s := (setting{f.Name, valuesOf(f.Target)}); len(s.values) > 0 && fmt.Sprint(s.values[0]) != f.Default {
			out = append(out, s)
		}
	}
	return out, nil
}

// notKept are the flags that a run's own file leaves out.
var notKept = []string{"preset", "out", "save", "json", "quiet", "board", "tui"}

// valuesOf returns the values of a flag, none if it has the zero value.
func valuesOf(v reflect.Value) []any {
	switch {
	case v.Kind() == reflect.Slice:
		var out []any
		for i := range v.Len() {
			out = append(out, v.Index(i).Interface())
		}
		return out
	case v.IsZero():
		return nil
	case v.Kind() == reflect.Pointer:
		return []any{v.Elem().Interface()}
	}
	return []any{v.Interface()}
}

// writeSettings writes the file of a run: what it is, and below it each engine.
// Further are lines of the run's own.
func writeSettings(list []setting, further ...setting) ([]byte, error) {
	var top, each, engines []byte
	add := func(dst []byte, key string, value any) ([]byte, error) {
		b, err := toml.Marshal(map[string]any{key: value})
		return append(dst, b...), err
	}
	var err error
	for _, s := range slices.Concat(list, further) {
		switch {
		case s.key == "each":
			each, err = appendEngine(each, "\n[each]\n", fmt.Sprint(s.values[0]))
		case s.key == "engine":
			for _, v := range s.values {
				if engines, err = appendEngine(engines, "\n[[engine]]\n", fmt.Sprint(v)); err != nil {
					return nil, err
				}
			}
		case len(s.values) == 1 && !slices.Contains(repeatable, s.key):
			top, err = add(top, s.key, s.values[0])
		default:
			top, err = add(top, s.key, s.values)
		}
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(top, each, engines), nil
}

// repeatable are the flags beside engine that can be given more than once.
var repeatable = []string{"record"}

// appendEngine writes the words of an engine as a table with a head.
func appendEngine(dst []byte, head, text string) ([]byte, error) {
	dst = append(dst, head...)
	words, err := shlex.Split(text)
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		kind, sub, nested := strings.Cut(name, ".")
		if !nested {
			sub = name
		}
		line, err := toml.Marshal(map[string]any{sub: plainValue(value)})
		if err != nil {
			return nil, err
		}
		if nested {
			dst = append(dst, kind+"."...)
		}
		dst = append(dst, line...)
	}
	return dst, nil
}

// plainValue returns a whole number as such, so that files read well.
func plainValue(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(n, 10) == s {
		return n
	}
	return s
}
