package match

import (
	"fmt"
	"strings"

	"kibitz/exact"
	"kibitz/game"
	"kibitz/rules"
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

// solve returns the result of the game and the evidence, if it is proved.
func (a *adjudicator) solve(g *Game, turns int, s rules.State) (res game.Result, proof []string, ok bool) {
	p := &g.Policy.Exact
	if turns < p.FromMove || turns < a.again || !p.Solver.Near(s) {
		return res, nil, false
	}
	v, ok := p.Solver.Solve(s, p.Nodes)
	if !ok {
		if v.Nodes > p.Nodes/2 {
			a.again = turns + rest
		}
		return res, nil, false
	}
	res = game.Result{Points: v.Points, Board: v.Board, HasBoard: v.HasBoard, Reason: game.ByAdjudication, Detail: g.solvedText(&v)}
	proof = []string{"adjudicated position: " + s.Text()}
	if len(v.Line) > 0 {
		var words []string
		for _, m := range v.Line {
			words = append(words, g.Rules.FormatMove(m))
		}
		proof = append(proof, "best play: "+strings.Join(words, " "))
	}
	return res, proof, true
}

// solvedText says what is certain and why, in one line.
func (g *Game) solvedText(v *exact.Verdict) string {
	what, w := "a draw", v.Winner()
	if w.IsPlayer() {
		what = g.Sides[w].Name + " wins"
	} else {
		w = game.First
	}
	if v.HasBoard {
		what += fmt.Sprintf(" by %g %s to %g", v.Board[w], v.Unit, v.Board[w.Other()])
	}
	return fmt.Sprintf("solved: %s with best play; %s, %d positions", what, v.Why, v.Nodes)
}
