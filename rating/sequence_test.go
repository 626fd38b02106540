package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A decision stands, whatever the games bring that were running when it was made.
func TestDecisionStands(t *testing.T) {
	q := NewSequence(SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05, Model: Logistic}, false)
	n := 0
	for q.Add(n%3%2+1) == Continue { // win, draw, draw …
		if n++; n > 1000 {
			t.Fatalf("no decision, ratio %v", q.LLR())
		}
	}
	if q.Decision() != AcceptH1 || q.LLR() < math.Log(19) || q.Test.Decide(q.LLR()) != AcceptH1 {
		t.Fatalf("%v at %v", q.Decision(), q.LLR())
	}
	for range 50 {
		q.Add(0)
	}
	if q.Decision() != AcceptH1 || q.LLR() >= math.Log(19) {
		t.Errorf("after losses: %v at %v", q.Decision(), q.LLR())
	}
}

// One outcome at a time, and all at once, give the same ratio.
func TestSequenceIsTheRatioOfItsCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a := NewSequence(SPRT{Elo0: -5, Elo1: 5, Alpha: 0.01, Beta: 0.01, Model: Normalized}, true)
	b := NewSequence(a.Test, true)
	for range 300 {
		a.Add(r.IntN(5))
	}
	b.Set(a.Counts())
	if a.LLR() != b.LLR() || a.LLR() != a.Test.LLR(a.Counts()) || a.Counts().Total() != 300 {
		t.Errorf("%v and %v", a.LLR(), b.LLR())
	}
}

// The correction moves both bounds inwards, by half a jump where all jumps are
// equal.
func TestOvershoot(t *testing.T) {
	var r record
	for _, x := range []float64{-0.2, -0.4, -0.6} {
		r.add(x)
	}
	near(t, "overshoot", r.overshoot(), -0.1, 1e-12)
	q := NewSequence(SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05, Model: Logistic}, false)
	q.Corrected = true
	for _, outcome := range []int{0, 0, 2, 2, 2, 2, 0, 0} { // first down, then up
		q.Add(outcome)
	}
	lower, upper := q.Bounds()
	l, u := q.Test.Bounds()
	if lower <= l || upper >= u {
		t.Errorf("bounds %v %v are not within %v %v", lower, upper, l, u)
	}
}

// TestErrorRates simulates whole tests under either hypothesis: wrong decisions
// are as rare as promised, but for the noise of the simulation (three standard
// deviations).
func TestErrorRates(t *testing.T) {
	tests := 10_000
	if testing.Short() {
		tests = 500
	}
	for i, c := range []struct {
		test  SPRT
		pairs bool
	}{
		{SPRT{0, 60, 0.05, 0.05, Logistic}, false},
		{SPRT{0, 60, 0.05, 0.1, Normalized}, false},
		{SPRT{0, 60, 0.05, 0.05, Bayesian}, false},
		{SPRT{0, 40, 0.05, 0.05, Logistic}, true},
		{SPRT{-20, 20, 0.1, 0.05, Normalized}, true},
	} {
		t.Run(fmt.Sprintf("%s pairs=%v", c.test.Model, c.pairs), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 20261121))
			for _, h := range []struct {
				elo    float64
				wrong  Decision
				chance float64
			}{{c.test.Elo0, AcceptH1, c.test.Alpha}, {c.test.Elo1, AcceptH0, c.test.Beta}} {
				bad, games := 0, 0
				odds := chances(c.test.Model, h.elo, c.pairs)
				for range tests {
					d, n := simulate(r, NewSequence(c.test, c.pairs), odds)
					games += n
					if d == h.wrong {
						bad++
					}
				}
				n := float64(tests)
				rate, noise := float64(bad)/n, math.Sqrt(h.chance*(1-h.chance)/n)
				t.Logf("at %v: %.2f %% wrong, %.0f outcomes a test", h.elo, 100*rate, float64(games)/n)
				if rate > h.chance+3*noise {
					t.Errorf("at %v: %.2f %% wrong decisions, promised %.2f %%", h.elo, 100*rate, 100*h.chance)
				}
				if rate < h.chance/4 {
					t.Errorf("at %v: %.2f %% wrong decisions: the test wastes games", h.elo, 100*rate)
				}
			}
		})
	}
}

// chances are the cumulative chances of the outcomes at a difference in the unit
// of the model. Two games of a pair are independent here, with an advantage of the
// first seat that makes pairs less scattered than games.
func chances(m Model, elo float64, pairs bool) []float64 {
	const draw, advantage = 120, 60
	logistic := elo
	switch m {
	case Bayesian:
		p := bayesOdds(elo, draw)
		return []float64{p[0], p[0] + p[1], 1}
	case Normalized: // find the difference that is that many deviations of a game
		lo, hi := -1000.0, 1000.0
		for range 100 {
			logistic = (lo + hi) / 2
			if (Counts{density(logistic, draw, advantage, pairs)}).Estimate().NElo < elo {
				lo = logistic
			} else {
				hi = logistic
			}
		}
	default:
		lo, hi := -1000.0, 1000.0
		for range 100 {
			logistic = (lo + hi) / 2
			if (Counts{density(logistic, draw, advantage, pairs)}).Estimate().Elo < elo {
				lo = logistic
			} else {
				hi = logistic
			}
		}
	}
	p := density(logistic, draw, advantage, pairs)
	for i := 1; i < len(p); i++ {
		p[i] += p[i-1]
	}
	return p
}

func density(elo, draw, advantage float64, pairs bool) []float64 {
	if !pairs {
		p := bayesOdds(elo, draw)
		return p[:]
	}
	out := make([]float64, 5)
	a, b := bayesOdds(elo+advantage, draw), bayesOdds(elo-advantage, draw)
	for i := range a {
		for j := range b {
			out[i+j] += a[i] * b[j]
		}
	}
	return out
}

// look is how many outcomes come in between two looks at the ratio: as in a match
// with many games at a time.
const look = 5

func simulate(r *rand.Rand, q *Sequence, odds []float64) (Decision, int) {
	c := Counts{make([]float64, len(odds))}
	for n := 1; ; n++ {
		x, k := r.Float64(), 0
		for k < len(odds)-1 && x >= odds[k] {
			k++
		}
		c.N[k]++
		if n%look == 0 && q.Set(c) != Continue {
			return q.Decision(), n
		}
	}
}
