package amazons

import (
	"fmt"

	"kibitz/bot"
	"kibitz/bot/search"
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
	varyFrom  = 86
	varyBy    = point / 10
	varyLines = 4
)

// point is what a square of territory is worth in the middle of a game, roughly.
const point = 400

// engine follows a game and thinks about it.
type engine struct {
	search *search.Search[*position]
	board  amazons.Board
	pos    position // under search
	sau    bool     // the ruling in force
	memory int64
	steps  []game.Move
}

// New returns a player of the Game of the Amazons.
func New(o bot.Options) player.Player { return bot.New("amazons", newEngine(), o) }

func newEngine() *engine { return &engine{search: search.New(options())} }

// Forget makes the next game independent of those before it.
func (e *engine) Forget() { e.search.Forget() }

// Reset puts the engine on the start of a game.
func (e *engine) Reset(s *player.Setup) error {
	g := amazons.Game()
	rulings, _ := s.Spec.Option("rulings")
	e.sau = rulings == "sau"
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
	return bot.Follow(u, e.follow)
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
	case m.Op == game.Shift && !shooting && b.Cell(m.From.Index(amazons.Size)) == amazons.Black+uint8(b.Side()) &&
		b.Sees(m.From.Index(amazons.Size), to):
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

func (e *engine) empties() int {
	p := look(&e.board)
	return p.empty.count()
}

// Near is half a square.
func (e *engine) Near() float64 { return 0.5 }

// Think fills the areas once they are parted, and else searches by iterative deepening.
func (e *engine) Think(t *bot.Task) player.Answer {
	if a, ok := e.fill(t); ok {
		return a
	}
	lines := 1
	if !t.Analysing() && e.empties() >= varyFrom {
		lines = varyLines
	}
	e.pos.begin(&e.board, e.sau)
	r := e.search.Run(t, &e.pos, lines, e.memory)
	if len(r.Lines) == 0 {
		return player.Answer{}
	}
	best := &r.Lines[r.Draw(t, lines, varyBy)]
	e.steps = appendSteps(e.steps[:0], turnOf(best.Move))
	return player.Answer{Steps: e.steps, Info: e.search.Info(best, r.Depth, 0)}
}

func describe(l *search.Line) game.Info {
	x := game.Info{PV: make([]game.Move, 0, 2*len(l.PV))}
	x.Eval, x.Bound = evaluation(l.Value)
	for _, m := range l.PV {
		x.PV = appendSteps(x.PV, turnOf(m))
	}
	return x
}

// evaluation gives squares of territory, or the turns until the end.
func evaluation(v int) (game.Eval, game.Bound) {
	return bot.Evaluation(v, won, mateThreshold, float64(v)/point)
}

func appendSteps(dst []game.Move, t turn) []game.Move {
	if t.from != t.to {
		dst = append(dst, game.ShiftTo(pointOf(t.from), pointOf(t.to)))
	}
	return append(dst, game.ShootAt(pointOf(t.shot)))
}

func pointOf(sq uint8) game.Point {
	return game.Pt(int(sq)%amazons.Size, int(sq)/amazons.Size)
}

// Blunder plays a turn of the poorer half of those that look best.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	e.pos.begin(&e.board, e.sau)
	m := search.NewMeter(t, pollEvery)
	defer m.Flush()
	n := search.Node{Meter: m}
	e.pos.Moves(&n)
	if len(n.Moves) < 4 {
		return player.Answer{}
	}
	half := len(n.Moves) / 2
	c := n.Moves[half+t.Rand.IntN(half)]
	eval, _ := evaluation(int(c.Order))
	e.steps = appendSteps(e.steps[:0], turnOf(c.Move))
	return player.Answer{Steps: e.steps, Info: game.Info{Depth: 1, Eval: eval}}
}
