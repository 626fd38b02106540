package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	engine "kibitz/bot/gomoku"
	"kibitz/games/gomoku"
)

// A game that was played by few positions a move is legal to its end, and is read as it
// was written.
func TestGames(t *testing.T) {
	g := generator{seed: 3, nodes: 30, weights: engine.Plain()}
	for n := range specs {
		r, err := g.play(n)
		if err != nil {
			t.Fatal(err)
		}
		back, err := parseRecord(r.String())
		if err != nil {
			t.Fatal(err)
		}
		if back.spec != r.spec || back.result != r.result || !slices.Equal(back.stones, r.stones) {
			t.Errorf("%s came back as %s", &r, &back)
		}
		rules, err := gomoku.New(r.spec)
		if err != nil {
			t.Fatal(err)
		}
		if d := rules.Doc(); len(r.stones) < 9 || len(r.stones) > d.Width*d.Height {
			t.Errorf("%s has %d stones", r.spec, len(r.stones))
		}
		again, err := g.play(n)
		if err != nil || again.String() != r.String() {
			t.Errorf("the same seed and number make %s and %s, %v", &r, &again, err)
		}
	}
}

func TestRecordsOfOtherKinds(t *testing.T) {
	for _, line := range []string{"", "gomoku", "gomoku x", "gomoku 1 3,4", "gomoku 1 3,4,x"} {
		if _, err := parseRecord(line); err == nil {
			t.Errorf("%q was read as a game", line)
		}
	}
}

// Only what comes behind the last move drawn by lot is a position to learn from, and a
// choice is one that the search made.
func TestSamples(t *testing.T) {
	r, err := parseRecord("gomoku:rule=freestyle,size=15 1 7,7,1048576 8,8,1048576 6,8,12 8,6,-10 8,7,1048576 9,9,40 3,3,0")
	if err != nil {
		t.Fatal(err)
	}
	values, orders, err := samples([]record{r})
	if err != nil {
		t.Fatal(err)
	}
	if len(values) != 2 || len(orders) != 3 { // 3,3 had no choice
		t.Fatalf("%d positions and %d choices", len(values), len(orders))
	}
}

// What was made by weights is fitted by the same order of weights.
func TestFit(t *testing.T) {
	if testing.Short() {
		t.Skip("fits in one goroutine")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	truth := [4]float64{1.2, -0.8, 0.4, -0.1}
	outlooks := [3]float64{0, 0.9, -0.6}
	var all []sample
	var orders []choice
	for range 30_000 {
		s := sample{}
		x := 0.0
		for k, w := range truth {
			n := rng.IntN(4)
			s.weights, s.times = append(s.weights, uint16(k)), append(s.times, uint8(n))
			x += w * float64(n)
		}
		s.outlook = uint16(rng.IntN(len(outlooks)))
		x += outlooks[s.outlook]
		s.chance = sigmoid(x)
		all = append(all, s)
		c := choice{own: []uint16{0, 1, 2, 3}, other: []uint16{uint16(combos), uint16(combos), uint16(combos), uint16(combos)}}
		u := rng.Float64()
		sum := 0.0
		for _, w := range truth {
			sum += math.Exp(w)
		}
		for c.played = range 4 {
			if u -= math.Exp(truth[c.played]) / sum; u < 0 {
				break
			}
		}
		orders = append(orders, c)
	}
	var w engine.Weights
	fitValues(all, 40, &w)
	fitOrders(orders, 40, &w)
	for k, want := range outlooks {
		if got := float64(w.Outlook[k]) / (logit * engine.ValueParts); math.Abs(got-want) > 0.25 {
			t.Errorf("outlook %d is %.2f instead of %.2f", k, got, want)
		}
	}
	for k, want := range truth {
		if got := float64(w.Value[k]) / (logit * engine.ValueParts); math.Abs(got-want) > 0.25 {
			t.Errorf("value %d is %.2f instead of %.2f", k, got, want)
		}
		if got := float64(w.Order[k]-w.Order[0]) / engine.OrderParts; math.Abs(got-want+truth[0]) > 0.25 {
			t.Errorf("order %d is %.2f instead of %.2f", k, got, want-truth[0])
		}
	}
}
