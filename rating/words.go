package rating

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// testWords is what the words of a test look like.
const testWords = `"elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic" with blanks between`

// Test is a sequential test as it is asked for in words.
type Test struct {
	SPRT
	// Corrected moves the bounds inwards as fishtest does.
	Corrected bool
}

// ParseTest reads the words of a test. Alpha and beta are 0.05 and the model is
// logistic where they are not given.
func ParseTest(text string) (*Test, error) {
	t := &Test{SPRT: SPRT{Elo0: math.NaN(), Elo1: math.NaN(), Alpha: 0.05, Beta: 0.05, Model: Logistic}}
	for w := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(w, "=")
		var err error
		switch key {
		case "elo0":
			t.Elo0, err = strconv.ParseFloat(value, 64)
		case "elo1":
			t.Elo1, err = strconv.ParseFloat(value, 64)
		case "alpha":
			t.Alpha, err = strconv.ParseFloat(value, 64)
		case "beta":
			t.Beta, err = strconv.ParseFloat(value, 64)
		case "model":
			t.Model = Model(value)
		case "overshoot":
			t.Corrected, err = strconv.ParseBool(value)
		default:
			return nil, fmt.Errorf("%q is not known; write %s", w, testWords)
		}
		if err != nil {
			return nil, fmt.Errorf("%q has no proper value; write %s", w, testWords)
		}
	}
	for key, x := range map[string]float64{"elo0": t.Elo0, "elo1": t.Elo1} {
		if math.IsNaN(x) {
			return nil, fmt.Errorf("%s is missing; write %s", key, testWords)
		}
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	return t, nil
}

// Start returns the test before its first outcome.
func (t *Test) Start(pairs bool) *Sequence {
	q := NewSequence(t.SPRT, pairs)
	q.Corrected = t.Corrected
	return q
}

// Standing is where a sequential test stands, in JSON.
type Standing struct {
	Model Model   `json:"model"`
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
	LLR   float64 `json:"llr"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	// Decision is continue, H0 or H1.
	Decision Decision `json:"decision"`
	// Unit says what was counted, games or pairs; Counts are those, worst first, as
	// Player saw them.
	Unit   string    `json:"unit"`
	Counts []float64 `json:"counts"`
	Player string    `json:"player,omitempty"`
}

// NewStanding returns where a test stands, nil for none.
func NewStanding(q *Sequence, player string) *Standing {
	if q == nil {
		return nil
	}
	t, c := q.Test, q.Counts()
	lower, upper := q.Bounds()
	return &Standing{
		Model: t.Model, Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, LLR: Unsigned(q.LLR()), Lower: lower, Upper: upper,
		Decision: q.Decision(), Unit: c.Unit(), Counts: c.N, Player: player,
	}
}

// Ratio prints where a test stands: "LLR 1.23 [-2.94, 2.94]".
func (q *Sequence) Ratio() string {
	lower, upper := q.Bounds()
	return fmt.Sprintf("LLR %.2f [%.2f, %.2f]", Unsigned(math.Round(q.LLR()*100)/100), lower, upper)
}

// Text prints a test with its verdict in one line.
func (q *Sequence) Text() string {
	t, verdict := q.Test, "no decision yet"
	switch q.Decision() {
	case AcceptH0:
		verdict = fmt.Sprintf("H0 accepted (not better than %+g)", Unsigned(t.Elo0))
	case AcceptH1:
		verdict = fmt.Sprintf("H1 accepted (better than %+g)", Unsigned(t.Elo0))
	}
	return fmt.Sprintf("SPRT %s elo0=%g elo1=%g alpha=%g beta=%g, %g %s: %s: %s",
		t.Model, t.Elo0, t.Elo1, t.Alpha, t.Beta, q.Counts().Total(), q.Counts().Unit(), q.Ratio(), verdict)
}
