package lines

import (
	"fmt"
	"io"
	"strings"

	"kibitz/internal/plain"
	"kibitz/tournament"
)

// bracket prints the matches of a knockout round by round.
func bracket(w io.Writer, names []string, matches []tournament.KnockoutMatch) {
	round := 0
	for _, m := range matches {
		if m.Round != round {
			round = m.Round
			fmt.Fprintln(w, knockoutRound(m))
		}
		fmt.Fprintln(w, "  "+knockoutText(m, names))
	}
}

// knockoutRound names a round by how many are left in it.
func knockoutRound(m tournament.KnockoutMatch) string {
	switch m.Of - m.Round {
	case 0:
		return "final"
	case 1:
		return "semifinals"
	case 2:
		return "quarterfinals"
	}
	return fmt.Sprintf("round %d, last %d", m.Round, 2<<(m.Of-m.Round))
}

// knockoutText prints a match: "A - B 2-1, after a rematch: A".
func knockoutText(m tournament.KnockoutMatch, names []string) string {
	if m.Second < 0 {
		return names[m.First] + " has a bye"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s %s-%s", names[m.First], names[m.Second], plain.Number(m.Points[0]), plain.Number(m.Points[1]))
	switch m.Rematches {
	case 0:
	case 1:
		b.WriteString(" with a rematch")
	default:
		fmt.Fprintf(&b, " with %d rematches", m.Rematches)
	}
	switch {
	case m.Winner < 0:
		b.WriteString(", not decided")
	case m.Placed:
		b.WriteString(": " + names[m.Winner] + " goes on, placed higher")
	default:
		b.WriteString(": " + names[m.Winner])
	}
	return b.String()
}
