package contest

import (
	"testing"

	"kibitz/rating"
	"kibitz/tournament"
)

// A sequential test leaves a point for each pair that it counts: as the test of package
// rating has it for the same results.
func TestTrail(t *testing.T) {
	for _, repeat := range []bool{false, true} {
		set := Config{
			Game: "othello", Format: tournament.RoundRobin, Games: 2, Rounds: 20, Repeat: repeat, Limit: 1, Points: Points{Win: 1, Draw: 0.5},
			SPRT: &SPRT{Model: rating.Logistic, Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05},
		}
		s := New(set)
		events := []Event{{Kind: Enter, Entry: &Entry{Number: 1, Name: "a"}}, {Kind: Enter, Entry: &Entry{Number: 2, Name: "b"}}, {Kind: Start}}
		for _, e := range events {
			e.Seq = s.Seq + 1
			if err := s.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		test := rating.NewSequence(rating.SPRT{Elo1: 50, Alpha: 0.05, Beta: 0.05, Model: rating.Logistic}, repeat)
		pair, want := 0, []Dot{}
		for i := range 20 {
			e, turn := s.HandOut()
			if turn != Ready {
				t.Fatal(turn)
			}
			points := [3][2]float64{{1, 0}, {0.5, 0.5}, {0, 1}}[i*i%3]
			if err := s.Apply(Event{Seq: s.Seq + 1, Kind: Result, Over: &Over{Index: e.Game.Index, Points: points, Reason: "score", Plies: 9}}); err != nil {
				t.Fatal(err)
			}
			half := int(2 * points[e.Game.First]) // of the first entry: its seat is its number or the other one
			switch {
			case !repeat:
				test.Add(half)
			case i%2 == 0:
				pair = half
				continue
			default:
				test.Add(pair + half)
			}
			lower, upper := test.Bounds()
			want = append(want, Dot{len(want) + 1, test.LLR(), lower, upper})
		}
		if got := s.Trail(); len(got) != len(want) || got[len(got)-1] != want[len(want)-1] || got[3] != want[3] {
			t.Errorf("repeat %v: %+v, want %+v", repeat, got, want)
		}
	}
}

// However long a test is, what it leaves is bounded, in order, and ends with the latest;
// what orders take back is gone.
func TestTrailIsBounded(t *testing.T) {
	var l trail
	for n := 1; n <= 100_000; n++ {
		l.add(Dot{N: n})
		if n%7 == 0 {
			l.add(Dot{N: n, LLR: 1})
		}
		if len(l.dots) > maxDots+1 || l.dots[len(l.dots)-1].N != n {
			t.Fatalf("%d points after %d, the last %+v", len(l.dots), n, l.dots[len(l.dots)-1])
		}
	}
	if len(l.dots) < maxDots/2 {
		t.Errorf("%d points only", len(l.dots))
	}
	for i := 1; i < len(l.dots); i++ {
		if l.dots[i].N <= l.dots[i-1].N {
			t.Fatalf("%+v after %+v", l.dots[i], l.dots[i-1])
		}
	}
	l.add(Dot{N: 50_000})
	if last := l.dots[len(l.dots)-1]; last.N != 50_000 || l.dots[len(l.dots)-2].N >= 50_000 {
		t.Errorf("%+v", l.dots[len(l.dots)-3:])
	}
	l.add(Dot{})
	if len(l.dots) != 0 {
		t.Errorf("%+v", l.dots)
	}
}
