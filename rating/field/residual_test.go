package field

import (
	"bytes"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/rating/results"
	"kibitz/record"
)

// A host whose games the stronger player loses stands out; games without a host are
// left out.
func TestResidualsByHost(t *testing.T) {
	r := results.New()
	for i := range 400 {
		host := []string{"north", "south", "west", ""}[i/2%4]
		strong := (i/8%4 == 0) == (host == "west") // whether A wins: 3 of 4 games, 1 of 4 in the west
		g := &record.Game{Names: [2]string{"A", "B"}, Place: host}
		res := game.Result{Points: [2]float64{1, 0}}
		if i%2 == 1 {
			g.Names = [2]string{"B", "A"}
		}
		if strong == (i%2 == 1) {
			res.Points = [2]float64{0, 1}
		}
		r.Add(g, &res, false)
	}
	all, err := Rate(r, Options{System: Elo, Residuals: results.ByHost})
	if err != nil {
		t.Fatal(err)
	}
	l := all.Residuals
	if len(l.Groups) != 3 || l.Groups[0].Group != "west" || l.Groups[0].Outlier != 0.01 || *l.Groups[0].Residual > -5 || *l.P > 1e-6 {
		t.Errorf("%+v", l)
	}
	var b bytes.Buffer
	l.Print(&b)
	if !strings.Contains(b.String(), "at 1%") {
		t.Error(b.String())
	}
}
