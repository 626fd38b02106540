package contest

import (
	"slices"

	"kibitz/rating"
	"kibitz/tournament"
)

// Test is how the sequential test stands.
type Test struct {
	Model    string    `json:"model"`
	Elo0     float64   `json:"elo0"`
	Elo1     float64   `json:"elo1"`
	Alpha    float64   `json:"alpha"`
	Beta     float64   `json:"beta"`
	LLR      *float64  `json:"llr"`
	Lower    float64   `json:"lower"`
	Upper    float64   `json:"upper"`
	Decision string    `json:"decision" doc:"continue, H0, H1, or undecided when the tournament is over"`
	Unit     string    `json:"unit" doc:"what is counted: games or pairs"`
	Counts   []float64 `json:"counts" doc:"from worst to best for the entry listed first"`
}

// undecided is a test whose tournament was over first.
const undecided = "undecided"

// sequential is the sequential test of a tournament while it runs; nil is none.
type sequential struct {
	*rating.Sequence
	trail trail
}

func newSequential(t *SPRT, repeat bool) *sequential {
	q := rating.NewSequence(rating.SPRT{Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Model: t.Model}, repeat && t.Model.Pairs())
	q.Corrected = t.Corrected
	return &sequential{Sequence: q}
}

// decided reports whether the test has ended the tournament.
func (q *sequential) decided() bool { return q != nil && q.Decision() != rating.Continue }

// judge brings the test up to date.
func (q *sequential) judge(st *tournament.Standings) {
	if q == nil {
		return
	}
	counts := st.Singles(0)
	if q.Counts().Unit() == "pairs" {
		counts, _ = st.Pairs(0)
	}
	q.Set(counts)
	lower, upper := q.Bounds()
	if d := (Dot{int(counts.Total()), q.LLR(), lower, upper}); finite(d.LLR) != nil {
		q.trail.add(d)
	}
}

// Test returns how the sequential test stands, nil if there is none or it has not begun.
func (s *State) Test() *Test {
	q := s.test
	if q == nil {
		return nil
	}
	lower, upper := q.Bounds()
	decision := string(q.Decision())
	if q.Decision() == rating.Continue && (s.Phase == Finished || s.Phase == Cancelled) {
		decision = undecided
	}
	return &Test{
		Model: string(q.Test.Model), Elo0: q.Test.Elo0, Elo1: q.Test.Elo1, Alpha: q.Test.Alpha, Beta: q.Test.Beta, LLR: finite(q.LLR()),
		Lower: lower, Upper: upper, Decision: decision, Unit: q.Counts().Unit(), Counts: slices.Clone(q.Counts().N),
	}
}

// Trail returns how the sequential test went, the earliest first; nothing if there is
// none. It must not be changed.
func (s *State) Trail() []Dot {
	if s.test == nil {
		return nil
	}
	return s.test.trail.dots
}
