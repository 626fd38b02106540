package dotsandboxes

import (
	"math/bits"

	rule "kibitz/games/dotsandboxes"
)

// choice is a line in a quiet position with the number of boxes that it gives away,
// 0 if it is safe.
type choice struct {
	line  rule.Line
	boxes uint8
}

// corners returns the outer vertical lines of the corner boxes whose outer
// horizontal line is open too: drawing the one or the other comes to the same.
func corners(size int, open rule.Lines) (doubles rule.Lines) {
	for _, y := range [2]int{0, size - 1} {
		for _, x := range [2]int{0, size - 1} {
			edge, side := y, x
			if y > 0 || size == 1 {
				edge = y + 1
			}
			if x > 0 || size == 1 {
				side = x + 1
			}
			if open.Has(rule.LineAt(x, edge, false)) {
				doubles = doubles.With(rule.LineAt(side, y, true))
			}
		}
	}
	return doubles
}

// safe returns the lines after which no box can be taken.
func (q *quiet) safe() rule.Lines { return q.open.Without(around(twoSided(q.drawn))) }

// choices appends the lines worth trying in a quiet position of boards of a size:
// the safe ones, then one for each chain or loop.
func (q *quiet) choices(dst []choice, size int, board uint64) []choice {
	safe := q.safe()
	for s := safe.Without(corners(size, q.open)); !s.Empty(); s = s.Rest() {
		dst = append(dst, choice{line: s.First()})
	}
	first := len(dst)
	dst = q.chains(dst, board)
	// The shortest first: a few, so that insertion does.
	for i := first + 1; i < len(dst); i++ {
		for j := i; j > first && dst[j].boxes < dst[j-1].boxes; j-- {
			dst[j], dst[j-1] = dst[j-1], dst[j]
		}
	}
	return dst
}

// chains appends a line for each chain or loop of boxes with two sides.
func (q *quiet) chains(dst []choice, board uint64) []choice {
	two := twoSided(q.drawn) & board
	lines := q.open.And(around(two))
	for two != 0 {
		group := two & -two
		var g rule.Lines
		for {
			g = around(group).And(lines)
			wider := beside(g) & two
			if wider == group {
				break
			}
			group = wider
		}
		two &^= group
		dst = q.openings(dst, group, g, board)
	}
	return dst
}

// openings appends the lines of one group that differ: one of a loop or a chain,
// the middle one of a chain of two boxes, because it leaves the taker no choice.
// All of them if both ends of a chain are on the same box, with one more line.
func (q *quiet) openings(dst []choice, group uint64, lines rule.Lines, board uint64) []choice {
	n := bits.OnesCount64(group)
	boxes := uint8(n)
	if lines.Count() > n {
		// The lines at both ends have one box of the group.
		inner := rule.Lines{
			H: lines.H & group & (group << stride),
			V: lines.V & group & (group << 1),
		}
		ends := lines.Without(inner)
		a, b := ends.First(), ends.Rest().First()
		meet := beside(rule.Lines{}.With(a)) & beside(rule.Lines{}.With(b)) & board &^ group
		switch {
		case meet != 0 && q.open.And(around(meet)).Count() <= 3:
			for ; !lines.Empty(); lines = lines.Rest() {
				dst = append(dst, choice{lines.First(), boxes})
			}
			return dst
		case n == 2:
			lines = inner
		}
	}
	return append(dst, choice{lines.First(), boxes})
}
