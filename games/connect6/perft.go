package connect6

import (
	"math"
	"math/bits"

	"kibitz/game"
)

// Perft counts the leaves at a depth in turns. The stones of a turn are a set: a
// leaf is a different set of stones of the last turn, and a turn that six ends
// after its first stone is one too. Counts beyond 64 bits are math.MaxUint64.
//
// The last two turns are counted without placing a stone, from the lines that
// lack one or two; and where no six can come about in time, nothing is placed at
// all.
func (s *State) Perft(depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case s.end != open6:
		return 0
	}
	c := counter{board: s.board, short: s.rules.short}
	return c.count(s.seat, s.second, depth)
}

// counter counts turns on a board of its own.
type counter struct {
	board Board
	short bool
	pairs [][2]spot
}

// spot is a point of the board.
type spot struct{ x, y int8 }

// points is a set of points: a bit for each column of each row.
type points [MaxSize]uint32

func (p *points) has(s spot) bool { return p[s.y]>>s.x&1 != 0 }

// add adds a point and returns 1 if it is new, else 0.
func (p *points) add(s spot) int {
	old := p[s.y]
	p[s.y] |= 1 << s.x
	return int(^old >> s.x & 1)
}

// count counts the leaves below a position that is not over; second tells that
// one stone of the turn lies already.
func (c *counter) count(seat game.Seat, second bool, depth int) uint64 {
	b := &c.board
	empty := int(b.empty)
	single := second || empty == int(b.size)*int(b.size)
	switch {
	case empty == 0:
		return 0
	case depth == 1 && single:
		n := uint64(empty)
		if second && c.short {
			n++
		}
		return n
	case depth == 1:
		var wins points
		return c.leaves(empty, c.singles(seat, &wins))
	case c.quiet(seat, single, depth):
		return c.ways(second, depth)
	case depth == 2 && !single:
		return c.lastTwo(seat)
	}
	return c.walk(seat, second, single, depth)
}

// leaves returns the number of turns of two stones on so many empty points, on
// wins of which one stone makes six. Two such points make no pair: whichever is
// first ends the game.
func (c *counter) leaves(empty, wins int) uint64 {
	switch {
	case empty <= 0:
		return 0
	case empty == 1:
		return 1
	case c.short:
		return pairsOf(empty) - pairsOf(wins) + uint64(empty)
	}
	return pairsOf(empty) - pairsOf(wins) + uint64(wins)
}

// pairsOf returns the number of pairs of n things.
func pairsOf(n int) uint64 { return uint64(n) * uint64(n-1) / 2 }

// walk makes every turn and counts below it.
func (c *counter) walk(seat game.Seat, second, single bool, depth int) uint64 {
	b, next := &c.board, seat.Other()
	var total uint64
	if second && c.short {
		total = c.count(next, false, depth-1)
	}
	for y := range int(b.size) {
		for free := b.Free(y); free != 0; free &= free - 1 {
			x := bits.TrailingZeros32(free)
			b.Put(x, y, seat)
			if !b.Wins(x, y, seat) {
				if single || c.short {
					total = plus(total, c.count(next, false, depth-1))
				}
				if !single {
					total = plus(total, c.seconds(seat, x, y, depth))
				}
			}
			b.Take(x, y, seat)
		}
	}
	return total
}

// seconds places the other stone of a turn on each empty point behind x, y.
func (c *counter) seconds(seat game.Seat, x, y, depth int) uint64 {
	b := &c.board
	var total uint64
	free := b.Free(y) &^ (2<<x - 1)
	for {
		for ; free != 0; free &= free - 1 {
			x := bits.TrailingZeros32(free)
			b.Put(x, y, seat)
			if !b.Wins(x, y, seat) {
				total = plus(total, c.count(seat.Other(), false, depth-1))
			}
			b.Take(x, y, seat)
		}
		if y++; y == int(b.size) {
			return total
		}
		free = b.Free(y)
	}
}

// lastTwo counts the last two turns. What matters of the first of them is whether
// it makes six, and how many points on which the other side would win it takes.
func (c *counter) lastTwo(seat game.Seat) uint64 {
	b := &c.board
	empty := int(b.empty)
	var own, theirs points
	c.singles(seat.Other(), &theirs)
	c.twos(seat, &own)
	wins, taken := 0, 0 // points that win for the other side, those of them that do not win now
	quiet := 0          // points that do not win now
	for y := range int(b.size) {
		free := b.Free(y)
		wins += bits.OnesCount32(theirs[y])
		taken += bits.OnesCount32(theirs[y] &^ own[y])
		quiet += bits.OnesCount32(free &^ own[y])
	}
	other := quiet - taken
	total := pairsOf(other)*c.leaves(empty-2, wins) +
		uint64(other)*uint64(taken)*c.leaves(empty-2, wins-1) +
		pairsOf(taken)*c.leaves(empty-2, wins-2)
	for _, p := range c.pairs {
		hit := 0
		for _, s := range p {
			if theirs.has(s) {
				hit++
			}
		}
		total -= c.leaves(empty-2, wins-hit)
	}
	if c.short {
		total += uint64(other)*c.leaves(empty-1, wins) + uint64(taken)*c.leaves(empty-1, wins-1)
	}
	return total
}

