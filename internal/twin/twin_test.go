package twin_test

import (
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/twin"
)

// The pairs differ, and in them captures and refusals are told.
func TestPairsDiffer(t *testing.T) {
	r, err := games.Open("phantomgo:size=5,maxplies=60")
	if err != nil {
		t.Fatal(err)
	}
	for _, watched := range []game.Seat{game.First, game.Second} {
		var sum twin.Stats
		for seed := range uint64(20) {
			a, b, s, err := twin.Pair(r, watched, 60, seed)
			if err != nil {
				t.Fatal(err)
			}
			sum.Turns += s.Turns
			sum.Other += s.Other
			sum.Refused += s.Refused
			sum.Took += s.Took
			sum.Lost += s.Lost
			sum.WatchedRefused += s.WatchedRefused
			if len(a.Seats[0]) != len(b.Seats[0]) || len(a.Seats[1]) != len(b.Seats[1]) {
				t.Errorf("seed %d: not as many turns", seed)
			}
		}
		t.Logf("%s watched: %+v", watched, sum)
		if sum.Other < 100 || sum.Refused < 100 || sum.Took < 10 || sum.Lost < 10 || sum.WatchedRefused < 20 {
			t.Errorf("%s watched: the pairs are too much alike, or too little is told: %+v", watched, sum)
		}
	}
}

func BenchmarkPair(b *testing.B) {
	r, err := games.Open("phantomgo:maxplies=120")
	if err != nil {
		b.Fatal(err)
	}
	seed := uint64(0)
	for b.Loop() {
		seed++
		if _, _, s, err := twin.Pair(r, game.First, 400, seed); err != nil || s.Turns == 0 {
			b.Fatal(err)
		}
	}
}
