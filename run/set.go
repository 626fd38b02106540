package run

import (
	"encoding"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"kibitz/run/engines"
)

// Set gives a setting its value: text as behind its flag, or what stands in a file or in
// JSON. The error is an *Error.
func (s *Settings) Set(key string, value any) error {
	for _, f := range s.fields() {
		if f.key == key {
			return set(f.value, "/"+key, value)
		}
	}
	return &Error{Path: "/" + key, Want: "there is no such setting"}
}

// Keys are the names of all settings, in their order.
func Keys() (out []string) {
	var s Settings
	for _, f := range s.fields() {
		out = append(out, f.key)
	}
	return out
}

func set(dst reflect.Value, path string, v any) error {
	if dst.Kind() == reflect.Pointer {
		x := reflect.New(dst.Type().Elem())
		if err := set(x.Elem(), path, v); err != nil {
			return err
		}
		dst.Set(x)
		return nil
	}
	if t, ok := dst.Addr().Interface().(encoding.TextUnmarshaler); ok {
		text, err := textOf(v)
		if err == nil {
			err = t.UnmarshalText([]byte(text))
		}
		return FaultAt(path, err)
	}
	if dst.Kind() == reflect.Slice {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		out := reflect.MakeSlice(dst.Type(), len(list), len(list))
		for i, x := range list {
			if err := set(out.Index(i), path+"/"+strconv.Itoa(i), x); err != nil {
				return err
			}
		}
		dst.Set(out)
		return nil
	}
	return setPlain(dst, path, v)
}

// setPlain sets a number, a text or a switch.
func setPlain(dst reflect.Value, path string, v any) error {
	text, err := textOf(v)
	if err != nil {
		return FaultAt(path, err)
	}
	want := ""
	switch dst.Kind() {
	case reflect.String:
		dst.SetString(text)
	case reflect.Bool:
		x, err := strconv.ParseBool(text)
		if dst.SetBool(x); err != nil {
			want = "must be true or false"
		}
	case reflect.Int:
		x, err := strconv.ParseInt(text, 10, 64)
		if dst.SetInt(x); err != nil {
			want = "must be a whole number"
		}
	case reflect.Uint64:
		x, err := strconv.ParseUint(text, 10, 64)
		if dst.SetUint(x); err != nil {
			want = "must be a whole number, not negative"
		}
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if dst.SetFloat(x); err != nil || math.IsNaN(x) {
			want = "must be a number"
		}
	}
	if want != "" {
		return &Error{Path: path, Got: text, Want: want}
	}
	return nil
}

// textOf returns a value as text: a table as key=value words.
func textOf(v any) (string, error) {
	table, ok := v.(map[string]any)
	if !ok {
		return scalarText(v)
	}
	words, err := TableWords(table)
	return words.String(), err
}

// scalarText is a value that is no table as text.
func scalarText(v any) (string, error) {
	switch v.(type) {
	case string, bool, int, int64, uint64, float64:
		return fmt.Sprint(v), nil
	}
	return "", fmt.Errorf("%v is neither text nor number nor true nor false", v)
}

// TableWords returns a table as words, in the order of their keys; a table within it, such
// as option, goes before what stands in it.
func TableWords(table map[string]any) (engines.Words, error) {
	var out engines.Words
	for _, key := range slices.Sorted(maps.Keys(table)) {
		inner, ok := table[key].(map[string]any)
		if !ok {
			inner = map[string]any{"": table[key]}
		}
		for _, name := range slices.Sorted(maps.Keys(inner)) {
			text, err := scalarText(inner[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			if name == "" {
				out = out.With(key, text)
			} else {
				out = out.With(key+"."+name, text)
			}
		}
	}
	return out, nil
}

// Differing returns the settings that are not as they are where nobody says, each with its
// value as files have it: text, numbers, switches, Words, and lists of those.
func (s *Settings) Differing() (out []Setting) {
	for _, f := range s.fields() {
		v := plainOf(f.value)
		if v == nil || fmt.Sprint(v) == f.usual {
			continue
		}
		out = append(out, Setting{f.key, v})
	}
	return out
}

// Setting is a setting with its value.
type Setting struct {
	Key   string
	Value any
}

// plainOf is a value as files have it, nil for the zero value.
func plainOf(v reflect.Value) any {
	if v.IsZero() {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case engines.Words, []engines.Words, []string:
		if v.Len() == 0 {
			return nil
		}
		return x
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return nil
		}
		return string(text)
	case fmt.Stringer:
		return x.String()
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	return v.Interface()
}
