// Package standing counts what a run comes to while it goes on: points, ratings, the sequential
// test, and what its games were like.
package standing

import (
	"time"

	"kibitz/rating"
	"kibitz/run/result"
	"kibitz/tournament"
)

// Standing is how a run stands. It changes when a game is handed over or an order followed,
// and is read between two games.
type Standing struct {
	Plan     tournament.Plan
	Names    []string // of the engines; they can become more
	Director *tournament.Director
	Breaks   []tournament.TieBreak
	Test     *rating.Sequence // nil without a sequential test
	Totals   Totals
}

// Table is what each engine has reached.
func (s *Standing) Table() *tournament.Standings { return s.Director.Standings() }

// Ranking is how everyone stands in the order of the format, the first first.
func (s *Standing) Ranking() []tournament.Row { return s.Director.Ranking(s.Breaks) }

// Games are those that ended with a verdict.
func (s *Standing) Games() int { return s.Table().Games() }

// Update brings the sequential test up to date.
func (s *Standing) Update() {
	if s.Test == nil {
		return
	}
	counts := s.Table().Singles(0)
	if s.Test.Counts().Unit() == "pairs" {
		counts, _ = s.Table().Pairs(0)
	}
	s.Test.Set(counts)
}

// Decided reports whether the sequential test has ended the run.
func (s *Standing) Decided() bool { return s.Test != nil && s.Test.Decision() != rating.Continue }

// AddByes counts the byes of a Swiss, when all else is counted.
func (s *Standing) AddByes() {
	swiss, ok := s.Director.Format().(*tournament.Swiss)
	if !ok {
		return
	}
	for _, row := range swiss.Table() {
		s.Table().AddByes(row.Engine, row.Byes, row.ByePoints)
	}
}

// distinct is how many games with decisions of their own there are.
func (s *Standing) distinct() int { return len(s.Totals.distinct) }

// believedFrom is from how many games on somebody will believe the margins.
const believedFrom = 20

// Repeats is how many games were games that had been played before, and whether those are so
// many that the margins, where somebody believes them, are too narrow.
func (s *Standing) Repeats() (again int, many bool) {
	n := s.Games()
	again = n - s.distinct() - s.Totals.unplayed
	return again, n >= believedFrom && again > n/10
}

// Spent is what a run has taken, of which some before it was taken up.
type Spent struct {
	Elapsed, Before time.Duration
	PliesBefore     int
	Processor       time.Duration // of Kibitz itself
	Peak            int64         // its largest resident size in bytes
}

// Summary is all of it as a value.
func (s *Standing) Summary(spent Spent) *result.Summary {
	t := &s.Totals
	x := &result.Extra{
		Distinct: s.distinct(), Plies: t.Plies, WorstLateMS: Seconds(t.Late) * 1000,
		Warnings: t.Warnings, Unfinished: t.Unfinished, Starved: t.Starved,
		TransmissionMeanUS:  rounded(float64(t.Transit.Mean().Nanoseconds()) / 1e3),
		TransmissionWorstUS: rounded(float64(t.Transit.Worst.Nanoseconds()) / 1e3),
	}
	if t.Plies > 0 {
		plies := float64(max(1, t.Plies-spent.PliesBefore))
		x.WallPerMove = rounded(float64((spent.Elapsed - spent.Before).Microseconds()) / plies)
		x.ProcessorPerMove = rounded(float64(spent.Processor.Microseconds()) / plies)
		x.PeakMiB = rounded(float64(spent.Peak) / (1 << 20))
	}
	for _, row := range s.Ranking() {
		x.Ranking = append(x.Ranking, result.Rank{Name: s.Names[row.Engine], Rank: row.Rank, Points: row.Points, Share: ratio(row.Share)})
	}
	return &result.Summary{
		Type: "summary", Engines: s.Engines(), SPRT: s.Sequential(), Games: s.Games(), Seconds: Seconds(spent.Elapsed), Extra: x,
	}
}

// Engines is what the run knows of each.
func (s *Standing) Engines() (list []result.Engine) {
	for i := range s.Names {
		list = append(list, s.engine(i))
	}
	return list
}

// Sequential is where the sequential test stands, nil without one.
func (s *Standing) Sequential() *rating.Standing { return rating.NewStanding(s.Test, s.Names[0]) }
