package native

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// outlineHead is how Append begins a record with an identifier.
const outlineHead = `{"format":"kibitz-game","version":1,"id":"`

// Outline reads of a record in the form of Append no more than its identifier, and
// passes the transmission errors of its steps to fault, in order. It is false for
// any other line, right or wrong, and for records with variations: Parse says what
// they are. Decisions are not looked at.
func Outline(line []byte, fault func(time.Duration)) (id string, ok bool) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte(outlineHead))
	name, rest, closed := bytes.Cut(rest, []byte{'"'})
	if !ok || !closed || !plain(string(name)) || bytes.Contains(rest, []byte(`"variations"`)) || bytes.Contains(rest, []byte(`"id":`)) {
		return "", false
	}
	errors, ok := stepErrors(rest)
	if !ok || !json.Valid(line) {
		return "", false
	}
	for _, err := range errors {
		fault(err)
	}
	return string(name), true
}

// stepErrors returns the transmission errors of an object; it is false if some are
// where Append writes none.
func stepErrors(object []byte) (list []time.Duration, ok bool) {
	key := []byte(`"err":`) // a text that holds this has it escaped
	for at := bytes.Index(object, key); at >= 0; at = bytes.Index(object, key) {
		before := object[:at]
		object = object[at+len(key):]
		end := bytes.IndexAny(object, ",}")
		if end < 0 || !timed(before) {
			return nil, false
		}
		n, err := strconv.ParseInt(string(object[:end]), 10, 64)
		if err != nil {
			return nil, false
		}
		list = append(list, micros(n))
	}
	return list, true
}

// timed reports whether text ends with the move and the time of a step:
// "m":"e4","us":17,
func timed(text []byte) bool {
	text, comma := bytes.CutSuffix(text, []byte{','})
	text = bytes.TrimRight(text, "0123456789")
	text, us := bytes.CutSuffix(text, []byte(`","us":`))
	return comma && us && bytes.HasSuffix(text[:bytes.LastIndexByte(text, '"')+1], []byte(`"m":"`))
}
