package recorded

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/match"
	"kibitz/record"
)

// A record says of each decision who made it, whether a clock ran, and what was refused
// before it.
func TestSteps(t *testing.T) {
	move := func(x int8) game.Move { return game.Move{To: game.Point{X: x}} }
	deep := game.Info{Depth: 7}
	o := &match.Outcome{
		Steps: []match.Step{
			{By: game.First, Move: move(1), Opening: true},
			{By: game.Second, Move: move(2), Used: time.Second, Error: time.Millisecond, Info: &deep},
			{By: game.Dealer, Move: move(3)},
			{By: game.First, Move: move(4), Forced: true},
			{By: game.Second, Move: move(5), Used: 2 * time.Second},
		},
		Attempts: []match.Attempt{
			{Before: 1, By: game.Second, Move: move(6), Used: time.Minute},
			{Before: 1, By: game.Second, Move: move(7)},
			{Before: 5, By: game.First, Move: move(8)},
		},
	}
	want := []record.Step{
		{By: game.First, Move: move(1), Opening: true},
		{By: game.Second, Move: move(6), Used: time.Minute, Timed: true, Refused: true},
		{By: game.Second, Move: move(7), Timed: true, Refused: true},
		{By: game.Second, Move: move(2), Used: time.Second, Timed: true, Error: time.Millisecond, Info: &deep},
		{By: game.Dealer, Move: move(3)},
		{By: game.First, Move: move(4), Forced: true},
		{By: game.Second, Move: move(5), Used: 2 * time.Second, Timed: true},
		{By: game.First, Move: move(8), Timed: true, Refused: true},
	}
	if d := cmp.Diff(want, Steps(o)); d != "" {
		t.Error(d)
	}
	if got := Steps(&match.Outcome{}); got == nil || len(got) != 0 {
		t.Errorf("a game without a decision: %v", got)
	}
}
