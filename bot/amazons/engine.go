package amazons

import (
	"fmt"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/player"
	"kibitz/rules"
)

// tableBytes is the size of the table that remembers positions, unless a limit
// asks for less.
const tableBytes = 16 << 20

// varyFrom is the number of empty squares from which on nearly equal turns are
// drawn by lot, so that games differ; varyBy is what nearly means.
const (
	varyFrom = 86
	varyBy   = point / 4
)

// engine follows a game and thinks about it.
type engine struct {
	search search
	board  amazons.Board
	memory int64
	roots  []child
	lines  [][]turn
	steps  []game.Move
}

// New returns a player of the Game of the Amazons.
func New(o bot.Options) player.Player {
	return bot.New("amazons", &engine{search: search{weights: standard}}, o)
}

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.search.table.Forget() }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	g := amazons.Game()
	if id := s.Spec.ID(); id != g.ID {
		return fmt.Errorf("this engine plays %s, not %s", g.ID, id)
	}
	rulings, _ := s.Spec.Option("rulings")
	e.search.sau = rulings == "sau"
	e.memory = s.Limits.Memory
	e.board = amazons.StartBoard()
	if s.Start == "" {
		return nil
	}
	own, err := rules.StateOf[*amazons.State](g, s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.board = own.Board()
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
	b := &e.board
	if !m.To.On(amazons.Size, amazons.Size) || m.Op == game.Shift && !m.From.On(amazons.Size, amazons.Size) {
		return fmt.Errorf("%s is not on the board", m)
	}
	to := m.To.Index(amazons.Size)
	sq, shooting := b.Shooter()
	switch {
	case m.Op == game.Shoot && shooting && b.Sees(sq, to):
		b.Shoot(to)
	case m.Op == game.Shift && !shooting && b.Cell(m.From.Index(amazons.Size)) == amazons.Black+uint8(b.Side()) && b.Sees(m.From.Index(amazons.Size), to):
		b.Shift(m.From.Index(amazons.Size), to)
	default:
		return fmt.Errorf("%s is not possible for %s", m, b.Side())
	}
	return nil
}

// TurnsLeft counts half of the empty squares, without those that are filled
// quickly in the end.
func (e *engine) TurnsLeft() int {
	return max(4, (e.empties()-20)/2)
}

// Think searches by iterative deepening, or fills the areas once they are parted.
func (e *engine) Think(t *bot.Task) player.Answer {
	e.prepare(t)
	defer e.search.flush()
	if a, ok := e.fill(t); ok {
		return a
	}
	s := &e.search
	e.roots = append(e.roots[:0], s.expand(0, turn{}, inf)...)
	if len(e.roots) == 0 {
		return player.Answer{}
	}
	for len(e.lines) < len(e.roots) {
		e.lines = append(e.lines, nil)
	}
	best := game.Info{}
	lines := max(t.Lines, 1)
	vary := !t.Analysing() && e.empties() >= varyFrom
	if vary {
		lines = max(lines, 4)
	}
	lines = min(lines, len(e.roots))
	for depth := 1; depth <= maxDepth && t.More(depth); depth++ {
		if !e.iterate(depth, lines) {
			break
		}
		best = e.report(t, depth)
		if v := e.roots[0].value; v > won-maxDepth || v < maxDepth-won {
			break
		}
	}
	choice := e.roots[0]
	if vary {
		n := 1
		for n < lines && e.roots[n].value >= choice.value-varyBy {
			n++
		}
		if n = t.Rand.IntN(n); n > 0 {
			choice = e.roots[n]
			best.Eval, _ = evaluation(int(choice.value))
			best.PV = appendSteps(nil, choice.turn)
		}
	}
	return player.Answer{Steps: e.decisions(choice.turn), Info: best}
}

// report streams the lines of an iteration and returns the best.
func (e *engine) report(t *bot.Task, depth int) game.Info {
	best := e.info(depth, 0, e.roots[0], e.lines[0])
	best.Rank = 0
	if t.Lines == 1 {
		t.Report(best)
		return best
	}
	for i := range min(t.Lines, len(e.roots)) {
		t.Report(e.info(depth, i, e.roots[i], e.lines[i]))
	}
	return best
}

func (e *engine) empties() int {
	p := look(&e.board)
	return p.empty.count()
}

func (e *engine) prepare(t *bot.Task) {
	s := &e.search
	want := int64(tableBytes)
	if t.Nodes > 0 {
		want = min(want, t.Nodes*s.table.EntryBytes()/8)
	}
	s.table.Fit(e.memory, want)
	s.task, s.board, s.nodes, s.stopped = t, e.board, 0, false
}

// iterate searches the root turns one ply deeper and sorts the best lines to the
// front. If it is stopped half-way the best turn found stands if it was searched
// to the new depth, and false is returned.
func (e *engine) iterate(depth, lines int) bool {
	s := &e.search
	for i := range e.roots {
		alpha := -inf
		if i >= lines {
			alpha = int(e.roots[lines-1].value)
		}
		c := e.roots[i]
		v := int(c.value)
		s.pv[1] = s.pv[1][:0]
		if depth > 1 {
			v = s.try(&c, depth, 0, i < lines, alpha, inf)
		}
		if s.stopped {
			return false
		}
		c.value = int32(v)
		if i >= lines && v <= alpha {
			e.roots[i] = c
			continue
		}
		e.place(i, c, lines)
	}
	return true
}

// place sorts root number i with its new value among the best ones before it.
func (e *engine) place(i int, c child, lines int) {
	line := e.lines[i][:0]
	line = append(line, e.search.pv[1]...)
	j := i
	for ; j > 0 && (j > lines || e.roots[j-1].value < c.value); j-- {
		e.roots[j], e.lines[j] = e.roots[j-1], e.lines[j-1]
	}
	e.roots[j], e.lines[j] = c, line
}

// info describes a line.
func (e *engine) info(depth, rank int, c child, line []turn) game.Info {
	info := game.Info{Depth: depth, Rank: rank + 1, PV: make([]game.Move, 0, 2*len(line)+2)}
	info.PV = appendSteps(info.PV, c.turn)
	for _, t := range line {
		info.PV = appendSteps(info.PV, t)
	}
	info.Eval, info.Bound = evaluation(int(c.value))
	return info
}

// evaluation gives squares of territory, or the turns until the end.
func evaluation(v int) (game.Eval, game.Bound) {
	return bot.Evaluation(v, won, won-maxDepth, float64(v)/point)
}

func appendSteps(dst []game.Move, t turn) []game.Move {
	if t.from != t.to {
		dst = append(dst, game.ShiftTo(pointOf(t.from), pointOf(t.to)))
	}
	return append(dst, game.ShootAt(pointOf(t.shot)))
}

func (e *engine) decisions(t turn) []game.Move {
	e.steps = appendSteps(e.steps[:0], t)
	return e.steps
}

func pointOf(sq uint8) game.Point {
	return game.Pt(int(sq)%amazons.Size, int(sq)/amazons.Size)
}

// Blunder plays a turn of the poorer half of those that were looked at.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	e.prepare(t)
	defer e.search.flush()
	e.roots = append(e.roots[:0], e.search.expand(0, turn{}, inf)...)
	if len(e.roots) < 4 {
		return player.Answer{}
	}
	c := e.roots[len(e.roots)/2+t.Rand.IntN(len(e.roots)/2)]
	eval, _ := evaluation(int(c.value))
	return player.Answer{Steps: e.decisions(c.turn), Info: game.Info{Depth: 1, Eval: eval}}
}
