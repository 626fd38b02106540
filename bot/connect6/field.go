package connect6

import (
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/games/connect6"
)

// six is the length of a window.
const six = connect6.Six

// none stands for no point.
const none = -1

// worth is what a window with so many stones of one side and none of the other is
// worth to that side. Four and more are threats, and settled by search.
var worth = [six + 1]int32{0, 2, 9, 20, 34, 44, 0}

// gain is what another stone in such a window adds, for the worth of points; an
// empty window is worth a little too.
var gain = [six + 1]int32{2, 7, 13, 17, 10, 10, 0}

// window is six neighbouring points of a line and what stands on them.
type window struct {
	at    [six]int16
	count [2]uint8
	place int16 // in the list of windows of its kind, see field.lists
}

// field is a board that knows its windows.
type field struct {
	size    int
	stones  []int8 // of each point: 0 black, 1 white, -1 none
	windows []window
	through [][]int16     // the windows of each point
	lists   [2][3][]int16 // windows of one side alone: with two, with three, with four and more
	points  [2][]int32    // what each point is worth to a side
	sum     [2]int32      // of worth of the windows of a side
	hash    uint64
	empty   int
}

func newField(size int) *field {
	n := size * size
	f := &field{size: size, stones: make([]int8, n), through: make([][]int16, n), empty: n}
	for i := range f.stones {
		f.stones[i] = none
	}
	for c := range 2 {
		f.points[c] = make([]int32, n)
	}
	for y := range size {
		for x := range size {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				ex, ey := x+(six-1)*d[0], y+(six-1)*d[1]
				if ex < 0 || ex >= size || ey >= size {
					continue
				}
				var w window
				for k := range six {
					p := (y+k*d[1])*size + x + k*d[0]
					w.at[k] = int16(p)
					f.through[p] = append(f.through[p], int16(len(f.windows)))
					f.points[0][p] += gain[0]
					f.points[1][p] += gain[0]
				}
				f.windows = append(f.windows, w)
			}
		}
	}
	return f
}

// kind returns the number of the list for windows with so many stones of one side,
// negative for none.
func kind(stones uint8) int { return min(int(stones), 4) - 2 }

// enter puts a window into the list of its kind.
func (f *field) enter(i int16, c int, stones uint8) {
	if k := kind(stones); k >= 0 {
		list := &f.lists[c][k]
		f.windows[i].place = int16(len(*list))
		*list = append(*list, i)
	}
}

// leave takes a window out of the list of its kind.
func (f *field) leave(i int16, c int, stones uint8) {
	if k := kind(stones); k >= 0 {
		list := f.lists[c][k]
		at, last := f.windows[i].place, list[len(list)-1]
		list[at] = last
		f.windows[last].place = at
		f.lists[c][k] = list[:len(list)-1]
	}
}

// rate adds to the worth of the points of a window for a side.
func (f *field) rate(w *window, c int, by int32) {
	points := f.points[c]
	for _, p := range w.at {
		points[p] += by
	}
}

// put places a stone of side c on an empty point.
func (f *field) put(p, c int) {
	f.stones[p] = int8(c)
	f.empty--
	f.hash ^= hashOf(p, c)
	d := 1 - c
	for _, i := range f.through[p] {
		w := &f.windows[i]
		own, other := w.count[c], w.count[d]
		w.count[c] = own + 1
		if other == 0 {
			f.leave(i, c, own)
			f.enter(i, c, own+1)
			f.sum[c] += worth[own+1] - worth[own]
			f.rate(w, c, gain[own+1]-gain[own])
		}
		if own == 0 {
			if other > 0 {
				f.leave(i, d, other)
				f.sum[d] -= worth[other]
			}
			f.rate(w, d, -gain[other])
		}
	}
}

// take removes the stone of side c from a point.
func (f *field) take(p, c int) {
	f.stones[p] = none
	f.empty++
	f.hash ^= hashOf(p, c)
	d := 1 - c
	for _, i := range f.through[p] {
		w := &f.windows[i]
		own, other := w.count[c]-1, w.count[d]
		w.count[c] = own
		if other == 0 {
			f.leave(i, c, own+1)
			f.enter(i, c, own)
			f.sum[c] -= worth[own+1] - worth[own]
			f.rate(w, c, gain[own]-gain[own+1])
		}
		if own == 0 {
			if other > 0 {
				f.enter(i, d, other)
				f.sum[d] += worth[other]
			}
			f.rate(w, d, gain[other])
		}
	}
}

