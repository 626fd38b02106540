package breakthrough

import (
	"fmt"
	"slices"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/breakthrough"
	"kibitz/player"
	"kibitz/rules"
)

// tableBytes is the size of the transposition table, unless a limit asks for less.
const tableBytes = 16 << 20

// In the first varyPlies, moves that are worth nearly as much as the best, by varyBy, are
// drawn by lot, so that games differ.
const (
	varyPlies = 8
	varyBy    = man / 12
	varyLines = 4
)

// engine follows a game and thinks about it.
type engine struct {
	search *search.Search[*position]
	pos    position
	plies  int
	memory int64
	step   [1]game.Move
}

// New returns a player of Breakthrough.
func New(o bot.Options) player.Player { return bot.New("breakthrough", newEngine(), o) }

func newEngine() *engine { return &engine{search: search.New(options())} }

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.search.Forget() }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	own, err := rules.StateOf[*breakthrough.State](breakthrough.Game(), s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.memory, e.plies = s.Limits.Memory, 0
	e.pos.board, e.pos.took = own.Board(), e.pos.took[:0]
	return nil
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	return bot.Follow(u, e.follow)
}

func (e *engine) follow(m game.Move) error {
	step, ok := breakthrough.StepOf(m)
	if !ok {
		return fmt.Errorf("%s moves no man of the board", m)
	}
	if slices.Contains(e.pos.board.Moves(e.pos.buf[:0]), step) {
		e.pos.board.Move(step)
		e.plies++
		return nil
	}
	return fmt.Errorf("%s is not possible for %s", m, e.pos.board.Side())
}

// TurnsLeft guesses from the men: most games are decided while half of them are left.
func (e *engine) TurnsLeft() int {
	return 6 + (e.pos.board.Count(game.First)+e.pos.board.Count(game.Second))/2
}

// Think searches by iterative deepening.
func (e *engine) Think(t *bot.Task) player.Answer {
	lines := 1
	if !t.Analysing() && e.plies < varyPlies {
		lines = varyLines
	}
	if _, _, over := e.pos.board.Over(); over {
		return player.Answer{}
	}
	r := e.search.Run(t, &e.pos, lines, e.memory)
	if len(r.Lines) == 0 {
		return player.Answer{}
	}
	best := &r.Lines[r.Draw(t, lines, varyBy)]
	e.step[0] = breakthrough.MoveOf(stepOf(best.Move))
	return player.Answer{Steps: e.step[:], Info: e.search.Info(best, r.Depth, 0)}
}

func describe(l *search.Line) game.Info {
	x := game.Info{PV: make([]game.Move, 0, len(l.PV))}
	x.Eval, x.Bound = bot.Evaluation(l.Value, won, mateThreshold, float64(l.Value)/man)
	for _, m := range l.PV {
		x.PV = append(x.PV, breakthrough.MoveOf(stepOf(m)))
	}
	return x
}
