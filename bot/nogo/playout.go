package nogo

import "kibitz/games/nogo"

// random is a small generator (xorshift64*), seeded from the task's own.
type random uint64

func (r *random) below(n int) int {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = random(x)
	return int((x * 0x2545f4914f6cdd1d >> 32) * uint64(n) >> 32)
}

// playout is one random game from a position.
type playout struct {
	board nogo.Board
	// first is the colour that took a point in this game, Empty if nobody did.
	first [nogo.Points]uint8
	// left are the points that may still be harmless to a colour, by tier.
	left [2][tiers]list
}

// The tiers: points that are played first, those that the other side cannot take,
// which can wait, and eyes, which can wait longest because they stay harmless.
const (
	shared = iota
	private
	eyes
	tiers
)

type list struct {
	at [nogo.MaxSize * nogo.MaxSize]int16
	n  int
}

func (l *list) add(p int) {
	l.at[l.n] = int16(p)
	l.n++
}

func (l *list) drop(i int) {
	l.n--
	l.at[i] = l.at[l.n]
}

// eye reports whether all neighbours of a point are stones of a colour or border:
// the other colour can never play there.
func eye(b *nogo.Board, p int, colour uint8) bool {
	for _, d := range b.Sides() {
		if c := b.Cell(p + d); c == nogo.Empty || c == 3-colour {
			return false
		}
	}
	return true
}

// run plays at random until a side has no harmless point and returns the winner's
// colour. What can wait is played when nothing else is left.
func (g *playout) run(r *random, colour uint8) (winner uint8) {
	b := &g.board
	for side := range g.left {
		for tier := range g.left[side] {
			g.left[side][tier].n = 0
		}
	}
	for p := b.At(0, 0); p < b.Bound(); p++ {
		if b.Cell(p) == nogo.Empty {
			g.left[0][shared].add(p)
			g.left[1][shared].add(p)
		}
	}
	for {
		p := g.pick(r, colour)
		if p == 0 {
			return 3 - colour
		}
		b.Place(p, colour)
		g.first[p] = colour
		colour = 3 - colour
	}
}

// pick returns a harmless point at random from the first tier that has one, 0 if
// none has. Points that are harmful now never come back.
func (g *playout) pick(r *random, colour uint8) int {
	b := &g.board
	left := &g.left[colour-1]
	for tier := range left {
		l := &left[tier]
		for l.n > 0 {
			i := r.below(l.n)
			p := int(l.at[i])
			l.drop(i)
			if !b.Harmless(p, colour) {
				continue
			}
			if tier < eyes && !b.Harmless(p, 3-colour) {
				if eye(b, p, colour) {
					left[eyes].add(p)
					continue
				} else if tier == shared {
					left[private].add(p)
					continue
				}
			}
			return p
		}
	}
	return 0
}
