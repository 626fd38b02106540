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

// reachLimit draws the game when it has lasted as long as the run allows.
func (r *referee) reachLimit() {
	if n := r.g.Policy.MaxMoves; n > 0 && r.out.Turns >= n {
		r.end(game.Drawn(game.ByAdjudication, fmt.Sprintf("the limit of %d moves is reached", n)))
	}
}

// adjudicate ends the game by the run's own rules after a complete turn of seat.
func (r *referee) adjudicate(seat game.Seat) {
	p := &r.g.Policy
	if p.Exact.Solver != nil {
		if r.solve(); r.over {
			return
		}
	}
	if p.Draw.Count == 0 && p.Resign.Count == 0 {
		return
	}
	r.judge.hear(seat, r.info.Eval, p)
	j := &r.judge
	if p.Draw.Count > 0 && r.out.Turns >= p.Draw.FromMove && min(j.even[0], j.even[1]) >= p.Draw.Count {
		r.end(game.Drawn(game.ByAdjudication, fmt.Sprintf("both engines saw the game within %g of even for %d turns each", p.Draw.Score,
			p.Draw.Count)))
		return
	}
	for _, s := range [2]game.Seat{game.First, game.Second} {
		o := s.Other()
		if p.Resign.Count > 0 && j.lost[s] >= p.Resign.Count && (p.Resign.Alone || j.won[o] >= p.Resign.Count) {
			if p.Resign.Alone {
				r.lose(s, game.ByAdjudication, fmt.Sprintf("it called the game lost for %d turns, last %g", p.Resign.Count, j.last[s]))
				return
			}
			r.lose(s, game.ByAdjudication, fmt.Sprintf("both engines called the game lost for %d turns each, last %g and %g",
				p.Resign.Count, j.last[s], j.last[o]))
		}
	}
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