// pair is what a turn places; b is none if it has one stone.
type pair struct{ a, b int16 }

var nothing = pair{none, none}

// play places the stones of a turn.
func (f *field) play(m pair, c int) {
	f.put(int(m.a), c)
	if m.b != none {
		f.put(int(m.b), c)
	}
}

// undo takes back what play placed.
func (f *field) undo(m pair, c int) {
	if m.b != none {
		f.take(int(m.b), c)
	}
	f.take(int(m.a), c)
}

// threats returns the windows in which a side lacks two stones or fewer.
func (f *field) threats(c int) []int16 { return f.lists[c][2] }

// winning returns a turn of at most so many stones that makes six for a side.
func (f *field) winning(c, stones int) (pair, bool) {
	for _, i := range f.threats(c) {
		w := &f.windows[i]
		if six-int(w.count[c]) > stones {
			continue
		}
		m := nothing
		for _, p := range w.at {
			switch {
			case f.stones[p] != none:
			case m.a == none:
				m.a = p
			default:
				m.b = p
			}
		}
		return m, true
	}
	return nothing, false
}

// made reports whether the stone of a side on p is one of six in a line.
func (f *field) made(p int16, c int) bool {
	for _, i := range f.through[p] {
		if f.windows[i].count[c] == six {
			return true
		}
	}
	return false
}

// spoils reports whether a stone on p spoils a window.
func (w *window) spoils(p int16) bool {
	for _, q := range w.at {
		if q == p {
			return true
		}
	}
	return false
}

// gaps returns the empty points of a threat; the second is none if there is one.
func (f *field) gaps(i int16) pair {
	m := nothing
	for _, p := range f.windows[i].at {
		if f.stones[p] == none {
			m.b = m.a
			m.a = p
		}
	}
	return m
}

// covers appends the turns that spoil all threats of side c with the fewest
// stones that matter: a pair with b none spoils them with one stone. Of two stones
// neither does it alone. There are at most four pairs. With one stone left only
// single ones are found.
func (f *field) covers(dst []pair, c, stones int) []pair {
	list := f.threats(c)
	if len(list) == 0 {
		return dst
	}
	from := len(dst)
	first := f.gaps(list[0])
	for _, p := range [2]int16{first.a, first.b} {
		if p == none {
			continue
		}
		rest := f.unspoilt(list, p, none)
		if rest < 0 {
			dst = append(dst, pair{p, none})
			continue
		}
		if stones < 2 {
			continue
		}
		second := f.gaps(list[rest])
		for _, q := range [2]int16{second.a, second.b} {
			if q == none || f.unspoilt(list[rest:], p, q) >= 0 || f.unspoilt(list, q, none) < 0 {
				continue
			}
			m := pair{p, q}
			if !contains(dst[from:], m) {
				dst = append(dst, m)
			}
		}
	}
	return dst
}

// unspoilt returns the place of the first window that neither p nor q spoils,
// negative if there is none.
func (f *field) unspoilt(list []int16, p, q int16) int {
	for k, i := range list {
		w := &f.windows[i]
		if !w.spoils(p) && (q == none || !w.spoils(q)) {
			return k
		}
	}
	return -1
}

func contains(list []pair, m pair) bool {
	for _, x := range list {
		if x == m || x.a == m.b && x.b == m.a {
			return true
		}
	}
	return false
}

// clear takes all stones off.
func (f *field) clear() {
	for p, c := range f.stones {
		if c != none {
			f.take(p, int(c))
		}
	}
}

// follow makes the field equal to a board of its size.
func (f *field) follow(b *connect6.Board) {
	for p := range f.stones {
		want := int8(none)
		switch b.At(p%f.size, p/f.size) {
		case game.First:
			want = 0
		case game.Second:
			want = 1
		}
		f.set(p, want)
	}
}

// set makes a point what it should be: the stone of a side, or none.
func (f *field) set(p int, want int8) {
	is := f.stones[p]
	if want == is {
		return
	}
	if is != none {
		f.take(p, int(is))
	}
	if want != none {
		f.put(p, int(want))
	}
}

func (f *field) point(p int16) game.Point { return game.Pt(int(p)%f.size, int(p)/f.size) }

func hashOf(p, c int) uint64 { return grid.Key(uint64(p)<<1 | uint64(c)) }
