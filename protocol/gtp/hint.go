package gtp

import (
	"regexp"
	"sync"

	"kibitz/protocol"
)

var bareForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^((best ?)?move[:= ]\s*)?([a-z]\d{1,2}|pass|resign)\s*$`)
})

// hint says what is likely wrong with a line where a reply is due.
func hint(line []byte) (text string, plain bool) {
	if bareForm().Match(line) {
		return "a reply begins with = and ends with an empty line: = D4", true
	}
	return protocol.Foreign(line, "piskvork")
}
