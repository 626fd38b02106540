package phantomgo

import (
	"kibitz/bot/search/mcts"
	"kibitz/games/phantomgo"
)

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

// Playout plays at random until both sides have nothing left.
func (g *position) Playout(r *mcts.Rand, first []uint8) (value, points float32) {
	g.vacant()
	for range 3 * len(g.spots) {
		if g.passes >= 2 {
			break
		}
		p := g.reply(r)
		if p == 0 {
			p = g.pick(r)
		}
		if p == 0 {
			g.place(0)
			continue
		}
		if first[p] == 0 {
			first[p] = g.toMove
		}
		taken := g.board.Taken(g.toMove)
		colour := g.toMove
		g.place(p)
		if g.board.Taken(colour) != taken {
			g.vacant()
		}
	}
	return g.score(&g.board), 0
}

// vacant lists the empty points.
func (g *position) vacant() {
	g.free = g.free[:0]
	for _, p := range g.spots {
		if g.board.Cell(int(p)) == phantomgo.Empty {
			g.free = append(g.free, p)
		}
	}
}

// reply captures what has just put itself into one liberty, or saves an own chain that
// is threatened so, most of the time. It returns 0 if there is nothing to do.
func (g *position) reply(r *mcts.Rand) int {
	if g.last == 0 || r.Below(4) == 0 {
		return 0
	}
	b, colour := &g.board, g.toMove
	if p := b.Atari(g.last); p != 0 && b.Legal(p, colour) {
		return p
	}
	for _, d := range beside {
		if q := g.last + d; b.Cell(q) == colour {
			if p := b.Atari(q); p != 0 && b.Legal(p, colour) && !eye(b, p, colour) {
				return p
			}
		}
	}
	return 0
}

// pick returns a random point where a stone may and should stand, 0 if there is none.
func (g *position) pick(r *mcts.Rand) int {
	for n := len(g.free); n > 0; {
		i := r.Below(n)
		p := g.free[i]
		if g.board.Cell(int(p)) != phantomgo.Empty {
			last := len(g.free) - 1
			n--
			g.free[i] = g.free[n]
			g.free[n] = g.free[last]
			g.free = g.free[:last]
			continue
		}
		if g.sensible(int(p), g.toMove) {
			return int(p)
		}
		n--
		g.free[i], g.free[n] = g.free[n], p
	}
	return 0
}
