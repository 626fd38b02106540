package darkchess

import (
	"math/bits"
	"slices"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/player"
)

// root is a first decision with what was found about it.
type root struct {
	move  move
	value int
	line  []move
}

func (r *root) flip() bool { return r.move>>8 == r.move&255 }

// less is how many plies less deep the outcomes of a flip are searched: there are
// many of them.
const less = 2

// spread bounds what a flip is believed to change.
const spread = 2000

// list fills in the first decisions: all moves, and the flips worth a thought.
// Among squares with nothing face up beside them one stands for all.
func (e *engine) list(t *bot.Task) {
	s := &e.search
	e.roots = e.roots[:0]
	if e.known {
		for _, o := range s.moves(0, e.colour(), 0, false) {
			e.add(o.move)
		}
	}
	hidden := s.board.At(darkchess.Hidden)
	up := s.board.Own(darkchess.Red) | s.board.Own(darkchess.Black)
	var alone []int
	for set := hidden; set != 0; set &= set - 1 {
		sq := bits.TrailingZeros32(set)
		if around(sq)&up == 0 {
			alone = append(alone, sq)
		} else {
			e.add(shift(sq, sq))
		}
	}
	switch {
	case t.Analysing() && t.Lines > 1:
		for _, sq := range alone {
			e.add(shift(sq, sq))
		}
	case len(alone) > 0:
		sq := alone[t.Rand.IntN(len(alone))]
		e.add(shift(sq, sq))
	}
}

// around returns the squares beside a square.
func around(sq int) (set uint32) {
	for to := range apart[sq] {
		if apart[sq][to] == 1 {
			set |= 1 << to
		}
	}
	return set
}

func (e *engine) add(m move) {
	if n := len(e.roots); n < cap(e.roots) { // keep the line's memory
		e.roots = e.roots[:n+1]
		e.roots[n].move, e.roots[n].value, e.roots[n].line = m, 0, e.roots[n].line[:0]
		return
	}
	e.roots = append(e.roots, root{move: m})
}

// Think searches by iterative deepening.
func (e *engine) Think(t *bot.Task) player.Answer {
	e.prepare(t)
	defer e.search.flush()
	e.list(t)
	if len(e.roots) == 0 {
		return player.Answer{}
	}
	if !e.known { // nothing tells the squares apart
		return e.answer(t, 0)
	}
	lines := min(max(t.Lines, 1), len(e.roots))
	done := 0
	for depth := 1; depth <= maxDepth && t.More(depth); depth++ {
		if !e.iterate(depth, lines) {
			break
		}
		done = depth
		e.report(t, depth)
		if v := e.roots[0].value; v >= winMin || v <= -winMin || len(e.roots) == 1 && !t.Analysing() {
			break
		}
	}
	return e.answer(t, done)
}

func (e *engine) answer(t *bot.Task, depth int) player.Answer {
	info := e.info(depth, 0)
	info.Rank = 0
	if !e.known {
		info.Eval = game.Eval{Unit: game.Points}
		t.Report(info)
	}
	e.steps = append(e.steps[:0], decision(e.roots[0].move))
	return player.Answer{Steps: e.steps, Info: info}
}

// iterate searches all first decisions one ply deeper and brings the best lines to
// the front. If it is stopped half-way the best decision that was searched to the
// new depth stands, and false is returned.
func (e *engine) iterate(depth, lines int) bool {
	s := &e.search
	for i := range e.roots {
		alpha := -inf
		if i >= lines {
			alpha = e.roots[lines-1].value
		}
		r := e.roots[i]
		s.pv[1] = s.pv[1][:0]
		if r.flip() {
			r.value = e.flipped(&r, depth, alpha)
		} else {
			r.value = s.try(r.move, depth, 0, i < lines, alpha, inf, e.colour())
		}
		if s.stopped {
			return false
		}
		r.line = append(r.line[:0], s.pv[1]...)
		e.roots[i] = r
		if i < lines || r.value > alpha {
			e.raise(i, lines)
		}
	}
	return true
}

// raise moves root i up among the best lines.
func (e *engine) raise(i, lines int) {
	r := e.roots[i]
	j := i
	for ; j > 0 && (j > lines || e.roots[j-1].value < r.value); j-- {
		e.roots[j] = e.roots[j-1]
	}
	e.roots[j] = r
}

// flipped returns the mean value of what can come to light on a square, or a bound
// if it cannot exceed alpha.
func (e *engine) flipped(r *root, depth, alpha int) int {
	s := &e.search
	sq, _ := r.move.squares()
	before, quiet, path := s.board, s.quiet, len(s.path)
	down := before.Down()
	total := bits.OnesCount32(before.At(darkchess.Hidden))
	base := s.evaluate(e.colour())
	low, high := base-spread, base+spread
	sum, left := 0, total
	for p, n := range down {
		if n == 0 {
			continue
		}
		s.board.Reveal(sq, uint8(p))
		s.quiet = 0
		s.path = append(s.path, s.key(1-e.colour()))
		v := -s.node(depth-1-less, 1, -high, -low, 1-e.colour(), false)
		s.board, s.quiet, s.path = before, quiet, s.path[:path]
		if s.stopped {
			return 0
		}
		sum += int(n) * min(max(v, low), high)
		left -= int(n)
		if sum+left*high <= alpha*total {
			break
		}
	}
	s.pv[1] = s.pv[1][:0]
	return (sum + left*high) / total
}

// report streams the lines of an iteration.
func (e *engine) report(t *bot.Task, depth int) {
	for i := range min(t.Lines, len(e.roots)) {
		info := e.info(depth, i)
		if t.Lines == 1 {
			info.Rank = 0
		}
		t.Report(info)
	}
}

func (e *engine) info(depth, rank int) game.Info {
	r := &e.roots[rank]
	info := game.Info{Depth: depth, Rank: rank + 1, PV: make([]game.Move, 0, 1+len(r.line))}
	info.PV = append(info.PV, decision(r.move))
	for _, m := range r.line {
		if m == 0 {
			break
		}
		info.PV = append(info.PV, decision(m))
	}
	exact := e.search.board.At(darkchess.Hidden) == 0
	info.Eval, info.Bound = evaluation(r.value, exact)
	return info
}

// evaluation gives points, or the turns until the end where nothing is left to
// chance.
func evaluation(v int, exact bool) (game.Eval, game.Bound) {
	bound := winMin - 1
	if !exact {
		bound = win // which nothing is beyond
	}
	return bot.Evaluation(v, win, bound, float64(v)/100)
}

func decision(m move) game.Move {
	from, to := m.squares()
	if from == to {
		return game.FlipAt(pointOf(to))
	}
	return game.ShiftTo(pointOf(from), pointOf(to))
}

func pointOf(sq int) game.Point { return game.Pt(sq%darkchess.Width, sq/darkchess.Width) }

// Blunder makes one of the poorer decisions.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	e.prepare(t)
	defer e.search.flush()
	e.list(t)
	if len(e.roots) < 2 || !e.known || !e.iterate(1, len(e.roots)) {
		return player.Answer{}
	}
	slices.SortStableFunc(e.roots, func(a, b root) int { return b.value - a.value })
	e.roots[0] = e.roots[1+t.Rand.IntN(len(e.roots)-1)]
	return e.answer(t, 1)
}
