// Package amazons decides positions of the Game of the Amazons: by the rules of
// territory once the sides are apart, and by search at the very end.
package amazons

import (
	"fmt"

	bot "kibitz/bot/amazons"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Most is the number of empty squares from which on a position is tried, Search
// that from which on it is also searched to the end.
const (
	Most   = 60
	Search = 7
)

// Solver decides positions.
type Solver struct{ search exact.Search }

// New returns a solver.
func New() (exact.Solver, error) { return &Solver{}, nil }

// Near reports whether a turn begins and few enough squares are empty.
func (*Solver) Near(s rules.State) bool {
	st, ok := s.(*amazons.State)
	if !ok {
		return false
	}
	b := st.Board()
	_, shooting := b.Shooter()
	return !shooting && empty(&b) <= Most
}

func empty(b *amazons.Board) (n int) {
	for sq := range amazons.Squares {
		if b.Cell(sq) == amazons.Empty {
			n++
		}
	}
	return n
}

// Solve finds out who runs out of moves.
func (x *Solver) Solve(s rules.State, budget int64) (exact.Verdict, bool) {
	st, ok := s.(*amazons.State)
	if !ok || !st.Turn().Seat.IsPlayer() || st.Turn().Step != 0 {
		return exact.Verdict{}, false
	}
	b := st.Board()
	p, nodes, ok := bot.Part(&b, budget)
	if ok {
		why := fmt.Sprintf("%s left where the other side cannot come, which has %d at most", plain.Count(p.Low, "turn"), p.High)
		v := exact.Won(p.Winner, why)
		if p.Winner == b.Side() {
			v.Line = first(p.Line)
		}
		v.Nodes = nodes
		return v, true
	}
	n := empty(&b)
	if n > Search {
		return exact.Verdict{Nodes: nodes}, false
	}
	v, ok := x.search.Solve(s, budget)
	v.Nodes += nodes
	if ok {
		v.Why = plain.Count(n, "empty square") + " searched to the end"
	}
	return v, ok
}

// first returns the first turn of a line: what follows is the winner's alone.
func first(line []game.Move) []game.Move { return line[:min(2, len(line))] }
