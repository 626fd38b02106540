package field

import (
	"bytes"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/rating/results"
	"kibitz/record"
)

// The same games in another order give the same list, with those who did equally well by their names.
func TestOrderOfRecords(t *testing.T) {
	games := []struct {
		first, second string
		points        float64
	}{
		{"E", "B", 1},
		{"E", "A", 1},
		{"C", "E", 0.5},
		{"A", "C", 0.5},
		{"B", "C", 0.5},
		{"C", "B", 1},
		{"C", "A", 1},
		{"B", "A", 0.5},
		{"A", "B", 0.5},
		{"A", "E", 0.5},
		{"B", "E", 0.5},
	}
	var want string
	for shift := range games {
		r := results.New()
		for i := range games {
			g := games[(i+shift)%len(games)]
			r.Add(&record.Game{Names: [2]string{g.first, g.second}}, &game.Result{Points: [2]float64{g.points, 1 - g.points}}, false)
		}
		all, err := Rate(r, Options{System: Elo})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		all.Print(&b)
		if want == "" {
			want = b.String()
		}
		if got := b.String(); got != want {
			t.Errorf("from game %d on:\n%s\nwant\n%s", shift, got, want)
		}
	}
}

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
