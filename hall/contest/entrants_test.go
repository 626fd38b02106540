package contest_test

import (
	"testing"

	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/tournament"
)

// TestUnnamed asks which entries may still be any program of their name: not those that
// have withdrawn, and all others.
func TestUnnamed(t *testing.T) {
	s := contest.New(terms(tournament.RoundRobin, false, false))
	director := contest.Actor{ID: 1, Name: "d", Director: true}
	for _, c := range []contest.Command{
		{Do: contest.DoEnter, Entry: contest.Entry{Name: "a", Kind: bus.EngineSeat, Engine: "a"}},
		{Do: contest.DoEnter, Entry: contest.Entry{Name: "b", Kind: bus.EngineSeat, Engine: "b"}},
		{Do: contest.DoEnter, Entry: contest.Entry{Name: "c", Kind: bus.EngineSeat, Engine: "c"}},
		{Do: contest.DoStart},
		{Do: contest.DoWithdraw, Number: 2, Remaining: tournament.Awarded},
	} {
		e, err := s.Settle(c, director)
		if err != nil {
			t.Fatal(err)
		}
		e.Seq = s.Seq + 1
		if err := s.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Unnamed(); len(got) != 2 || got[0].Name != "a" || got[1].Name != "c" {
		t.Errorf("after b has withdrawn: %+v", got)
	}
}
