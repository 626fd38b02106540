// Package breakthrough decides positions of Breakthrough that are won or lost by force
// within a few moves.
package breakthrough

import (
	"math/bits"

	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/breakthrough"
	"kibitz/rules"
)

// A position is tried from when a side has so few men, or a man so near to its goal.
const (
	Men  = 4
	Rows = 3
)

// most bounds the positions of one attempt: the search grows with every ply, and what a
// few thousand do not decide many more do not either.
const most = 20_000

// New returns a solver. It looks deeper by a ply at a time, as if the past counted: most
// that can be decided is decided within a few plies.
func New() (exact.Solver, error) { return &exact.Search{When: near, History: true, Cap: most}, nil }

// Whole returns a solver for single positions, however long that takes.
func Whole() (exact.Solver, error) { return &exact.Search{When: near, History: true}, nil }

func near(s rules.State) bool {
	st, ok := s.(*breakthrough.State)
	if !ok {
		return false
	}
	b := st.Board()
	return min(b.Count(game.First), b.Count(game.Second)) <= Men ||
		bits.TrailingZeros64(b.Of(game.First)) < breakthrough.Size*Rows ||
		bits.LeadingZeros64(b.Of(game.Second)) < breakthrough.Size*Rows
}
