package gomoku

import (
	"kibitz/game"
	"kibitz/games/gomoku"
)

// field is a board whose empty points know their patterns. Stones are taken back in
// the opposite order in which they were placed.
type field struct {
	deck
	board  *gomoku.Board
	cells  []gomoku.Stone // of the board
	dirs   [4]int
	spots  []spot
	lines  *lines // patterns of a line for both colours
	count  counts
	sum    sums
	cand   []int32 // points that are near a stone, and some of the stones
	around [24]int
	hash   uint64
	empty  int
	marks  []mark
	log    []change
}

// spot is what an empty point knows; of a point with a stone only the keys are kept.
type spot struct {
	keys  [4]uint32 // what surrounds it along each line
	lines [4]uint8  // its patterns along each line, as the table of lines has them
	pats  [2]uint16 // the same for each colour, four bits for each line
	class [2]uint8
	near  bool // there is a stone within two points
}

// counts are the empty points of each class, by colour.
type counts [2][classes]int16

// sums are those of the scores of empty points, by colour: if it is on turn, and if not.
type sums [2][2]int32

// mark is what the field knew before a stone was placed.
type mark struct {
	at, log, cand int32
	sum           sums
	count         counts
}

// change is what a point knew before a stone was placed.
type change struct {
	at    int32
	lines [4]uint8
	pats  [2]uint16
	class [2]uint8
}

// colours of the arrays.
const (
	black = 0
	white = 1
)

func side(c gomoku.Stone) int { return int(c - gomoku.Black) }

func stone(side int) gomoku.Stone { return gomoku.Black + gomoku.Stone(side) }

// newField returns an empty field with the deck of its rule.
func newField(rule gomoku.Rule, width, height int, d deck) *field {
	b := gomoku.NewBoard(rule, width, height)
	f := &field{board: b, cells: b.Cells(), dirs: b.Dirs(), empty: width * height, deck: d}
	f.spots = make([]spot, len(f.cells))
	kinds := [2]kind{kindOf(rule, gomoku.Black), kindOf(rule, gomoku.White)}
	f.lines = newLines(kinds)
	k := 0
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			if dx != 0 || dy != 0 {
				f.around[k] = dy*f.dirs[1] + dx
				k++
			}
		}
	}
	for i := range f.cells {
		if f.cells[i] != gomoku.Empty {
			continue
		}
		s := &f.spots[i]
		for d, step := range f.dirs {
			s.keys[d] = f.readKey(i, step)
			p := f.lines.at(s.keys[d])
			s.lines[d] = p
			s.pats[black] |= uint16(p&15) << (4 * d)
			s.pats[white] |= uint16(p>>4) << (4 * d)
		}
		for c := range 2 {
			e := f.card(c, i)
			s.class[c] = e.class
			f.count[c][e.class&classMask]++
			f.sum[c][0] += int32(e.turn)
			f.sum[c][1] += int32(e.wait)
		}
	}
	return f
}

// kind returns how the colour wins.
func (f *field) kind(c int) kind { return f.lines.kinds[c] }

// card returns what an empty point is to a colour.
func (f *field) card(c, i int) *card { return &f.cards[c][f.spots[i].pats[c]] }

// class returns the class of an empty point for a colour, without the mark of suspects.
func (f *field) class(c, i int) uint8 { return f.spots[i].class[c] & classMask }

// pattern returns the pattern of an empty point for a colour along one line.
func (f *field) pattern(c, i, d int) uint8 { return uint8(f.spots[i].pats[c]>>(4*d)) & 15 }

// readKey reads the key of a point on the board from the cells.
func (f *field) readKey(i, step int) (key uint32) {
	for n := -5; n <= 5; n++ {
		if n != 0 {
			key |= code(f.cells[i+n*step]) << slot(n)
			if f.cells[i+n*step] == gomoku.Wall {
				key |= 3 << slot(n)
			}
		}
	}
	return key
}

// code is what a stone is in a key; the dead are neither black nor white.
func code(c gomoku.Stone) uint32 {
	switch c {
	case gomoku.Empty, gomoku.Wall: // a wall never changes
		return 0
	case gomoku.Black, gomoku.White:
		return uint32(c)
	}
	return 3
}

