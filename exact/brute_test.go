package exact_test

import (
	"math/rand/v2"

	"kibitz/game"
	"kibitz/rules"
)

// brute is the plain value of a position: every decision of every line is played on
// copies, nothing is cut off, and a position met again counts as it did before. It
// shares nothing with the solvers but the rules.
type brute struct {
	memo  map[string]worth // nil in games with a history
	nodes int
	most  int // nodes after which it gives up
	board bool
}

// worth orders results for the first seat: the points first, then the board.
type worth struct {
	points, board float64
}

func (a worth) less(b worth) bool {
	return a.points < b.points || a.points == b.points && a.board < b.board
}

func (x *brute) value(s rules.State) (w worth, ok bool) {
	if x.nodes++; x.nodes > x.most {
		return w, false
	}
	if r, over := s.Result(); over {
		w.points = r.Points[0] - r.Points[1]
		if x.board {
			w.board = r.Board[0] - r.Board[1]
		}
		return w, true
	}
	seat := s.Turn().Seat
	if !seat.IsPlayer() {
		return w, false // chance
	}
	text := ""
	if x.memo != nil {
		text = s.Text()
		if w, ok := x.memo[text]; ok {
			return w, true
		}
	}
	for i, m := range s.Legal(nil) {
		c := s.Clone()
		if _, err := c.Apply(m, nil); err != nil {
			panic(err)
		}
		v, ok := x.value(c)
		if !ok {
			return w, false
		}
		if i == 0 || seat == game.First && w.less(v) || seat == game.Second && v.less(w) {
			w = v
		}
	}
	if x.memo != nil {
		x.memo[text] = w
	}
	return w, true
}

// playout plays random decisions and returns all positions with a seat on turn.
func playout(r *rand.Rand, s rules.State) []rules.State {
	var all []rules.State
	for s = s.Clone(); ; {
		if s.Turn().Seat == game.Nobody {
			return all
		}
		all = append(all, s.Clone())
		list := s.Legal(nil)
		if _, err := s.Apply(list[r.IntN(len(list))], nil); err != nil {
			panic(err)
		}
	}
}
