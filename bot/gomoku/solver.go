package gomoku

import (
	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/games/gomoku"
)

// solver looks for wins by fours and by threats on a field. It belongs to one goroutine.
type solver struct {
	f      *field
	tried  table
	meter  *search.Meter
	rule   gomoku.Rule
	ends   int   // empty points at which the board counts as full
	budget int64 // of the search of fours or threats that is running
	haste  bool  // it is one of very many: fours that seldom lead on are left out
}

// tried is what was found about a position.
type tried struct {
	key   uint64
	plies int16 // to the win, 0 if there is none
	move  int16
	depth int8
}

// table remembers what was found, the latest of what shares a place.
type table struct{ bot.Table[tried] }

func (t *table) get(key uint64) (tried, bool) {
	e := *t.At(key)
	return e, e.key == key^t.Mark() && e.depth != 0
}

func (t *table) put(e tried) {
	p := t.At(e.key)
	e.key ^= t.Mark()
	*p = e
}

const (
	sideKey  = 0x6a09e667f3bcc909
	foursKey = 0xbb67ae8584caa73b
)

// key is the number of the position with colour c to move.
func (s *solver) key(c int) uint64 {
	if c == white {
		return s.f.hash ^ sideKey
	}
	return s.f.hash
}

// hasFours reports whether colour c can make a four.
func (s *solver) hasFours(c int) bool {
	n := &s.f.count[c]
	return n[cFour]+n[cFourOn]+n[cFourAnd] > 0
}

// chains reports whether another four can follow a four of colour c: it leads on by
// itself, or there are more of them than the two of one line. Asked in haste it says no
// where the line of a four has room for another one, or two single fours meet.
func (s *solver) chains(c int) bool {
	n := &s.f.count[c]
	if n[cFourOn]+n[cFourAnd]+n[cWinFour] > 0 || n[cFour] > 2 {
		return true
	}
	return !s.haste && n[cFour] > 0
}

// gaveUp remembers that the budget did not suffice to find a win of colour c, who is to
// move, by so many fours, so that it is not spent on the position again.
func (s *solver) gaveUp(c, depth int) {
	if s.budget < 0 && !s.meter.Stopped() {
		s.tried.put(tried{key: s.key(c) ^ foursKey, move: -1, depth: int8(depth)})
	}
}

func fourClass(k uint8) bool { return k >= cFour && k <= cFive }

// move is a point with its place in an order.
type move struct {
	at    int32
	order int32
}

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
