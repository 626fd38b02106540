package game

import (
	"strings"
	"unicode"
)

// Shown returns a text that may hold the words of an engine as it can be shown to
// people and kept in a record: no more than most bytes and a mark where it was cut, in
// UTF-8, and without characters that move the cursor of a terminal.
func Shown(text string, most int) string {
	end := ""
	if len(text) > most {
		text, end = strings.ToValidUTF8(text[:most], ""), "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text) + end
}
