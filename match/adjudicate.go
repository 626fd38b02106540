package match

import (
	"fmt"
	"math"

	"kibitz/game"
)

// adjudicator counts what the engines say of the game.
type adjudicator struct {
	even [2]int // turns in a row that a seat called even
	lost [2]int // turns in a row that a seat called lost
	won  [2]int // turns in a row that a seat called won
	last [2]float64
	// again is the turn from which exact knowledge is asked again.
	again int
}

// adjudicate ends the game by the run's own rules: after a complete turn in which the seat
// itself decided, and when the game has lasted as long as the run allows.
func (r *referee) adjudicate(seat game.Seat, decided bool) {
	p := &r.g.Policy
	if decided && p.Exact.Solver != nil {
		if res, proof, ok := r.judge.solve(r.g, r.out.Turns, r.pos.state); ok {
			r.out.Evidence = append(r.out.Evidence, proof...)
			r.end(r.time.overtime(res))
			return
		}
	}
	if decided && (p.Draw.Count > 0 || p.Resign.Count > 0) {
		r.judge.hear(seat, r.rec.info.Eval, p)
		if res, ok := r.judge.result(r.g, r.out.Turns); ok {
			r.end(res)
		}
	}
	if n := p.MaxMoves; n > 0 && r.out.Turns >= n {
		r.end(game.Drawn(game.ByAdjudication, fmt.Sprintf("the limit of %d moves is reached", n)))
	}
}

// result is what the engines' evaluations decide after so many turns, if anything.
func (a *adjudicator) result(g *Game, turns int) (game.Result, bool) {
	p := &g.Policy
	if p.Draw.Count > 0 && turns >= p.Draw.FromMove && min(a.even[0], a.even[1]) >= p.Draw.Count {
		return game.Drawn(game.ByAdjudication, fmt.Sprintf("both engines saw the game within %g of even for %d turns each", p.Draw.Score,
			p.Draw.Count)), true
	}
	for _, s := range [2]game.Seat{game.First, game.Second} {
		o := s.Other()
		if p.Resign.Count == 0 || a.lost[s] < p.Resign.Count || !p.Resign.Alone && a.won[o] < p.Resign.Count {
			continue
		}
		why := fmt.Sprintf("it called the game lost for %d turns, last %g", p.Resign.Count, a.last[s])
		if !p.Resign.Alone {
			why = fmt.Sprintf("both engines called the game lost for %d turns each, last %g and %g", p.Resign.Count, a.last[s], a.last[o])
		}
		return g.loss(s, game.ByAdjudication, why), true
	}
	return game.Result{}, false
}

// hear counts one evaluation; a turn without one begins the count anew.
func (a *adjudicator) hear(seat game.Seat, e game.Eval, p *Policy) {
	v := score(e)
	count := func(n *int, ok bool) {
		if ok {
			*n++
		} else {
			*n = 0
		}
	}
	a.last[seat] = v
	count(&a.even[seat], math.Abs(v) <= p.Draw.Score)
	count(&a.lost[seat], v <= -p.Resign.Score)
	count(&a.won[seat], v >= p.Resign.Score)
}

// score puts an evaluation on a scale with 0 as even, NaN if it is unknown.
func score(e game.Eval) float64 {
	v := e.Mid()
	switch e.Unit {
	case game.WinChance:
		return 2*v - 1
	case game.MateIn:
		if v == 0 {
			return math.NaN() // neither says who wins
		}
		return v * math.Inf(1)
	default:
		return v
	}
}
