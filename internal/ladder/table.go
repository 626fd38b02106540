package main

import (
	"fmt"
	"math"
	"strings"
)

// section is the part of the page on one game, without its marks.
func section(s *settings, game string, done []played) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %g s a move, one thread each, %d games a rung from the suite of balanced openings, each played twice with seats exchanged", s.date, s.seconds, s.perRung)
	if s.note != "" {
		fmt.Fprintf(&b, "; %s", s.note)
	}
	b.WriteString(".\n\n| | against | won | drawn | lost | forfeits | Elo between them | Elo above the lowest |\n|---|---|---|---|---|---|---|---|\n")
	sum, variance, known := 0.0, 0.0, true
	for _, p := range done {
		total := ""
		if strings.HasPrefix(p.lower.name, "level ") {
			if p.elo == nil || p.err == nil {
				known = false
			}
			if known {
				sum += *p.elo
				variance += *p.err * *p.err
				total = fmt.Sprintf("%.0f ± %.0f", sum, math.Sqrt(variance))
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %s | %s |\n", p.upper, p.lower, p.wins, p.draws, p.losses, p.faults, p.difference(), total)
	}
	return b.String()
}

// head begins a page that is not there yet.
const head = `# How strong the built-in engines are

Each level plays the next one, and outside engines play the levels they are set against. ` + "`make ladder`" + ` plays on where it was broken off and renews these tables; ` + "`go run ./internal/ladder -h`" + ` lists what can be told.
Errors are those of 95 %. Where one side won everything only a bound is known, and what lies above such a rung is not summed up.
`

// insert puts the section of a game into a page: in the place of the one before, or
// at the end.
func insert(page, game, text string) string {
	begin, end := "<!-- ladder "+game+" -->\n", "<!-- end -->\n"
	text = begin + "\n" + text + "\n" + end
	if page == "" {
		page = head
	}
	if before, rest, ok := strings.Cut(page, begin); ok {
		if _, after, ok := strings.Cut(rest, end); ok {
			return before + text + after
		}
	}
	return page + "\n## " + game + "\n\n" + text
}
