package site

import (
	"testing"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/store"
	"kibitz/hall/web/words"
)

// Games against one level of the built-in engine count, in either seat.
func TestAgainst(t *testing.T) {
	for _, x := range []struct {
		seats  [2]store.Seat
		points [2]float64
		want   int
	}{
		{[2]store.Seat{{User: 7}, {Engine: "bot=3"}}, [2]float64{1, 0}, 1},
		{[2]store.Seat{{Engine: "bot=3"}, {User: 7}}, [2]float64{1, 0}, -1},
		{[2]store.Seat{{User: 7}, {Engine: "bot=3"}}, [2]float64{0.5, 0.5}, 0},
		{[2]store.Seat{{User: 7}, {Engine: "bot=4"}}, [2]float64{1, 0}, 0},
		{[2]store.Seat{{User: 7}, {User: 8}}, [2]float64{1, 0}, 0},
	} {
		g := store.Game{Seats: x.seats, Result: game.Result{Points: x.points}}
		if got := against(&g, 7, 3); got != x.want {
			t.Errorf("%+v %v: %d, want %d", x.seats, x.points, got, x.want)
		}
	}
}

// Pages have words for each reason of an end, and of a wait.
func TestWhyWords(t *testing.T) {
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := set.Choose("en", "")
	for group, codes := range map[string][]game.WhyCode{
		"ending.": {bus.WhyNobody, bus.WhyAway, bus.WhyLeft, bus.WhyHost, bus.WhyPlayers, bus.WhyStart, bus.WhyFault},
		"waits.":  {bus.WhyEngine, bus.WhyApart, bus.WhyQueue, bus.WhyWorker},
	} {
		for _, code := range codes {
			if !c.Has(group + string(code)) {
				t.Errorf("there are no words for %s%s", group, code)
			}
		}
	}
}
