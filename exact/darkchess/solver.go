// Package darkchess decides positions of Chinese dark chess that do not depend on
// what is face down: forced wins, and the last two pieces that can never take one
// another.
package darkchess

import (
	"math/bits"

	"kibitz/exact"
	"kibitz/games/darkchess"
	"kibitz/rules"
)

// Pieces is how many pieces one side has at most, those face down included, when a
// position is tried.
const Pieces = 2

// most bounds the positions of one attempt: the search grows with every ply, and what
// a few thousand do not decide many more do not either.
const most = 10_000

// Solver decides positions.
type Solver struct{ search exact.Search }

// New returns a solver.
func New() (exact.Solver, error) { return &Solver{exact.Search{History: true, Cap: most}}, nil }

// Near reports whether a side has few enough pieces left.
func (*Solver) Near(s rules.State) bool {
	st, ok := s.(*darkchess.State)
	if !ok {
		return false
	}
	b := st.Board()
	return min(b.Alive(darkchess.Red), b.Alive(darkchess.Black)) <= Pieces
}

// Solve decides the position.
func (x *Solver) Solve(s rules.State, budget int64) (exact.Verdict, bool) {
	st, ok := s.(*darkchess.State)
	if !ok || !st.Turn().Seat.IsPlayer() {
		return exact.Verdict{}, false
	}
	b := st.Board()
	if st.NoEat() > 0 && harmless(&b) {
		v := exact.Drawn("the last two pieces can never take each other")
		v.Nodes = 1
		return v, true
	}
	return x.search.Solve(s, budget)
}

// harmless reports whether there are just two pieces, one of each side, and neither
// can ever take the other: a cannon, which has no third piece to jump over, and a
// cannon or a pawn, which takes no cannon. With the board all but empty neither can
// be kept from moving.
func harmless(b *darkchess.Board) bool {
	if b.At(darkchess.Hidden) != 0 || b.Alive(darkchess.Red) != 1 || b.Alive(darkchess.Black) != 1 {
		return false
	}
	red, black := only(b, darkchess.RedKing), only(b, darkchess.BlackKing)
	cannon, pawn := darkchess.RedCannon-darkchess.RedKing, darkchess.RedPawn-darkchess.RedKing
	return red == cannon && (black == cannon || black == pawn) || black == cannon && red == pawn
}

// only returns the kind of the only piece of the colour that begins with first.
func only(b *darkchess.Board, first uint8) uint8 {
	for kind := range uint8(darkchess.Kinds) {
		if bits.OnesCount32(b.At(first+kind)) > 0 {
			return kind
		}
	}
	return darkchess.Kinds
}
