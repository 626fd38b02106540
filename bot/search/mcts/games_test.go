package mcts

import (
	"math/bits"
	"math/rand/v2"

	"kibitz/bot"
)

// three is noughts and crosses: three in a row win, and a full board is a draw.
type three struct {
	cells [2]uint16
	side  uint8
}

func (g *three) Copy(from *three) { *g = *from }
func (g *three) Side() uint8      { return g.side }

func (g *three) Play(m Move) {
	g.cells[g.side] |= 1 << m
	g.side = 1 - g.side
}

func (g *three) row(side uint8) bool {
	for _, r := range [...]uint16{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124} {
		if g.cells[side]&r == r {
			return true
		}
	}
	return false
}

func (g *three) free() uint16 { return 0o777 &^ (g.cells[0] | g.cells[1]) }

func (g *three) Judge() Proof {
	switch {
	case g.row(1 - g.side):
		return Loss
	case g.free() == 0:
		return Draw
	}
	return Open
}

func (g *three) Moves(dst []Choice) []Choice {
	for f := g.free(); f != 0; f &= f - 1 {
		dst = append(dst, Choice{Move: Move(bits.TrailingZeros16(f)), Prior: 0.5})
	}
	return dst
}

func (g *three) Playout(r *Rand, first []uint8) (value, points float32) {
	for {
		if p := g.Judge(); p != Open {
			return p.seen(g.side, 0).Value(), 0
		}
		f := g.free()
		for range r.Below(bits.OnesCount16(f)) {
			f &= f - 1
		}
		m := Move(bits.TrailingZeros16(f))
		if len(first) > 0 {
			first[m] = g.side + 1
		}
		g.Play(m)
	}
}

// heap is a heap of sticks, of which one to three are taken. Who takes one is on turn
// again, and who takes the last wins.
type heap struct {
	left int
	side uint8
}

func (g *heap) Copy(from *heap) { *g = *from }
func (g *heap) Side() uint8     { return g.side }

func (g *heap) Play(m Move) {
	if g.left -= int(m); m > 1 || g.left == 0 {
		g.side = 1 - g.side
	}
}

func (g *heap) Judge() Proof {
	if g.left == 0 {
		return Loss
	}
	return Open
}

func (g *heap) Moves(dst []Choice) []Choice {
	for m := 1; m <= min(3, g.left); m++ {
		dst = append(dst, Choice{Move: Move(m)})
	}
	return dst
}

func (g *heap) Playout(r *Rand, _ []uint8) (value, points float32) {
	for g.left > 0 {
		g.Play(Move(1 + r.Below(min(3, g.left))))
	}
	return Loss.seen(g.side, 0).Value(), 0
}

// truth tries everything.
func truth[G any, P Game[G]](g *G) Proof {
	if p := P(g).Judge(); p != Open {
		return p
	}
	best := Loss
	for _, c := range P(g).Moves(nil) {
		var next G
		P(&next).Copy(g)
		P(&next).Play(c.Move)
		switch truth[G, P](&next).seen(P(&next).Side(), P(g).Side()) {
		case Win:
			return Win
		case Draw:
			best = Draw
		}
	}
	return best
}

func task(nodes int64) *bot.Task {
	return &bot.Task{Lines: 1, Nodes: nodes, Rand: rand.New(rand.NewPCG(1, 1))}
}

// wide is a game without end to it: so many moves, of which the low ones are worth
// more, and all values by chance.
type wide struct {
	worth, plies int
	side         uint8
}

const width = 20

func (g *wide) Copy(from *wide) { *g = *from }
func (g *wide) Side() uint8     { return g.side }
func (g *wide) Judge() Proof    { return Open }

func (g *wide) Play(m Move) {
	if g.plies++; g.side == 0 {
		g.worth -= 2 * int(m)
	} else {
		g.worth += 2 * int(m)
	}
	g.side = 1 - g.side
}

func (g *wide) Moves(dst []Choice) []Choice {
	for m := range width {
		dst = append(dst, Choice{Move: Move(m), Prior: 0.5})
	}
	return dst
}

func (g *wide) Playout(r *Rand, first []uint8) (value, points float32) {
	if m := r.Below(width); first[m] == 0 {
		first[m] = uint8(r.Below(2)) + 1
	}
	if r.Below(2*width) < width+g.worth {
		return 1, float32(g.worth)
	}
	return 0, float32(g.worth)
}

var wideOptions = Options{Expand: 2, Explore: 0.3, Prior: 5, Trust: 500, Moves: width}
