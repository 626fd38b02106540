package othello

import (
	"math"

	"kibitz/games/othello"
)

// midWidth is how many standard deviations outside the window a shallow search must
// be to end a deeper one (multi-ProbCut: M. Buro, Experiments with Multi-ProbCut and
// a New High-Quality Evaluation Function for Othello, 1997). Games were played with
// 0.9, 1.2 and 1.5, see docs/measured/strength-othello.md.
const midWidth = 1.2

// twice is the depth from which on a very shallow search is tried before another.
const twice = 8

// probCut ends a search whose shallow twin is so far outside the window that the deep
// one would hardly come back into it.
func (s *search) probCut(b othello.Board, alpha, beta, depth int) (int, bool) {
	if s.midWidth == 0 || depth < 2 || beta > alpha+1 || b.Empties() <= depth {
		return 0, false
	}
	guess, part := s.weights.Eval(b), 2
	if depth >= twice {
		part = 4
	}
	for ; part >= 2; part /= 2 {
		if v, cut := s.cutBy(b, guess, alpha, beta, depth, part, s.midWidth); cut {
			return v, true
		}
	}
	return 0, false
}

// cutBy searches to a part of the depth, of the same parity, at both ends of the window
// widened by so many standard deviations, where a guess at the value lets hope for a
// result. An attempt counts as a position.
func (s *search) cutBy(b othello.Board, guess, alpha, beta, depth, part int, width float64) (int, bool) {
	shallow := depth/(2*part)*2 + depth%2
	margin := cutMargin(shallow, depth, b.Empties(), width)
	s.nodes++
	if up := beta + margin; up < limit && guess >= beta {
		if s.mid(b, up-1, up, shallow) >= up && !s.stopped {
			return beta, true
		}
	}
	if down := alpha - margin; down > -limit && guess <= alpha && !s.stopped {
		if s.mid(b, down, down+1, shallow) <= down && !s.stopped {
			return alpha, true
		}
	}
	return 0, false
}

// cutMargin is how far outside the window a shallow search must be to end a deeper
// one, in parts of a disc: so many standard deviations of what a deep search finds
// from what a shallow one of the same parity does.
//
// The deviation grows with the game and with the plies left out, and is smaller for
// deeper searches. It was fitted to searches of 0 to 9 plies that left nothing out,
// of 120 positions each with 20 to 50 empty squares, and is off by a tenth.
func cutMargin(shallow, depth, empties int, width float64) int {
	d := &deviations
	return int(width * disc * d.empties[empties&63] * d.shallow[shallow&63] * d.more[(depth-shallow)&63])
}

// deviations are the factors of the standard deviation, in discs.
var deviations = makeDeviations()

func makeDeviations() (d struct{ empties, shallow, more [64]float64 }) {
	for i := range 64 {
		d.empties[i] = 1.131 * math.Exp(0.028*float64(60-i))
		d.shallow[i] = math.Pow(float64(1+i), -0.272)
		d.more[i] = math.Pow(float64(i), 0.291)
	}
	return d
}
