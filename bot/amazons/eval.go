package amazons

import "kibitz/games/amazons"

// view is what the evaluation looks at: the amazons of the side to move and
// of the other side, and the empty squares.
type view struct {
	own, other set
	empty      set
}

// The terms of the evaluation, each for the side to move less the same for the other:
// those of Lieberum, An evaluation function for the game of Amazons, 2005, with queen
// moves counted up to two and all further ones alike.
const (
	toMove  = iota // 1: what it is worth to be on turn
	nearer         // squares that take fewer queen moves (t1)
	reach          // squares one queen move away (of c1)
	closer         // squares that take fewer king steps, up to far (t2)
	total          // squares within 1, 2, ... king steps, added up until nobody gets further or far (of c2)
	freedom        // how hemmed in single amazons are (m)
	terms
)

// far is how many king steps are told apart.
const far = 8

// disputes are the numbers of squares that both sides can reach at which the weights
// are given; between them they glide.
var disputes = [...]int{0, 4, 12, 24, 45, 75}

// weights are by term and by disputes. They were fitted to the results of games of the
// engine against itself (logistic regression): see docs/measured/strength-amazons.md.
type weights [terms][len(disputes)]float64

var standard = weights{
	toMove:  {-0.7457, 0.0955, 0.2124, 0.2718, 0.3042, 0.2205},
	nearer:  {1.0905, 0.7392, 0.5050, 0.1990, 0.1876, 0.1047},
	reach:   {-0.0299, -0.0408, -0.0189, -0.0393, -0.0599, -0.0793},
	closer:  {0.6512, 0.4236, 0.2729, 0.3392, 0.1959, 0.0019},
	total:   {-0.0033, -0.0119, -0.0263, -0.0113, -0.0034, 0.0098},
	freedom: {0.0040, 0.0751, 0.0209, 0.0232, 0.1031, 0.2399},
}

// tables are the weights by the number of disputed squares.
type tables [amazons.Squares + 1][terms]float32

var table = tabulate(&standard)

func tabulate(w *weights) *tables {
	t := new(tables)
	for n := range t {
		i, share := Between(n)
		for k := range w {
			t[n][k] = float32(w[k][i] + (w[k][i+1]-w[k][i])*share)
		}
	}
	return t
}

// measure returns the terms of a position and the number of disputed squares. stuck says
// that the side to move cannot, by which it has lost.
func measure(p *view) (x [terms]float32, disputed int, stuck bool) {
	r := raysOf(p.empty)
	a1 := r.queen(p.own)
	if a1.empty() {
		return x, 0, true
	}
	b1 := r.queen(p.other)
	a2, b2 := r.queen(a1).or(a1), r.queen(b1).or(b1)
	s := walk(p)
	x[toMove] = 1
	x[nearer] = float32(lead(a1.not(b1).or(a2.not(b2)).or(s.own.not(s.other)), b1.not(a1).or(b2.not(a2)).or(s.other.not(s.own))))
	x[reach] = float32(lead(a1, b1))
	x[closer], x[total] = float32(s.closer), float32(s.total)
	x[freedom] = room(p.own, p.empty) - room(p.other, p.empty)
	return x, s.own.and(s.other).count(), false
}

func lead(a, b set) int { return a.count() - b.count() }

// steps is what king steps say about a position.
type steps struct {
	own, other    set // all squares that the sides can reach
	closer, total int
}

// walk takes king steps with both sides until there is nowhere to go.
func walk(p *view) (s steps) {
	a, b := p.own, p.other
	for k := 0; ; k++ {
		a, b = king(a, p.empty).not(s.own), king(b, p.empty).not(s.other)
		if a.empty() && b.empty() {
			return s
		}
		before := s.own
		s.own = s.own.or(a)
		if k < far {
			s.closer += lead(a.not(s.other).not(b), b.not(before).not(a))
		}
		s.other = s.other.or(b)
		if k < far {
			s.total += lead(s.own, s.other)
		}
	}
}

// boxed is the least value: of a side without a move, which has lost.
const boxed = 40_000

// evaluate returns the logarithm of the odds of the side to move, in thousandths, by the
// proper ruling: without a move it has lost.
func evaluate(p *view) int {
	x, disputed, stuck := measure(p)
	if stuck {
		return -boxed
	}
	w := &table[disputed]
	odds := float32(0)
	for k := range x {
		odds += w[k] * x[k]
	}
	return min(max(int(odds*1000), 1-boxed), boxed-1)
}

// room is lower the fewer squares single amazons see around them; a side whose
// amazons are all free has 0.
func room(amazons, empty set) float32 {
	sum := float32(0)
	for ; !amazons.empty(); amazons = amazons.rest() {
		near := king(first(amazons), empty)
		n := near.count() + king(near, empty).count()
		if n < len(lonely) {
			sum -= lonely[n]
		}
	}
	return sum
}

// lonely is the malus of an amazon with so many squares within two steps, those
// beside it counted twice.
var lonely = [...]float32{12, 9, 7.5, 6, 5, 4.2, 3.5, 3, 2.5, 2.1, 1.7, 1.4, 1.1, 0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1}

// look collects a position from the board.
func look(b *amazons.Board) view {
	var p view
	me := b.Side()
	for _, q := range b.Queens(me) {
		p.own = p.own.or(bit(q))
	}
	for _, q := range b.Queens(me.Other()) {
		p.other = p.other.or(bit(q))
	}
	for sq := range uint8(amazons.Squares) {
		if b.Cell(int(sq)) == amazons.Empty {
			p.empty = p.empty.or(bit(sq))
		}
	}
	return p
}
