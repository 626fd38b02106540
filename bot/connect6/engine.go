package connect6

import (
	"fmt"
	"slices"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/connect6"
	"kibitz/player"
)

// New returns a player of Connect6.
func New(o bot.Options) player.Player { return bot.New(connect6.ID, &engine{}, o) }

// tableBytes is how large the table of positions is unless memory is limited.
const tableBytes = 24 << 20

// varyUntil is the number of stones up to which nearly equal turns are drawn by
// lot, so that games differ; varyBy is what nearly means.
const (
	varyUntil = 5
	varyBy    = 12
)

// engine knows the game for the kit of the built-in players.
type engine struct {
	spec  game.Spec
	rules *connect6.Rules
	state *connect6.State
	field *field
	table table
	s     search
}

var (
	_ bot.Engine    = (*engine)(nil)
	_ bot.Pacer     = (*engine)(nil)
	_ bot.Blunderer = (*engine)(nil)
	_ bot.Forgetter = (*engine)(nil)
)

// Forget makes the next game independent of those before it.
func (e *engine) Forget() {
	e.table.Forget()
	e.s.attack.failed = nil
	if e.field != nil {
		e.field.clear() // the order of its lists tells what stood on it
	}
}

// Reset puts the engine at the start of a game. What it learned about positions
// stays while the rules are the same.
func (e *engine) Reset(s *player.Setup) error {
	if e.rules == nil || e.spec != s.Spec {
		if s.Spec.ID() != connect6.ID {
			return fmt.Errorf("this engine plays %s, not %s", connect6.ID, s.Spec.ID())
		}
		r, err := connect6.New(s.Spec)
		if err != nil {
			return err
		}
		e.rules, e.spec = r, s.Spec
		e.field = newField(r.Size())
		e.s = search{}
		e.table.Clear()
	}
	state := e.rules.New()
	if s.Start != "" {
		var err error
		if state, err = e.rules.Position(s.Start); err != nil {
			return err
		}
	}
	e.state = state.(*connect6.State)
	e.table.Resize(bot.TableBytes(s.Limits.Memory, tableBytes))
	return nil
}

// Update follows the game.
func (e *engine) Update(u *player.Update) error {
	for _, m := range u.Steps {
		if _, err := e.state.Apply(m, nil); err != nil {
			return err
		}
	}
	return nil
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
	e.begin(t)
	defer e.s.flush()
	c, stones := int(turn.Seat), e.due(turn)
	best := e.think(c, stones)
	return player.Answer{Steps: e.steps(best.m, c), Info: best.info}
}

