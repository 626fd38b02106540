package darkchess

import (
	"math/bits"

	"kibitz/games/darkchess"
)

// chaseLength is the most plies that a won chase of one piece lasts.
const chaseLength = 20

// caught is what a won chase is worth, less than a win, so that it is still played.
const caught = 50_000

// fled reports whether one piece is left against one other and neither can be caught.
func (p *position) fled() bool {
	v, ok := p.chases()
	return ok && v == 0
}

// chased returns the value of one piece against one other for the side on turn. ok is
// false with more pieces, and where the draw by quiet plies may come before the end.
func (p *position) chased() (v int, ok bool) {
	if p.noEat > 0 && p.quiet+chaseLength >= p.noEat {
		return 0, false
	}
	v, ok = p.chases()
	return v * caught, ok
}

// gap returns the number of steps between two pieces.
func (p *position) gap() int {
	all := p.board.Own(0) | p.board.Own(1)
	return int(apart[bits.TrailingZeros32(all)][31-bits.LeadingZeros32(all)])
}

// chases says what becomes of one piece against one other, with nothing face down: 1 if
// the side on turn wins, -1 if it loses, 0 for a draw. ok is false with more pieces.
//
// Every move changes whether the pieces are an odd number of steps apart. Whoever is on
// turn when they are can come to stand beside the other when that has to move; who is
// never so gets no nearer than two steps unless the other wants it.
func (p *position) chases() (result int, ok bool) {
	b := &p.board
	if p.alive[0]+p.alive[1] > 2 || b.At(darkchess.Hidden) != 0 {
		return 0, false
	}
	me, you := b.Own(p.colour), b.Own(1-p.colour)
	if me == 0 || you == 0 {
		return 0, false
	}
	from, to := bits.TrailingZeros32(me), bits.TrailingZeros32(you)
	own, other := int(b.Cell(from)%darkchess.Kinds), int(b.Cell(to)%darkchess.Kinds)
	switch odd := apart[from][to]&1 == 1; {
	case odd && steps(own, other):
		return 1, true
	case !odd && steps(other, own):
		return -1, true
	}
	return 0, true
}
