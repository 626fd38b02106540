package gomoku

import (
	"fmt"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/player"
)

// New returns a player of five in a row.
func New(o bot.Options) player.Player { return bot.New(gomoku.ID, &engine{}, o) }

// tableBytes is how large the transposition table is unless memory is limited.
const tableBytes = 16 << 20

// engine knows the game for the kit of the built-in players.
type engine struct {
	spec  game.Spec
	rules *gomoku.Rules
	state *gomoku.State
	field *field
	table table
	tried table // of the searches of fours and threats
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
	e.tried.Forget()
	for c := range e.s.hist {
		clear(e.s.hist[c])
	}
	if e.field != nil {
		e.field.clear() // the order of its points tells what stood on it
	}
}

// Reset puts the engine at the start of a game. What it learned about positions
// stays while the rules are the same.
func (e *engine) Reset(s *player.Setup) error {
	if e.rules == nil || e.spec != s.Spec {
		if s.Spec.ID() != gomoku.ID {
			return fmt.Errorf("%q is not five in a row", s.Spec)
		}
		r, err := gomoku.New(s.Spec)
		if err != nil {
			return err
		}
		d := r.Doc()
		e.rules, e.spec = r, s.Spec
		e.field = newField(r.Rule(), d.Width, d.Height)
		e.table.Clear()
		e.tried.Clear()
		e.s = search{}
	}
	start := s.Start
	if start == "" {
		start = "-"
	}
	state, err := e.rules.Position(start)
	if err != nil {
		return err
	}
	e.state = state.(*gomoku.State)
	e.resize(s.Limits.Memory)
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
	return player.Answer{Steps: []game.Move{best.move}, Info: best.info}
}

// begin prepares the search for a task.
func (e *engine) begin(t *bot.Task) *search {
	e.field.follow(e.state.Board())
	s := &e.s
	s.f, s.t, s.tt, s.tried = e.field, t, &e.table, &e.tried
	s.rule, s.ends = e.rules.Rule(), e.rules.DrawEmpty()
	s.nodes, s.stop = 0, false
	s.fours, s.threes = foursOf(t.Level), t.Level >= bot.MaxLevel
	for c := range s.hist {
		if s.hist[c] == nil {
			s.hist[c] = make([]int32, len(s.f.cells))
		}
		for i := range s.hist[c] {
			s.hist[c][i] /= 4
		}
	}
	for i := range s.killer {
		s.killer[i] = [2]int32{-1, -1}
	}
	return s
}

// foursOf returns how many fours in a row a level sees beyond its depth.
func foursOf(level int) int {
	switch {
	case level <= 2:
		return 0
	case level <= 4:
		return 3
	}
	return 8
}

// result is what a search found.
type result struct {
	move  game.Move
	score int
	info  game.Info
}

// think searches for a stone of colour c, deeper and deeper.
func (e *engine) think(t *bot.Task, c int) result {
	s := e.begin(t)
	roots := e.roots(c)
	best := e.found(roots[0].at, 0, 0, c)
	if !t.Analysing() {
		if at, score, ok := e.obvious(roots, c); ok {
			return e.found(at, score, 0, c)
		}
	}
	for depth := 1; depth < maxPly/2 && t.More(depth); depth++ {
		if depth > 1 && s.threes && !t.Analysing() {
			if n, at := s.threats(c, share(s.nodes, 4_000, 4)); n > 0 && at >= 0 {
				return e.found(at, win-n, depth, c)
			}
		}
		for line := range min(t.Lines, len(roots)) {
			at, score, done := s.root(roots[line:], depth, c)
			if at < 0 {
				break
			}
			r := e.found(at, score, depth, c)
			if line == 0 {
				best = r
			}
			if done {
				if t.Lines > 1 {
					r.info.Rank = line + 1
				}
				t.Report(r.info)
			}
		}
		if s.stop || best.score > winBound || best.score < -winBound && t.Lines == 1 {
			break
		}
	}
	return best
}

