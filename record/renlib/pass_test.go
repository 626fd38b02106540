package renlib_test

import (
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/internal/shared"
	"kibitz/record/renlib"
	"kibitz/rules"
)

// A library in which somebody passes is a game that can be played by the rules.
func TestPassesAreLegal(t *testing.T) {
	for _, name := range []string{"lib_3_is_pass", "pos_4th_is_a_pass", "lib_documented"} {
		g, err := renlib.Read(shared.Read(t, "data", "gomoku", "renlib", "examplefiles__"+name+".lib"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := rules.Open([]rules.Game{gomoku.Game()}, string(g.Spec))
		if err != nil {
			t.Fatal(err)
		}
		s, passes := r.New(), 0
		for i, step := range g.Steps {
			if turn := s.Turn().Seat; turn != step.By {
				t.Errorf("%s: step %d by %v, on turn is %v", name, i+1, step.By, turn)
			}
			if _, err := s.Apply(step.Move, nil); err != nil {
				t.Fatalf("%s: step %d: %v", name, i+1, err)
			}
			if step.Move.Op == game.Pass {
				passes++
			}
		}
		if says, _ := r.Spec().Option("pass"); (says == "true") != (passes > 0) {
			t.Errorf("%s: %d passes under %s", name, passes, r.Spec())
		}
	}
}
