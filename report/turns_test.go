package report_test

import (
	"testing"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/report"
)

// A turn is one entry, whether its decisions came one by one or together, with the
// attempts that did not stand.
func TestTurns(t *testing.T) {
	step := func(by game.Seat, n int, ended, refused bool) journal.Step {
		return journal.Step{Decision: journal.Decision{By: by, Steps: make([]game.Move, n), Ended: ended, Refused: refused}}
	}
	steps := []journal.Step{
		step(game.First, 1, false, false), step(game.First, 1, true, false), step(game.Second, 2, true, false),
		step(game.First, 1, false, true), step(game.First, 1, true, false), step(game.Second, 1, false, false),
	}
	turns, at := report.Turns(steps), 0
	for i, n := range []int{2, 1, 2, 1} {
		if len(turns) != 4 || len(turns[i]) != n || &turns[i][0] != &steps[at] {
			t.Fatalf("turn %d of %d", i+1, len(turns))
		}
		at += n
	}
	if len(report.Turns(nil)) != 0 {
		t.Error("a game without decisions has turns")
	}
}
