package native

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// What stands in the place of the steps while the rest of an object is decoded. It is no
// seat, so that an object that names its steps again is found out.
const (
	noSeat    = 77
	stepsMark = `,"steps":[{"by":77}]`
)

// decode reads an object. Its steps, by which a record is long, are read here if they stand
// as append writes them; the rest, and any other object, by the general decoder.
func (w *wire) decode(data []byte) error {
	head, rest, ok := bytes.Cut(data, []byte(stepsHead))
	if ok && nested(head) == 1 {
		steps, tail, ok := readSteps(rest)
		if ok && json.Unmarshal(slices.Concat(head, []byte(stepsMark), tail), w) == nil && len(w.Steps) == 1 && w.Steps[0].By == noSeat {
			w.Steps = steps
			return nil
		}
		*w = wire{}
	}
	const most = 1024 // steps that room is made for at once
	w.Steps = make([]wireStep, 0, min(most, bytes.Count(data, []byte(`"m":`))))
	return json.Unmarshal(data, w)
}

// nested is how many objects and lists are open behind the beginning of an object.
func nested(head []byte) (n int) {
	quoted := false
	for i := 0; i < len(head); i++ {
		switch c := head[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			n++
		case c == '}' || c == ']':
			n--
		}
	}
	return n
}

// readSteps reads steps up to the end of their list, and returns what stands behind it.
func readSteps(list []byte) (steps []wireStep, tail []byte, ok bool) {
	text := string(list) // moves are parts of it
	n := strings.Count(text, `{"by":`)
	steps = make([]wireStep, 0, n)
	used := make([]int64, n)
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == ']':
			return steps, list[at+1:], true
		case len(steps) > 0 && c != ',', len(steps) == n:
			return nil, nil, false
		case len(steps) > 0:
			at++
		}
		steps = append(steps, wireStep{})
		s := &steps[len(steps)-1]
		if end, ok := s.read(text, at, &used[len(steps)-1]); ok {
			at = end
			continue
		}
		end := objectEnd(text, at)
		*s = wireStep{}
		if end < 0 || json.Unmarshal(list[at:end], s) != nil {
			return nil, nil, false
		}
		at = end
	}
	return nil, nil, false
}

// read reads a step that has no more than a move, its times and what it is marked as, and
// returns where it ends.
func (s *wireStep) read(text string, at int, used *int64) (end int, ok bool) {
	c := cutter{text: text, at: at}
	if !c.skip(`{"by":`) {
		return 0, false
	}
	minus := c.skip("-")
	by, ok := c.number()
	if s.By = int(by); minus {
		s.By = -s.By
	}
	if !ok || !c.skip(`,"m":"`) {
		return 0, false
	}
	n := strings.IndexByte(text[c.at:], '"')
	if n < 0 || !plain(text[c.at:c.at+n]) {
		return 0, false
	}
	s.Move = text[c.at : c.at+n]
	c.at += n + 1
	if c.skip(`,"us":`) {
		if *used, ok = c.number(); !ok {
			return 0, false
		}
		s.Used = used
	}
	if c.skip(`,"err":`) {
		if s.Error, ok = c.number(); !ok {
			return 0, false
		}
	}
	s.Opening = c.skip(`,"opening":true`)
	s.Forced = c.skip(`,"forced":true`)
	s.Refused = c.skip(`,"refused":true`)
	ok = c.skip("}")
	return c.at, ok
}

// cutter takes a text apart from its beginning.
type cutter struct {
	text string
	at   int
}

// skip passes over what stands next.
func (c *cutter) skip(what string) bool {
	ok := strings.HasPrefix(c.text[c.at:], what)
	if ok {
		c.at += len(what)
	}
	return ok
}

// number reads up to 18 digits, as JSON has them.
func (c *cutter) number() (n int64, ok bool) {
	first := c.at
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' && c.at-first < 19 {
		n = 10*n + int64(c.text[c.at]-'0')
		c.at++
	}
	digits := c.at - first
	return n, digits == 1 || digits > 1 && digits < 19 && c.text[first] != '0'
}

// objectEnd is where an object ends that begins at a place, below 0 if it does not.
func objectEnd(text string, at int) int {
	if at >= len(text) || text[at] != '{' {
		return -1
	}
	open, quoted := 0, false
	for ; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\\':
			at++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open++
		case c == '}':
			if open--; open == 0 {
				return at + 1
			}
		}
	}
	return -1
}
