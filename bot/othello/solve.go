package othello

import (
	"math/bits"

	"kibitz/games/othello"
)

// shallow is the number of empty squares up to which parity orders the moves and
// the order of moves by replies no longer pays.
const shallow = 6

// remembered is the number of empty squares from which on positions are looked up
// and kept: a look into the table costs more than searching a smaller one.
const remembered = 8

// proved is the number of empty squares above which moves are looked up that are
// already proved good enough.
const proved = 10

// uncertain is the number of empty squares from which on a selective search leaves
// lines out. What it finds about positions with fewer is proved.
const uncertain = 13

// solve returns the exact score of a position in discs, or a bound of it outside
// the window. With a width it is a guess, which may be far from even.
func (s *search) solve(b othello.Board, alpha, beta, empties int) int {
	if empties <= shallow {
		return s.few(b, alpha, beta, empties)
	}
	s.nodes++
	if s.tick() {
		return alpha
	}
	if v, cut := s.stableCut(b, alpha, empties); cut {
		return v
	}
	hint, t := noMove, s.tables.of(empties)
	if empties >= remembered {
		if e := t.find(b); e != nil {
			hint = int(e.move)
			known := e.exact || s.width > 0 && int(e.size) >= empties
			if v, cut := e.cut(alpha*disc, beta*disc); cut && known {
				return v / disc
			}
		}
	}
	moves := b.Moves()
	if moves == 0 {
		if !b.Swap().HasMoves() {
			return final(b.Own, b.Opp)
		}
		return -s.solve(b.Swap(), -beta, -alpha, empties)
	}
	exact := s.width == 0 || empties < uncertain
	if !exact && beta == alpha+1 {
		if v, cut := s.cutBy(b, s.weights.Eval(b), alpha*disc, beta*disc, empties, 2, s.width); cut {
			return v / disc
		}
	}
	var list [maxMoves]ranked
	n := s.rankExact(b, moves, &list, hint, empties, alpha, beta)
	if empties > proved {
		if v := s.provedCut(list[:n], beta, empties-1); v >= beta {
			return v
		}
	}
	best, move, low := none, noMove, alpha
	for i := range n {
		c := pick(list[:n], i)
		v := s.solveChild(c.next, low, beta, empties-1, i > 0)
		if s.stopped {
			return alpha
		}
		if v > best {
			best, move = v, int(c.square)
			if v >= beta {
				break
			}
			low = max(low, v)
		}
	}
	if empties >= remembered {
		t.store(b, best*disc, alpha*disc, beta*disc, empties, exact, move)
	}
	return best
}

func (s *search) solveChild(b othello.Board, low, beta, empties int, scout bool) int {
	if scout && beta > low+1 {
		v := -s.solve(b, -low-1, -low, empties)
		if v <= low || v >= beta || s.stopped {
			return v
		}
	}
	return -s.solve(b, -beta, -low, empties)
}

// provedCut looks for a move that is already proved to be good enough.
func (s *search) provedCut(list []ranked, beta, empties int) int {
	best, t := none, s.tables.of(empties)
	for i := range list {
		if e := t.find(list[i].next); e != nil && e.exact {
			best = max(best, -int(e.hi)/disc)
			if best >= beta {
				return best
			}
		}
	}
	return best
}

// rankExact lists the moves in the order in which they should be tried: few
// replies first, then parity and the square; far from the end by a short search.
func (s *search) rankExact(b othello.Board, moves uint64, list *[maxMoves]ranked, hint, empties, alpha, beta int) int {
	if empties >= 13 {
		d := 0
		if empties >= 17 {
			d = (empties - 13) / 2
		}
		return s.rank(b, moves, list, hint, ordering{
			depth: min(d, 4), mobility: 3 * disc / 2,
			low: (alpha - 16) * disc, high: (beta + 20) * disc,
		})
	}
	o := odd(b.Empty())
	n := 0
	for ; moves != 0 && n < maxMoves; moves &= moves - 1 {
		sq := bits.TrailingZeros64(moves)
		r := &list[n]
		n++
		r.square = int8(sq)
		r.next = b.Play(sq, b.Flips(sq))
		if sq == hint {
			r.rank = 1 << 30
			continue
		}
		if r.next.Own == 0 {
			r.rank = 1 << 29
			continue
		}
		replies := r.next.Moves()
		m := bits.OnesCount64(replies) + bits.OnesCount64(replies&corners)
		r.rank = int32(-16*m) + int32(squareValue[sq])/2
		if o>>uint(sq)&1 != 0 {
			r.rank += 8
		}
	}
	return n
}
