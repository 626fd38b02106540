package main

import (
	"bytes"
	"strings"
	"testing"
)

// A host whose games the stronger player loses stands out; games without a host are
// left out.
func TestResidualsByHost(t *testing.T) {
	r := &rated{names: []string{"A", "B"}, index: map[string]int{"A": 0, "B": 1}}
	for i := range 400 {
		g := ratedGame{first: i % 2, second: 1 - i%2, host: []string{"north", "south", "west", ""}[i/2%4]}
		strong := 1.0 // what A scores: 3 of 4 games, 1 of 4 in the west
		if (i/8%4 == 0) != (g.host == "west") {
			strong = 0
		}
		g.score = strong
		if g.first == 1 {
			g.score = 1 - strong
		}
		r.games = append(r.games, g)
	}
	c := rateCmd{System: "elo", Residuals: "host"}
	l, err := c.residuals(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Groups) != 3 || l.Groups[0].Group != "west" || l.Groups[0].Outlier != 0.01 || *l.Groups[0].Residual > -5 || *l.P > 1e-6 {
		t.Errorf("%+v", l)
	}
	var b bytes.Buffer
	l.print(&b)
	if !strings.Contains(b.String(), "at 1%") {
		t.Error(b.String())
	}
}
