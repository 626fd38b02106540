// Package surakarta decides positions of Surakarta that are won or lost by force
// within a few moves, whatever the repetitions and counters of the game so far.
package surakarta

import (
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/surakarta"
	"kibitz/rules"
)

// A position is tried from when one side has so few pieces, or when so few plies are
// left before the limit without a capture.
const (
	Pieces = 2
	Plies  = 5
)

// most bounds the positions of one attempt: the search grows with every ply, and what
// a few thousand do not decide many more do not either.
const most = 20_000

// New returns a solver.
func New() (exact.Solver, error) { return &exact.Search{When: near, History: true, Cap: most}, nil }

func near(s rules.State) bool {
	st, ok := s.(*surakarta.State)
	if !ok {
		return false
	}
	b := st.Board()
	_, limit := st.Limits()
	return min(b.Count(game.First), b.Count(game.Second)) <= Pieces || limit > 0 && limit-st.Quiet() <= Plies
}
