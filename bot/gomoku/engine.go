package gomoku

import (
	"cmp"
	"slices"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
)

// New returns a player of five in a row.
func New(o bot.Options) player.Player { return bot.New(gomoku.ID, &engine{}, o) }

// NewBy returns one that plays by the weights.
func NewBy(w *Weights, o bot.Options) player.Player {
	return bot.New(gomoku.ID, &engine{weights: w}, o)
}

// triedBytes is how large the table of fours and threats is unless memory is limited.
const triedBytes = 16 << 20

// engine knows the game for the kit of the built-in players.
type engine struct {
	spec   game.Spec
	rules  *gomoku.Rules
	state  *gomoku.State
	field  *field
	pos    position // under search
	search *search.Search[*position]
	memory int64
	// weights are those that it was given, or nil.
	weights *Weights
}

var (
	_ bot.Engine    = (*engine)(nil)
	_ bot.Pacer     = (*engine)(nil)
	_ bot.Blunderer = (*engine)(nil)
	_ bot.Forgetter = (*engine)(nil)
)

// Forget makes the next game independent of those before it.
func (e *engine) Forget() {
	if e.field == nil {
		return
	}
	e.search.Forget()
	e.pos.tried.Forget()
}

// Reset puts the engine at the start of a game. What it learned about positions
// stays while the rules are the same.
func (e *engine) Reset(s *player.Setup) error {
	if e.rules == nil || e.spec != s.Spec {
		r, err := gomoku.New(s.Spec)
		if err != nil {
			return err
		}
		d := r.Doc()
		e.rules, e.spec = r, s.Spec
		w := e.weights
		if w == nil {
			if w, err = loadWeights(); err != nil {
				return err
			}
		}
		e.field = newField(r.Rule(), d.Width, d.Height, deal(r.Rule(), w))
		e.pos = position{solver: solver{f: e.field, rule: r.Rule()}}
		e.search = search.New(options(len(e.field.cells), e.describe))
	}
	start := cmp.Or(s.Start, "-")
	state, err := e.rules.Position(start)
	if err != nil {
		return err
	}
	e.state = state.(*gomoku.State)
	e.pos.ends = e.rules.DrawEmpty()
	if e.state.Prolong() { // the manager plays on
		e.pos.ends = 0
	}
	e.memory = s.Limits.Memory
	e.pos.tried.Resize(bot.TableBytes(e.memory/2/int64(max(s.Limits.Threads, 1)), triedBytes))
	return nil
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	return bot.Follow(u, func(m game.Move) error {
		_, err := e.state.Apply(m, nil)
		return err
	})
}

// TurnsLeft estimates how long the game will last: few games have more than sixty
// stones, and those need time to the end.
func (e *engine) TurnsLeft() int { return max(10, 30-e.state.Stones()/3) }

// Think decides.
func (e *engine) Think(t *bot.Task) player.Answer {
	switch turn := e.state.Turn(); {
	case !turn.Seat.IsPlayer():
		return player.Answer{}
	case e.rules.Continuous():
		return e.score(t, turn)
	case turn.Phase == gomoku.PhaseOpen:
		return e.propose(t, 3-turn.Step)
	case turn.Phase == gomoku.PhaseChoose:
		return e.choose(t)
	}
	best := e.think(t, side(e.state.Next()))
	return player.Answer{Steps: []game.Move{e.harmless(best.move)}, Info: best.info}
}

// harmless is a move, or the pass instead of a foul where there is one. Fouls are chosen
// where nothing else is left.
func (e *engine) harmless(m game.Move) game.Move {
	c := side(e.state.Next())
	if e.state.Check(game.PassMove()) == nil && e.field.foul(e.field.board.Index(m.To), c) {
		return game.PassMove()
	}
	return m
}

// begin prepares the search of a task for a stone of colour c.
func (e *engine) begin(t *bot.Task, c int) *position {
	e.field.follow(e.state.Board())
	p := &e.pos
	p.c, p.task, p.meter = c, t, search.NewMeter(t, pollEvery)
	p.seeks = true
	p.prove = !t.Analysing()
	return p
}

type result struct {
	move  game.Move
	score int
	info  game.Info
}

