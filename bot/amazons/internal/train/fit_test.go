package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Results that were drawn by known weights give them back, roughly.
func TestFitFindsTheWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	truth := func(k, knot int) float64 { return 0.1*float64(k) - 0.05*float64(knot) }
	list := make([]sample, 20_000)
	var row [weights]float64
	for i := range list {
		s := &list[i]
		s.Disputed = r.IntN(76)
		for k := range s.Terms {
			s.Terms[k] = float32(r.NormFloat64())
		}
		spread(s, &row)
		z := 0.0
		for j, x := range row {
			z += x * truth(j/knots, j%knots)
		}
		s.won = r.Float64() < 1/(1+math.Exp(-z))
	}
	w, before, after := fit(list)
	for j, v := range w {
		if want := truth(j/knots, j%knots); math.Abs(v-want) > 0.25 {
			t.Errorf("term %d, knot %d: %.2f, want %.2f", j/knots, j%knots, v, want)
		}
	}
	if after >= before {
		t.Errorf("loss %.3f after, %.3f before", after, before)
	}
}
