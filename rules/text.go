package rules

import (
	"strings"

	"kibitz/game"
)

// FormatTurn prints the decisions of a turn; a shot follows its move at once.
func FormatTurn(r Rules, list []game.Move) string {
	var b strings.Builder
	for _, m := range list {
		t := r.FormatMove(m)
		if b.Len() > 0 && !strings.HasPrefix(t, "/") {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return b.String()
}

// mostShown is how many moves of a variation FormatLine shows.
const mostShown = 8

// FormatLine prints the beginning of a variation.
func FormatLine(r Rules, pv []game.Move) string {
	if len(pv) > mostShown {
		return FormatTurn(r, pv[:mostShown]) + " ..."
	}
	return FormatTurn(r, pv)
}
