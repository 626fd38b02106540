package darkchess

import (
	"math/bits"

	"kibitz/games/darkchess"
)

// Scores are from the view of the side to move, in hundredths of a pawn without
// further worth. A win in n plies is win-n.
const (
	win    = 1_000_000
	winMin = win - 1000
)

// The kinds of pieces within a colour, by falling rank.
const (
	king = iota
	guard
	minister
	rook
	knight
	cannon
	pawn
)

// basic is what a kind is worth with everything on the board.
var basic = [darkchess.Kinds]int{king: 900, guard: 500, minister: 280, rook: 170, knight: 110, cannon: 340, pawn: 80}

// steps reports whether an attacker of one kind takes a victim of another by a
// step.
func steps(attacker, victim int) bool {
	switch attacker {
	case king:
		return victim != pawn
	case cannon:
		return false
	case pawn:
		return victim == pawn || victim == king
	}
	return victim >= attacker
}

// preys[a][v] tells that a takes v by a step and need not fear it.
var preys = preyTable()

func preyTable() (t [darkchess.Kinds][darkchess.Kinds]bool) {
	for a := range t {
		for v := range t[a] {
			t[a][v] = steps(a, v) && !steps(v, a)
		}
	}
	return t
}

// apart is the number of steps between two squares of an empty board.
var apart = distances()

func distances() (t [darkchess.Squares][darkchess.Squares]uint8) {
	for a := range t {
		for b := range t[a] {
			dx, dy := a%darkchess.Width-b%darkchess.Width, a/darkchess.Width-b/darkchess.Width
			t[a][b] = uint8(max(dx, -dx) + max(dy, -dy))
		}
	}
	return t
}

// near are the squares beside each square.
var near = neighbours()

func neighbours() (set [darkchess.Squares]uint32) {
	for a := range apart {
		for b, d := range apart[a] {
			if d == 1 {
				set[a] |= 1 << b
			}
		}
	}
	return set
}

// count is who is left, those face down included, and what they are worth.
type count struct {
	left   [darkchess.Pieces]uint8
	alive  [2]uint8 // pieces of each colour
	values [darkchess.Pieces]int16
	// hope is what a lead of each colour counts, in 16ths: not all of them win.
	hope [2]uint8
}

// countOf counts the pieces of a board.
func countOf(b *darkchess.Board) (c count) {
	for p, down := range b.Down() {
		n := uint8(bits.OnesCount32(b.At(uint8(p)))) + down
		c.left[p] = n
		c.alive[p/darkchess.Kinds] += n
	}
	c.appraise()
	return c
}

func (c *count) without(piece uint8) {
	c.left[piece]--
	c.alive[piece/darkchess.Kinds]--
	c.appraise()
}

// appraise values the pieces by who is left. A piece that nothing can step on is
// worth more, so is one with more to take, and a king with fewer pawns to fear.
func (c *count) appraise() {
	for colour := range 2 {
		own := (*[darkchess.Kinds]uint8)(c.left[colour*darkchess.Kinds:])
		enemy := (*[darkchess.Kinds]uint8)(c.left[(1-colour)*darkchess.Kinds:])
		v := (*[darkchess.Kinds]int16)(c.values[colour*darkchess.Kinds:])
		above, below := 0, int(c.alive[1-colour]) // enemies of higher rank, and of no higher
		fewest := darkchess.Squares               // hunters of any piece
		for kind := range v {
			hunters, prey := above+int(enemy[kind]), below
			switch kind {
			case king:
				hunters, prey = hunters+int(enemy[pawn]), prey-int(enemy[pawn])
			case cannon:
				hunters, prey = above, 0
			case pawn:
				hunters, prey = hunters-int(enemy[king]), prey+int(enemy[king])
			}
			if kind != cannon {
				above += int(enemy[kind])
			}
			below -= int(enemy[kind])
			if own[kind] > 0 {
				fewest = min(fewest, hunters)
			}
			worth := basic[kind] + 8*prey
			switch {
			case hunters == 0:
				worth += 120
			case kind == king:
				worth += 25 * (5 - min(5, int(enemy[pawn])))
			}
			if kind == pawn && enemy[king] > 0 { // the fewer, the more precious
				worth += 60 / max(1, int(own[pawn]))
			}
			v[kind] = int16(worth)
		}
		if c.alive[0]+c.alive[1] > 2 { // a cannon needs a third piece
			fewest += int(enemy[cannon])
		}
		c.hope[1-colour] = hope(c.alive[1-colour], c.alive[colour], fewest)
	}
}

// What a lead counts, in 16ths.
const (
	full  = 16
	hard  = 10 // something has but one hunter, which needs the help of others
	alone = 4  // one piece catches another only if the other has to step beside it
	none  = 2  // something cannot be taken any more, or flees for ever
)

// hope says what a lead counts with so many own pieces and others, of which each has so
// many hunters at least. Everything has to be taken to win, and on an open board a single
// piece catches a single other one only in half of the cases, those in which it is on
// turn an odd number of steps away; of two it catches none.
func hope(own, other uint8, hunters int) uint8 {
	switch {
	case hunters == 0, own == 1 && other > 1:
		return none
	case own == 1:
		return alone
	case hunters == 1:
		return hard
	}
	return full
}

// material sums up all pieces of a colour, those face down included.
func (c *count) material(colour uint8) int {
	sum := 0
	for p := colour * darkchess.Kinds; p < (colour+1)*darkchess.Kinds; p++ {
		sum += int(c.values[p]) * int(c.left[p])
	}
	return sum
}

// hunt sums up how close the pieces of a colour are to what they can take without
// fear.
func (p *position) hunt(colour uint8) int {
	sum := 0
	b := &p.board
	enemies := b.Own(1 - colour)
	for own := b.Own(colour); own != 0; own &= own - 1 {
		from := bits.TrailingZeros32(own)
		takes := &preys[b.Cell(from)%darkchess.Kinds]
		for e := enemies; e != 0; e &= e - 1 {
			to := bits.TrailingZeros32(e)
			victim := b.Cell(to)
			if d := int(apart[from][to]); d < 8 && takes[victim%darkchess.Kinds] {
				sum += (8 - d) * (8 - d) * (40 + int(p.values[victim])/8)
			}
		}
	}
	return sum / 64
}

// freedom is the worth of a possible move.
const freedom = 3

// Evaluate values a quiet position for the colour to move.
func (p *position) Evaluate() int {
	me := p.colour
	if p.alive[0]+p.alive[1] == 2 {
		if v, ok := p.chased(); ok {
			return v - v/caught*p.gap()
		}
	}
	v := p.material(me) - p.material(1-me)
	v += p.hunt(me) - p.hunt(1-me)
	v += freedom * (p.board.CountMoves(me) - p.board.CountMoves(1-me))
	if v > 0 {
		v = v * int(p.hope[me]) / full
	} else {
		v = v * int(p.hope[1-me]) / full
	}
	if p.noEat > 0 && p.quiet > 0 {
		v -= v * min(p.quiet, p.noEat) / p.noEat / 2
	}
	return v
}
