//go:build linux

package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// write prints the tables, also into the file that the settings name.
func (s *soak) write(c *settings) error {
	s.tables(os.Stdout)
	if c.report == "" {
		return nil
	}
	f, err := os.Create(c.report)
	if err != nil {
		return err
	}
	s.tables(f)
	return f.Close()
}

// tables prints what was played, what became of it, and what the long runs held.
func (s *soak) tables(w io.Writer) {
	all, honest, wrong := s.games()
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(w, "%d games in %s, %d of them between honest engines; %d wrong verdicts, %d findings. %d runs. %d games were held move by "+
		"move to games of the same engines alone, of which %d were played for that.\n", all, time.Since(s.began).Round(time.Second), honest,
		wrong, len(s.findings), s.runs, s.moves, s.alone)
	if len(s.warnings) > 0 {
		fmt.Fprintf(w, "\nWarnings: %v.\n", s.warnings)
	}
	s.verdicts(w)
	s.leaks(w)
	for _, f := range s.findings {
		fmt.Fprintf(w, "\nFOUND: %s\n", f)
	}
}

// verdicts prints a row for each fault: games and verdicts over all fields.
func (s *soak) verdicts(w io.Writer) {
	sums := map[string]*count{}
	for c := range maps.Values(s.tally) {
		t := sums[c.fault]
		if t == nil {
			t = &count{fault: c.fault, honest: c.honest, reasons: map[string]int{}}
			sums[c.fault] = t
		}
		t.games, t.wrong = t.games+c.games, t.wrong+c.wrong
		t.field += " " + c.field
		for r, n := range c.reasons {
			t.reasons[r] += n
		}
	}
	fmt.Fprint(w, "\n| fault | fields | games | verdicts | wrong |\n|---|---|---|---|---|\n")
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		t := sums[key]
		var v []string
		for _, r := range slices.Sorted(maps.Keys(t.reasons)) {
			v = append(v, fmt.Sprintf("%d %s", t.reasons[r], r))
		}
		fmt.Fprintf(w, "| %s | %d | %d | %s | %d |\n", key, len(strings.Fields(t.field)), t.games, strings.Join(v, ", "), t.wrong)
	}
	byField := map[string][2]int{}
	for c := range maps.Values(s.tally) {
		n := byField[c.field]
		n[0] += c.games
		if c.honest {
			n[1] += c.games
		}
		byField[c.field] = n
	}
	fmt.Fprint(w, "\n| field | games | between honest engines |\n|---|---|---|\n")
	for _, key := range slices.Sorted(maps.Keys(byField)) {
		fmt.Fprintf(w, "| %s | %d | %d |\n", key, byField[key][0], byField[key][1])
	}
}

// leaks prints what the long runs held.
func (s *soak) leaks(w io.Writer) {
	for _, l := range s.longs {
		if len(l.samples) == 0 {
			continue
		}
		last := l.samples[len(l.samples)-1]
		fmt.Fprintf(w, "\n%s, one process: %d games in %s, %d samples. Goroutines when no game runs: %d at the beginning, %d at the end (up "+
			"to %d more are allowed).\n", l.field.String(), l.games, last.at.Round(time.Second), len(l.samples), l.first, l.last, l.most)
		fmt.Fprint(w, "\n| held | line at the beginning | at the end | may rise by | verdict |\n|---|---|---|---|---|\n")
		for _, c := range courses(l.samples) {
			verdict := "no leak"
			if c.leaks() {
				verdict = "a leak"
			}
			fmt.Fprintf(w, "| %s | %.1f | %.1f | %.1f | %s |\n", c.what, c.first, c.last, c.most, verdict)
		}
		fmt.Fprint(w, "\n```\n")
		for i := range l.samples {
			if l.samples[i].quiet || i == 0 {
				fmt.Fprintln(w, l.samples[i].row())
			}
		}
		fmt.Fprint(w, "```\n")
	}
}
