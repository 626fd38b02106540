package phantomgo

import (
	"kibitz/bot/search/mcts"
	"kibitz/games/phantomgo"
)

// scene is what all positions of a search have in common. It does not change while a
// search goes on.
type scene struct {
	sampler
	known bool // the board is known, nothing is drawn
	komi  float32
	spots []int16       // the points of the board
	tries []mcts.Choice // the attempts at the root
	may   [points]bool  // they, but for the pass
}

// position is a board that may be the real one, or at the root what is known of it. Sides
// of the tree are colours less 1.
type position struct {
	*scene
	board  phantomgo.Board
	toMove uint8
	passes int     // just before
	last   int     // the point of the latest stone, 0 after a pass
	root   bool    // nothing is drawn yet
	top    bool    // no move has been made since
	left   []int32 // for drawing
	free   []int16 // for playouts
}

// pass is the number of a move that is not a point.
const pass mcts.Move = 0

// Copy takes over a position.
func (g *position) Copy(from *position) {
	g.scene, g.toMove, g.passes, g.last, g.root = from.scene, from.toMove, from.passes, from.last, from.root
	g.board.Copy(&from.board)
}

// Side returns the side to move.
func (g *position) Side() uint8 { return g.toMove - 1 }

// Draw fills in the stones that are not known.
func (g *position) Draw(r *mcts.Rand) {
	g.root, g.top = false, true
	if !g.known {
		g.left = g.draw(r, &g.board, g.left)
	}
}

// Stands reports whether a stone may and should stand on a point.
func (g *position) Stands(m mcts.Move) bool {
	return m == pass || (!g.top || g.may[m]) && g.sensible(int(m), g.toMove)
}

func (g *position) sensible(p int, colour uint8) bool {
	return g.board.Cell(p) == phantomgo.Empty && g.board.Legal(p, colour) && !eye(&g.board, p, colour)
}

// Play places a stone or passes.
func (g *position) Play(m mcts.Move) { g.place(int(m)) }

// place puts a stone on a point, 0 is a pass.
func (g *position) place(p int) {
	if p == 0 {
		g.board.Pass()
		g.passes++
	} else {
		g.board.Place(p, g.toMove)
		g.passes = 0
	}
	g.last, g.top = p, false
	g.toMove = 3 - g.toMove
}

// Judge is not asked: nothing is certain where boards are drawn.
func (g *position) Judge() mcts.Proof { return mcts.Open }

// Moves lists the attempts of the root, and else all points: which of them are possible
// depends on the board that was drawn.
func (g *position) Moves(dst []mcts.Choice) []mcts.Choice {
	if g.root {
		return append(dst, g.tries...)
	}
	if g.passes >= 2 {
		return dst
	}
	for _, p := range g.spots {
		dst = append(dst, mcts.Choice{Move: mcts.Move(p), Prior: 0.5})
	}
	return append(dst, mcts.Choice{Move: pass, Prior: 0.2})
}

// worth turns a lead of black into a value for black: near 1 for a won game and near 0
// for a lost one, a little more for a larger lead.
func (s *scene) worth(lead float32) float32 {
	v := 0.5 + 0.1*lead/float32(len(s.spots))
	switch {
	case lead > 0:
		return v + 0.4
	case lead < 0:
		return v - 0.4
	}
	return v
}

// score is the worth of a board if the game ended on it.
func (s *scene) score(b *phantomgo.Board) float32 {
	black, white := b.Area()
	return s.worth(float32(black) - float32(white) - s.komi)
}