// begin prepares the search.
func (e *engine) begin(t *bot.Task) {
	b := e.state.Board()
	e.field.follow(&b)
	e.s.begin(t, e.field, &e.table)
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

// result is what a search found.
type result struct {
	m     pair
	score int
	info  game.Info
}

// think searches for a turn of side c, deeper and deeper.
func (e *engine) think(c, stones int) result {
	s, t := &e.s, e.s.t
	m, score, ok := e.obvious(c, stones)
	if ok && t.Lines <= 1 {
		r := e.found(m, score, 0, c)
		t.Report(r.info)
		return r
	}
	roots, all := e.roots(c, stones, rootWidth)
	if ok && !listed(roots, m) {
		roots = slices.Insert(roots, 0, move{m, win})
	}
	best := e.found(roots[0].m, 0, 0, c)
	if len(roots) == 1 && !t.Analysing() {
		return best
	}
	lines, vary := max(t.Lines, 1), !t.Analysing() && e.stones() <= varyUntil
	if vary {
		lines = max(lines, 3)
	}
	lines = min(lines, len(roots))
	for depth := 1; depth < maxPly/4 && t.More(depth); depth++ {
		s.limit = min(3*depth+6, maxPly-1)
		r, done := e.iterate(roots, lines, depth, c)
		if r != nil {
			best = e.choose(r, vary && done)
		}
		if best.score < -winBound && !all && !s.stop {
			// All that was looked at loses: look at more.
			all = true
			more, _ := e.roots(c, stones, wideWidth)
			if roots = append(roots, unlisted(more, roots)...); t.More(depth) {
				if r, _ := e.iterate(roots, lines, depth, c); r != nil && r[0].score > best.score {
					best = r[0]
				}
			}
		}
		if s.stop || best.score > winBound || best.score < -winBound && lines == 1 {
			break
		}
	}
	return best
}

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
func (e *engine) obvious(c, stones int) (m pair, score int, ok bool) {
	f, s := e.field, &e.s
	if m, ok = f.winning(c, stones); ok {
		return m, win - 1, true
	}
	size := e.rules.Size()
	if f.empty == size*size {
		return pair{int16(size/2*size + size/2), none}, 0, true
	}
	if stones == 2 && s.deep > 0 && s.t.Lines <= 1 {
		budget := 20_000
		if s.t.Nodes > 0 {
			budget = min(budget, int(s.t.Nodes/3))
		}
		if m, n := s.attack.find(c, s.deep, budget); n > 0 {
			return m, win - 2*n + 1, true
		}
	}
	return nothing, 0, false
}

// roots lists the first turns, also those on the points of an attack of the other
// side, and says whether these are all that can be done. Where no turn spoils all
// threats, one spoils as many as it can.
func (e *engine) roots(c, stones int, w width) (list []move, all bool) {
	f, s := e.field, &e.s
	replies := f.covers(nil, 1-c, stones)
	if len(replies) == 0 && len(f.threats(1-c)) > 0 {
		return []move{{e.resist(c, stones), 0}}, true
	}
	var also []int16
	if len(replies) == 0 {
		also = s.dangers(nil, c, s.deep, 3_000)
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

// iterate searches the first turns at a depth: so many lines to the end, the best
// first. It returns what was found of them, nil if nothing, and whether all of it.
func (e *engine) iterate(roots []move, lines, depth, c int) (list []result, done bool) {
	for k := range lines {
		m, score, ok := e.s.root(roots[k:], depth, c)
		if m == nothing {
			return list, false
		}
		r := e.found(m, score, depth, c)
		list = append(list, r)
		if !ok {
			return list, false
		}
		if k < max(e.s.t.Lines, 1) {
			if e.s.t.Lines > 1 {
				r.info.Rank = k + 1
			}
			e.s.t.Report(r.info)
		}
	}
	return list, true
}

// choose takes the best line, or draws among nearly equal ones.
func (e *engine) choose(list []result, vary bool) result {
	n := 1
	for vary && n < len(list) && list[n].score >= list[0].score-varyBy {
		n++
	}
	if n > 1 {
		return list[e.s.t.Rand.IntN(n)]
	}
	return list[0]
}

// root searches the first turns at a depth and brings the best to the front. done
// is false if it was stopped; m is nothing if not even one turn was finished.
func (s *search) root(list []move, depth, c int) (m pair, score int, done bool) {
	m, score = nothing, -win
	best := 0
	for k, x := range list {
		v := s.value(x.m, k > 0, score, depth, c)
		if s.stop {
			break
		}
		if v > score {
			m, score, best = x.m, v, k
		}
	}
	x := list[best]
	copy(list[1:best+1], list[:best])
	list[0] = x
	return m, score, !s.stop
}

// value searches a first turn, which may make six.
func (s *search) value(m pair, later bool, alpha, depth, c int) int {
	f := s.f
	f.play(m, c)
	over := f.made(m.a, c) || m.b != none && f.made(m.b, c)
	f.undo(m, c)
	if over {
		return win - 1
	}
	return s.try(m, later, alpha, win, depth, 0, c)
}

// found describes a result for the outside.
func (e *engine) found(m pair, score, depth, c int) result {
	r := result{m: m, score: score}
	r.info = game.Info{Depth: depth, Nodes: e.s.nodes}
	r.info.Eval, r.info.Bound = bot.Evaluation(score, win, winBound, float64(score)/10)
	r.info.PV = e.line(m, c)
	return r
}

// line follows the table from a first turn.
func (e *engine) line(m pair, c int) []game.Move {
	const most = 6
	f := e.field
	var pv []game.Move
	var put [most]pair
	n := 0
	for n < most && m.a != none && f.stones[m.a] == none && (m.b == none || f.stones[m.b] == none) {
		pv = append(pv, e.steps(m, c)...)
		f.play(m, c)
		put[n] = m
		n++
		over := f.made(m.a, c) || m.b != none && f.made(m.b, c)
		c = 1 - c
		if over {
			break
		}
		if x, ok := e.table.get(f.hash ^ sideKey*uint64(c)); ok {
			m = x.move
		} else {
			m, _ = f.winning(c, 2)
		}
	}
	for n--; n >= 0; n-- {
		c = 1 - c
		f.undo(put[n], c)
	}
	return pv
}

// Blunder plays a turn that looks reasonable, the best one or not. Six of its own
// is never overlooked.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	turn := e.state.Turn()
	if !turn.Seat.IsPlayer() {
		return player.Answer{}
	}
	e.begin(t)
	defer e.s.flush()
	c, stones := int(turn.Seat), e.due(turn)
	m, ok := e.field.winning(c, stones)
	if !ok {
		list := e.s.turns(nil, c, stones, nil, rootWidth)
		m = list[t.Rand.IntN(min(len(list), 20))].m
	}
	return player.Answer{Steps: e.steps(m, c), Info: game.Info{Depth: 1}}
}
