package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"kibitz/rating"
)

// Model is everything that a report tells.
type Model struct {
	// Games are the finished ones by identifier, Running how many have begun and
	// not ended, Aborted how many were stopped without a verdict.
	Games     []*Game
	Running   int
	Aborted   int
	Standings []Standing
	Meetings  []Meeting
	Times     []TimeUse
	Openings  []OpeningLine
	Charts    []Chart
	// Test is the sequential test after the last game, nil without one.
	Test *rating.Sequence
	// Distinct counts different games among Compared.
	Distinct, Compared int
	Forfeits           []*Game
	// Warnings counts all, Notes are those of the run itself.
	Warnings int
	Notes    []string
	Plies    int
	Late     time.Duration
	Transit  time.Duration
	Begun    time.Time
	Latest   time.Time
	Resumed  int

	cfg    Config
	counts *counts
	plies  []plySums
}

// Engines returns the participants: those of the configuration, then others that
// the journal named.
func (m *Model) Engines() []Engine { return m.cfg.Engines }

// Model returns what the events so far tell.
func (c *Collector) Model() *Model {
	m := &Model{
		cfg: c.cfg, Games: c.rows(), Running: len(c.folder.Running()), Aborted: c.aborted, plies: c.byPly, Notes: c.notes,
		Warnings: c.warnings,
		Begun:    c.first, Latest: c.last, Resumed: c.resumed,
	}
	m.counts = countGames(&m.cfg, m.Games)
	m.Standings = m.counts.standings(&m.cfg)
	for a := range m.cfg.Engines {
		for b := a + 1; b < len(m.cfg.Engines); b++ {
			if meet := m.counts.meeting(a, b); meet.games() > 0 {
				m.Meetings = append(m.Meetings, meet)
			}
		}
	}
	m.Times = timeUse(len(m.cfg.Engines), m.Games)
	m.Openings = openings(m.Games)
	seen := map[uint64]bool{}
	for _, g := range m.Games {
		m.Plies += g.Plies
		m.Late, m.Transit = max(m.Late, g.Late), max(m.Transit, g.Transit)
		if g.Forfeit() {
			m.Forfeits = append(m.Forfeits, g)
		}
		if !g.Closed && !g.Unplayed() {
			seen[g.Hash] = true
			m.Compared++
		}
	}
	m.Distinct = len(seen)
	m.Charts = m.charts()
	return m
}

// state says in a word or two how the run stands.
func (m *Model) state() string {
	switch {
	case m.cfg.Over:
		return "finished"
	case m.Running > 0:
		return "running or broken off"
	}
	return "not finished"
}

// eloText is rating.Text with the signs of print: "−40.7 ± 30.4", "–" without games.
func eloText(elo, err float64) string {
	if math.IsNaN(elo) {
		return "–"
	}
	return strings.Replace(rating.Text(elo, err, 1), "-", "−", 1)
}

// testText prints a sequential test with its verdict.
func testText(q *rating.Sequence) string {
	low, high := q.Bounds()
	verdict := "no decision yet"
	switch q.Decision() {
	case rating.AcceptH0:
		verdict = "H0 accepted"
	case rating.AcceptH1:
		verdict = "H1 accepted"
	}
	return fmt.Sprintf("LLR %.2f [%.2f, %.2f] after %g %s, %s: elo0=%g elo1=%g alpha=%g beta=%g: %s",
		q.LLR(), low, high, q.Counts().Total(), q.Counts().Unit(), q.Test.Model, q.Test.Elo0, q.Test.Elo1, q.Test.Alpha,
		q.Test.Beta, verdict)
}

// percent prints a share: "12.5%", "–" for none.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// span prints a time with three digits: "1.25 s", "840 µs", "12 min 5 s".
func span(d time.Duration) string {
	switch {
	case d <= 0:
		return "0"
	case d < time.Millisecond:
		return digits(float64(d)/1e3) + " µs"
	case d < time.Second:
		return digits(float64(d)/1e6) + " ms"
	case d < time.Minute:
		return digits(d.Seconds()) + " s"
	}
	return strings.NewReplacer("h", " h ", "m", " min ", "s", " s").Replace(d.Round(time.Second).String())
}

func digits(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
