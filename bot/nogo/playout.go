package nogo

import (
	"kibitz/bot/search/mcts"
	"kibitz/games/nogo"
)

// playout is a position from which a random game can be played. Sides of the tree are
// colours less 1.
type playout struct {
	board  nogo.Board
	toMove uint8
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

// Copy takes over a position.
func (g *playout) Copy(from *playout) {
	g.board.Copy(&from.board)
	g.toMove = from.toMove
}

// Side returns the side to move.
func (g *playout) Side() uint8 { return g.toMove - 1 }

// Play places a stone.
func (g *playout) Play(m mcts.Move) {
	g.board.Place(int(m), g.toMove)
	g.toMove = 3 - g.toMove
}

// Judge counts turns that nobody can take away.
func (g *playout) Judge() mcts.Proof {
	if !g.board.CanMove(g.toMove) {
		return mcts.Loss
	}
	switch Decided(&g.board, g.toMove) {
	case g.toMove:
		return mcts.Win
	case 3 - g.toMove:
		return mcts.Loss
	}
	return mcts.Open
}

// Moves lists the harmless points.
func (g *playout) Moves(dst []mcts.Choice) []mcts.Choice {
	b := &g.board
	for p := b.At(0, 0); p < b.Bound(); p++ {
		if b.Harmless(p, g.toMove) {
			dst = append(dst, mcts.Choice{Move: mcts.Move(p), Prior: guess(b, p, g.toMove)})
		}
	}
	return dst
}

// Playout plays at random until a side has no harmless point. What can wait is played
// when nothing else is left.
func (g *playout) Playout(r *mcts.Rand, first []uint8) (value, points float32) {
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
		p := g.pick(r, g.toMove)
		if p == 0 {
			return float32(g.toMove - nogo.Black), 0 // black wins if it is white who has none
		}
		b.Place(p, g.toMove)
		first[p] = g.toMove
		g.toMove = 3 - g.toMove
	}
}

// pick returns a harmless point at random from the first tier that has one, 0 if
// none has. Points that are harmful now never come back.
func (g *playout) pick(r *mcts.Rand, colour uint8) int {
	b := &g.board
	left := &g.left[colour-1]
	for tier := range left {
		l := &left[tier]
		for l.n > 0 {
			i := r.Below(l.n)
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
