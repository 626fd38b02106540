package ponder

import (
	"regexp"
	"sync"
)

var bareForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(move|flip)?\s*[a-d][1-8]([ ,-]*[a-d][1-8])?\s*$`)
})

// hint says what is likely wrong with a message where a ply is due.
func hint(line []byte) (text string, plain bool) {
	if bareForm().Match(line) {
		return "a ply begins with a stroke and its word: /move a2-a3 or /flip b6", true
	}
	return "", false
}
