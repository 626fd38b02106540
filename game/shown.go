package game

import (
	"strings"
	"unicode"
)

// Shown returns a text that may hold the words of an engine as it can be shown to
// people and kept in a record: no more than most bytes and a mark where it was cut, in
// UTF-8, and without characters that move the cursor of a terminal or turn the text around
// them.
func Shown(text string, most int) string {
	end := ""
	if len(text) > most {
		text, end = strings.ToValidUTF8(text[:most], ""), "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' || TurnsText(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text) + end
}

// TurnsText reports whether a character embeds, overrides or isolates the direction of the
// text behind it, past the end of what it stands in.
func TurnsText(r rune) bool { return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069' }
