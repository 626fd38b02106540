package connect6

import (
	"slices"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/connect6"
	"kibitz/player"
)

// New returns a player of Connect6.
func New(o bot.Options) player.Player { return bot.New(connect6.ID, newEngine(), o) }

// tableBytes is how large the table of positions is unless memory is limited.
const tableBytes = 16 << 20

// varyUntil is the number of stones up to which nearly equal turns are drawn by
// lot, so that games differ; varyBy is what nearly means.
const (
	varyUntil = 5
	varyBy    = 12
	varyLines = 3
)

// engine knows the game for the kit of the built-in players.
type engine struct {
	spec   game.Spec
	rules  *connect6.Rules
	state  *connect6.State
	field  *field
	pos    position // under search
	search *search.Search[*position]
	memory int64
}

func newEngine() *engine {
	e := &engine{}
	e.search = search.New(options(e.describe))
	return e
}

var (
	_ bot.Engine    = (*engine)(nil)
	_ bot.Pacer     = (*engine)(nil)
	_ bot.Blunderer = (*engine)(nil)
	_ bot.Forgetter = (*engine)(nil)
)

// Forget makes the next game independent of those before it.
func (e *engine) Forget() {
	e.search.Forget()
	e.pos.attack.failed = nil
	if e.field != nil {
		e.field.clear() // the order of its lists tells what stood on it
	}
}

// Reset puts the engine at the start of a game. What it learned about positions
// stays while the rules are the same.
func (e *engine) Reset(s *player.Setup) error {
	if e.rules == nil || e.spec != s.Spec {
		r, err := connect6.New(s.Spec)
		if err != nil {
			return err
		}
		e.rules, e.spec = r, s.Spec
		e.field = newField(r.Size())
		e.pos = position{}
		e.search.Forget()
	}
	state := e.rules.New()
	if s.Start != "" {
		var err error
		if state, err = e.rules.Position(s.Start); err != nil {
			return err
		}
	}
	e.state = state.(*connect6.State)
	e.memory = s.Limits.Memory
	return nil
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	return bot.Follow(u, func(m game.Move) error {
		_, err := e.state.Apply(m, nil)
		return err
	})
}

// stones counts the stones on the board.
func (e *engine) stones() int { return e.rules.Size()*e.rules.Size() - e.empty() }

func (e *engine) empty() int {
	b := e.state.Board()
	return b.Empty()
}

// TurnsLeft estimates how long the game will last: most have between fifteen and
// thirty turns.
func (e *engine) TurnsLeft() int { return max(6, 14-e.stones()/5) }

// Think decides.
func (e *engine) Think(t *bot.Task) player.Answer {
	turn := e.state.Turn()
	if !turn.Seat.IsPlayer() {
		return player.Answer{}
	}
	e.begin(t, turn.Seat)
	e.pos.all = false
	defer e.pos.meter.Flush()
	best := e.think(t, e.due(turn))
	return player.Answer{Steps: e.steps(best.m, e.pos.c), Info: best.info}
}

func (e *engine) begin(t *bot.Task, s game.Seat) {
	b := e.state.Board()
	e.field.follow(&b)
	e.pos.begin(t, e.field, int(s))
}

// due returns how many stones the turn still has.
func (e *engine) due(turn game.Turn) int {
	if n := e.empty(); n == 1 || n == e.rules.Size()*e.rules.Size() || turn.Step > 0 {
		return 1
	}
	return 2
}

// steps are the decisions of a turn. What would come after six is left out.
func (e *engine) steps(m pair, c int) []game.Move {
	f := e.field
	list := []game.Move{game.PlaceAt(f.point(m.a))}
	f.put(int(m.a), c)
	over := f.made(m.a, c)
	f.take(int(m.a), c)
	if m.b != none && !over {
		list = append(list, game.PlaceAt(f.point(m.b)))
	}
	return list
}

type result struct {
	m     pair
	value int
	info  game.Info
}

// found describes a line for the outside.
func (e *engine) found(l *search.Line, depth int) result {
	return result{pairOf(l.Move), l.Value, e.search.Info(l, depth, 0)}
}

// turn is found for a turn that was not searched.
func (e *engine) turn(m pair, value int) result {
	x := numberOf(m)
	return e.found(&search.Line{Move: x, Value: value, PV: []search.Move{x}}, 0)
}

// think searches for a turn, deeper and deeper.
func (e *engine) think(t *bot.Task, stones int) result {
	s := &e.pos
	m, value, ok := e.obvious(t, stones)
	if ok && t.Lines <= 1 {
		r := e.turn(m, value)
		t.Report(r.info)
		return r
	}
	roots, all := e.roots(stones, rootWidth)
	if ok && !listed(roots, m) {
		roots = slices.Insert(roots, 0, move{m, win})
	}
	if len(roots) == 1 && !t.Analysing() {
		return e.turn(roots[0].m, 0)
	}
	s.first, s.all = roots, all
	best := e.run(t)
	if best.value < -winBound && !all && t.More(best.info.Depth) {
		// All that was looked at loses: look at more.
		more, _ := e.roots(stones, wideWidth)
		s.first = append(s.first, unlisted(more, roots)...)
		if r := e.run(t); r.value > best.value {
			best = r
		}
	}
	return best
}

