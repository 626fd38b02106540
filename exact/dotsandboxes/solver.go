// Package dotsandboxes finds the exact scores of positions of Dots and Boxes.
package dotsandboxes

import (
	bot "kibitz/bot/dotsandboxes"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games/dotsandboxes"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Most is the number of open lines from which on a position is tried.
const Most = 40

const tableBytes = 16 << 20

// Solver decides positions.
type Solver struct{ solver *bot.Solver }

// New returns a solver.
func New() (exact.Solver, error) { return &Solver{bot.NewSolver(tableBytes)}, nil }

// Near reports whether few enough lines are open.
func (*Solver) Near(s rules.State) bool {
	st, ok := s.(*dotsandboxes.State)
	if !ok {
		return false
	}
	b := st.Board()
	return b.Open().Count() <= Most
}

// Solve finds the exact score.
func (x *Solver) Solve(s rules.State, budget int64) (exact.Verdict, bool) {
	st, ok := s.(*dotsandboxes.State)
	if !ok || !st.Turn().Seat.IsPlayer() {
		return exact.Verdict{}, false
	}
	b := st.Board()
	x.solver.Forget()
	value, nodes, ok := x.solver.Solve(&b, budget)
	if !ok {
		return exact.Verdict{Nodes: nodes}, false
	}
	v := exact.Verdict{Nodes: nodes, Why: plain.Count(b.Open().Count(), "open line") + " searched to the end"}
	side := b.Side()
	left := b.Size()*b.Size() - b.Boxes(0) - b.Boxes(1)
	var boxes [2]float64
	boxes[side] = float64(b.Boxes(side) + (left+value)/2)
	boxes[side.Other()] = float64(b.Boxes(side.Other()) + (left-value)/2)
	v.SetBoard(boxes[0], boxes[1], "boxes")
	v.Line, nodes = x.line(b, value, budget)
	v.Nodes += nodes
	return v, true
}

// line returns best play, as far as another budget lasts.
func (x *Solver) line(b dotsandboxes.Board, value int, budget int64) (line []game.Move, spent int64) {
	for !b.Over() && spent < budget {
		found := false
		for rest := b.Open(); !rest.Empty() && !found && spent < budget; rest = rest.Rest() {
			l, next := rest.First(), b
			got := count(next.Draw(l))
			v, nodes, ok := x.solver.Solve(&next, budget-spent)
			spent += nodes
			if !ok {
				return line, spent
			}
			if got == 0 {
				v = -v
			}
			if found = got+v == value; found {
				line = append(line, l.Move())
				if value -= got; got == 0 {
					value = -value
				}
				b = next
			}
		}
		if !found {
			break
		}
	}
	return line, spent
}

func count(closed uint64) (n int) {
	for ; closed != 0; closed &= closed - 1 {
		n++
	}
	return n
}
