package dotsandboxes

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"kibitz/bot"
	"kibitz/bot/search/mcts"
	"kibitz/game"
	rule "kibitz/games/dotsandboxes"
	"kibitz/player"
	"kibitz/rules"
)

// tableBytes is the size of the table of solved positions, and treeBytes that of
// the tree, unless a limit asks for less.
const (
	tableBytes = 32 << 20
	treeBytes  = 16 << 20
)

// engine follows a game and thinks about it.
type engine struct {
	board  rule.Board
	size   int
	memory int64
	solver solver
	tree   *mcts.Tree[position, *position]

	task  *bot.Task
	root  quiet   // settled
	what  outcome // of settling the root
	lead  int     // boxes of the side to move less those of the other
	takes []rule.Line
	last  []rule.Line
	cands []candidate
	steps []game.Move
}

// New returns a player of Dots and Boxes.
func New(o bot.Options) player.Player { return bot.New("dotsandboxes", &engine{}, o) }

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.solver.table.Forget() }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	g := rule.Game()
	size, err := strconv.Atoi(g.OptionOf(s.Spec, "size"))
	if err != nil || size < 1 || size > rule.MaxSize {
		return fmt.Errorf("this engine plays boards of 1 to %d boxes a side, not %s", rule.MaxSize, s.Spec)
	}
	e.memory = s.Limits.Memory
	e.board = rule.NewBoard(size)
	if size != e.size {
		e.size = size
		e.solver.table.Clear()
		e.solver.resize(size)
		e.tree = mcts.New[position](style(size))
	}
	if s.Start == "" {
		return nil
	}
	own, err := rules.StateOf[*rule.State](g, s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.board = own.Board()
	return nil
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	for _, m := range u.Steps {
		n := e.size + 1
		down := m.Arg == 1
		if m != game.EdgeAt(m.To, down) || !m.To.On(n, n) {
			return fmt.Errorf("%s is not a line of the board", m)
		}
		l := rule.LineAt(int(m.To.X), int(m.To.Y), down)
		if !e.board.Open().Has(l) {
			return fmt.Errorf("%s is not on the board or already drawn", m)
		}
		e.board.Draw(l)
	}
	return nil
}

// TurnsLeft counts half of the open lines; once boxes go there are fewer turns, and
// they are solved quickly.
func (e *engine) TurnsLeft() int {
	return max(3, (e.board.Open().Count()-e.size*e.size)/2)
}

// Think solves the position if that is within reach, or grows a tree.
func (e *engine) Think(t *bot.Task) player.Answer {
	e.prepare(t)
	if e.board.Over() {
		return player.Answer{}
	}
	if e.root.open.Empty() {
		info := e.info(1, 0, candidate{value: 0}, game.Exact)
		t.Report(info)
		return e.answer(candidate{}, info)
	}
	if e.withinReach() && e.solve() {
		return e.conclude(e.root.open.Count(), game.Exact)
	}
	return e.grow()
}

// prepare settles the position to move in.
func (e *engine) prepare(t *bot.Task) {
	want := int64(tableBytes)
	if t.Nodes > 0 {
		want = min(want, max(t.Nodes, 1<<12)*e.solver.table.EntryBytes())
	}
	e.solver.table.Fit(e.memory, want)
	e.task = t
	b := &e.board
	e.lead = b.Boxes(b.Side()) - b.Boxes(b.Side().Other())
	before := quiet{b.Drawn(), b.Open()}
	e.root = before
	e.what = e.solver.settle(&e.root)
	e.last = append(e.last[:0], e.solver.last[:e.solver.lasts]...)
	e.takes = before.takes(e.takes[:0], e.root.drawn, e.last)
}

// takes appends the lines that take boxes, in order, up to the position in which
// those of last are left.
func (q *quiet) takes(dst []rule.Line, all rule.Lines, last []rule.Line) []rule.Line {
	left := all.Without(q.drawn)
	for _, l := range last {
		left = left.Without(only(l))
	}
	drawn := q.drawn
	for {
		c := drawn.Capturing(left)
		if c.Empty() {
			return dst
		}
		l := c.First()
		dst = append(dst, l)
		drawn = drawn.With(l)
		left = left.Without(drawn)
	}
}

