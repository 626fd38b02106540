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
	inf    = win + 1
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

// values are what each piece is worth in a position.
type values [darkchess.Pieces]int

// appraise values the pieces by who is left. A piece that nothing can step on is
// worth more, so is one with more to take, and a king with fewer pawns to fear.
func appraise(b *darkchess.Board) (v values) {
	var left [darkchess.Pieces]int
	down := b.Down()
	for p := range left {
		left[p] = bits.OnesCount32(b.At(uint8(p))) + int(down[p])
	}
	for p := range v {
		kind, enemy := p%darkchess.Kinds, darkchess.Kinds-p/darkchess.Kinds*darkchess.Kinds
		hunters, prey := 0, 0
		for k := range darkchess.Kinds {
			n := left[enemy+k]
			if steps(k, kind) {
				hunters += n
			}
			if steps(kind, k) {
				prey += n
			}
		}
		v[p] = basic[kind] + 8*prey
		switch {
		case hunters == 0:
			v[p] += 120
		case kind == king:
			v[p] += 25 * (5 - min(5, left[enemy+pawn]))
		}
		if kind == pawn && left[enemy+king] > 0 { // the fewer, the more precious
			v[p] += 60 / max(1, left[p])
		}
	}
	return v
}

// material sums up all pieces of a colour, those face down included.
func (v *values) material(b *darkchess.Board, down *[darkchess.Pieces]uint8, colour uint8) int {
	sum := 0
	for p := colour * darkchess.Kinds; p < (colour+1)*darkchess.Kinds; p++ {
		sum += v[p] * (bits.OnesCount32(b.At(p)) + int(down[p]))
	}
	return sum
}

// hunt sums up how close the pieces of a colour are to what they can take without
// fear.
func (v *values) hunt(b *darkchess.Board, colour uint8) int {
	sum := 0
	enemies := b.Own(1 - colour)
	for own := b.Own(colour); own != 0; own &= own - 1 {
		from := bits.TrailingZeros32(own)
		takes := &preys[b.Cell(from)%darkchess.Kinds]
		for e := enemies; e != 0; e &= e - 1 {
			to := bits.TrailingZeros32(e)
			victim := b.Cell(to)
			if d := int(apart[from][to]); d < 8 && takes[victim%darkchess.Kinds] {
				sum += (8 - d) * (8 - d) * (40 + v[victim]/8)
			}
		}
	}
	return sum / 64
}

// freedom is the worth of a possible move.
const freedom = 3

// evaluate values a quiet position for the colour to move.
func (s *search) evaluate(colour uint8) int {
	b := &s.board
	down := b.Down()
	v := s.values.material(b, &down, colour) - s.values.material(b, &down, 1-colour)
	v += s.values.hunt(b, colour) - s.values.hunt(b, 1-colour)
	v += freedom * (b.CountMoves(colour) - b.CountMoves(1-colour))
	if s.noEat > 0 && s.quiet > 0 {
		v -= v * min(s.quiet, s.noEat) / s.noEat / 2
	}
	return v
}
