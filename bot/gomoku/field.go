package gomoku

import (
	"kibitz/game"
	"kibitz/games/gomoku"
)

// field is a board whose empty points know their patterns.
type field struct {
	board  *gomoku.Board
	cells  []gomoku.Stone // of the board
	dirs   [4]int
	keys   [][4]uint32
	look   [2]*lookup // by colour: black, white
	combos [2][]cell
	pack   [2][]uint16 // patterns of the point, four bits for each direction
	class  [2][]uint8
	count  [2][classes]int32 // empty points of each class
	sum    [2]int32          // of their scores
	near   []int16           // stones within two points
	cand   []int32           // points that are or were near a stone
	where  []int32           // their places in cand, -1 if not in it
	around [24]int
	hash   uint64
	empty  int
}

// colours of the arrays.
const (
	black = 0
	white = 1
)

func side(c gomoku.Stone) int { return int(c - gomoku.Black) }

func stone(side int) gomoku.Stone { return gomoku.Black + gomoku.Stone(side) }

func newField(rule gomoku.Rule, width, height int) *field {
	b := gomoku.NewBoard(rule, width, height)
	f := &field{board: b, cells: b.Cells(), dirs: b.Dirs(), empty: width * height}
	n := len(f.cells)
	f.keys = make([][4]uint32, n)
	f.near = make([]int16, n)
	f.where = make([]int32, n)
	for c := range 2 {
		k := kindOf(rule, stone(c))
		if c == white && f.look[black].kind == k {
			f.look[white], f.combos[white] = f.look[black], f.combos[black]
		} else {
			f.look[c], f.combos[c] = newLookup(k), newCells(k)
		}
		f.pack[c] = make([]uint16, n)
		f.class[c] = make([]uint8, n)
	}
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
		f.where[i] = -1
		if f.cells[i] == gomoku.Empty {
			for d, step := range f.dirs {
				f.keys[i][d] = f.readKey(i, step)
			}
			f.enter(i)
		}
	}
	return f
}

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

// enter computes an empty point anew and counts it.
func (f *field) enter(i int) {
	for c := range 2 {
		var pack uint16
		for d, key := range f.keys[i] {
			if c == white {
				key = swapKey(key)
			}
			pack |= uint16(f.look[c].at(key)) << (4 * d)
		}
		f.pack[c][i] = pack
		e := &f.combos[c][pack]
		f.class[c][i] = e.class
		f.count[c][e.class&classMask]++
		f.sum[c] += int32(e.score)
	}
}

// leave stops counting a point.
func (f *field) leave(i int) {
	for c := range 2 {
		e := &f.combos[c][f.pack[c][i]]
		f.count[c][e.class&classMask]--
		f.sum[c] -= int32(e.score)
	}
}

// put places a stone on an empty point.
func (f *field) put(i int, c gomoku.Stone) {
	f.leave(i)
	f.cells[i] = c
	f.empty--
	f.change(i, c, 1)
}

// take removes the stone on a point.
func (f *field) take(i int) {
	c := f.cells[i]
	f.cells[i] = gomoku.Empty
	f.empty++
	f.change(i, c, -1)
	f.enter(i)
}

// change tells the points around of a stone that came or went.
func (f *field) change(i int, c gomoku.Stone, by int16) {
	f.hash ^= hashOf(i, c)
	bits := code(c)
	for d, step := range f.dirs {
		j := i - 5*step
		for n := 5; n >= -5; n-- { // i lies n steps from j
			if n != 0 && f.cells[j] != gomoku.Wall {
				f.keys[j][d] ^= bits << slot(n)
				if f.cells[j] == gomoku.Empty {
					f.renew(j, d)
				}
			}
			j += step
		}
	}
	for _, o := range &f.around {
		j := i + o
		if f.near[j] += by; f.cells[j] != gomoku.Wall {
			f.track(j)
		}
	}
}

// renew looks the patterns of an empty point along one direction up again.
func (f *field) renew(i, d int) {
	key := f.keys[i][d]
	shift := 4 * d
	for c := range 2 {
		if c == white {
			key = swapKey(key)
		}
		old := f.pack[c][i]
		pack := old&^(15<<shift) | uint16(f.look[c].at(key))<<shift
		if pack == old {
			continue
		}
		f.pack[c][i] = pack
		was, is := &f.combos[c][old], &f.combos[c][pack]
		f.sum[c] += int32(is.score) - int32(was.score)
		if was.class != is.class {
			f.class[c][i] = is.class
			f.count[c][was.class&classMask]--
			f.count[c][is.class&classMask]++
		}
	}
}

// track keeps the list of points near stones.
func (f *field) track(i int) {
	at := f.where[i]
	switch {
	case f.near[i] > 0 && at < 0:
		f.where[i] = int32(len(f.cand))
		f.cand = append(f.cand, int32(i))
	case f.near[i] == 0 && at >= 0:
		last := f.cand[len(f.cand)-1]
		f.cand[at] = last
		f.where[last] = at
		f.cand = f.cand[:len(f.cand)-1]
		f.where[i] = -1
	}
}

// foul reports whether black may not play on an empty point.
func (f *field) foul(i, c int) bool {
	if c != black {
		return false
	}
	k := f.class[black][i]
	return k == cFoul || k&suspect != 0 && f.board.Forbidden(i)
}

// find returns a point of the class or a better one (below cFoul) that colour c
// may play, -1 if there is none.
func (f *field) find(c int, class uint8) int {
	n := int32(0)
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
		if k := f.class[c][i] & classMask; k >= class && k < cFoul {
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
	for i, c := range f.cells {
		if c == gomoku.Black || c == gomoku.White {
			f.take(i)
		}
	}
}

// follow makes the field equal to another board of its size.
func (f *field) follow(b *gomoku.Board) {
	for i, c := range b.Cells() {
		if f.cells[i] == c {
			continue
		}
		if f.cells[i] != gomoku.Empty {
			f.take(i)
		}
		if c != gomoku.Empty {
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

// point returns the point of an index.
func (f *field) point(i int) game.Point { return f.board.Point(i) }
