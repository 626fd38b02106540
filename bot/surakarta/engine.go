package surakarta

import (
	"fmt"
	"slices"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/surakarta"
	"kibitz/player"
	"kibitz/rules"
)

// tableBytes is the size of the table that remembers positions, unless a limit
// asks for less.
const tableBytes = 16 << 20

// Before the first capture and in the first varyPlies, moves that are worth nearly
// as much as the best, by varyBy, are drawn by lot, so that games differ.
const (
	varyPlies = 8
	varyBy    = piece / 12
	varyLines = 4
)

// engine follows a game and thinks about it.
type engine struct {
	history // of the game
	search  search
	memory  int64
	roots   []rootMove
	step    [1]game.Move
}

// rootMove is a move at the root with its value and the line that follows.
type rootMove struct {
	move  surakarta.Step
	value int
	line  []surakarta.Step
}

// New returns a player of Surakarta.
func New(o bot.Options) player.Player {
	return bot.New("surakarta", &engine{search: search{weights: standard}}, o)
}

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.search.table.Forget() }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	g := surakarta.Game()
	if id := s.Spec.ID(); id != g.ID {
		return fmt.Errorf("this engine plays %s, not %s", g.ID, id)
	}
	own, err := rules.StateOf[*surakarta.State](g, s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.memory = s.Limits.Memory
	e.board, e.quiet = own.Board(), own.Quiet()
	e.repetition, e.noCapture = own.Limits()
	e.keys = append(e.keys[:0], e.board.Hash())
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
	const size = surakarta.Size
	if m.Op != game.Shift || !m.From.On(size, size) || !m.To.On(size, size) {
		return fmt.Errorf("%s moves no piece of the board", m)
	}
	var buf [surakarta.MaxMoves]surakarta.Step
	step := surakarta.Step{From: uint8(m.From.Index(size)), To: uint8(m.To.Index(size))}
	if !slices.Contains(e.board.Moves(buf[:0]), step) {
		return fmt.Errorf("%s is not possible for %s", m, e.board.Side())
	}
	if took, _ := e.move(step); took {
		e.keys = append(e.keys[:0], e.board.Hash())
	}
	return nil
}

// TurnsLeft guesses from the pieces: most games are decided while some are left.
func (e *engine) TurnsLeft() int {
	return 8 + e.board.Count(game.First) + e.board.Count(game.Second)
}

// Think searches by iterative deepening.
func (e *engine) Think(t *bot.Task) player.Answer {
	e.prepare(t)
	s := &e.search
	defer s.flush()
	if len(e.roots) == 0 {
		return player.Answer{}
	}
	vary := !t.Analysing() && len(e.keys) <= varyPlies &&
		e.board.Count(game.First)+e.board.Count(game.Second) == 2*surakarta.Pieces
	lines := max(t.Lines, 1)
	if vary {
		lines = max(lines, varyLines)
	}
	lines = min(lines, len(e.roots))
	best := game.Info{}
	for depth := 1; depth < maxDepth && t.More(depth); depth++ {
		if !e.iterate(depth, lines) {
			break
		}
		best = e.report(t, depth)
		if v := e.roots[0].value; v > won-maxPly && won-v <= depth || v < maxPly-won && won+v <= depth {
			break
		}
	}
	choice := &e.roots[0]
	if vary {
		n := 1
		for n < lines && e.roots[n].value >= choice.value-varyBy {
			n++
		}
		if n = t.Rand.IntN(n); n > 0 {
			choice = &e.roots[n]
			best = info(best.Depth, 0, choice)
			best.Rank = 0
		}
	}
	e.step[0] = moveOf(choice.move)
	return player.Answer{Steps: e.step[:], Info: best}
}

// prepare puts the search on the position of the game and lists the moves.
func (e *engine) prepare(t *bot.Task) {
	s := &e.search
	want := int64(tableBytes)
	if t.Nodes > 0 {
		want = min(want, t.Nodes*s.table.EntryBytes()/2)
	}
	s.table.Fit(e.memory, want)
	s.keys = append(s.keys[:0], e.keys...)
	s.board, s.quiet, s.root = e.board, e.quiet, len(e.keys)-1
	s.repetition, s.noCapture = e.repetition, e.noCapture
	s.task, s.nodes, s.stopped = t, 0, false
	clear(s.good[0][:])
	clear(s.good[1][:])
	for i := range s.stack {
		s.stack[i].killers = [2]surakarta.Step{}
	}
	var buf [surakarta.MaxMoves]surakarta.Step
	e.roots = e.roots[:0]
	for _, m := range s.board.Moves(buf[:0]) {
		e.roots = append(e.roots, rootMove{move: m})
	}
}

// iterate searches the root moves one ply deeper and sorts the best lines to the
// front. If it is stopped half-way the best move found stands if it was searched
// to the new depth, and false is returned.
func (e *engine) iterate(depth, lines int) bool {
	s := &e.search
	for i := range e.roots {
		alpha := -inf
		if i >= lines {
			alpha = e.roots[lines-1].value
		}
		m := e.roots[i].move
		took, quiet := s.move(m)
		first := i
		if i < lines {
			first = 0
		}
		v := s.try(depth-1, 0, alpha, inf, first, 0)
		s.undo(m, took, quiet)
		if s.stopped {
			return false
		}
		r := rootMove{m, v, append([]surakarta.Step{m}, s.stack[1].line...)}
		if i >= lines && v <= alpha {
			e.roots[i] = r
			continue
		}
		j := i
		for ; j > 0 && (j > lines || e.roots[j-1].value < v); j-- {
			e.roots[j] = e.roots[j-1]
		}
		e.roots[j] = r
	}
	return true
}

// report streams the lines of an iteration and returns the best.
func (e *engine) report(t *bot.Task, depth int) game.Info {
	e.search.flush()
	best := info(depth, 0, &e.roots[0])
	best.Rank = 0
	if t.Lines == 1 {
		t.Report(best)
		return best
	}
	for i := range min(t.Lines, len(e.roots)) {
		t.Report(info(depth, i, &e.roots[i]))
	}
	return best
}

// info describes a line.
func info(depth, rank int, r *rootMove) game.Info {
	x := game.Info{Depth: depth, Rank: rank + 1, PV: make([]game.Move, 0, len(r.line))}
	x.Eval, x.Bound = evaluation(r.value)
	for _, m := range r.line {
		x.PV = append(x.PV, moveOf(m))
	}
	return x
}

// evaluation gives pieces, or the turns until the game is decided. What a
// repetition would decide is worth all pieces.
func evaluation(v int) (game.Eval, game.Bound) {
	x := float64(v) / piece
	switch {
	case v > counted-maxPly:
		x = surakarta.Pieces
	case v < maxPly-counted:
		x = -surakarta.Pieces
	}
	return bot.Evaluation(v, won, won-maxPly, x)
}

func moveOf(m surakarta.Step) game.Move {
	const size = surakarta.Size
	return game.ShiftTo(game.Pt(int(m.From)%size, int(m.From)/size), game.Pt(int(m.To)%size, int(m.To)/size))
}
