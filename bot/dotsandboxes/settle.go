package dotsandboxes

import (
	"math/bits"

	rule "kibitz/games/dotsandboxes"
)

// boxesOf returns the boxes of a board.
func boxesOf(size int) uint64 { return rule.AllLines(size).Closed() }

// stride is the distance of the numbers of two boxes above each other.
const stride = 8

// maxLines is the number of lines of the largest board.
const maxLines = 2 * rule.MaxSize * (rule.MaxSize + 1)

// quiet is a position of which only the lines matter, without a box that could be
// taken once it is settled.
type quiet struct{ drawn, open rule.Lines }

func (q *quiet) draw(l rule.Line) {
	q.drawn = q.drawn.With(l)
	q.open = q.open.Without(q.drawn)
}

// outcome is what settling brought to the side to move: the boxes it took, and how
// many more it may take or leave: 0, 2 or 4. All of them are drawn in the position
// that follows.
type outcome struct{ taken, hand int }

// worth returns the value of the settled position for the side that settles it, if
// w is that of what follows for the side to move there.
func (o outcome) worth(w int) int {
	if o.hand == 0 {
		return o.taken + w
	}
	return o.taken + abs(w+o.hand)
}

func abs(n int) int { return max(n, -n) }

// around returns the sides of boxes, between those of two boxes that touch.
func around(boxes uint64) rule.Lines {
	return rule.Lines{H: boxes | boxes<<stride, V: boxes | boxes<<1}
}

// beside returns the boxes that lines touch, with places that are no box.
func beside(s rule.Lines) uint64 { return s.H | s.H>>stride | s.V | s.V>>1 }

// twoSided returns the boxes with two sides.
func twoSided(s rule.Lines) uint64 {
	a, b, c, d := s.H, s.H>>stride, s.V, s.V>>1
	return a&b&^(c|d) | c&d&^(a|b) | (a^b)&(c^d)
}

// settler takes what can be taken.
type settler struct {
	board uint64 // the boxes of the board
	// After settle with something in hand: the lines that take it in order, the
	// second of which leaves it if it is drawn first.
	last  [3]rule.Line
	lasts int
}

// settle draws all lines that take boxes, and returns what that means.
//
// Which boxes can be taken does not depend on the order. What can be left at the
// end are two boxes before a line that leads out, or four around a line between
// them, if all the rest can be taken before. The fewer the better.
func (s *settler) settle(q *quiet) outcome {
	s.lasts = 0
	if q.drawn.Capturing(q.open).Empty() {
		return outcome{}
	}
	all := reach(q.drawn, q.open)
	lines := all.Without(q.drawn)
	boxes := (all.Closed() &^ q.drawn.Closed()) & s.board
	o := outcome{taken: bits.OnesCount64(boxes)}
	switch {
	case s.leaveTwo(q, lines, boxes):
		o.hand = 2
	case s.leaveFour(q, lines, boxes):
		o.hand = 4
	}
	o.taken -= o.hand
	q.drawn = all
	q.open = q.open.Without(all)
	return o
}

// reach adds to drawn all lines of open that take boxes one after the other.
func reach(drawn, open rule.Lines) rule.Lines {
	for {
		more := drawn.Capturing(open.Without(drawn))
		if more.Empty() {
			return drawn
		}
		drawn = rule.Lines{H: drawn.H | more.H, V: drawn.V | more.V}
	}
}

// sides splits lines into those with one of the boxes and those between two.
func sides(lines rule.Lines, boxes uint64) (outer, inner rule.Lines) {
	inner = lines.And(rule.Lines{H: boxes & (boxes << stride), V: boxes & (boxes << 1)})
	return lines.Without(inner), inner
}

func only(l rule.Line) rule.Lines { return rule.Lines{}.With(l) }

// leaveTwo looks for two boxes with a line between them and a line that leads out.
func (s *settler) leaveTwo(q *quiet, lines rule.Lines, boxes uint64) bool {
	outer, inner := sides(lines, boxes)
	for ; !outer.Empty(); outer = outer.Rest() {
		out := outer.First()
		box := beside(only(out)) & boxes
		for between := around(box).And(inner); !between.Empty(); between = between.Rest() {
			mid := between.First()
			if q.canTake(lines, only(out).With(mid)) {
				s.last, s.lasts = [3]rule.Line{mid, out}, 2
				return true
			}
		}
	}
	return false
}

// leaveFour looks for four boxes in a row with three lines between them.
func (s *settler) leaveFour(q *quiet, lines rule.Lines, boxes uint64) bool {
	_, inner := sides(lines, boxes)
	for rest := inner; !rest.Empty(); rest = rest.Rest() {
		mid := rest.First()
		pair := beside(only(mid)) & boxes
		one, two := pair&-pair, pair&(pair-1)
		for a := around(one).And(inner).Without(only(mid)); !a.Empty(); a = a.Rest() {
			for b := around(two).And(inner).Without(only(mid)); !b.Empty(); b = b.Rest() {
				if q.canTake(lines, only(mid).With(a.First()).With(b.First())) {
					s.last, s.lasts = [3]rule.Line{a.First(), mid, b.First()}, 3
					return true
				}
			}
		}
	}
	return false
}

// canTake reports whether all lines but those to be left can be drawn by taking
// boxes.
func (q *quiet) canTake(lines, left rule.Lines) bool {
	lines = lines.Without(left)
	return lines.Without(reach(q.drawn, lines)).Empty()
}
