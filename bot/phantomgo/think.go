package phantomgo

import (
	"math"
	"slices"

	"kibitz/bot"
	"kibitz/bot/search/mcts"
	"kibitz/game"
	"kibitz/games/phantomgo"
	"kibitz/player"
)

// style is how the tree grows and chooses.
var style = mcts.Options{Expand: 4, Explore: 0.35, Prior: 1, Trust: 100, Moves: points, Cost: roundCost}

// treeBytes is the size of the tree, unless a limit asks for less.
const treeBytes = 32 << 20

// roundCost is how many positions a random game counts as.
const roundCost = 100

// No more positions are looked at for one attempt than most.
const most = 300_000 * roundCost

// patience is the number of refusals after which a turn is passed: referees do not allow
// 200 of them.
const patience = 150

// again is the share of games, one of so many, that an attempt after a refused one of the
// same turn gets.
const again = 3

// settling is how many boards are drawn to see what they would be worth if the game
// ended at once.
const settling = 64

// Think plays random games on boards that may be the real one.
func (e *engine) Think(t *bot.Task) player.Answer {
	seat := t.Seat
	if !seat.IsPlayer() {
		seat = e.toMove
	}
	if !e.open && e.seat.IsPlayer() && seat != e.seat {
		if t.Pondering() {
			e.ponder(t)
		}
		return player.Answer{} // what the other side knows is not known
	}
	e.bound(t)
	e.grow(t, seat, &e.know[seat], e.passes)
	lines := e.lines()
	best := 0
	if e.passing(t, seat, lines) {
		best = slices.IndexFunc(lines, func(l mcts.Line) bool { return l.Moves[0] == pass })
	}
	e.steps = append(e.steps[:0], moveOf(lines[best].Moves[0]))
	info := e.info(lines[best], 0)
	info.Rank = 0
	return player.Answer{Steps: e.steps, Info: info}
}

// ponder thinks about the own next turn, as if the other side had placed a stone.
func (e *engine) ponder(t *bot.Task) {
	k := e.know[e.seat]
	k.moved()
	e.bound(t)
	e.kept = false
	e.grow(t, e.seat, &k, 0)
}

// grow grows the tree of a seat that knows k. What is left of the tree of an attempt that
// was refused, or of pondering, is used only under a clock, so that moves do not depend on
// what was asked before where no clock counts.
func (e *engine) grow(t *bot.Task, seat game.Seat, k *belief, passes int) {
	limit := int(bot.TableBytes(e.memory, treeBytes) / mcts.NodeBytes)
	seed := t.Rand.Uint64()
	kept := e.kept && e.scene.colour == colourOf(seat) && t.Soft > 0 && e.tree.Len() < limit/2
	e.tree.Resume(limit, seed) // nobody draws boards any more
	e.prepare(t, seat, k)
	if !kept {
		root := position{scene: &e.scene, board: e.scene.base, toMove: colourOf(seat), passes: passes, root: true}
		e.tree.Begin(&root, limit, seed)
	}
	e.kept = true
	e.tree.Search(t, func(depth int) { e.report(t, depth) })
}

// bound puts bounds where there are none, and tighter ones after a refused attempt.
func (e *engine) bound(t *bot.Task) {
	limit := int64(most)
	if t.Nodes > 0 {
		limit = min(limit, t.Nodes)
	}
	if e.thought > 0 {
		limit = max(limit/again, min(limit, 80*roundCost))
		t.Soft /= again
	}
	t.Lost = t.Lost && e.open // a refused attempt needs time as well
	t.Nodes = limit
}

// prepare says what a seat knows.
func (e *engine) prepare(t *bot.Task, seat game.Seat, k *belief) {
	s := &e.scene
	s.known, s.komi = e.open, float32(e.komi)
	s.gather(k, colourOf(seat))
	if e.open {
		s.base.Copy(&e.board)
	}
	s.spots = s.spots[:0]
	k.each(func(p int) { s.spots = append(s.spots, int16(p)) })
	s.tries, s.may = s.tries[:0], [points]bool{}
	for _, p := range e.candidates(t, seat, nil) {
		s.tries = append(s.tries, mcts.Choice{Move: mcts.Move(p), Prior: 0.5})
		s.may[p] = true
	}
	s.tries = append(s.tries, mcts.Choice{Move: pass, Prior: 0.2})
}

