package connect6_test

import (
	"slices"
	"strings"
)

// slow is a second set of rules, written from the definitions with nothing shared
// and nothing fast.
type slow struct {
	rows  [][]byte
	side  byte // b or w
	mid   bool // one stone of the turn lies already
	short bool // a turn may end after one stone
}

// newSlow reads a position in the form of State.Text.
func newSlow(text string, short bool) *slow {
	words := strings.Fields(text)
	s := &slow{side: words[1][0], mid: len(words) == 3, short: short}
	for row := range strings.SplitSeq(words[0], "/") {
		s.rows = append(s.rows, []byte(row))
	}
	return s
}

// free lists the empty points as x, y.
func (s *slow) free() (list [][2]int) {
	for y := range s.rows {
		for x, c := range s.rows[y] {
			if c == '.' {
				list = append(list, [2]int{x, y})
			}
		}
	}
	return list
}

// six reports whether a colour has six stones one after the other.
func (s *slow) six(c byte) bool {
	n := len(s.rows)
	for y := range n {
		for x := range n {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				k := 0
				for k < 6 {
					px, py := x+k*d[0], y+k*d[1]
					if px < 0 || py < 0 || px >= n || py >= n || s.rows[py][px] != c {
						break
					}
					k++
				}
				if k == 6 {
					return true
				}
			}
		}
	}
	return false
}

func (s *slow) over() bool { return s.six('b') || s.six('w') || len(s.free()) == 0 }

func (s *slow) text() string { return string(slices.Concat(s.rows...)) }

func (s *slow) with(p [2]int, c byte) *slow {
	t := *s
	t.rows = make([][]byte, len(s.rows))
	for y := range t.rows {
		t.rows[y] = slices.Clone(s.rows[y])
	}
	t.rows[p[1]][p[0]] = c
	return &t
}

func (s *slow) pass() *slow {
	t := *s
	t.mid = false
	t.side = 'b' + 'w' - s.side
	return &t
}

// turns returns the different positions at the end of the turn.
func (s *slow) turns() map[string]*slow {
	found := map[string]*slow{}
	first := len(s.free()) == len(s.rows)*len(s.rows)
	for _, p := range s.free() {
		t := s.with(p, s.side)
		if s.mid || first || t.over() {
			found[t.text()] = t.pass()
			continue
		}
		if s.short {
			found[t.text()] = t.pass()
		}
		for _, q := range t.free() {
			u := t.with(q, s.side)
			found[u.text()] = u.pass()
		}
	}
	if s.mid && s.short {
		found[s.text()] = s.pass()
	}
	return found
}

// count counts the leaves at a depth in turns.
func (s *slow) count(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if s.over() {
		return 0
	}
	var n uint64
	for _, t := range s.turns() {
		n += t.count(depth - 1)
	}
	return n
}
