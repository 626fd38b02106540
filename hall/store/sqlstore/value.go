package sqlstore

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"kibitz/hall/store"
)

// ident is a text that rows are found by. PostgreSQL cannot index more than 2704
// bytes, so neither database takes more than maxIdent.
type ident string

const maxIdent = 1000

// value turns what a store is given into what a database keeps.
func value(a any) (any, error) {
	a = pointed(a)
	switch v := a.(type) {
	case int:
		return int64(v), nil // what a driver takes as it is
	case int64, nil:
		return v, nil
	case string:
		return clean(v), nil
	case ident:
		if len(v) > maxIdent {
			return nil, fmt.Errorf("%w: %.30q… has %d bytes; at most %d can be found again", store.ErrInvalid, string(v), len(v), maxIdent)
		}
		return clean(string(v)), nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case time.Time:
		return v.UnixMicro(), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: %v is no number that can be kept", store.ErrInvalid, v)
		}
		return v, nil
	case json.RawMessage:
		return clean(string(v)), nil
	case []byte:
		if v == nil {
			v = []byte{}
		}
		return v, nil
	case []string:
		list := slices.Clone(v)
		for i := range list {
			list[i] = clean(list[i])
		}
		b, err := json.Marshal(list)
		return string(b), err
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.String {
		return clean(v.String()), nil
	}
	return nil, fmt.Errorf("a store cannot keep a %T", a)
}

// pointed is what a pointer is to, and what is none itself.
func pointed(a any) any {
	switch p := a.(type) { // most are of these
	case *int:
		return *p
	case *int64:
		return *p
	case *string:
		return *p
	case *bool:
		return *p
	case *float64:
		return *p
	case *time.Time:
		return *p
	case *ident:
		return *p
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Pointer {
		return v.Elem().Interface()
	}
	return a
}

// clean makes a text one that both databases keep: UTF-8 without NUL.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return s
}

// into wraps where columns go, for the types that databases do not know.
func into(dest []any) []any {
	out := make([]any, len(dest))
	for i, p := range dest {
		switch p := p.(type) {
		case *time.Time:
			out[i] = (*micros)(p)
		case *json.RawMessage:
			out[i] = (*rawText)(p)
		case *[]byte:
			out[i] = (*blob)(p)
		case *[]string:
			out[i] = (*texts)(p)
		default:
			out[i] = p
		}
	}
	return out
}

type micros time.Time

// Scan reads a time.
func (m *micros) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("a time is kept as a number, not as %T", src)
	}
	*m = micros(time.UnixMicro(n).UTC())
	return nil
}

type rawText json.RawMessage

// Scan reads JSON; an empty text is none.
func (r *rawText) Scan(src any) error {
	switch s := src.(type) {
	case string:
		*r = append(rawText(nil), s...)
	case []byte:
		*r = append(rawText(nil), s...)
	default:
		return fmt.Errorf("JSON is kept as text, not as %T", src)
	}
	return nil
}

type blob []byte

// Scan reads bytes; none are nil.
func (b *blob) Scan(src any) error {
	s, ok := src.([]byte)
	if !ok && src != nil {
		return fmt.Errorf("bytes are kept as such, not as %T", src)
	}
	*b = append(blob(nil), s...)
	return nil
}

type texts []string

// Scan reads a list of texts.
func (t *texts) Scan(src any) error {
	var raw rawText
	if err := raw.Scan(src); err != nil {
		return err
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("a list of texts: %w", err)
	}
	*t = list
	return nil
}
