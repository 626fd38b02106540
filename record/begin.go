package record

import (
	"fmt"

	"kibitz/game"
)

// Begin is the game up to n decisions of its players, with what chance added to the last one: a
// game that is not over.
func (g *Game) Begin(n int) (*Game, error) {
	if n < 0 {
		return nil, fmt.Errorf("%d decisions: must be 0 or more", n)
	}
	out, made := *g, 0
	for i := range g.Steps {
		s := &g.Steps[i]
		if s.Refused || s.Move.Op == game.Deal {
			continue
		}
		if made == n {
			out.Steps = g.Steps[:i:i]
			out.Result, out.Evidence, out.Resources = nil, nil, [2]Resources{}
			return &out, nil
		}
		made++
	}
	if made < n {
		return nil, fmt.Errorf("the game has %d decisions, not %d", made, n)
	}
	return &out, nil
}
