// Package connect6 decides positions of Connect6: wins by turns that leave no
// choice, and draws where no six is possible any more.
package connect6

import (
	bot "kibitz/bot/connect6"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/connect6"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Least is the number of stones from which on a position is tried.
const Least = 7

// most bounds the positions of one search for a forced win: what so many do not find
// is rarely there.
const most = 20_000

// Search is the number of empty points from which on a position is also searched
// to the end.
const Search = 8

// Solver decides positions.
type Solver struct {
	prover bot.Prover
	search exact.Search
}

// New returns a solver.
func New() (exact.Solver, error) { return &Solver{}, nil }

// Near reports whether there are enough stones.
func (*Solver) Near(s rules.State) bool {
	st, ok := s.(*connect6.State)
	if !ok {
		return false
	}
	b := st.Board()
	return b.Size()*b.Size()-b.Empty() >= Least
}

// Solve looks for a draw that is certain and for a forced win of either side, and
// searches what is small enough.
func (x *Solver) Solve(s rules.State, budget int64) (exact.Verdict, bool) {
	st, ok := s.(*connect6.State)
	turn := s.Turn()
	if !ok || !turn.Seat.IsPlayer() {
		return exact.Verdict{}, false
	}
	b := st.Board()
	if !Possible(&b, game.First) && !Possible(&b, game.Second) {
		v := exact.Drawn("every six points in a line hold stones of both sides")
		v.Nodes = 1
		return v, true
	}
	var nodes int64
	if turn.Step == 0 && b.Empty() < b.Size()*b.Size() {
		who := turn.Seat
		line, n, spent := x.prover.Find(&b, who, min(budget, most))
		if nodes = spent; n == 0 {
			who = who.Other()
			line, n, spent = x.prover.Lost(&b, turn.Seat, min(max(0, budget-nodes), most))
			nodes += spent
		}
		if n > 0 {
			v := exact.Won(who, "a forced win in "+plain.Count(n, "turn"))
			v.Line, v.Nodes = line, nodes
			return v, true
		}
	}
	if b.Empty() > Search {
		return exact.Verdict{Nodes: nodes}, false
	}
	v, ok := x.search.Solve(s, budget)
	v.Nodes += nodes
	if ok {
		v.Why = plain.Count(b.Empty(), "empty point") + " searched to the end"
	}
	return v, ok
}

// Possible reports whether there are six neighbouring points in a line without a
// stone of the other side: whether a seat can still get six.
func Possible(b *connect6.Board, s game.Seat) bool {
	size := b.Size()
	var open [connect6.MaxSize]uint32 // points of each row that are not the other side's
	for y := range size {
		open[y] = b.Free(y)
		for x := range size {
			if b.At(x, y) == s {
				open[y] |= 1 << x
			}
		}
	}
	for y := range size {
		two := open[y] & (open[y] >> 1)
		if two&(two>>2)&(two>>4) != 0 {
			return true
		}
	}
	for y := 0; y+connect6.Six <= size; y++ {
		o := open[y : y+connect6.Six]
		down, right, left := o[0], o[0], o[0]
		for k := 1; k < connect6.Six; k++ {
			down &= o[k]
			right &= o[k] >> k
			left &= o[k] << k
		}
		if down|right|left != 0 {
			return true
		}
	}
	return false
}
