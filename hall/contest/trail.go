package contest

import "slices"

// maxDots is how many points a trail has at most, the latest beside them.
const maxDots = 400

// Dot is how a sequential test stood after so many games or pairs.
type Dot struct {
	N     int     `json:"n" doc:"games or pairs, whichever the test counts"`
	LLR   float64 `json:"llr"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// trail is how a sequential test went. It has at most one point for each number of
// outcomes, and where there would be too many every second one is forgotten.
type trail struct {
	dots []Dot
	// step is the distance between points that stay.
	step int
}

// add appends a point. Orders of directors can take outcomes back: what stands past the
// new number is then gone.
func (t *trail) add(d Dot) {
	t.step = max(1, t.step)
	for len(t.dots) > 0 && t.dots[len(t.dots)-1].N >= d.N {
		t.dots = t.dots[:len(t.dots)-1]
	}
	if d.N == 0 {
		return
	}
	if n := len(t.dots); n > 0 && t.dots[n-1].N%t.step != 0 { // it was the latest only
		t.dots = t.dots[:n-1]
	}
	t.dots = append(t.dots, d)
	if len(t.dots) > maxDots {
		t.step *= 2
		last := len(t.dots) - 1
		t.dots = append(slices.DeleteFunc(t.dots[:last], func(x Dot) bool { return x.N%t.step != 0 }), d)
	}
}
