package gomoku

import "kibitz/games/gomoku"

// force looks for a win of colour c, who is to move, by fours alone: each must be
// answered. It returns the plies to the five and the first stone, 0 if it finds
// none within depth fours and the budget of positions. The stone is -1 where it
// was not asked for anew.
func (s *solver) force(c, depth int) (plies int, at int32) {
	if plies, at, known := s.atOnce(c); known {
		return plies, at
	}
	if depth <= 0 || !s.chains(c) {
		return 0, -1
	}
	if s.budget--; s.budget < 0 || s.meter.Visit() {
		return 0, -1
	}
	key := s.key(c) ^ foursKey
	if e, ok := s.tried.get(key); ok && (e.plies > 0 || int(e.depth) >= depth) {
		return int(e.plies), int32(e.move)
	}
	plies, at = s.fourByFour(c, depth)
	if plies > 0 || s.budget >= 0 && !s.meter.Stopped() {
		s.tried.put(tried{key: key, move: int16(at), plies: int16(plies), depth: int8(depth)})
	}
	return plies, at
}

// atOnce answers what needs no search: a five, an open four that nothing is to be done
// about, or that nothing can be won any more.
func (s *solver) atOnce(c int) (plies int, at int32, known bool) {
	f := s.f
	switch {
	case f.count[c][cFive] > 0:
		return 1, int32(f.find(c, cFive)), true
	case s.meter.Stopped() || f.empty <= s.ends+3:
		return 0, -1, true
	}
	if f.count[c][cWinFour] > 0 && f.count[1-c][cFive] == 0 {
		if i := f.find(c, cWinFour); i >= 0 {
			return 3, int32(i), true
		}
	}
	return 0, -1, false
}

// fourByFour tries the fours of c, the most promising first.
func (s *solver) fourByFour(c, depth int) (plies int, at int32) {
	f := s.f
	must := -1
	if n := f.count[1-c][cFive]; n > 0 {
		// The other side answered with a four of its own.
		if n > 1 {
			return 0, -1
		}
		must = f.find(1-c, cFive)
	}
	var room [16]move
	list := room[:0]
	for _, i := range f.cand {
		if f.cells[i] != gomoku.Empty || must >= 0 && int(i) != must {
			continue
		}
		e := f.card(c, int(i))
		if fourClass(e.class&classMask) && !f.foul(int(i), c) {
			list = insert(list, move{i, int32(e.force)}, len(room))
		}
	}
	for _, m := range list {
		f.put(int(m.at), stone(c))
		n := s.answered(int(m.at), c, depth, false)
		f.undo()
		if n > 0 {
			return n + 1, m.at
		}
	}
	return 0, -1
}

// answered returns the plies in which c wins whatever the other side does about
// the four that c has just made with the stone at, 0 if it does not. After the answer
// c goes on with fours alone, or with any threats.
func (s *solver) answered(at, c, depth int, threes bool) int {
	f := s.f
	if f.count[1-c][cFive] > 0 || f.count[c][cFive] == 0 {
		return 0 // the other side is first, or this was no four
	}
	longest := 0
	for d, step := range f.dirs {
		for n := -5; n <= 5; n++ {
			i := at + n*step
			if n == 0 || f.cells[i] != gomoku.Empty || !s.answers(i, at, d, c) {
				continue
			}
			if f.foul(i, 1-c) {
				longest = max(longest, 2)
				continue
			}
			f.put(i, stone(1-c))
			var k int
			if threes {
				k, _ = s.attack(c, depth-1)
			} else {
				k, _ = s.force(c, depth-1)
			}
			f.undo()
			if k == 0 {
				return 0
			}
			longest = max(longest, k+1)
		}
	}
	return longest
}

// answers reports whether a stone of the other side on i can be an answer to a
// four through at along d: the point of the five, and in caro any point of the
// line, because a stone at the far end may close the five.
func (s *solver) answers(i, at, d, c int) bool {
	f := s.f
	if f.kind(c).caro() {
		return s.lineHasFive(at, d, c)
	}
	return f.pattern(c, i, d) == pFive
}

// lineHasFive reports whether the line through at along d threatens a five.
func (s *solver) lineHasFive(at, d, c int) bool {
	f := s.f
	for n := -4; n <= 4; n++ {
		i := at + n*f.dirs[d]
		if n != 0 && f.cells[i] == gomoku.Empty && f.pattern(c, i, d) == pFive {
			return true
		}
	}
	return false
}
