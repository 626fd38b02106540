package rating

import (
	"math"
	"testing"
)

// The anchor is where as much is expected as was got: by hand for one opponent, and for several by the
// likelihood, which falls to both sides of it.
func TestAnchor(t *testing.T) {
	if _, ok := Anchor([]Against{{1200, 0, 1}, {1300, 100, 1}}); ok {
		t.Error("an anchor of players who won everything")
	}
	if _, ok := Anchor(nil); ok {
		t.Error("an anchor of nothing")
	}
	three := []Against{{1000, 0, 1}, {1000, 0, 1}, {1000, 0, 1}, {1000, 0, 0}} // 3 of 4: 190.85 above
	if a, ok := Anchor(three); !ok || math.Abs(a-1000-400*math.Log10(3)) > 0.1 {
		t.Errorf("%v %v", a, ok)
	}
	many := []Against{{1100, 0, 0}, {1250, 215, 0.5}, {1400, 440, 1}, {900, 0, 1}, {1600, 899, 0}}
	likelihood := func(a float64) (sum float64) {
		for _, g := range many {
			p := Score(a + g.Above - g.Rating)
			sum += g.Score*math.Log(p) + (1-g.Score)*math.Log(1-p)
		}
		return sum
	}
	a, ok := Anchor(many)
	if best := likelihood(a); !ok || best < likelihood(a-1) || best < likelihood(a+1) {
		t.Errorf("%v is not the likeliest", a)
	}
}