// roots lists the first moves: what the search would look at, or whatever is left
// when that is nothing.
func (e *engine) roots(c int) []move {
	f := e.field
	list := append([]move(nil), e.s.candidates(c, 0, -1, maxMoves)...)
	if len(list) > 0 {
		return list
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
	return append(list, any)
}

// obvious finds moves that need no search: a five, the only answer to one, a
// forced win by fours, the only candidate.
func (e *engine) obvious(roots []move, c int) (at int32, score int, ok bool) {
	s, f := &e.s, e.field
	switch v, _, forced := s.decided(c, 0); {
	case f.count[c][cFive] > 0:
		return int32(f.find(c, cFive)), win - 1, true
	case v < 0 && f.count[1-c][cFive] > 0:
		if i := int32(f.find(1-c, cFive)); !f.foul(int(i), c) {
			return i, v, true
		}
		return roots[0].at, v, true
	case forced >= 0:
		return int32(forced), 0, true
	}
	if s.fours > 0 && f.count[1-c][cFive] == 0 {
		s.budget = 30_000
		if n, i := s.force(c, 4*s.fours); n > 0 && i >= 0 {
			return i, win - n, true
		}
	}
	return roots[0].at, 0, len(roots) == 1
}

// root searches the first moves at a depth and brings the best to the front. done
// is false if it was stopped; at is -1 if not even one move was finished.
func (s *search) root(list []move, depth, c int) (at int32, score int, done bool) {
	at, score = -1, -win
	alpha, best := -win, 0
	for n, m := range list {
		v := s.try(m.at, n, alpha, win, depth, 0, c)
		if s.stop {
			break
		}
		if s.threes && v > score && v > -winBound && v < winBound {
			v = s.checked(m.at, v, c)
		}
		if s.stop {
			break
		}
		if v > score {
			at, score, best = m.at, v, n
		}
		alpha = max(alpha, v)
	}
	first := list[best]
	copy(list[1:best+1], list[:best])
	list[0] = first
	return at, score, !s.stop
}

// found describes a result for the outside.
func (e *engine) found(at int32, score, depth, c int) result {
	f := e.field
	r := result{move: game.PlaceAt(f.point(int(at))), score: score}
	r.info = game.Info{Depth: depth, Nodes: e.s.nodes}
	r.info.Eval, r.info.Bound = bot.Evaluation(score, win, winBound, float64(score))
	r.info.PV = e.line(at, c)
	return r
}

// line follows the table from a first move.
func (e *engine) line(at int32, c int) []game.Move {
	const most = 12
	f := e.field
	pv := make([]game.Move, 0, most)
	var put [most]int
	for len(pv) < most && at >= 0 && f.cells[at] == gomoku.Empty && !f.foul(int(at), c) {
		put[len(pv)] = int(at)
		pv = append(pv, game.PlaceAt(f.point(int(at))))
		over := f.class[c][at]&classMask == cFive
		f.put(int(at), stone(c))
		if c = 1 - c; over {
			break
		}
		at = -1
		if n := f.count[c][cFive]; n > 0 {
			at = int32(f.find(c, cFive))
		} else if f.count[1-c][cFive] > 0 {
			at = int32(f.find(1-c, cFive))
		} else if x, ok := e.table.get(e.s.key(c)); ok {
			at = int32(x.move)
		}
	}
	for k := len(pv) - 1; k >= 0; k-- {
		f.take(put[k])
	}
	return pv
}

// Blunder plays a point that looks reasonable, the best one or not. A five of its
// own is never overlooked.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	turn := e.state.Turn()
	if turn.Phase != gomoku.PhasePlace || e.rules.Continuous() {
		return e.Think(t)
	}
	e.begin(t)
	c := side(e.state.Next())
	list := e.roots(c)
	m := list[t.Rand.IntN(min(len(list), 12))]
	if e.field.count[c][cFive] > 0 {
		m.at = int32(e.field.find(c, cFive))
	}
	return player.Answer{Steps: []game.Move{game.PlaceAt(e.field.point(int(m.at)))}}
}
