package phantomgo

import (
	"kibitz/bot/search/mcts"
	"kibitz/games/phantomgo"
)

// sampler draws boards that agree with a belief.
type sampler struct {
	base   phantomgo.Board // what is certain
	colour uint8           // of the seat that believes
	hidden int             // opposing stones to be placed
	maybe  []int           // points refused for one of two reasons
	where  []int           // points where a stone may be
	weight []int32
}

// Weights of points by their line, 0 at the edge, and by how much of the board the other
// side has placed stones on, in tenths: 0 to 4. They and those below are how often stones
// stood on such points in 50 games of this player against itself, in hundredths of the
// mean.
var lineWeight = [4][5]int32{
	{17, 19, 29, 53, 89},
	{109, 103, 131, 149, 149},
	{155, 188, 191, 186, 177},
	{240, 205, 213, 164, 160},
}

// Weights by the number of neighbours that are own stones, or opposing ones.
var (
	ownWeight   = [5]int32{94, 115, 120, 97, 97}
	theirWeight = [5]int32{100, 105, 100, 70, 13}
)

// Weights of points that were known to be empty some time ago: fresh if the other side
// has placed no more than soon stones since.
const (
	soon        = 3
	freshWeight = 34
	staleWeight = 60
)

// gather collects what can be drawn.
func (s *sampler) gather(b *belief, colour uint8) {
	s.colour, s.hidden = colour, b.count
	s.base = phantomgo.NewBoard(b.size)
	s.maybe, s.where, s.weight = s.maybe[:0], s.where[:0], s.weight[:0]
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
			s.where = append(s.where, p)
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
	line := min(x, y, b.size-1-x, b.size-1-y, len(lineWeight)-1)
	own, theirs := 0, 0
	for _, d := range beside {
		if b.own[p+d] {
			own++
		} else if b.theirs[p+d] == stone {
			theirs++
		}
	}
	w := lineWeight[line][min(10*b.placed/(b.size*b.size), 4)] * ownWeight[own] / 10 * theirWeight[theirs] / 10
	switch n := int(b.free[p]); {
	case n == 0:
	case b.placed+1-n <= soon:
		w = w * freshWeight / 100
	default:
		w = w * staleWeight / 100
	}
	return max(w, 1)
}

// put places a stone if that captures nothing.
func put(b *phantomgo.Board, p int, colour uint8) bool {
	if !b.Legal(p, colour) {
		return false
	}
	for _, d := range beside {
		if b.Cell(p+d) == 3-colour && b.Atari(p+d) != 0 {
			return false
		}
	}
	b.Place(p, colour)
	return true
}

// draw makes a board. Stones for which there is no room are left out. left is room for
// the weights, and is returned.
func (s *sampler) draw(r *mcts.Rand, to *phantomgo.Board, left []int32) []int32 {
	to.Copy(&s.base)
	hidden := s.hidden
	for _, p := range s.maybe {
		if hidden > 0 && r.Below(3) > 0 && put(to, p, 3-s.colour) {
			hidden--
		}
	}
	left = append(left[:0], s.weight...)
	sum := int32(0)
	for _, w := range left {
		sum += w
	}
	for hidden > 0 && sum > 0 {
		n := int32(r.Below(int(sum)))
		i := 0
		for n >= left[i] {
			n -= left[i]
			i++
		}
		sum -= left[i]
		left[i] = 0
		if put(to, s.where[i], 3-s.colour) {
			hidden--
		}
	}
	to.Pass() // what stands was not played just now
	return left
}
