package nogo

import (
	"fmt"
	"slices"
	"strconv"

	"kibitz/bot"
	"kibitz/bot/search/mcts"
	"kibitz/game"
	"kibitz/games/nogo"
	"kibitz/player"
	"kibitz/rules"
)

// treeBytes is the size of the tree, unless a limit asks for less.
const treeBytes = 32 << 20

// roundCost is how many positions a random game counts as.
const roundCost = 80

// solveFrom is the number of points that either side can still take at which
// playing out everything is tried.
const solveFrom = 22

// style is how the tree grows and chooses.
var style = mcts.Options{Expand: 4, Prior: 30, Trust: 2000, Explore: 0.05, Moves: nogo.Points, Cost: roundCost}

// engine follows a game and thinks about it.
type engine struct {
	board  nogo.Board
	toMove uint8
	over   bool
	memory int64
	tree   *mcts.Tree[playout, *playout]
	kept   bool // the tree is that of the position
	solver solver
	steps  [1]game.Move
}

// New returns a player of NoGo.
func New(o bot.Options) player.Player { return bot.New("nogo", newEngine(), o) }

func newEngine() *engine { return &engine{tree: mcts.New[playout](style)} }

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.kept = false }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	g := nogo.Game()
	size, err := strconv.Atoi(g.OptionOf(s.Spec, "size"))
	if err != nil || size < nogo.MinSize || size > nogo.MaxSize {
		return fmt.Errorf("specification %q: the size is %d to %d", s.Spec, nogo.MinSize, nogo.MaxSize)
	}
	e.board, e.toMove, e.over = nogo.NewBoard(size), nogo.Black, false
	e.memory, e.kept = s.Limits.Memory, false
	clear(e.solver.seen) // numbers of points depend on the size
	if s.Start == "" {
		return nil
	}
	own, err := rules.StateOf[*nogo.State](g, s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.board, e.toMove, e.over = own.Board(), own.Side(), own.Turn().Seat == game.Nobody
	return nil
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	return bot.Follow(u, e.follow)
}

func (e *engine) follow(m game.Move) error {
	switch size := e.board.Size(); {
	case e.over:
		return fmt.Errorf("%s after the end of the game", m)
	case m == game.PassMove():
		e.over, e.kept = true, false
		e.toMove = 3 - e.toMove
		return nil
	case m.Op != game.Place || !m.To.On(size, size):
		return fmt.Errorf("%s is not a point of the %dx%d board", m, size, size)
	}
	p := e.board.At(int(m.To.X), int(m.To.Y))
	if e.board.Cell(p) != nogo.Empty {
		return fmt.Errorf("%s is occupied", m)
	}
	e.over = e.board.Judge(p, e.toMove) != nogo.Harmless
	e.board.Place(p, e.toMove)
	e.toMove = 3 - e.toMove
	e.kept = e.kept && !e.over && e.tree.Follow(mcts.Move(p))
	return nil
}

// TurnsLeft is half of what the side can still take; most of it is shared.
func (e *engine) TurnsLeft() int { return max(3, e.board.Count(e.toMove)/2) }

// Think looks for a proof where little is left, and else plays random games.
func (e *engine) Think(t *bot.Task) player.Answer {
	if e.over || !e.board.CanMove(e.toMove) {
		return player.Answer{}
	}
	if p, ok := e.finish(t); ok {
		return e.answer(t, e.proved(t, p))
	}
	e.prepare(t)
	e.tree.Search(t, func(depth int) { e.report(t, depth) })
	info := e.info(0)
	info.Rank = 0
	return e.answer(t, info)
}

// answer plays the first move of a line.
func (e *engine) answer(t *bot.Task, info game.Info) player.Answer {
	e.steps[0] = info.PV[0]
	if t.Moves != nil && !slices.Contains(t.Moves, e.steps[0]) {
		return player.Answer{}
	}
	return player.Answer{Steps: e.steps[:], Info: info}
}

// finish looks for a certain win once few points are left. An analysis of several
// lines wants to know about all of them, so it does without.
func (e *engine) finish(t *bot.Task) (int, bool) {
	if t.Lines > 1 || t.Depth > 0 || e.left() > solveFrom {
		return 0, false
	}
	limit := t.Nodes
	if limit <= 0 {
		limit = bot.FreeNodes
	}
	if t.Soft <= 0 {
		clear(e.solver.seen) // a level plays the same whatever it has seen before
	}
	// Some of what there is, no more: the rest is for the tree.
	p, done := e.solver.solve(&e.board, e.toMove, limit/2, func(n int64) bool {
		return t.Poll(n) || t.Soft > 0 && t.Elapsed() > t.Soft/3
	})
	return p, done && p != 0
}

// left counts the points that at least one side can take.
func (e *engine) left() int {
	n := 0
	for p := e.board.At(0, 0); p < e.board.Bound(); p++ {
		if e.board.Harmless(p, nogo.Black) || e.board.Harmless(p, nogo.White) {
			n++
		}
	}
	return n
}

// proved describes a turn that certainly wins.
func (e *engine) proved(t *bot.Task, p int) game.Info {
	info := game.Info{
		Eval: game.Eval{Unit: game.WinChance, Lo: 1, Hi: 1}, Bound: game.WinLoss,
		Depth: 1, Nodes: t.Count() + e.solver.nodes%pollEvery, PV: []game.Move{e.move(p)},
	}
	t.Report(info)
	return info
}

func (e *engine) move(p int) game.Move { return game.PlaceAt(game.Pt(e.board.XY(p))) }

// prepare makes the tree ready. What is left of it from the turn before is used
// only under a clock, for the same reason.
func (e *engine) prepare(t *bot.Task) {
	limit := int(bot.TableBytes(e.memory, treeBytes) / mcts.NodeBytes)
	seed := t.Rand.Uint64()
	if e.kept && t.Soft > 0 && e.tree.Len() < limit/2 {
		e.tree.Resume(limit, seed)
		return
	}
	e.tree.Begin(&playout{board: e.board, toMove: e.toMove}, limit, seed)
	e.kept = true
}

func (e *engine) report(t *bot.Task, depth int) {
	if !t.Heard() {
		return
	}
	lines := min(max(t.Lines, 1), e.tree.Width())
	for i := range lines {
		info := e.info(i)
		info.Depth = depth
		if t.Lines <= 1 {
			info.Rank = 0
		}
		t.Report(info)
	}
}

// info describes the answer of a rank at the root, with the line that follows.
func (e *engine) info(rank int) game.Info {
	l := e.tree.Line(rank, 8)
	info := game.Info{
		Rank: rank + 1, Nodes: e.tree.Rounds() * roundCost, Depth: len(l.Moves),
		Eval: game.Eval{Unit: game.WinChance, Lo: l.Value, Hi: l.Value},
	}
	if l.Proof != mcts.Open {
		info.Bound = game.WinLoss
	}
	for _, m := range l.Moves {
		info.PV = append(info.PV, e.move(int(m)))
	}
	return info
}
