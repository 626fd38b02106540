package protocol

import "bytes"

// foreign are answers by which engines of other protocols give themselves away.
var foreign = [...]struct {
	id, name string
	is       func(line []byte) bool
}{
	{"gtp", "GTP", func(line []byte) bool {
		return len(line) > 0 && (line[0] == '=' || line[0] == '?') && (len(line) == 1 || line[1] == ' ')
	}},
	{"piskvork", "Piskvork", func(line []byte) bool {
		word, _, _ := bytes.Cut(line, []byte{' '})
		return string(line) == "OK" || string(word) == "UNKNOWN" || string(word) == "ERROR"
	}},
}

// Foreign is a hint for a line that is an answer of the protocol with that name, where
// another is spoken; it is never plain, as it may be a remark.
func Foreign(line []byte, id string) (hint string, plain bool) {
	line = bytes.TrimRight(line, " \t\r")
	for i := range foreign {
		if f := &foreign[i]; f.id == id && f.is(line) {
			return "it answers as " + f.name + " does: proto=" + id, false
		}
	}
	return "", false
}