// put places a stone on an empty point.
func (f *field) put(i int, c gomoku.Stone) {
	f.marks = append(f.marks, mark{int32(i), int32(len(f.log)), int32(len(f.cand)), f.sum, f.count})
	for c := range 2 {
		e := f.card(c, i)
		f.count[c][e.class&classMask]--
		f.sum[c][0] -= int32(e.turn)
		f.sum[c][1] -= int32(e.wait)
	}
	f.cells[i] = c
	f.empty--
	f.hash ^= hashOf(i, c)
	bits := code(c)
	spots, cells, table := f.spots, f.cells, f.lines.table
	for d, step := range f.dirs {
		for n := 1; n <= 5; n++ { // slot(n) and slot(-n) are spelled out: they cost 5 %
			j := i - n*step // i lies n steps behind j
			s := &spots[j]
			s.keys[d] ^= bits << (2 * (n + 4))
			if cells[j] == gomoku.Empty && s.lines[d] != table[s.keys[d]&keyMask] {
				f.renew(s, j, d)
			}
			j = i + n*step
			s = &spots[j]
			s.keys[d] ^= bits << (2 * (5 - n))
			if cells[j] == gomoku.Empty && s.lines[d] != table[s.keys[d]&keyMask] {
				f.renew(s, j, d)
			}
		}
	}
	for _, o := range &f.around {
		j := i + o
		if s := &f.spots[j]; !s.near && f.cells[j] != gomoku.Wall {
			s.near = true
			f.cand = append(f.cand, int32(j))
		}
	}
}

// undo takes the last stone back.
func (f *field) undo() {
	m := &f.marks[len(f.marks)-1]
	f.marks = f.marks[:len(f.marks)-1]
	i := int(m.at)
	c := f.cells[i]
	bits := code(c)
	f.cells[i] = gomoku.Empty
	f.empty++
	f.hash ^= hashOf(i, c)
	for d, step := range f.dirs {
		for n := 1; n <= 5; n++ {
			f.spots[i-n*step].keys[d] ^= bits << (2 * (n + 4))
			f.spots[i+n*step].keys[d] ^= bits << (2 * (5 - n))
		}
	}
	for _, x := range f.log[m.log:] {
		s := &f.spots[x.at]
		s.lines, s.pats, s.class = x.lines, x.pats, x.class
	}
	f.log = f.log[:m.log]
	for _, j := range f.cand[m.cand:] {
		f.spots[j].near = false
	}
	f.cand = f.cand[:m.cand]
	f.sum, f.count = m.sum, m.count
}

// renew gives an empty point its patterns along one direction, which may be others now.
func (f *field) renew(s *spot, i, d int) {
	p := f.lines.at(s.keys[d])
	if p == s.lines[d] {
		return
	}
	f.log = append(f.log, change{int32(i), s.lines, s.pats, s.class})
	was := s.lines[d] ^ p
	s.lines[d] = p
	shift := 4 * d
	if was&15 != 0 {
		f.turn(s, black, s.pats[black]^uint16(was&15)<<shift)
	}
	if was>>4 != 0 {
		f.turn(s, white, s.pats[white]^uint16(was>>4)<<shift)
	}
}

// turn gives a point other patterns for a colour.
func (f *field) turn(s *spot, c int, pats uint16) {
	was, is := &f.cards[c][s.pats[c]], &f.cards[c][pats]
	s.pats[c] = pats
	f.sum[c][0] += int32(is.turn) - int32(was.turn)
	f.sum[c][1] += int32(is.wait) - int32(was.wait)
	if was.class != is.class {
		s.class[c] = is.class
		f.count[c][was.class&classMask]--
		f.count[c][is.class&classMask]++
	}
}

// foul reports whether black may not play on an empty point.
func (f *field) foul(i, c int) bool {
	if c != black {
		return false
	}
	k := f.spots[i].class[black]
	return k == cFoul || k&suspect != 0 && f.board.Forbidden(i)
}

// find returns a point of the class or a better one (below cFoul) that colour c
// may play, -1 if there is none.
func (f *field) find(c int, class uint8) int {
	n := int16(0)
	for k := class; k < cFoul; k++ {
		n += f.count[c][k]
	}
	if n == 0 {
		return -1
	}
	for _, i := range f.cand {
		if f.cells[i] != gomoku.Empty {
			continue
		}
		if k := f.class(c, int(i)); k >= class && k < cFoul {
			if !f.foul(int(i), c) {
				return int(i)
			}
			if n--; n == 0 {
				break
			}
		}
	}
	return -1
}

// clear takes all stones off.
func (f *field) clear() {
	for len(f.marks) > 0 {
		f.undo()
	}
}

// follow makes the field equal to another board of its size, in the same way whatever
// stood on it before.
func (f *field) follow(b *gomoku.Board) {
	f.clear()
	for i, c := range b.Cells() {
		if c != gomoku.Empty && c != gomoku.Wall {
			f.put(i, c)
		}
	}
}

// hashOf is the number of a stone on a point (the finisher of SplitMix64).
func hashOf(i int, c gomoku.Stone) uint64 {
	x := uint64(i)<<3 | uint64(c)
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (f *field) point(i int) game.Point { return f.board.Point(i) }
