package site

import (
	"testing"

	"kibitz/hall/contest"
	"kibitz/hall/web/words"
)

// Who won or lost all has no estimate, but a bound; those of one rank have places of their own.
func TestStanding(t *testing.T) {
	set, fault := words.Open()
	if fault != nil {
		t.Fatal(fault)
	}
	w := set.Choose("en", "")
	elo, err := -12.4, 30.0
	for _, x := range []struct {
		row  contest.Row
		want string
	}{
		{contest.Row{Games: 6, Wins: 6}, "+∞"},
		{contest.Row{Games: 6, Losses: 6}, "−∞"},
		{contest.Row{Games: 2, Draws: 2, Elo: new(float64)}, "0"},
		{contest.Row{Games: 4, Wins: 2, Losses: 2, Elo: &elo, Error: &err}, "-12 ± 30"},
		{contest.Row{}, ""},
	} {
		if got := standingModel(w, 3, &x.row); got.Elo != x.want || got.Place != 3 {
			t.Errorf("%+v: %+v, want Elo %q at place 3", x.row, got, x.want)
		}
	}
}
