package gomoku

import "kibitz/games/gomoku"

// The search of threats: fours, and stones after which an open four is to come.
// The other side must meet every one of them, so few answers have to be tried and
// the search is deep: what it finds wins whatever the other side does.

const (
	threatKey = 0x3c6ef372fe94f82b
	triedKey  = 0xa54ff53a5f1d36f1
	// maxThreats is how many stones of the attacker follow each other at most.
	maxThreats = 30
	// foursAhead is how many fours in a row an attacker looks ahead for at once.
	foursAhead = 10
)

// hasThreats reports whether colour c has a stone that the other side must answer.
func (s *solver) hasThreats(c int) bool {
	n := &s.f.count[c]
	return n[cThree]+n[cTwoThrees]+n[cWinFour] > 0 || s.hasFours(c)
}

// threats looks for a win of colour c, who is to move, by threats alone, with more
// and more of them, and visits about so many positions at most. It returns the
// plies to the five and the first stone, 0 if it finds none.
func (s *solver) threats(c int, positions int64) (plies int, at int32) {
	if !s.hasThreats(c) && s.f.count[c][cFive] == 0 {
		return 0, -1
	}
	key := s.key(c) ^ triedKey
	effort := effortOf(positions)
	if e, ok := s.tried.get(key); ok && (e.plies > 0 || int(e.depth) >= effort) {
		return int(e.plies), int32(e.move)
	}
	outer := s.budget
	s.budget = positions
	for depth := 2; depth <= maxThreats; depth += 2 {
		before := s.budget
		if plies, at = s.attack(c, depth); plies > 0 || s.meter.Stopped() || s.budget < 0 {
			break
		}
		if depth > 4 && before-s.budget < 3 {
			break // there are no longer lines
		}
	}
	s.budget = outer
	if !s.meter.Stopped() {
		s.tried.put(tried{key: key, move: int16(at), plies: int16(plies), depth: int8(effort)})
	}
	return plies, at
}

// share is how many positions a search of threats may visit beside a search that has
// visited so many: some to begin with, and one part of them. Few searches need as much.
func share(nodes, first, part int64) int64 { return first + nodes/part }

// effortOf is the size of a budget in powers of two.
func effortOf(positions int64) (n int) {
	for ; positions > 0; positions >>= 1 {
		n++
	}
	return n
}

// attack looks for a win of c, who is to move, by at most depth threats. As force,
// it returns plies and the first stone.
func (s *solver) attack(c, depth int) (plies int, at int32) {
	f := s.f
	if plies, at, known := s.atOnce(c); known {
		return plies, at
	}
	if f.count[1-c][cFive] > 1 {
		return 0, -1
	}
	free := f.count[1-c][cFive] == 0
	if depth <= 0 || free && !s.hasThreats(c) {
		return 0, -1
	}
	if s.budget--; s.budget < 0 || s.meter.Visit() {
		return 0, -1
	}
	key := s.key(c) ^ threatKey
	if e, ok := s.tried.get(key); ok && (e.plies > 0 || int(e.depth) >= depth) {
		return int(e.plies), int32(e.move)
	}
	if s.hasFours(c) {
		plies, at = s.force(c, foursAhead)
	}
	if plies == 0 {
		plies, at = s.threatByThreat(c, depth)
	}
	if plies > 0 || s.budget >= 0 && !s.meter.Stopped() {
		s.tried.put(tried{key: key, move: int16(at), plies: int16(plies), depth: int8(depth)})
	}
	return plies, at
}

// threatByThreat tries the threats of c, the most promising first. A four of the
// other side leaves one point only, whatever a stone on it threatens.
func (s *solver) threatByThreat(c, depth int) (plies int, at int32) {
	f := s.f
	must := int32(-1)
	if f.count[1-c][cFive] > 0 {
		must = int32(f.find(1-c, cFive))
	}
	pressed := f.count[1-c][cWinFour] > 0
	var room [24]move
	list := room[:0]
	for _, i := range f.cand {
		if f.cells[i] != gomoku.Empty || must >= 0 && i != must {
			continue
		}
		a, b := f.card(c, int(i)), f.card(1-c, int(i))
		ac, bc := a.class&classMask, b.class&classMask
		switch {
		case must >= 0, fourClass(ac):
		case ac == cQuiet, ac == cFoul, pressed && !fourClass(bc) && bc != cFoul:
			continue
		}
		if f.foul(int(i), c) {
			continue
		}
		list = insert(list, move{i, int32(a.force) + int32(b.force)/4}, len(room))
	}
	for _, m := range list {
		f.put(int(m.at), stone(c))
		n := s.meet(int(m.at), c, depth)
		f.undo()
		if n > 0 {
			return n + 1, m.at
		}
		if s.budget < 0 || s.meter.Stopped() {
			break
		}
	}
	return 0, -1
}

// meet returns the plies in which c wins whatever the other side does about the
// stone that c has just placed, 0 if it does not win by at most depth threats.
func (s *solver) meet(at, c, depth int) int {
	f := s.f
	switch d := 1 - c; {
	case f.count[d][cFive] > 0:
		return 0
	case f.count[c][cFive] > 0:
		return s.answered(at, c, depth, true)
	case f.count[c][cWinFour] == 0, f.find(d, cWinFour) >= 0:
		return 0 // this was no threat, or the other side is first
	}
	w := s.threat(c)
	if w < 0 {
		return 0
	}
	var room [maxAnswers]move
	longest := 4
	for _, m := range s.defences(room[:0], w, c) {
		f.put(int(m.at), stone(1-c))
		n, _ := s.attack(c, depth-1)
		f.undo()
		if n == 0 {
			return 0
		}
		longest = max(longest, n+1)
	}
	return longest
}

// threat returns a point on which c would win by an open four or two, -1 if there
// is none. Points whose legality stones elsewhere could change do not count.
func (s *solver) threat(c int) int {
	f := s.f
	for _, i := range f.cand {
		if f.cells[i] == gomoku.Empty && f.spots[i].class[c] == cWinFour {
			return int(i)
		}
	}
	return -1
}

// maxAnswers is more than there can be answers to a threat worth a try: those in
// the four lines through a point, and fours.
const maxAnswers = 72

// defences lists the stones of the other side that may meet the threat of c to
// play on w: on w itself, where a line of five through w lacks one more stone, and
// fours. In caro a stone at the end of such a line may do too.
func (s *solver) defences(list []move, w, c int) []move {
	f := s.f
	d := 1 - c
	list = s.defence(list, int32(w), d)
	for k, step := range f.dirs {
		for n := -5; n <= 5; n++ {
			i := w + n*step
			if n != 0 && f.cells[i] == gomoku.Empty && (f.kind(c).caro() || f.pattern(c, i, k) >= pClosed4) {
				list = s.defence(list, int32(i), d)
			}
		}
	}
	if !s.hasFours(d) {
		return list
	}
	lines := len(list)
next:
	for _, i := range f.cand {
		if f.cells[i] != gomoku.Empty || !fourClass(f.class(d, int(i))) {
			continue
		}
		for _, m := range list[:lines] {
			if m.at == i {
				continue next
			}
		}
		list = s.defence(list, i, d)
	}
	return list
}

// defence adds a stone of the defender unless it is a foul, the best first.
func (s *solver) defence(list []move, i int32, d int) []move {
	f := s.f
	if f.foul(int(i), d) {
		return list
	}
	o := int32(f.card(d, int(i)).force) + int32(f.card(1-d, int(i)).force)
	return insert(list, move{i, o}, maxAnswers)
}
