package phantomgo

import (
	"math/rand/v2"

	"kibitz/games/phantomgo"
)

// sampler draws boards that agree with a belief.
type sampler struct {
	base   phantomgo.Board // what is certain
	colour uint8           // of the seat that believes
	hidden int             // opposing stones to be placed
	maybe  []int           // points refused for one of two reasons
	spots  []int           // points where a stone may be
	weight []int32
	left   []int32 // of weight, while drawing
}

// Weights of points by their distance from the edge: the first lines are rarely
// played on.
var lineWeight = [...]int32{40, 90, 130, 120}

// prepare collects what can be drawn.
func (s *sampler) prepare(b *belief, colour uint8) {
	s.colour, s.hidden = colour, b.count
	s.base = phantomgo.NewBoard(b.size)
	s.maybe, s.spots, s.weight = s.maybe[:0], s.spots[:0], s.weight[:0]
	b.each(func(p int) {
		if b.own[p] {
			s.base.Place(p, colour)
		}
	})
	b.each(func(p int) {
		switch {
		case b.own[p]:
		case b.theirs[p] == stone:
			if put(&s.base, p, 3-colour) {
				s.hidden--
			}
		case b.theirs[p] == barred:
			s.maybe = append(s.maybe, p)
		case !b.empty(p):
			s.spots = append(s.spots, p)
			s.weight = append(s.weight, b.weigh(p))
		}
	})
}

func (b *belief) each(f func(p int)) {
	for y := range b.size {
		for x := range b.size {
			f(phantomgo.At(x, y))
		}
	}
}

// weigh says how likely an opposing stone is on a point compared to others.
func (b *belief) weigh(p int) int32 {
	x, y := phantomgo.XY(p)
	line := min(x, y, b.size-1-x, b.size-1-y)
	w := lineWeight[min(line, len(lineWeight)-1)]
	if n := int32(b.free[p]); n > 0 { // only the placements since then can be there
		w = w * (int32(b.placed) + 1 - n) / int32(b.placed+1)
	}
	for _, d := range beside {
		if b.own[p+d] || b.theirs[p+d] == stone {
			w += w / 4
		}
	}
	return max(w, 1)
}

// put places a stone if that captures nothing.
func put(b *phantomgo.Board, p int, colour uint8) bool {
	if !b.Legal(p, colour) {
		return false
	}
	for _, d := range beside {
		if b.Cell(p+d) == 3-colour && b.Liberties(p+d, 2) < 2 {
			return false
		}
	}
	b.Place(p, colour)
	return true
}

// draw makes a board. Stones for which there is no room are left out.
func (s *sampler) draw(r *rand.Rand, to *phantomgo.Board) {
	*to = s.base
	hidden := s.hidden
	for _, p := range s.maybe {
		if hidden > 0 && r.IntN(3) > 0 && put(to, p, 3-s.colour) {
			hidden--
		}
	}
	s.left = append(s.left[:0], s.weight...)
	sum := int32(0)
	for _, w := range s.left {
		sum += w
	}
	for hidden > 0 && sum > 0 {
		n := r.Int32N(sum)
		i := 0
		for n >= s.left[i] {
			n -= s.left[i]
			i++
		}
		sum -= s.left[i]
		s.left[i] = 0
		if put(to, s.spots[i], 3-s.colour) {
			hidden--
		}
	}
	to.Pass() // what stands was not played just now
}
