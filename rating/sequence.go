package rating

// Sequence is a sequential test that is fed one outcome after the other. Its
// decision, once made, stands: games that were running then change the ratio and
// nothing else.
type Sequence struct {
	// Test is what is tested.
	Test SPRT
	// Corrected moves both bounds inwards by an estimate of how far the ratio
	// jumps over them (fishtest).
	Corrected bool

	counts    Counts
	llr       float64
	decision  Decision
	low, high record
}

// record follows the jumps of a ratio to new extremes.
type record struct{ at, sum, squares float64 }

func (r *record) add(x float64) {
	r.sum += x - r.at
	r.squares += (x - r.at) * (x - r.at)
	r.at = x
}

// overshoot is half the mean jump, weighed by its length; it has the jumps' sign.
func (r *record) overshoot() float64 {
	if r.sum == 0 {
		return 0
	}
	return r.squares / r.sum / 2
}

// NewSequence returns a test before its first outcome: of pairs of games with
// seats exchanged, or of single games.
func NewSequence(test SPRT, pairs bool) *Sequence {
	n := 3
	if pairs {
		n = most
	}
	return &Sequence{Test: test, counts: Counts{make([]float64, n)}, decision: Continue}
}

// Add takes an outcome: 0, 1, 2 for a loss, draw or win, or 0 to 4 for the half
// points of a pair. It returns the decision.
func (q *Sequence) Add(outcome int) Decision {
	q.counts.N[outcome]++
	return q.judge()
}

// Set replaces the counts by later ones and returns the decision.
func (q *Sequence) Set(c Counts) Decision {
	copy(q.counts.N, c.N)
	return q.judge()
}

func (q *Sequence) judge() Decision {
	q.llr = q.Test.LLR(q.counts)
	if q.llr < q.low.at {
		q.low.add(q.llr)
	}
	if q.llr > q.high.at {
		q.high.add(q.llr)
	}
	if q.decision != Continue {
		return q.decision
	}
	lower, upper := q.Bounds()
	switch {
	case q.llr <= lower:
		q.decision = AcceptH0
	case q.llr >= upper:
		q.decision = AcceptH1
	}
	return q.decision
}

// Bounds returns the bounds that hold now.
func (q *Sequence) Bounds() (lower, upper float64) {
	lower, upper = q.Test.Bounds()
	if q.Corrected {
		lower, upper = lower-q.low.overshoot(), upper-q.high.overshoot()
	}
	return lower, upper
}

// LLR returns the log likelihood ratio of all outcomes so far.
func (q *Sequence) LLR() float64 { return q.llr }

// Decision returns how the test stands.
func (q *Sequence) Decision() Decision { return q.decision }

// Counts returns the outcomes so far; they must not be changed.
func (q *Sequence) Counts() Counts { return q.counts }
