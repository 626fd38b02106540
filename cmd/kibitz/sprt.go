package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kibitz/rating"
)

// sprtWords is what --sprt looks like.
const sprtWords = `"elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized|bayesian"`

// sprtTest is what --sprt asks for.
type sprtTest struct {
	rating.SPRT
	// corrected moves the bounds inwards as fishtest does.
	corrected bool
}

// parseSPRT reads the words of --sprt. Alpha and beta are 0.05 and the model is
// logistic where they are not given.
func parseSPRT(text string) (*sprtTest, error) {
	t := &sprtTest{SPRT: rating.SPRT{Elo0: math.NaN(), Elo1: math.NaN(), Alpha: 0.05, Beta: 0.05, Model: rating.Logistic}}
	for _, w := range strings.Fields(text) {
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
			t.Model = rating.Model(value)
		case "overshoot":
			t.corrected, err = strconv.ParseBool(value)
		default:
			return nil, fmt.Errorf("--sprt: %q is not known; write %s", w, sprtWords)
		}
		if err != nil {
			return nil, fmt.Errorf("--sprt: %q has no proper value; write %s", w, sprtWords)
		}
	}
	for key, x := range map[string]float64{"elo0": t.Elo0, "elo1": t.Elo1} {
		if math.IsNaN(x) {
			return nil, fmt.Errorf("--sprt: %s is missing; write %s", key, sprtWords)
		}
	}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("--sprt: %w", err)
	}
	return t, nil
}

// start returns the test before its first outcome.
func (t *sprtTest) start(pairs bool) *rating.Sequence {
	q := rating.NewSequence(t.SPRT, pairs)
	q.Corrected = t.corrected
	return q
}

// sprtLine is a sequential test in JSON.
type sprtLine struct {
	Model rating.Model `json:"model"`
	Elo0  float64      `json:"elo0"`
	Elo1  float64      `json:"elo1"`
	Alpha float64      `json:"alpha"`
	Beta  float64      `json:"beta"`
	LLR   float64      `json:"llr"`
	Lower float64      `json:"lower"`
	Upper float64      `json:"upper"`
	// Decision is continue, H0 or H1.
	Decision rating.Decision `json:"decision"`
	// Unit says what was counted, games or pairs; Counts are those, worst first, as
	// Player saw them.
	Unit   string    `json:"unit"`
	Counts []float64 `json:"counts"`
	Player string    `json:"player,omitempty"`
}

func newSPRTLine(q *rating.Sequence, player string) *sprtLine {
	if q == nil {
		return nil
	}
	t, c := q.Test, q.Counts()
	lower, upper := q.Bounds()
	return &sprtLine{
		Model: t.Model, Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, LLR: unsigned(q.LLR()), Lower: lower, Upper: upper,
		Decision: q.Decision(), Unit: c.Unit(), Counts: c.N, Player: player,
	}
}

// llrText prints where a test stands: "LLR 1.23 [-2.94, 2.94]".
func llrText(q *rating.Sequence) string {
	lower, upper := q.Bounds()
	return fmt.Sprintf("LLR %.2f [%.2f, %.2f]", unsigned(math.Round(q.LLR()*100)/100), lower, upper)
}

// sprtText prints a test with its verdict in one line.
func sprtText(q *rating.Sequence) string {
	t, verdict := q.Test, "no decision yet"
	switch q.Decision() {
	case rating.AcceptH0:
		verdict = fmt.Sprintf("H0 accepted (not better than %+g)", unsigned(t.Elo0))
	case rating.AcceptH1:
		verdict = fmt.Sprintf("H1 accepted (better than %+g)", unsigned(t.Elo0))
	}
	return fmt.Sprintf("SPRT %s elo0=%g elo1=%g alpha=%g beta=%g, %g %s: %s: %s",
		t.Model, t.Elo0, t.Elo1, t.Alpha, t.Beta, q.Counts().Total(), q.Counts().Unit(), llrText(q), verdict)
}
