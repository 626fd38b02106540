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
}

// adjudicate ends the game by the run's own rules after a complete turn of seat.
func (r *referee) adjudicate(seat game.Seat) {
	p := &r.g.Policy
	if p.MaxMoves > 0 && r.out.Turns >= p.MaxMoves {
		r.end(game.Drawn(game.ByAdjudication, fmt.Sprintf("the limit of %d moves is reached", p.MaxMoves)))
		return
	}
	if p.Draw.Count == 0 && p.Resign.Count == 0 {
		return
	}
	r.judge.hear(seat, r.info.Eval, p)
	other := seat.Other()
	switch {
	case p.Draw.Count > 0 && r.out.Turns >= p.Draw.FromMove && min(r.judge.even[0], r.judge.even[1]) >= p.Draw.Count:
		r.end(game.Drawn(game.ByAdjudication, fmt.Sprintf("both engines saw the game within %g of even for %d turns", p.Draw.Score, p.Draw.Count)))
	case p.Resign.Count > 0 && r.judge.lost[seat] >= p.Resign.Count && r.judge.won[other] >= p.Resign.Count:
		r.lose(seat, game.ByAdjudication, fmt.Sprintf("both engines called the game lost for %d turns, last %g and %g",
			p.Resign.Count, r.judge.last[seat], r.judge.last[other]))
	case p.Resign.Count > 0 && r.judge.lost[other] >= p.Resign.Count && r.judge.won[seat] >= p.Resign.Count:
		r.lose(other, game.ByAdjudication, fmt.Sprintf("both engines called the game lost for %d turns, last %g and %g",
			p.Resign.Count, r.judge.last[other], r.judge.last[seat]))
	}
}

// hear counts one evaluation; a turn without one begins the count anew.
func (a *adjudicator) hear(seat game.Seat, e game.Eval, p *Policy) {
	v := e.Mid()
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
