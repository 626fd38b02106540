package piskvork

import (
	"slices"

	"kibitz/game"
	"kibitz/player"
)

// history is a game as it was told: decisions, and what they did to the board.
type history struct {
	moves   []game.Move  // all decisions
	stones  []game.Point // the placements among them
	plies   []int        // the number of stones and passes before each of stones
	passes  int          // the passes among them
	choices int          // the choices among them
	scored  []scored     // lines of a continuous game
}

// scored notes which stones died when n stones were on the board.
type scored struct {
	n      int
	points []game.Point
}

func (h *history) clear() {
	*h = history{moves: h.moves[:0], stones: h.stones[:0], plies: h.plies[:0], scored: h.scored[:0]}
}

// add takes decisions. It reports whether TURN can tell them: not passes, nor stones
// that died.
func (h *history) add(u *player.Update) (turns bool) {
	turns = true
	for _, m := range u.Steps {
		switch m.Op {
		case game.Place:
			h.plies = append(h.plies, h.ply())
			h.stones = append(h.stones, m.To)
		case game.Pass:
			h.passes++
			turns = false
		case game.Choose:
			h.choices++
		}
		h.moves = append(h.moves, m)
	}
	for i := range u.Notices {
		if n := &u.Notices[i]; n.Kind == game.Scored && len(n.Points) > 0 {
			h.scored = append(h.scored, scored{len(h.stones), slices.Clone(n.Points)})
			turns = false
		}
	}
	return turns
}

// rewind takes n decisions back. It reports whether TAKEBACK can tell that: not passes,
// nor stones that live again.
func (h *history) rewind(n int) (takebacks bool) {
	takebacks = true
	for ; n > 0 && len(h.moves) > 0; n-- {
		switch h.moves[len(h.moves)-1].Op {
		case game.Place:
			h.stones = h.stones[:len(h.stones)-1]
			h.plies = h.plies[:len(h.stones)]
		case game.Pass:
			h.passes--
			takebacks = false
		case game.Choose:
			h.choices--
		}
		h.moves = h.moves[:len(h.moves)-1]
	}
	for len(h.scored) > 0 && h.scored[len(h.scored)-1].n > len(h.stones) {
		h.scored = h.scored[:len(h.scored)-1]
		takebacks = false
	}
	return takebacks
}

// ply is the number of stones and passes: even if it is Black's turn.
func (h *history) ply() int { return len(h.stones) + h.passes }

// swapStage returns how many stones lie at the swap2 decision that is due: 0 the
// proposal, 3 and 5 the choices; -1 if an ordinary move is due.
func (h *history) swapStage() int {
	switch n := len(h.stones); {
	case h.choices == 0 && (n == 0 || n == 3):
		return n
	case h.choices == 1 && n == 5 && h.moves[3] == game.ChooseArg(game.Swap2More):
		return n
	}
	return -1
}

// decisions counts the decisions made when n stones were on the board.
func (h *history) decisions(n int) int {
	placed := 0
	for i, m := range h.moves {
		if placed == n {
			return i
		}
		if m.Op == game.Place {
			placed++
		}
	}
	return len(h.moves)
}

// appendBoard appends the first n stones as a multi-line command, in the order in
// which they were played, for an engine that plays the stone after them. Passes are
// lines among them for an engine that reads such.
func (h *history) appendBoard(b []byte, v Verb, n int, passes bool) []byte {
	b = AppendVerb(b, v)
	turn := h.ply()
	if n < len(h.stones) {
		turn = h.plies[n]
	}
	due := 0
	pass := func(to int) {
		for ; passes && due < to; due++ {
			b = AppendStone(b, game.NoPoint, fieldOf(due, turn))
		}
	}
	for i, p := range h.stones[:n] {
		pass(h.plies[i])
		due = h.plies[i] + 1
		field := fieldOf(h.plies[i], turn)
		if h.dead(p, n) {
			field = DeadStone
		}
		b = AppendStone(b, p, field)
	}
	pass(turn)
	return AppendVerb(b, Done)
}

// fieldOf tells whose the decision of a ply is to who is on turn.
func fieldOf(ply, turn int) int {
	if (turn-ply)%2 == 0 {
		return OwnStone
	}
	return TheirStone
}

// dead reports whether a stone was part of a line when n stones were on the board.
func (h *history) dead(p game.Point, n int) bool {
	for i := range h.scored {
		if h.scored[i].n > n {
			break
		}
		if slices.Contains(h.scored[i].points, p) {
			return true
		}
	}
	return false
}
