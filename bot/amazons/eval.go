package amazons

import "kibitz/games/amazons"

// point is the value of one square of territory. Won positions are worth at
// least won, less the turns until the end.
const (
	point = 100
	won   = 1_000_000
	inf   = won + 1000
)

// levels is how many queen moves are told apart.
const levels = 6

// position is what the evaluation looks at: the amazons of the side to move and
// of the other side, and the empty squares.
type position struct {
	own, other set
	empty      set
}

// fields are the squares at each distance of a side: near[k] those k+1 moves away.
type fields struct {
	near [levels]set
	all  set
}

func (f *fields) fill(from, empty set) {
	*f = fields{}
	left := empty
	for k := range levels {
		n := queen(from, empty).and(left)
		if n.empty() {
			return
		}
		if k == levels-1 {
			n = flood(n, left).or(n)
		}
		f.near[k] = n
		left = left.not(n)
		f.all = f.all.or(n)
		from = n
	}
}

// weights are those of the parts of an evaluation: squares nearer by queen moves
// and by king steps, nearness as such by both, and room around single amazons;
// first when everything is open, then when the areas are parted.
type weights struct {
	queen, king, near, close, move [2]float64
}

var standard = weights{
	queen: [2]float64{0.25, 0.90},
	king:  [2]float64{0.35, 0.10},
	near:  [2]float64{0.15, 0},
	close: [2]float64{0.35, 0},
	move:  [2]float64{1.0, 0.05},
}

// halves[k] is 2 to the power of -k.
var halves = [...]float64{1, 1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64}

// tempo is what a square that both reach equally fast is worth to the side to move.
const tempo = 0.15

// openness is the amount of disputed squares at which a position counts as
// wholly open.
const openness = 36.0

// evaluate returns the value of a position for the side to move, by the proper
// ruling: without a move it has lost.
func (w *weights) evaluate(p *position) int {
	var a, b fields
	a.fill(p.own, p.empty)
	if a.near[0].empty() {
		return -won
	}
	b.fill(p.other, p.empty)

	var territory, near, disputed float64
	var reachedA, reachedB set
	for k := range levels {
		na, nb := a.near[k], b.near[k]
		if na.empty() && nb.empty() {
			break
		}
		both := na.and(nb)
		territory += float64(na.not(reachedB).count()-nb.not(reachedA).count()) + tempo*float64(both.count())
		near += halves[k] * float64(na.count()-nb.count())
		disputed += float64(both.count())
		reachedA, reachedB = reachedA.or(na), reachedB.or(nb)
		for j := k + 1; j < levels; j++ {
			if n := na.and(b.near[j]).count() + nb.and(a.near[j]).count(); n > 0 {
				disputed += halves[j-k] * float64(n)
			}
		}
	}
	open := min(1, disputed/openness)
	mix := func(c [2]float64) float64 { return c[1] + (c[0]-c[1])*open }
	v := mix(w.queen)*territory + mix(w.near)*near
	if open > 0 {
		land, close := steps(p)
		v += mix(w.king)*land + mix(w.close)*close
		v += mix(w.move) * (freedom(p.own, p.empty) - freedom(p.other, p.empty))
	} else {
		v += mix(w.king) * territory
	}
	return int(v * point)
}

// steps compares the sides by king steps: the squares that one reaches first, and
// how much closer it is on the whole.
func steps(p *position) (land, close float64) {
	const far = 8
	a, b := p.own, p.other
	var reachedA, reachedB set
	for range far {
		a = king(a, p.empty).not(reachedA)
		b = king(b, p.empty).not(reachedB)
		if a.empty() && b.empty() {
			break
		}
		land += float64(a.not(reachedB).count()-b.not(reachedA).count()) + tempo*float64(a.and(b).count())
		reachedA, reachedB = reachedA.or(a), reachedB.or(b)
		close += float64(reachedA.count() - reachedB.count())
	}
	return land, close / far
}

// freedom is lower the fewer squares single amazons see around them; a side whose
// amazons are all free has 0.
func freedom(amazons, empty set) float64 {
	sum := 0.0
	for ; !amazons.empty(); amazons = amazons.rest() {
		one := first(amazons)
		near := king(one, empty)
		n := near.count() + king(near, empty).count()
		if n < len(lonely) {
			sum -= lonely[n]
		}
	}
	return sum
}

// lonely is the malus of an amazon with so many squares within two steps, those
// beside it counted twice.
var lonely = [...]float64{12, 9, 7.5, 6, 5, 4.2, 3.5, 3, 2.5, 2.1, 1.7, 1.4, 1.1, 0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1}

func first(s set) set { return bit(s.square()) }

// look collects a position from the board.
func look(b *amazons.Board) position {
	var p position
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
