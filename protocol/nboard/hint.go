package nboard

import (
	"bytes"
	"regexp"
	"sync"

	"kibitz/protocol"
)

const form = "the answer to go is three signs, a blank and the square: === F5, or === PA for a pass"

var (
	bareForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^((={1,2}|={4,})\s*|(best ?)?move[:= ]\s*)?([a-h][1-8]|pa|pass|--)(\s*/.*)?\s*$`)
	})
	proseForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(move|best|answer|play)\w*\b.*\b[a-h][1-8]\b`)
	})
)

// hint says what is likely wrong with a line where the answer to go is due.
func hint(line []byte) (text string, plain bool) {
	switch {
	case bareForm().Match(bytes.TrimSpace(line)):
		return form, true
	case proseForm().Match(line):
		return form, false
	}
	return protocol.Foreign(line, "gtp")
}
