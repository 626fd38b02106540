package phantomgo

import "kibitz/games/phantomgo"

// What a seat believes of a point on which it has no stone.
const (
	unknown uint8 = iota
	stone         // an opposing stone
	barred        // refused, but perhaps because a stone there would have no liberty
)

// points is the number of points of the bordered board.
const points = (phantomgo.MaxSize + 2) * (phantomgo.MaxSize + 2)

// beside are the distances to the neighbours of a point.
var beside = [4]int{phantomgo.At(0, 1) - phantomgo.At(0, 0), 1, phantomgo.At(0, 0) - phantomgo.At(0, 1), -1}

// corners are the distances to the diagonal neighbours.
var corners = [4]int{beside[0] + 1, beside[0] - 1, beside[2] + 1, beside[2] - 1}

// belief is what one seat knows.
type belief struct {
	size   int
	own    [points]bool
	theirs [points]uint8
	// free[p] is the number of opposing placements up to the time when p was last
	// known to be empty, plus one; 0 if it never was.
	free   [points]int16
	count  int // opposing stones on the board
	placed int // opposing placements so far
}

func (b *belief) clear(size int) { *b = belief{size: size} }

func (b *belief) on(p int) bool {
	x, y := phantomgo.XY(p)
	return x >= 0 && y >= 0 && x < b.size && y < b.size
}

// stood notes a stone of its own.
func (b *belief) stood(p int) {
	b.own[p], b.theirs[p] = true, unknown
}

// refused notes that an attempt did not stand.
func (b *belief) refused(p int) {
	if b.empty(p) || b.own[p] {
		return // known to be empty: ko, or no liberty
	}
	b.theirs[p] = stone
	if b.enclosed(p) {
		b.theirs[p] = barred
	}
}

// empty reports whether nothing can stand on a point now.
func (b *belief) empty(p int) bool { return int(b.free[p]) == b.placed+1 }

// enclosed reports whether a stone on a point might have no liberty.
func (b *belief) enclosed(p int) bool {
	for _, d := range beside {
		if q := p + d; b.on(q) && !b.own[q] && b.theirs[q] == unknown {
			return false
		}
	}
	return true
}

// took notes stones that it has captured.
func (b *belief) took(list []int) {
	for _, p := range list {
		b.theirs[p] = unknown
		b.free[p] = int16(b.placed + 1)
	}
	b.count = max(0, b.count-len(list))
}

// lost notes own stones that were captured by the latest placement: all that
// stands around them is the enemy's.
func (b *belief) lost(list []int) {
	for _, p := range list {
		b.own[p], b.theirs[p] = false, unknown
		b.free[p] = int16(b.placed + 1)
	}
	for _, p := range list {
		for _, d := range beside {
			if q := p + d; b.on(q) && !b.own[q] && !b.empty(q) {
				b.theirs[q] = stone
			}
		}
	}
}

// moved notes that the other side has placed a stone somewhere.
func (b *belief) moved() {
	b.placed++
	b.count++
}

// seen notes an opposing stone that was shown.
func (b *belief) seen(p int) { b.theirs[p] = stone }
