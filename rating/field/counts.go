package field

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"kibitz/rating"
)

// Estimate is a rating difference in JSON.
type Estimate struct {
	// Score is the share of the points, LOS the likelihood of superiority.
	Score  float64  `json:"score"`
	Elo    *float64 `json:"elo"`
	Error  *float64 `json:"error"`
	NElo   *float64 `json:"nelo"`
	NError *float64 `json:"nelo_error"`
	LOS    float64  `json:"los"`
}

// NewEstimate leaves out what JSON cannot hold.
func NewEstimate(e rating.Estimate) Estimate {
	return Estimate{Score: e.Score, Elo: whole(e.Elo), Error: whole(e.Error), NElo: whole(e.NElo), NError: whole(e.NError), LOS: e.LOS}
}

// whole is a number with all its digits, nil for what JSON cannot hold.
func whole(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = rating.Unsigned(x)
	return &x
}

// ParseCounts reads one number for each of the outcomes that want names, which are
// separated by commas.
func ParseCounts(text, want string) ([]int, error) {
	var out []int
	total, k := 0, strings.Count(want, ",")+1
	for w := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil || n < 0 || n > 1e12 {
			return nil, fmt.Errorf("%q is no count; write %s", w, want)
		}
		total += n
		out = append(out, n)
	}
	switch {
	case len(out) != k:
		return nil, fmt.Errorf("%d numbers, not %d; write %s", len(out), k, want)
	case total == 0:
		return nil, fmt.Errorf("no games; give at least one")
	}
	return out, nil
}

// Bare is a rating of counts without records, as JSON has it.
type Bare struct {
	Type string `json:"type"`
	// Unit says what was counted, games or pairs; Counts are those, worst first.
	Unit       string            `json:"unit"`
	Counts     []float64         `json:"counts"`
	Convention rating.Convention `json:"convention"`
	Estimate
	SPRT *rating.Standing `json:"sprt"`

	test *rating.Sequence
	of   rating.Estimate
}

// RateCounts rates bare counts, and tests them if a test is given.
func RateCounts(counts rating.Counts, way rating.Convention, test *rating.Test) *Bare {
	b := &Bare{Type: "counts", Unit: counts.Unit(), Counts: counts.N, Convention: way, of: counts.EstimateBy(way)}
	b.Estimate = NewEstimate(b.of)
	if test != nil {
		b.test = test.Start(counts.Unit() == "pairs")
		b.test.Set(counts)
		b.SPRT = rating.NewStanding(b.test, "")
	}
	return b
}

// Print shows the rating to people.
func (b *Bare) Print(w io.Writer) {
	e := b.of
	fmt.Fprintf(w, "%g %s, %.2f%% of the points\n", rating.Counts{N: b.Counts}.Total(), b.Unit, 100*e.Score)
	fmt.Fprintf(w, "Elo %s\nnElo %s\nLOS %.2f%%\n", rating.Text(e.Elo, e.Error, 2), rating.Text(e.NElo, e.NError, 2), 100*e.LOS)
	if b.Convention != rating.Usual {
		fmt.Fprintf(w, "errors and LOS as %s computes them\n", b.Convention)
	}
	if b.test != nil {
		fmt.Fprintln(w, b.test.Text())
	}
}
