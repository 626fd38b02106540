package dotsandboxes

import "sync"

// Perft counts the leaves at a depth in turns: every order of the lines of a turn
// counts, a game that ended earlier counts nothing. In the middle of a turn the
// rest of it is the first turn. Where many boxes can be taken there are more turns
// than fit: the count is right modulo 2 to the 64th.
func (b *Board) Perft(depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case b.Over():
		return 0
	}
	return turns(b.drawn, b.open, depth)
}

// turns counts below a position in which lines are open.
func turns(drawn, open Lines, depth int) uint64 {
	capture := drawn.Capturing(open)
	if depth == 1 {
		return lastTurn(drawn, open, capture)
	}
	if capture.Empty() {
		return quietTurns(drawn, open, capture, depth)
	}
	// What follows a run of captures depends on which lines it drew, not on their
	// order: the runs of each length are gathered by what they leave on the board.
	var n uint64
	runs := map[Lines]uint64{drawn: 1}
	for len(runs) > 0 {
		longer := map[Lines]uint64{}
		for d, orders := range runs {
			o := open.Without(d)
			c := d.Capturing(o)
			n += orders * quietTurns(d, o, c, depth)
			for ; !c.Empty(); c = c.Rest() {
				longer[d.With(c.First())] += orders
			}
		}
		runs = longer
	}
	return n
}

// quietTurns counts the leaves after a line that captures nothing, of a depth of at
// least 2.
func quietTurns(drawn, open, capture Lines, depth int) (n uint64) {
	quiet := open.Without(capture)
	if depth == 2 && capture.Empty() {
		// Away from boxes with two sides a line offers nothing, and the last turn is
		// any one of the others.
		safe := quiet.Without(around(drawn.twoSided()))
		n += uint64(safe.Count()) * uint64(open.Count()-1)
		quiet = quiet.Without(safe)
	}
	for ; !quiet.Empty(); quiet = quiet.Rest() {
		l := quiet.First()
		d := drawn.With(l)
		n += turns(d, open.Without(d), depth-1)
	}
	return n
}

// lastTurn counts the turns of a position: those of k captures and one more line,
// which is any of the lines that are left but the captures, or none if none is
// left. With n[k] runs of k captures among o lines that is the sum of
// n[k]*(o-k) - n[k+1], and n[o].
func lastTurn(drawn, open, capture Lines) (sum uint64) {
	left := uint64(open.Count())
	// As long as there is one capture only there is one run of each length.
	for ; left > 0 && capture.Count() == 1; left-- {
		sum += left - 1
		drawn.H |= capture.H
		drawn.V |= capture.V
		open = open.Without(capture)
		capture = drawn.Capturing(open)
	}
	if left == 0 {
		return sum + 1
	}
	if capture.Empty() {
		return sum + left
	}
	var c runCounter
	c.count(drawn, open)
	for k := 0; k <= c.longest; k++ {
		sum += c.runs[k] * (left - uint64(k))
		if k > 0 {
			sum -= c.runs[k]
		}
	}
	if uint64(c.longest) == left {
		sum += c.runs[c.longest]
	}
	return sum
}

// maxLines is the number of lines of the largest board.
const maxLines = 2 * MaxSize * (MaxSize + 1)

// runCounter counts the runs of captures by their length.
type runCounter struct {
	runs    [maxLines + 1]uint64
	part    [maxLines + 1]uint64
	longest int
}

// count takes apart what can be captured into groups of boxes that do not touch:
// their runs can be shuffled at will.
func (c *runCounter) count(drawn, open Lines) {
	all := drawn
	for more := all.Capturing(open); !more.Empty(); more = all.Capturing(open.Without(all)) {
		all = Lines{all.H | more.H, all.V | more.V}
	}
	lines := all.Without(drawn)
	boxes := all.Closed() &^ drawn.Closed()
	c.runs[0], c.longest = 1, 0
	for boxes != 0 {
		group := boxes & -boxes
		for {
			g := around(group).And(lines)
			wider := (g.H | g.H>>stride | g.V | g.V>>1) & boxes
			if wider == group {
				c.shuffle(c.group(drawn, g))
				break
			}
			group = wider
		}
		boxes &^= group
	}
}

// group counts the runs within a group of lines into c.part and returns the length
// of the longest.
func (c *runCounter) group(drawn, lines Lines) int {
	n := lines.Count()
	k := 0
	for ; k < n; k++ {
		one := drawn.Capturing(lines)
		if one.Count() != 1 {
			break
		}
		c.part[k] = 1
		drawn = Lines{drawn.H | one.H, drawn.V | one.V}
		lines = lines.Without(one)
	}
	c.part[k] = 1
	runs := map[Lines]uint64{drawn: 1}
	for ; k < n; k++ {
		longer := map[Lines]uint64{}
		c.part[k+1] = 0
		for d, orders := range runs {
			for next := d.Capturing(lines.Without(d)); !next.Empty(); next = next.Rest() {
				longer[d.With(next.First())] += orders
				c.part[k+1] += orders
			}
		}
		runs = longer
	}
	return n
}

// shuffle mixes the runs of a group of n lines into those counted so far.
func (c *runCounter) shuffle(n int) {
	choose := choose()
	for k := c.longest + n; k > 0; k-- {
		var sum uint64
		for j := max(0, k-c.longest); j <= min(n, k); j++ {
			sum += c.runs[k-j] * c.part[j] * choose[k][j]
		}
		c.runs[k] = sum
	}
	c.longest += n
}

// choose[n][k] is the number of ways to choose k of n, modulo 2 to the 64th.
var choose = sync.OnceValue(func() *[maxLines + 1][maxLines + 1]uint64 {
	var t [maxLines + 1][maxLines + 1]uint64
	for n := range t {
		t[n][0] = 1
		for k := 1; k <= n; k++ {
			t[n][k] = t[n-1][k-1] + t[n-1][k]
		}
	}
	return &t
})

// twoSided returns the boxes with exactly two sides. Places that are no box of the
// board may be among them.
func (s Lines) twoSided() uint64 {
	a, b, c, d := s.H, s.H>>stride, s.V, s.V>>1
	return a&b&^(c|d) | c&d&^(a|b) | (a^b)&(c^d)
}

// around returns the four sides of boxes.
func around(boxes uint64) Lines {
	return Lines{boxes | boxes<<stride, boxes | boxes<<1}
}
