package native

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// The place of the steps in an object encoded without them. No text holds it: a
// quotation mark within a text is escaped.
const (
	noSteps   = `,"steps":null,`
	stepsHead = `,"steps":[`
)

// append appends the object as one line, with so many steps. The general encoder writes the
// object, which has none, and step appends one.
func (w *wire) append(dst []byte, steps int, step func(dst []byte, i int) ([]byte, error)) ([]byte, error) {
	b, err := marshal(w)
	if err != nil {
		return dst, err
	}
	head, tail, _ := bytes.Cut(b, []byte(noSteps))
	const each = 48 // a move and its time
	out := append(append(slices.Grow(dst, len(b)+each*steps), head...), stepsHead...)
	for i := range steps {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = step(out, i); err != nil {
			return dst, err
		}
	}
	out = append(out, "],"...)
	return append(append(out, tail...), '\n'), nil
}

// append appends one step, by the general encoder if it has more than a move.
func (s *wireStep) append(dst []byte) ([]byte, error) {
	if s.Info != nil || s.Comment != "" || s.Notices != nil || s.Variations != nil || !plain(s.Move) {
		whole := *s
		b, err := marshal(&whole)
		return append(dst, b...), err
	}
	dst = strconv.AppendInt(append(dst, `{"by":`...), int64(s.By), 10)
	dst = append(append(append(dst, `,"m":"`...), s.Move...), '"')
	if s.Used != nil {
		dst = strconv.AppendInt(append(dst, `,"us":`...), *s.Used, 10)
	}
	if s.Error != 0 {
		dst = strconv.AppendInt(append(dst, `,"err":`...), s.Error, 10)
	}
	if s.Opening {
		dst = append(dst, `,"opening":true`...)
	}
	if s.Forced {
		dst = append(dst, `,"forced":true`...)
	}
	if s.Refused {
		dst = append(dst, `,"refused":true`...)
	}
	return append(dst, '}'), nil
}

// plain reports whether a text is written as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