func moveOf(m mcts.Move) game.Move {
	if m == pass {
		return game.PassMove()
	}
	return game.PlaceAt(pointOf(int(m)))
}

// lines are the attempts with what they promise, the best first, the pass last.
func (e *engine) lines() (list []mcts.Line) {
	for i := range e.tree.Width() {
		if l := e.tree.Line(i, 1); l.Moves[0] == pass || e.scene.may[l.Moves[0]] {
			list = append(list, l)
		}
	}
	slices.SortStableFunc(list, func(a, b mcts.Line) int {
		switch x, y := safely(a), safely(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return list
}

// safely is the value less its uncertainty, for the final choice.
func safely(l mcts.Line) float64 {
	switch {
	case l.Moves[0] == pass:
		return -2
	case l.Rounds == 0:
		return -1
	}
	return l.Value - 0.4/math.Sqrt(float64(l.Rounds))
}

// passing decides whether to pass. Whoever passes must be content with the board as it
// is: the other side may pass as well. Without anything else to do, or when the game has
// become too long, there is no choice.
func (e *engine) passing(t *bot.Task, seat game.Seat, lines []mcts.Line) bool {
	if t.Moves != nil && !slices.Contains(t.Moves, game.PassMove()) {
		return false
	}
	late := e.plies > min(3*e.size*e.size, e.maxPlies*3/4)
	best := lines[0]
	if best.Moves[0] == pass || best.Rounds == 0 || e.thought >= patience || late && e.passes > 0 {
		return true
	}
	const enough, full = 0.9, 0.6
	now := e.settled(t, seat)
	if e.passes > 0 && now >= max(best.Value, 0.5) {
		return true
	}
	filled := float64(e.stones(seat)) >= full*float64(len(e.scene.spots))
	return now >= enough && now >= best.Value-0.05 && (filled || e.passes > 0)
}

// settled is what the boards would be worth to a seat if the game ended at once.
func (e *engine) settled(t *bot.Task, seat game.Seat) float64 {
	r := mcts.Rand(t.Rand.Uint64() | 1)
	g := position{scene: &e.scene, board: e.scene.base}
	sum := 0.0
	for range settling {
		g.Draw(&r)
		sum += float64(e.scene.score(&g.board))
	}
	if seat == game.Second {
		return 1 - sum/settling
	}
	return sum / settling
}

// stones counts those that a seat knows to be on the board.
func (e *engine) stones(seat game.Seat) int {
	k := &e.know[seat]
	n := k.count
	k.each(func(p int) {
		if k.own[p] {
			n++
		}
	})
	return n
}

// candidates lists the points that a seat may attempt and should.
func (e *engine) candidates(t *bot.Task, seat game.Seat, dst []int) []int {
	k := &e.know[seat]
	colour := colourOf(seat)
	own := phantomgo.NewBoard(e.size)
	k.each(func(p int) {
		if k.own[p] {
			own.Place(p, colour)
		}
	})
	k.each(func(p int) {
		if k.own[p] || eye(&own, p, colour) || e.open && !e.board.Legal(p, colour) {
			return
		}
		if t.Moves != nil && !slices.Contains(t.Moves, game.PlaceAt(pointOf(p))) {
			return
		}
		dst = append(dst, p)
	})
	return dst
}

func (e *engine) info(l mcts.Line, rank int) game.Info {
	info := game.Info{
		Eval: game.Eval{Unit: game.WinChance, Lo: l.Value, Hi: l.Value}, Nodes: e.tree.Rounds() * roundCost, Rank: rank + 1,
	}
	info.PV = []game.Move{moveOf(l.Moves[0])}
	return info
}

// report streams the best lines.
func (e *engine) report(t *bot.Task, depth int) {
	if !t.Analysing() {
		return
	}
	for i, l := range e.lines() {
		if i >= max(t.Lines, 1) {
			return
		}
		info := e.info(l, i)
		info.Depth = depth
		if t.Lines <= 1 {
			info.Rank = 0
		}
		t.Report(info)
	}
}
