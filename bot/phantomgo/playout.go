package phantomgo

import (
	"math/rand/v2"

	"kibitz/games/phantomgo"
)

// playout is a game that is played to its end at random.
type playout struct {
	board  phantomgo.Board
	spots  []int // the points of the board
	stride []int // steps that lead through all of them
	komi   float64
	// first[p] is the colour that placed a stone on p first in the playout.
	first   [points]uint8
	touched []int
}

func (g *playout) prepare(size int, komi float64) {
	g.komi = komi
	n := size * size
	if len(g.spots) == n {
		return
	}
	g.spots, g.stride = g.spots[:0], g.stride[:0]
	for y := range size {
		for x := range size {
			g.spots = append(g.spots, phantomgo.At(x, y))
		}
	}
	for s := n / 5; s < n; s++ {
		if gcd(s, n) == 1 {
			g.stride = append(g.stride, s)
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// eye reports whether a point is an eye of a colour that it should not fill.
func eye(b *phantomgo.Board, p int, colour uint8) bool {
	for _, d := range beside {
		if c := b.Cell(p + d); c == phantomgo.Empty || c == 3-colour {
			return false
		}
	}
	enemies, edge := 0, 0
	for _, d := range corners {
		switch b.Cell(p + d) {
		case 3 - colour:
			enemies++
		case phantomgo.Empty, colour:
		default:
			edge = 1
		}
	}
	return enemies+edge < 2
}

// run plays on from the board with the colour to move until both sides have
// nothing left, and returns the lead of black with komi. passes counts passes
// just before.
func (g *playout) run(r *rand.Rand, colour uint8, passes int) float64 {
	n := len(g.spots)
	last := 0
	for range 3 * n {
		if passes >= 2 {
			break
		}
		p := g.reply(r, last, colour)
		if p == 0 {
			p = g.pick(r, colour)
		}
		if p == 0 {
			g.board.Pass()
			passes++
		} else {
			passes = 0
			g.board.Place(p, colour)
			if g.first[p] == 0 {
				g.first[p] = colour
				g.touched = append(g.touched, p)
			}
		}
		last = p
		colour = 3 - colour
	}
	black, white := g.board.Area()
	return float64(black) - float64(white) - g.komi
}

// reply captures what has just put itself into one liberty, or saves an own chain
// that is threatened so, most of the time.
func (g *playout) reply(r *rand.Rand, last int, colour uint8) int {
	if last == 0 || r.Uint32()&3 == 0 {
		return 0
	}
	b := &g.board
	if p := lastLiberty(b, last); p != 0 && b.Legal(p, colour) {
		return p
	}
	for _, d := range beside {
		if q := last + d; b.Cell(q) == colour {
			if p := lastLiberty(b, q); p != 0 && b.Legal(p, colour) && !eye(b, p, colour) {
				return p
			}
		}
	}
	return 0
}

// lastLiberty returns the only liberty of a chain, 0 if it has more. Only the
// neighbourhood of the stone is looked at before all of the chain.
func lastLiberty(b *phantomgo.Board, p int) int {
	near := 0
	for _, d := range beside {
		if b.Cell(p+d) == phantomgo.Empty {
			if near != 0 {
				return 0
			}
			near = p + d
		}
	}
	var buf [64]int
	free := near
	for _, s := range b.Chain(p, buf[:0]) {
		for _, d := range beside {
			if q := s + d; b.Cell(q) == phantomgo.Empty && q != free {
				if free != 0 {
					return 0
				}
				free = q
			}
		}
	}
	return free
}

// pick returns a random point where a stone may and should stand, 0 if there is
// none.
func (g *playout) pick(r *rand.Rand, colour uint8) int {
	n := len(g.spots)
	i, step := r.IntN(n), g.stride[r.IntN(len(g.stride))]
	for range n {
		p := g.spots[i]
		if g.board.Cell(p) == phantomgo.Empty && !eye(&g.board, p, colour) && g.board.Legal(p, colour) {
			return p
		}
		if i += step; i >= n {
			i -= n
		}
	}
	return 0
}

// forget clears who was first on which point.
func (g *playout) forget() {
	for _, p := range g.touched {
		g.first[p] = 0
	}
	g.touched = g.touched[:0]
}
