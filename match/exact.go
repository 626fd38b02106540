package match

import (
	"fmt"
	"strings"

	"kibitz/exact"
	"kibitz/game"
)

// ExactRule ends a game whose result is certain under best play of both sides. It
// is tried after complete turns; the time that it takes is on no clock.
type ExactRule struct {
	// Solver decides positions; nil is off. It is asked by the goroutines of all
	// games that share the policy.
	Solver exact.Solver
	// Nodes bounds the positions searched for one attempt.
	Nodes int64
	// FromMove is the turn from which the rule holds, 0 for always.
	FromMove int
}

// rest is how many turns an attempt that used up what it was allowed is not made
// again: the next position is not much smaller.
const rest = 2

// solve ends the game if its result is proved.
func (r *referee) solve() {
	p, j := &r.g.Policy.Exact, &r.judge
	if r.out.Turns < p.FromMove || r.out.Turns < j.again || !p.Solver.Near(r.state) {
		return
	}
	v, ok := p.Solver.Solve(r.state, p.Nodes)
	if !ok {
		if v.Nodes > p.Nodes/2 {
			j.again = r.out.Turns + rest
		}
		return
	}
	res := game.Result{Points: v.Points, Board: v.Board, HasBoard: v.HasBoard, Reason: game.ByAdjudication}
	res.Detail = r.solvedText(&v)
	r.out.Evidence = append(r.out.Evidence, r.proof(&v)...)
	r.end(r.overtime(res))
}

// solvedText says what is certain and why, in one line.
func (r *referee) solvedText(v *exact.Verdict) string {
	what, w := "a draw", v.Winner()
	if w.IsPlayer() {
		what = r.g.Sides[w].Name + " wins"
	} else {
		w = game.First
	}
	if v.HasBoard {
		what += fmt.Sprintf(" by %g %s to %g", v.Board[w], v.Unit, v.Board[w.Other()])
	}
	return fmt.Sprintf("solved: %s with best play; %s, %d positions", what, v.Why, v.Nodes)
}

// proof returns the evidence: the position and best play from it.
func (r *referee) proof(v *exact.Verdict) []string {
	lines := []string{"adjudicated position: " + r.state.Text()}
	if len(v.Line) > 0 {
		var words []string
		for _, m := range v.Line {
			words = append(words, r.g.Rules.FormatMove(m))
		}
		lines = append(lines, "best play: "+strings.Join(words, " "))
	}
	return lines
}