// withinReach reports whether the position can probably be solved: each two lines
// more take about seven times as long.
func (e *engine) withinReach() bool {
	t, n := e.task, e.root.open.Count()
	if t.Depth > 0 {
		return n <= 8+2*t.Depth
	}
	budget := int64(1) << 40
	if t.Nodes > 0 {
		budget = t.Nodes
	}
	if t.Hard > 0 {
		budget = min(budget, int64(t.Hard/time.Microsecond))
	}
	limit := 32
	for need := int64(20_000); need <= budget && limit < 44; need *= 7 {
		limit += 2
	}
	return n <= limit
}

// solve finds the exact values of the lines, or is stopped after half of what is
// allowed.
func (e *engine) solve() bool {
	s, t := &e.solver, e.task
	s.begin(t)
	s.most, s.until = t.Nodes/2, t.Hard/2
	e.cands = e.cands[:0]
	for _, c := range e.root.choices(nil, e.size, s.board) {
		e.cands = append(e.cands, candidate{line: c.line})
	}
	lines := min(max(1, t.Lines), len(e.cands))
	for i := range e.cands {
		c := e.cands[i]
		alpha := -maxLines
		if i >= lines {
			alpha = int(e.cands[lines-1].value)
		}
		v := s.try(&e.root, c.line, 0, alpha, maxLines)
		if s.stopped {
			s.flush()
			return false
		}
		c.value = float64(v)
		e.cands[i] = c
		if i >= lines && v <= alpha {
			continue
		}
		j := i
		for ; j > 0 && e.cands[j-1].value < c.value; j-- {
			e.cands[j] = e.cands[j-1]
		}
		e.cands[j] = c
	}
	s.flush()
	return true
}

func (e *engine) grow() player.Answer {
	t := e.task
	// The side to move at the root of the tree is the one that has taken all.
	lead := e.lead + e.what.taken + e.what.hand
	root := position{settler: settler{board: boxesOf(e.size)}, size: e.size, quiet: e.root, lead: lead}
	e.tree.Begin(&root, int(bot.TableBytes(e.memory, treeBytes)/mcts.NodeBytes), t.Rand.Uint64())
	best := player.Answer{}
	e.tree.Search(t, func(depth int) {
		e.cands = e.cands[:0]
		for i := range e.tree.Width() {
			l := e.tree.Line(i, 1)
			e.cands = append(e.cands, candidate{line: rule.Line(l.Moves[0]), value: l.Points - float64(lead)})
		}
		best = e.conclude(depth, game.Searched)
	})
	return best
}

// candidate is a line of the quiet position with its value for the side that draws
// it.
type candidate struct {
	line  rule.Line
	value float64 // boxes
	leave bool    // the line leaves what is in hand
}

// conclude reports the best lines and answers with the first.
func (e *engine) conclude(depth int, bound game.Bound) player.Answer {
	e.leaving()
	for i := range min(e.task.Lines, len(e.cands)) {
		e.task.Report(e.info(depth, i, e.cands[i], bound))
	}
	info := e.info(depth, 0, e.cands[0], bound)
	info.Rank = 0
	return e.answer(e.cands[0], info)
}

// leaving adds what is in hand being left to the other side, which then has to find
// the best line itself, as a candidate of its own. Its value is given as if all
// had been taken, like that of the others.
func (e *engine) leaving() {
	best := e.cands[0]
	if e.what.hand == 0 || best.leave {
		return
	}
	c := candidate{line: e.last[1], leave: true, value: -best.value - 2*float64(e.what.hand)}
	i := 0
	for i < len(e.cands) && e.cands[i].value >= c.value {
		i++
	}
	e.cands = slices.Insert(e.cands, i, c)
}

func (e *engine) answer(c candidate, info game.Info) player.Answer {
	e.steps = e.turn(e.steps[:0], c)
	return player.Answer{Steps: e.steps, Info: info}
}

// turn appends the lines of the turn that ends with c.
func (e *engine) turn(dst []game.Move, c candidate) []game.Move {
	for _, l := range e.takes {
		dst = append(dst, l.Move())
	}
	if c.leave {
		return append(dst, c.line.Move())
	}
	for _, l := range e.last {
		dst = append(dst, l.Move())
	}
	if !e.root.open.Empty() {
		dst = append(dst, c.line.Move())
	}
	return dst
}

// info describes a line. The evaluation is the difference of boxes at the end.
func (e *engine) info(depth, rank int, c candidate, bound game.Bound) game.Info {
	hand := float64(e.what.hand)
	v := float64(e.lead+e.what.taken) + hand + c.value
	return game.Info{
		Depth: depth, Rank: rank + 1, Bound: bound, PV: e.turn(nil, c),
		Eval: game.Eval{Unit: game.Points, Lo: v, Hi: v},
	}
}
