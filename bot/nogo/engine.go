package nogo

import (
	"fmt"
	"slices"
	"strconv"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/nogo"
	"kibitz/player"
	"kibitz/rules"
)

// treeBytes is the size of the tree, unless a limit asks for less.
const treeBytes = 32 << 20

// untimed is the number of random games when nothing else bounds thinking.
const untimed = 40_000

// solveFrom is the number of points that either side can still take at which
// playing out everything is tried.
const solveFrom = 22

// engine follows a game and thinks about it.
type engine struct {
	board  nogo.Board
	toMove uint8
	over   bool
	memory int64
	tree   tree
	kept   bool // the tree is that of the position
	solver solver
	order  []int32
	steps  [1]game.Move
}

// New returns a player of NoGo.
func New(o bot.Options) player.Player { return bot.New("nogo", newEngine(), o) }

func newEngine() *engine { return &engine{tree: tree{style: standard}} }

// Level returns the strength of level n: random games for each turn.
func (e *engine) Level(n int) bot.Level {
	table := [...]bot.Level{
		{Nodes: 30, Blunder: 0.20},
		{Nodes: 80, Blunder: 0.10},
		{Nodes: 200, Blunder: 0.03},
		{Nodes: 600},
		{Nodes: 2_000},
		{Nodes: 6_000},
		{Nodes: 16_000},
		{Nodes: 50_000},
		{},
	}
	return table[min(max(n, 1), bot.MaxLevel)-1]
}

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.kept = false }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	g := nogo.Game()
	if id := s.Spec.ID(); id != g.ID {
		return fmt.Errorf("this engine plays %s, not %s", g.ID, id)
	}
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
	for _, m := range u.Steps {
		if err := e.follow(m); err != nil {
			return err
		}
	}
	return nil
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
	e.kept = e.kept && !e.over && e.tree.follow(p)
	return nil
}

// TurnsLeft is half of what the side can still take; most of it is shared.
func (e *engine) TurnsLeft() int { return max(3, e.board.Count(e.toMove)/2) }

// Think looks for a proof where little is left, and else plays random games.
func (e *engine) Think(t *bot.Task) player.Answer {
	if e.over || !e.board.CanMove(e.toMove) {
		return player.Answer{}
	}
	limit := t.Nodes
	if t.Hard <= 0 && limit >= bot.FreeNodes/10 {
		limit = untimed
	}
	if p, ok := e.finish(t, limit); ok {
		return e.answer(t, e.proved(t, p))
	}
	e.prepare(t)
	e.think(t, limit)
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
func (e *engine) finish(t *bot.Task, limit int64) (int, bool) {
	if t.Lines > 1 || t.Depth > 0 || e.left() > solveFrom {
		return 0, false
	}
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
	e.tree.limit = int(max(bot.TableBytes(e.memory, treeBytes)/nodeBytes, 2*nogo.Points))
	e.tree.rand = random(t.Rand.Uint64() | 1)
	if e.kept && t.Soft > 0 && len(e.tree.nodes) < e.tree.limit/2 {
		return
	}
	e.tree.begin(&e.board, e.toMove)
	e.kept = true
}

// think plays random games until a bound is reached or all is proved. An
// iteration is as many games as all before it.
func (e *engine) think(t *bot.Task, limit int64) {
	const firstIteration = 128
	played, until := int64(0), int64(firstIteration)
	for depth := 1; t.More(depth); depth++ {
		for played < until {
			e.tree.play()
			played++
			stop := t.Poll(1) || limit > 0 && t.Count() >= limit
			if !stop && played%16 == 0 {
				stop = t.Soft > 0 && t.Elapsed() >= t.Soft
			}
			if stop || e.tree.nodes[0].proof != open {
				e.report(t, depth)
				return
			}
		}
		e.report(t, depth)
		until *= 2
	}
	e.rank(0)
}

// rank sorts the answers of a node, the best first: proved wins, then those with
// most games, proved losses last.
func (e *engine) rank(i int32) []int32 {
	x := &e.tree.nodes[i]
	e.order = e.order[:0]
	for j := x.first; x.first > 0 && j < x.first+int32(x.count); j++ {
		e.order = append(e.order, j)
	}
	slices.SortStableFunc(e.order, func(a, b int32) int {
		return e.tree.compare(&e.tree.nodes[a], &e.tree.nodes[b])
	})
	return e.order
}

func (t *tree) compare(x, y *node) int {
	place := [...]int{open: 1, wins: 0, loses: 2}
	if d := place[x.proof] - place[y.proof]; d != 0 {
		return d
	}
	switch {
	case x.n != y.n:
		if x.n > y.n {
			return -1
		}
		return 1
	case t.value(x) != t.value(y):
		if t.value(x) > t.value(y) {
			return -1
		}
		return 1
	}
	return 0
}

func (e *engine) report(t *bot.Task, depth int) {
	if !t.Analysing() {
		return
	}
	lines := min(max(t.Lines, 1), len(e.rank(0)))
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
	j := e.rank(0)[rank]
	x := e.tree.nodes[j]
	v := float64(e.tree.value(&x))
	info := game.Info{Rank: rank + 1, Nodes: int64(e.tree.nodes[0].n)}
	switch x.proof {
	case wins:
		v, info.Bound = 1, game.WinLoss
	case loses:
		v, info.Bound = 0, game.WinLoss
	}
	info.Eval = game.Eval{Unit: game.WinChance, Lo: v, Hi: v}
	info.PV = append(info.PV, e.move(int(x.at)))
	for len(info.PV) < 8 {
		list := e.rank(j)
		if len(list) == 0 || e.tree.nodes[list[0]].n == 0 {
			break
		}
		j = list[0]
		info.PV = append(info.PV, e.move(int(e.tree.nodes[j].at)))
	}
	info.Depth = len(info.PV)
	return info
}
