// Package gomoku decides positions of five in a row: wins by fours, each of which
// must be answered, and draws where no five is possible any more.
package gomoku

import (
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Least is the number of stones from which on a position is tried.
const Least = 7

// Search is the number of stones until the end of the game from which on a position
// is also searched to the end.
const Search = 8

// Solver decides positions.
type Solver struct {
	search exact.Search
	fours  fours
}

// New returns a solver.
func New() (exact.Solver, error) { return &Solver{}, nil }

// Near reports whether there are enough stones.
func (*Solver) Near(s rules.State) bool {
	st, ok := s.(*gomoku.State)
	return ok && st.Stones() >= Least && st.Turn().Phase == gomoku.PhasePlace
}

// Solve looks for a draw that is certain, for a win of either side by fours alone,
// and searches what is small enough.
func (x *Solver) Solve(s rules.State, budget int64) (exact.Verdict, bool) {
	st, ok := s.(*gomoku.State)
	if !ok || !st.Turn().Seat.IsPlayer() || st.Turn().Phase != gomoku.PhasePlace {
		return exact.Verdict{}, false
	}
	var nodes int64
	if !st.Rules().Continuous() {
		v, ok := x.lines(st, budget)
		if ok {
			return v, true
		}
		nodes = v.Nodes
	}
	w, h := st.Board().Size()
	left := w*h - st.Stones() - st.Rules().DrawEmpty()
	if left > Search {
		return exact.Verdict{Nodes: nodes}, false
	}
	v, ok := x.search.Solve(s, budget)
	v.Nodes += nodes
	if ok {
		v.Why = plain.Count(left, "stone") + " until the end of the game, all searched"
	}
	return v, ok
}

// lines decides by what lines are possible or threatened.
func (x *Solver) lines(st *gomoku.State, budget int64) (exact.Verdict, bool) {
	b := st.Board()
	if !Possible(b, gomoku.Black) && !Possible(b, gomoku.White) {
		v := exact.Drawn("every five points in a line hold stones of both sides")
		v.Nodes = 1
		return v, true
	}
	f := &x.fours
	f.begin(st, budget)
	mover := st.Next()
	who := mover
	line := f.win(mover)
	if line == nil {
		who = mover.Other()
		line = f.loss(mover)
	}
	if line == nil {
		return exact.Verdict{Nodes: f.nodes}, false
	}
	v := exact.Won(st.SeatOf(who), "a five that cannot be prevented")
	v.Line, v.Nodes = line, f.nodes
	return v, true
}

// Possible reports whether there are five neighbouring points in a line that hold
// nothing but stones of a colour and empty points: no rule gives a five, or a foul,
// where there are none.
func Possible(b *gomoku.Board, c gomoku.Stone) bool {
	w, h := b.Size()
	for y := range h {
		for x := range w {
			i := b.Index(game.Pt(x, y))
			for _, d := range b.Dirs() {
				n := 0
				for n < 5 && (b.At(i+n*d) == c || b.At(i+n*d) == gomoku.Empty) {
					n++
				}
				if n == 5 {
					return true
				}
			}
		}
	}
	return false
}