// singles collects the points on which one stone makes six for a seat, and
// returns their number.
func (c *counter) singles(seat game.Seat, set *points) int {
	n := 0
	c.missing(seat, 5, func(direction, line int, gaps uint32) {
		n += set.add(c.spot(direction, line, bits.TrailingZeros32(gaps)))
	})
	return n
}

// twos collects the points on which one stone makes six, and in c.pairs all pairs
// of other points on which two stones do.
func (c *counter) twos(seat game.Seat, set *points) {
	c.pairs = c.pairs[:0]
	c.singles(seat, set)
	var last [Six]uint32 // gaps that were met last, in one line
	lastLine := -1
	c.missing(seat, 4, func(direction, line int, gaps uint32) {
		if key := direction*maxLines + line; key != lastLine {
			last, lastLine = [Six]uint32{}, key
		}
		for _, g := range last {
			if g == gaps {
				return
			}
		}
		copy(last[1:], last[:])
		last[0] = gaps
		p := [2]spot{
			c.spot(direction, line, bits.TrailingZeros32(gaps)),
			c.spot(direction, line, bits.TrailingZeros32(gaps&(gaps-1))),
		}
		if !set.has(p[0]) && !set.has(p[1]) {
			c.pairs = append(c.pairs, p)
		}
	})
}

func (c *counter) spot(direction, line, bit int) spot {
	p := c.board.point(direction, line, bit)
	return spot{p.X, p.Y}
}

// missing calls f with the empty points of every six neighbouring points that
// hold so many stones of a seat and none of the other.
func (c *counter) missing(seat game.Seat, stones int, f func(direction, line int, gaps uint32)) {
	b := &c.board
	for d := range directions {
		for i := range b.count(d) {
			own := b.lines[seat][d][i]
			if bits.OnesCount32(own) < stones {
				continue
			}
			on, n := b.on(d, i)
			open := on &^ b.lines[seat.Other()][d][i]
			from := bits.TrailingZeros32(on)
			for w := uint32(1<<Six-1) << from; n >= Six; n, w = n-1, w<<1 {
				if open&w == w && bits.OnesCount32(own&w) == stones {
					f(d, i, w&^own)
				}
			}
		}
	}
}

// quiet reports whether no six can come about before the last of the turns, nor
// by the first stone of that one.
func (c *counter) quiet(seat game.Seat, single bool, depth int) bool {
	most := [2]int{c.most(game.First), c.most(game.Second)}
	for turn := 1; turn <= depth; turn++ {
		switch {
		case single && turn == 1:
			most[seat]++
		case turn == depth:
			most[seat]++ // both stones make a leaf in any case
		default:
			most[seat] += 2
		}
		if most[seat] >= Six {
			return false
		}
		seat = seat.Other()
	}
	return true
}

// never stands for no points at all on which six could be made: so many stones
// are never placed.
const never = -1 << 30

// most returns the greatest number of stones of a seat on six neighbouring points
// without a stone of the other, never if there are no such points.
func (c *counter) most(seat game.Seat) int {
	b := &c.board
	best := never
	for d := range directions {
		for i := range b.count(d) {
			on, n := b.on(d, i)
			own, open := b.lines[seat][d][i], on&^b.lines[seat.Other()][d][i]
			from := bits.TrailingZeros32(on)
			for w := uint32(1<<Six-1) << from; n >= Six; n, w = n-1, w<<1 {
				if open&w == w {
					best = max(best, bits.OnesCount32(own&w))
				}
			}
		}
	}
	return best
}

// ways counts the turns when no six can come about: what matters is how many
// points are empty.
func (c *counter) ways(second bool, depth int) uint64 {
	all := int(c.board.size) * int(c.board.size)
	var now, next [MaxSize*MaxSize + 1]uint64 // by the number of empty points
	top := int(c.board.empty)
	now[top] = 1
	for turn := range depth {
		clear(next[:top+1])
		for n := 1; n <= top; n++ {
			k := now[n]
			one := k != 0 && (n == 1 || n == all || c.short || second && turn == 0)
			if one {
				next[n-1] = plus(next[n-1], times(k, uint64(n)))
			}
			switch {
			case k == 0:
			case second && turn == 0:
				if c.short {
					next[n] = plus(next[n], k)
				}
			case n > 1 && n < all:
				next[n-2] = plus(next[n-2], times(k, pairsOf(n)))
			}
		}
		now, next = next, now
	}
	var total uint64
	for _, k := range now[:top+1] {
		total = plus(total, k)
	}
	return total
}

// plus and times stay at the largest number instead of overflowing.
func plus(a, b uint64) uint64 {
	if sum, carry := bits.Add64(a, b, 0); carry == 0 {
		return sum
	}
	return math.MaxUint64
}

func times(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return math.MaxUint64
}