// run searches the first turns. In the beginning nearly equal ones are drawn by lot.
func (e *engine) run(t *bot.Task) result {
	lines := 1
	if !t.Analysing() && e.stones() <= varyUntil {
		lines = varyLines
	}
	e.pos.meter.Flush()
	r := e.search.Run(t, &e.pos, lines, e.memory)
	return e.found(&r.Lines[r.Draw(t, lines, varyBy)], r.Depth)
}

// Near is five times varyBy, in points: the two stones of a turn are drawn one by one.
func (e *engine) Near() float64 { return 6 }

// unlisted returns the turns of a list that are not in another.
func unlisted(list, other []move) []move {
	var out []move
	for _, m := range list {
		if !listed(other, m.m) {
			out = append(out, m)
		}
	}
	return out
}

// obvious finds turns that need no search: the middle of the empty board, six at
// once, and a forced win by threats.
func (e *engine) obvious(t *bot.Task, stones int) (m pair, score int, ok bool) {
	f, s, c := e.field, &e.pos, e.pos.c
	if m, ok = f.winning(c, stones); ok {
		return m, win - 1, true
	}
	size := e.rules.Size()
	if f.empty == size*size {
		return pair{int16(size/2*size + size/2), none}, 0, true
	}
	if stones == 2 && s.seeks && t.Lines <= 1 {
		budget := 20_000
		if t.Nodes > 0 {
			budget = min(budget, int(t.Nodes/3))
		}
		if m, n := s.attack.find(c, attackTurns, budget); n > 0 {
			return m, win - 2*n + 1, true
		}
	}
	return nothing, 0, false
}

// roots lists the first turns, also those on the points of an attack of the other
// side, and says whether these are all that can be done. Where no turn spoils all
// threats, one spoils as many as it can.
func (e *engine) roots(stones int, w width) (list []move, all bool) {
	f, s, c := e.field, &e.pos, e.pos.c
	replies := f.covers(nil, 1-c, stones)
	if len(replies) == 0 && len(f.threats(1-c)) > 0 {
		return []move{{e.resist(c, stones), 0}}, true
	}
	var also []int16
	if len(replies) == 0 {
		also = s.dangers(nil, c, attackTurns, 12_000)
	}
	return s.turns(nil, c, stones, replies, w, also...), complete(replies)
}

// resist spoils as many threats of the other side as the stones can, one after the
// other.
func (e *engine) resist(c, stones int) pair {
	f := e.field
	var at [2]int16
	for k := range stones {
		best := -1
		for p, stone := range f.stones {
			if stone != none {
				continue
			}
			v := int(f.points[c][p]+f.points[1-c][p]) + 1
			for _, i := range f.through[p] {
				if w := &f.windows[i]; w.count[c] == 0 && w.count[1-c] >= 4 {
					v += 1000
				}
			}
			if v > best {
				best, at[k] = v, int16(p)
			}
		}
		f.put(int(at[k]), c)
	}
	for k := range stones {
		f.take(int(at[k]), c)
	}
	if stones == 1 {
		at[1] = none
	}
	return pair{at[0], at[1]}
}

// describe tells a line, whose end may be the beginning of a won one.
func (e *engine) describe(l *search.Line) game.Info {
	f, c := e.field, e.pos.c
	var x game.Info
	value := l.Value
	if value < -winBound && !e.pos.all {
		value = -hopeless // not all turns were looked at: a loss is not proved
	}
	x.Eval, x.Bound = bot.Evaluation(value, win, winBound, float64(value)/10)
	made, over := 0, false
	add := func(m pair) {
		x.PV = append(x.PV, e.steps(m, c)...)
		f.play(m, c)
		over = f.made(m.a, c) || m.b != none && f.made(m.b, c)
		c = 1 - c
		made++
	}
	for _, m := range l.PV {
		add(pairOf(m))
	}
	var six pair
	if m, ok := f.winning(c, 2); ok && !over {
		six = m
		add(six)
	}
	for made > len(l.PV) {
		made--
		c = 1 - c
		f.undo(six, c)
	}
	for made > 0 {
		made--
		c = 1 - c
		f.undo(pairOf(l.PV[made]), c)
	}
	return x
}

// Blunder plays a turn that looks reasonable, the best one or not. Six of its own
// is never overlooked.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	turn := e.state.Turn()
	if !turn.Seat.IsPlayer() {
		return player.Answer{}
	}
	e.begin(t, turn.Seat)
	defer e.pos.meter.Flush()
	c, stones := int(turn.Seat), e.due(turn)
	m, ok := e.field.winning(c, stones)
	if !ok {
		list := e.pos.turns(nil, c, stones, nil, rootWidth)
		m = list[t.Rand.IntN(min(len(list), 20))].m
	}
	return player.Answer{Steps: e.steps(m, c), Info: game.Info{Depth: 1}}
}
