package gomoku

import (
	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
)

// proposals is how many openings are compared, proposalDepth how deep.
const (
	proposals     = 16
	proposalDepth = 4
)

// propose places the opening stones of swap2 that are due so that the search sees
// neither colour ahead: the other seat will take the better one.
func (e *engine) propose(t *bot.Task, stones int) player.Answer {
	p, f := e.begin(t, black), e.field
	first := e.state.Next()
	var best []game.Move
	bestScore := 0
	for n := range proposals {
		if n > 0 && !t.More(1) {
			break
		}
		list := e.scatter(t, stones)
		c := first
		for _, i := range list {
			f.put(i, c)
			c = c.Other()
		}
		p.c = side(c)
		p.first = e.roots()
		v, ok := e.search.Value(t, p, proposalDepth, e.memory)
		for range list {
			f.undo()
		}
		if !ok && n > 0 {
			break
		}
		if v = max(v, -v); n == 0 || v < bestScore {
			bestScore = v
			best = best[:0]
			for _, i := range list {
				best = append(best, game.PlaceAt(f.point(i)))
			}
		}
	}
	return player.Answer{Steps: best, Info: game.Info{Depth: proposalDepth, PV: best}}
}

// scatter draws empty points near each other, anywhere on the board.
func (e *engine) scatter(t *bot.Task, stones int) []int {
	f := e.field
	w, h := f.board.Size()
	x, y := t.Rand.IntN(w), t.Rand.IntN(h)
	if n := e.state.Stones(); n > 0 {
		last := e.state.View(game.Public).Marks[0]
		x, y = int(last.X), int(last.Y)
	}
	list := make([]int, 0, stones)
	for reach := 3; len(list) < stones; reach++ {
		px := min(max(x+t.Rand.IntN(2*reach+1)-reach, 0), w-1)
		py := min(max(y+t.Rand.IntN(2*reach+1)-reach, 0), h-1)
		i := f.board.Index(game.Pt(px, py))
		taken := f.cells[i] != gomoku.Empty
		for _, j := range list {
			taken = taken || i == j
		}
		if !taken {
			list = append(list, i)
		}
	}
	return list
}

// choose takes the colour that the search prefers. Two more stones are never
// better than the better colour: the other seat would choose after them.
func (e *engine) choose(t *bot.Task) player.Answer {
	best := e.think(t, side(e.state.Next()))
	if best.score < 0 {
		info := best.info
		info.Eval.Lo, info.Eval.Hi = -info.Eval.Lo, -info.Eval.Hi
		info.PV = []game.Move{game.ChooseArg(game.Swap2Swap)}
		return player.Answer{Steps: info.PV, Info: info}
	}
	return player.Answer{Steps: []game.Move{game.ChooseArg(game.Swap2Stay), best.move}, Info: best.info}
}

// score plays the continuous game: the stone that makes or spoils most. It also
// takes part in swap2 there, without preference for a colour.
func (e *engine) score(t *bot.Task, turn game.Turn) player.Answer {
	e.begin(t, black)
	var steps []game.Move
	c := e.state.Next()
	stones := 1
	switch turn.Phase {
	case gomoku.PhaseOpen:
		stones = 3 - turn.Step
	case gomoku.PhaseChoose:
		steps = append(steps, game.ChooseArg(game.Swap2Stay))
	}
	f := e.field
	for range stones {
		i := e.greedy(side(c))
		steps = append(steps, game.PlaceAt(f.point(i)))
		f.put(i, c)
		c = c.Other()
	}
	for range stones {
		f.undo()
	}
	return player.Answer{Steps: steps, Info: game.Info{Depth: 1, PV: steps}}
}

// greedy returns the empty point with the best order.
func (e *engine) greedy(c int) int {
	f := e.field
	w, h := f.board.Size()
	best, at := int32(-1<<30), -1
	for y := range h {
		for x := range w {
			i := f.board.Index(game.Pt(x, y))
			if f.cells[i] != gomoku.Empty {
				continue
			}
			a, b := f.card(c, i), f.card(1-c, i)
			o := int32(a.force)*64 + int32(b.force)*52
			o -= int32(max(x, w-1-x) + max(y, h-1-y))
			if f.foul(i, c) {
				o -= 1 << 24 // the stone would be dead
			}
			if o > best {
				best, at = o, i
			}
		}
	}
	return at
}
