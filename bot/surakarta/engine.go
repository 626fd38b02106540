package surakarta

import (
	"fmt"
	"slices"

	"kibitz/bot"
	"kibitz/bot/search"
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
	search  *search.Search[*position]
	pos     position // under search
	memory  int64
	step    [1]game.Move
}

// New returns a player of Surakarta.
func New(o bot.Options) player.Player {
	return bot.New("surakarta", newEngine(), o)
}

func newEngine() *engine {
	return &engine{search: search.New(options())}
}

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.search.Forget() }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	own, err := rules.StateOf[*surakarta.State](surakarta.Game(), s.Spec, s.Start)
	if err != nil {
		return err
	}
	e.memory = s.Limits.Memory
	e.board, e.quiet = own.Board(), own.Quiet()
	e.repetition, e.noCapture = own.Limits()
	e.begin()
	return nil
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	return bot.Follow(u, e.follow)
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
	if e.move(step) {
		e.begin()
	}
	return nil
}

// TurnsLeft guesses from the pieces: most games are decided while some are left.
func (e *engine) TurnsLeft() int {
	return 8 + e.board.Count(game.First) + e.board.Count(game.Second)
}

// Think searches by iterative deepening.
func (e *engine) Think(t *bot.Task) player.Answer {
	vary := !t.Analysing() && len(e.past) <= varyPlies &&
		e.board.Count(game.First)+e.board.Count(game.Second) == 2*surakarta.Pieces
	lines := 1
	if vary {
		lines = varyLines
	}
	e.prepare()
	r := e.search.Run(t, &e.pos, lines, e.memory)
	if len(r.Lines) == 0 {
		return player.Answer{}
	}
	best := &r.Lines[r.Draw(t, lines, varyBy)]
	e.step[0] = moveOf(stepOf(best.Move))
	return player.Answer{Steps: e.step[:], Info: e.search.Info(best, r.Depth, 0)}
}

// prepare puts the search on the position of the game.
func (e *engine) prepare() {
	e.pos.weights = &standard
	e.pos.follow(&e.history)
}

func describe(l *search.Line) game.Info {
	x := game.Info{PV: make([]game.Move, 0, len(l.PV))}
	x.Eval, x.Bound = evaluation(l.Value)
	for _, m := range l.PV {
		x.PV = append(x.PV, moveOf(stepOf(m)))
	}
	return x
}

// evaluation gives pieces, or the turns until the game is decided. What a
// repetition would decide is worth all pieces.
func evaluation(v int) (game.Eval, game.Bound) {
	x := float64(v) / piece
	switch {
	case v >= mateThreshold:
		x = surakarta.Pieces
	case v <= -mateThreshold:
		x = -surakarta.Pieces
	}
	return bot.Evaluation(v, won, won-search.MaxPly, x)
}

func moveOf(m surakarta.Step) game.Move {
	const size = surakarta.Size
	return game.ShiftTo(game.Pt(int(m.From)%size, int(m.From)/size), game.Pt(int(m.To)%size, int(m.To)/size))
}
