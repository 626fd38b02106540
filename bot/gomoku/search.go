package gomoku

import (
	"kibitz/bot"
	"kibitz/games/gomoku"
)

// Scores are from the view of the side to move. A win in n plies is win-n.
const (
	win      = 30_000
	winBound = win - 1000 // scores beyond are proved wins or losses
	maxPly   = 96
	width    = 22 // candidates of an ordinary position
	maxMoves = 64
	sideKey  = 0x6a09e667f3bcc909
	foursKey = 0xbb67ae8584caa73b
)

type move struct {
	at    int32
	order int32
}

// search is the alpha-beta search of one task.
type search struct {
	f      *field
	t      *bot.Task
	tt     *table
	tried  *table // results of fours and threats
	rule   gomoku.Rule
	ends   int // empty points at which the board counts as full
	nodes  int64
	stop   bool
	budget int64 // of the search of fours that is running
	fours  int   // depth of the search of fours at the leaves
	threes bool  // whether wins by threats are searched
	hist   [2][]int32
	killer [maxPly + 1][2]int32
	lists  [maxPly + 1][maxAnswers]move
}

// visit counts a position and looks at the clock now and then.
func (s *search) visit() bool {
	s.nodes++
	if s.nodes&63 == 0 && s.t.Poll(64) {
		s.stop = true
	}
	return s.stop
}

func (s *search) key(c int) uint64 {
	if c == white {
		return s.f.hash ^ sideKey
	}
	return s.f.hash
}

// evaluate scores a quiet position for the colour to move, which is ahead by a
// move.
func (s *search) evaluate(c int) int {
	own, opp := int(s.f.sum[c]), int(s.f.sum[1-c])
	v := own - opp + own/6
	return min(max(v, -winBound+1), winBound-1)
}

// decided answers positions whose outcome the patterns tell: ok is false if there
// is none. forced is the point on which c must play, -1 if it is free.
func (s *search) decided(c, ply int) (v int, ok bool, forced int) {
	f := s.f
	switch {
	case f.empty <= s.ends:
		return 0, true, -1
	case f.count[c][cFive] > 0:
		return win - ply - 1, true, -1
	case f.empty <= s.ends+1:
		return 0, true, -1 // the last stone, and it makes nothing
	}
	if n := f.count[1-c][cFive]; n > 0 {
		if kindOf(s.rule, stone(1-c)).caro() {
			return 0, false, -1 // there are more ways to answer
		}
		at := f.find(1-c, cFive)
		if n > 1 || f.foul(at, c) {
			return -(win - ply - 2), true, -1
		}
		return 0, false, at
	}
	if f.count[c][cWinFour] > 0 && f.empty > s.ends+3 && f.find(c, cWinFour) >= 0 {
		return win - ply - 3, true, -1
	}
	return 0, false, -1
}

// negamax searches a position.
func (s *search) negamax(alpha, beta, depth, ply, c int) int {
	if s.visit() {
		return 0
	}
	v, ok, forced := s.decided(c, ply)
	switch {
	case ok:
		return v
	case ply >= maxPly:
		return s.evaluate(c)
	case forced >= 0:
		s.f.put(forced, stone(c))
		v = -s.negamax(-beta, -alpha, depth, ply+1, 1-c)
		s.f.take(forced)
		return v
	}
	// No win can come sooner than the third ply from here.
	if beta > win-ply-3 {
		if beta = win - ply - 3; alpha >= beta {
			return beta
		}
	}
	if depth <= 0 {
		return s.leaf(c, ply)
	}
	return s.moves(alpha, beta, depth, ply, c)
}

// leaf scores the end of a line: forced wins by fours, then the evaluation.
func (s *search) leaf(c, ply int) int {
	if s.fours > 0 && s.f.count[1-c][cFive] == 0 && s.hasFours(c) {
		s.budget = 120
		if n, _ := s.force(c, s.fours); n > 0 {
			return win - ply - n
		}
	}
	return s.evaluate(c)
}

func (s *search) hasFours(c int) bool {
	return s.f.count[c][cFour]+s.f.count[c][cFourAnd] > 0
}

// moves searches the candidates of a position that is neither decided nor forced.
func (s *search) moves(alpha, beta, depth, ply, c int) int {
	key := s.key(c)
	first := int32(-1)
	if e, ok := s.tt.get(key); ok {
		first = int32(e.move)
		if v := fromTable(int(e.score), ply); int(e.depth) >= depth && (e.bound == exact ||
			e.bound == lower && v >= beta || e.bound == upper && v <= alpha) {
			return v
		}
	}
	if depth >= 3 && s.fours > 0 && s.f.count[1-c][cFive] == 0 && s.hasFours(c) {
		s.budget = 400
		if n, _ := s.force(c, s.fours+6); n > 0 {
			return win - ply - n
		}
	}
	list := s.candidates(c, ply, first, width)
	best, bestAt, low := -win, int32(-1), alpha
	for n, m := range list {
		v := s.try(m.at, n, alpha, beta, depth, ply, c)
		if s.stop {
			return 0
		}
		if v > best {
			best, bestAt = v, m.at
		}
		if alpha = max(alpha, v); alpha >= beta {
			s.reward(m.at, depth, ply, c)
			break
		}
	}
	if len(list) == 0 {
		best = s.lost(c, ply)
	}
	bound := exact
	switch {
	case best <= low:
		bound = upper
	case best >= beta:
		bound = lower
	}
	s.tt.put(entry{key: key, move: int16(bestAt), score: int16(toTable(best, ply)), depth: int8(depth), bound: bound})
	return best
}

