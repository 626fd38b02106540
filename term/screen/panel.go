package screen

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/term"
)

// panel draws the figures of the run: standings, sequential test, latency, results,
// warnings. What is longer than its share is cut.
func (m *model) panel(wide, high int) []string {
	t := m.frame.tally
	if t == nil || wide < 1 {
		return nil
	}
	test, latency, warnings := m.test(t, wide), m.latency(t), m.warnings(wide, high/4)
	rest := high - len(test) - len(latency) - len(warnings)
	out := m.standings(t, wide, max(3, rest-4))
	out = append(out, test...)
	out = append(out, latency...)
	if room := high - len(out) - len(warnings) - 2; room > 0 && len(m.frame.results) > 0 {
		out = append(out, "", m.faint("latest results"))
		list := m.frame.results
		for i := len(list) - 1; i >= max(0, len(list)-room); i-- {
			out = append(out, ansi.Truncate(list[i], wide, "…"))
		}
	}
	for len(out) < high-len(warnings) {
		out = append(out, "")
	}
	return append(out, warnings...)
}

// standings is the table, in as many lines.
func (m *model) standings(t *Tally, wide, high int) []string {
	points, record := len("points"), len("W-D-L")
	for _, r := range t.Rows {
		points, record = max(points, len(plain.Number(r.Points))), max(record, len(r.record()))
	}
	elo := 0
	for _, r := range t.Rows {
		elo = max(elo, ansi.StringWidth(shortElo(r.Elo, r.Error)))
	}
	elo = max(elo, len("Elo"))
	name := max(4, wide-3-1-points-1-record-1-elo)
	line := func(rank, who, pts, rec, e string) string {
		return right(rank, 3) + " " + fit(who, name-1) + " " + right(pts, points) + " " + right(rec, record) + " " + right(e, elo)
	}
	out := []string{m.faint(line("", "engine", "points", "W-D-L", "Elo"))}
	for i, r := range t.Rows {
		if len(out) == high-1 && i < len(t.Rows)-1 {
			return append(out, m.faint(fmt.Sprintf("    and %d more", len(t.Rows)-i)))
		}
		out = append(out, line(fmt.Sprint(r.Rank), clean(r.Name), plain.Number(r.Points), r.record(), shortElo(r.Elo, r.Error)))
	}
	return out
}

func (r *Row) record() string { return fmt.Sprintf("%d-%d-%d", r.Wins, r.Draws, r.Losses) }

// shortElo prints a difference with its error, without decimals where they say
// nothing: "+120±50", "+3.2±1.1".
func shortElo(elo, err float64) string {
	switch {
	case math.IsNaN(elo) || math.IsInf(elo, 0):
		return rating.Text(elo, err, 1)
	case math.IsNaN(err):
		return fmt.Sprintf("%+.0f", rating.Unsigned(math.Round(elo)))
	case err < 10:
		return fmt.Sprintf("%+.1f±%.1f", rating.Unsigned(math.Round(elo*10)/10), err)
	}
	return fmt.Sprintf("%+.0f±%.0f", rating.Unsigned(math.Round(elo)), err)
}

// test shows the sequential test with a bar from bound to bound.
func (m *model) test(t *Tally, wide int) []string {
	s := t.Test
	if s == nil {
		return nil
	}
	low, high := fmt.Sprintf("%.2f", s.Lower), fmt.Sprintf("%.2f", s.Upper)
	out := []string{
		"",
		fmt.Sprintf("LLR %.2f, elo0 %g elo1 %g, %s", s.LLR, s.Elo0, s.Elo1, s.Model),
		low + " " + llrBar(s.LLR, s.Lower, s.Upper, wide-len(low)-len(high)-2) + " " + high,
	}
	if s.Decision != "" && s.Decision != "continue" {
		out = append(out, m.style(string(s.Decision)+" accepted", term.Head))
	}
	return out
}

// llrBar draws where a value stands between two bounds, with a mark at 0.
func llrBar(x, low, high float64, wide int) string {
	n := wide - 2
	if n < 3 || !(high > low) {
		return ""
	}
	at := func(v float64) int {
		return min(n-1, max(0, int(math.Round((v-low)/(high-low)*float64(n-1)))))
	}
	bar := []byte(strings.Repeat("-", n))
	if low < 0 && high > 0 {
		bar[at(0)] = '|'
	}
	bar[at(x)] = '#'
	return "[" + string(bar) + "]"
}

// latency tells how late Kibitz itself was.
func (m *model) latency(t *Tally) []string {
	out := []string{"", "referee late " + shortTime(t.Late) + " at worst"}
	if t.Measured > 0 {
		out = append(out, "transmission "+shortTime(t.Transit)+" mean, "+shortTime(t.WorstError)+" worst")
	}
	return out
}

// shortTime prints a small time: "18µs", "1.2ms".
func shortTime(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// warnings shows the latest, the newest first.
func (m *model) warnings(wide, high int) []string {
	list, held := m.frame.warnings, m.frame.held
	if len(list)+held == 0 || high < 1 {
		return nil
	}
	head := plain.Count(len(list)+held, "warning")
	if held > 0 {
		head += fmt.Sprintf(", %d hidden until games are over", held)
	}
	out := []string{m.style(ansi.Truncate(head, wide, "…"), term.Warning)}
	for i := len(list) - 1; i >= max(0, len(list)-high+1); i-- {
		out = append(out, ansi.Truncate(list[i], wide, "…"))
	}
	return out
}
