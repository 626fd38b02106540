package othello_test

import (
	"strconv"
	"strings"
	"testing"

	"kibitz/exact/othello"
	"kibitz/game"
	rule "kibitz/games/othello"
	"kibitz/internal/shared"
)

// The scores of a published list of positions with 13 and 14 empty squares are those
// that the list has, and their lines lead there.
func TestPublishedScores(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(shared.Read(t, "data", "othello", "endgame-text", "eg_13_14.txt"))), "\n")
	n := 40
	if testing.Short() {
		n = 5
	}
	solver, err := othello.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[:n] {
		f := strings.Fields(line)
		want, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatal(err)
		}
		side, own := " X", game.First
		if f[1] == "White" {
			side, own = " O", game.Second
		}
		b, seat, err := rule.ParsePosition(f[0] + side)
		if err != nil || seat != own {
			t.Fatal(line, err)
		}
		s := rule.NewState(b, seat)
		v, ok := solver.Solve(s, 5_000_000)
		if !ok || !solver.Near(s) {
			t.Fatalf("%s is not solved", line)
		}
		for _, m := range v.Line {
			if _, err := s.Apply(m, nil); err != nil {
				t.Fatal(line, err)
			}
		}
		if end, over := s.Result(); !over || end.Board != v.Board || end.Points != v.Points {
			t.Errorf("%s: the line leads to %+v", line, end)
		}
		// The list counts the discs of black less those of white, empty squares for the
		// winner in some lines and for nobody in others.
		discs := s.View(game.Public).Score
		if got := int(v.Board[0] - v.Board[1]); got != want && int(discs[0]-discs[1]) != want {
			t.Errorf("%s: %v", line, v)
		}
	}
}

// A budget that does not suffice decides nothing.
func TestBudget(t *testing.T) {
	solver, err := othello.New()
	if err != nil {
		t.Fatal(err)
	}
	s := rule.NewState(rule.Start(), game.First)
	if v, ok := solver.Solve(s, 10_000); ok || v.Nodes < 10_000 || v.Nodes > 100_000 || solver.Near(s) {
		t.Errorf("%+v %v", v, ok)
	}
}