// lost scores a position without candidates: every point may be a foul, or nothing
// is near.
func (s *search) lost(c, ply int) int {
	if s.f.count[1-c][cFive] > 0 {
		return -(win - ply - 2)
	}
	return s.evaluate(c)
}

// try searches one candidate, the n-th of its position.
func (s *search) try(at int32, n int, alpha, beta, depth, ply, c int) int {
	quiet := s.f.class[c][at]&classMask < cFour && s.f.class[1-c][at]&classMask < cFour
	s.f.put(int(at), stone(c))
	v := s.after(quiet, n, alpha, beta, depth, ply, c)
	s.f.take(int(at))
	return v
}

// after searches the position after the n-th candidate: all but the first with no
// window first, and the quiet late ones less deeply.
func (s *search) after(quiet bool, n, alpha, beta, depth, ply, c int) int {
	if n == 0 {
		return -s.negamax(-beta, -alpha, depth-1, ply+1, 1-c)
	}
	less := 0
	if depth >= 3 && quiet && n >= 4 {
		if less = 1; n >= 12 && depth >= 5 {
			less = 2
		}
	}
	v := -s.negamax(-alpha-1, -alpha, depth-1-less, ply+1, 1-c)
	if less > 0 && v > alpha && !s.stop {
		v = -s.negamax(-alpha-1, -alpha, depth-1, ply+1, 1-c)
	}
	if v > alpha && v < beta && !s.stop {
		v = -s.negamax(-beta, -alpha, depth-1, ply+1, 1-c)
	}
	return v
}

// reward remembers a move that refuted a position.
func (s *search) reward(at int32, depth, ply, c int) {
	k := &s.killer[ply]
	if k[0] != at {
		k[0], k[1] = at, k[0]
	}
	h := &s.hist[c][at]
	if *h += int32(depth * depth); *h > 4000 {
		for i := range s.hist[c] {
			s.hist[c][i] /= 2
		}
	}
}

// candidates lists the moves worth a look, best first. Under an open four to come,
// only fours and what could stop it are.
func (s *search) candidates(c, ply int, first int32, most int) []move {
	f := s.f
	list := s.lists[ply][:0]
	five := f.count[1-c][cFive] > 0 // caro only
	threat := !five && f.count[1-c][cWinFour] > 0 && !kindOf(s.rule, stone(1-c)).caro()
	if threat && c == white && s.rule == gomoku.Renju {
		threat = f.find(black, cWinFour) >= 0
	}
	if threat && s.threes && f.empty > s.ends+4 { // what does not meet w loses
		if w := s.threat(1 - c); w >= 0 {
			if list = s.defences(list, w, 1-c); len(list) > 0 {
				return s.sorted(list, c, ply, first)
			}
		}
	}
	own, opp := f.pack[c], f.pack[1-c]
	for _, i := range f.cand {
		if f.cells[i] != gomoku.Empty {
			continue
		}
		a, b := &f.combos[c][own[i]], &f.combos[1-c][opp[i]]
		ac, bc := a.class&classMask, b.class&classMask
		if threat && i != first && !fourClass(ac) && !fourClass(bc) && bc != cFoul {
			continue
		}
		if f.foul(int(i), c) {
			continue
		}
		list = insert(list, move{i, s.order(i, first, ply, c)}, min(most, maxMoves))
	}
	return list
}

// order is how early a candidate is tried: the move of the table first.
func (s *search) order(i, first int32, ply, c int) int32 {
	f := s.f
	o := int32(f.combos[c][f.pack[c][i]].order) + int32(f.combos[1-c][f.pack[1-c][i]].order)*4/5
	switch i {
	case first:
		o += 1 << 20
	case s.killer[ply][0]:
		o += 120
	case s.killer[ply][1]:
		o += 80
	}
	return o + s.hist[c][i]/40
}

// sorted orders candidates.
func (s *search) sorted(list []move, c, ply int, first int32) []move {
	for n, m := range list {
		m.order = s.order(m.at, first, ply, c)
		insert(list[:n], m, maxAnswers)
	}
	return list
}

func fourClass(k uint8) bool { return k >= cFour && k <= cFive }

// insert keeps the best moves of a list in order.
func insert(list []move, m move, most int) []move {
	if len(list) == most {
		if list[most-1].order >= m.order {
			return list
		}
		list = list[:most-1]
	}
	list = append(list, m)
	for k := len(list) - 1; k > 0 && list[k-1].order < m.order; k-- {
		list[k-1], list[k] = list[k], list[k-1]
	}
	return list
}

// Wins are stored as seen from the position itself.
func toTable(v, ply int) int {
	switch {
	case v > winBound:
		return v + ply
	case v < -winBound:
		return v - ply
	}
	return v
}

func fromTable(v, ply int) int {
	switch {
	case v > winBound:
		return v - ply
	case v < -winBound:
		return v + ply
	}
	return v
}