// think searches for a stone of colour c, deeper and deeper.
func (e *engine) think(t *bot.Task, c int) result {
	p := e.begin(t, c)
	defer func() { p.meter.Flush() }()
	p.first = e.roots()
	if !t.Analysing() {
		if m, score, ok := e.obvious(); ok {
			return e.found(&search.Line{Move: m, Value: score, PV: []search.Move{m}}, 0)
		}
	}
	p.meter.Flush()
	r := e.search.Run(t, p, 1, e.memory)
	return e.found(&r.Lines[0], r.Depth)
}

// roots lists the first moves, the best first: what the search would look at, or
// whatever is left when that is nothing.
func (e *engine) roots() []search.Ranked {
	f, c := e.field, e.pos.c
	list := e.pos.candidates(nil)
	if len(list) > 0 {
		slices.SortStableFunc(list, func(a, b search.Ranked) int { return cmp.Compare(b.Order, a.Order) })
		return list[:min(len(list), maxMoves)]
	}
	w, h := f.board.Size()
	any := move{at: -1}
	for y := range h {
		for x := range w {
			i := f.board.Index(game.Pt(x, y))
			if f.cells[i] != gomoku.Empty {
				continue
			}
			// The middle first, points that lose by a foul last.
			order := -int32((2*x-w+1)*(2*x-w+1) + (2*y-h+1)*(2*y-h+1))
			if f.foul(i, c) {
				order -= 1 << 20
			}
			if any.at < 0 || order > any.order {
				any = move{int32(i), order}
			}
		}
	}
	return append(list, search.Ranked{Move: numberOf(int(any.at))})
}

// obvious finds moves that need no search: a five, the only answer to one, a
// forced win by fours, the only candidate.
func (e *engine) obvious() (m search.Move, score int, ok bool) {
	p, f, c := &e.pos, e.field, e.pos.c
	first := p.first[0].Move
	switch v, _, forced := p.decided(0); {
	case f.count[c][cFive] > 0:
		return numberOf(f.find(c, cFive)), win - 1, true
	case v < 0 && f.count[1-c][cFive] > 0:
		if i := f.find(1-c, cFive); !f.foul(i, c) {
			return numberOf(i), v, true
		}
		return first, v, true
	case forced >= 0:
		return numberOf(forced), 0, true
	}
	if p.seeks && f.count[1-c][cFive] == 0 {
		p.budget = 30_000
		if n, i := p.force(c, 4*leafFours); n > 0 && i >= 0 {
			return numberOf(int(i)), win - n, true
		}
	}
	return first, 0, len(p.first) == 1
}

// found describes a line for the outside.
func (e *engine) found(l *search.Line, depth int) result {
	at := pointOf(l.Move)
	return result{game.PlaceAt(e.field.point(at)), l.Value, e.search.Info(l, depth, 0)}
}

// Near is what a quiet stone more or less is worth, in points.
func (e *engine) Near() float64 { return 60 }

// describe tells a line, and fives after it that are made or prevented.
func (e *engine) describe(l *search.Line) game.Info {
	const most = 12
	f, c := e.field, e.pos.c
	var x game.Info
	value := l.Value
	if value < -winBound && win+value > 2 {
		value = -winBound // the moves that were left out may hold: a loss is not proved
	}
	x.Eval, x.Bound = bot.Evaluation(value, win, winBound, float64(value))
	over := false
	for i := 0; !over && (i < len(l.PV) || i < most); i++ {
		at := -1
		switch {
		case i < len(l.PV):
			at = pointOf(l.PV[i])
		case f.count[c][cFive] > 0:
			at = f.find(c, cFive)
		case f.count[1-c][cFive] > 0:
			at = f.find(1-c, cFive)
		}
		if at < 0 || f.foul(at, c) {
			break
		}
		x.PV = append(x.PV, game.PlaceAt(f.point(at)))
		over = f.class(c, at) == cFive
		f.put(at, stone(c))
		c = 1 - c
	}
	for range x.PV {
		f.undo()
	}
	return x
}

// Blunder plays a point that looks reasonable, the best one or not. A five of its
// own is never overlooked.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	turn := e.state.Turn()
	if turn.Phase != gomoku.PhasePlace || e.rules.Continuous() {
		return e.Think(t)
	}
	c := side(e.state.Next())
	e.begin(t, c)
	list := e.roots()
	at := pointOf(list[t.Rand.IntN(min(len(list), 12))].Move)
	if e.field.count[c][cFive] > 0 {
		at = e.field.find(c, cFive)
	}
	return player.Answer{Steps: []game.Move{e.harmless(game.PlaceAt(e.field.point(at)))}}
}
