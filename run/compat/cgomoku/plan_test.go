package cgomoku

import (
	"testing"

	"kibitz/game"
	"kibitz/opening"
)

// TestTurned holds where c-gomoku-cli places a stone in each of its eight passes.
func TestTurned(t *testing.T) {
	o := opening.Opening{Steps: []game.Move{{Op: game.Place, To: game.Point{X: 1, Y: 2}}}}
	for pass, want := range []game.Point{
		{X: 1, Y: 2}, {X: 2, Y: 13}, {X: 13, Y: 12}, {X: 12, Y: 1}, {X: 1, Y: 12}, {X: 13, Y: 2}, {X: 2, Y: 1}, {X: 12, Y: 13},
	} {
		if got := turned(o, 15, pass).Steps[0].To; got != want {
			t.Errorf("pass %d: %v, want %v", pass, got, want)
		}
	}
}
