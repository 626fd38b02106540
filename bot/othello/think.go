package othello

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/player"
)

// root is a first move with what was found about it.
type root struct {
	next   othello.Board
	square int
	value  int // in parts of a disc, for the side to move
}

// varyFrom is the number of empty squares from which on nearly equal moves are
// drawn by lot, so that games differ; varyBy is what nearly means.
const (
	varyFrom = 54
	varyBy   = disc * 3 / 4
)

// Think searches by iterative deepening, and solves the position where that can
// be done in time.
func (e *engine) Think(t *bot.Task) player.Answer {
	if !e.board.HasMoves() {
		return e.noMove(t)
	}
	if !t.Analysing() {
		if sq, v, ok := e.book.choose(e.board, e.seat, t.Rand); ok {
			r := root{square: sq, value: v}
			return player.Answer{Steps: e.step(&r), Info: game.Info{Eval: discs(v), Book: true, PV: e.moves}}
		}
	}
	t.UseAll()
	e.prepare(t)
	e.list()
	lines := t.Lines
	vary := !t.Analysing() && e.board.Empties() >= varyFrom
	if vary {
		lines = max(lines, 4)
	}
	lines = min(lines, len(e.roots))
	e.rankRoots()
	var done iteration
	for it := e.first(t); it.depth > 0; it = e.after(t, done) {
		if !e.iterate(t, &it, lines) {
			break
		}
		done = it
	}
	e.search.flush()
	return e.answer(t, done, vary)
}

// noMove answers where there is nothing to decide: a pass, or nothing.
func (e *engine) noMove(t *bot.Task) player.Answer {
	if e.board.Over() {
		return player.Answer{}
	}
	e.moves = append(e.moves[:0], game.PassMove())
	a := player.Answer{Steps: e.moves, Info: game.Info{PV: e.moves}}
	if t.Analysing() {
		e.board = e.board.Swap()
		d := e.deeper(t)
		e.board = e.board.Swap()
		a.Info.Eval, a.Info.Depth, a.Info.Bound = d.Eval, d.Depth, d.Bound
		a.Info.Eval.Lo, a.Info.Eval.Hi = -d.Eval.Hi, -d.Eval.Lo
		a.Info.PV = append([]game.Move{game.PassMove()}, d.PV...)
		a.Info.Rank = 1
		t.Report(a.Info)
	}
	return a
}

// deeper evaluates the position after a pass, without reporting.
func (e *engine) deeper(t *bot.Task) game.Info {
	e.prepare(t)
	e.list()
	e.rankRoots()
	var done iteration
	for it := e.first(t); it.depth > 0; it = e.after(t, done) {
		it.silent = true
		if !e.iterate(t, &it, 1) {
			break
		}
		done = it
	}
	e.search.flush()
	return e.info(&e.roots[0], done)
}

// answer decides after the last iteration that was completed.
func (e *engine) answer(t *bot.Task, done iteration, vary bool) player.Answer {
	best := &e.roots[0]
	if vary && done.depth > 0 {
		n := 1
		for n < done.lines && e.roots[n].value >= best.value-varyBy {
			n++
		}
		best = &e.roots[t.Rand.IntN(n)]
	}
	return player.Answer{Steps: e.step(best), Info: e.info(best, done)}
}

// iteration is one pass over the first moves.
type iteration struct {
	depth  int // plies, or all empty squares
	bound  game.Bound
	lines  int
	silent bool
	// selective tells that all squares are searched but unlikely lines left out, as
	// Solver does before it proves a score.
	selective bool
}

func (e *engine) first(t *bot.Task) iteration {
	if e.board.Empties() <= 8 && e.maySolve(t) {
		return iteration{depth: e.board.Empties(), bound: game.Exact}
	}
	return iteration{depth: 1}
}

// after returns the iteration after done, or one of depth 0 if none should begin.
func (e *engine) after(t *bot.Task, done iteration) iteration {
	empties := e.board.Empties()
	winLoss := iteration{depth: empties, bound: game.WinLoss}
	exact := iteration{depth: empties, bound: game.Exact}
	switch {
	case done.bound == game.Exact || !t.More(1):
		return iteration{}
	case done.bound == game.WinLoss:
		return exact
	case e.maySolve(t) && done.depth >= ready(empties):
		switch {
		case t.Analysing() || empties < 18:
			if e.inTime(t, exactNodes(empties)) || done.depth >= empties-6 {
				return exact
			}
		case e.inTime(t, winLossNodes(empties)) || done.depth >= empties-1:
			return winLoss
		}
	}
	if done.depth+1 > empties-1 || !t.More(done.depth+1) {
		return iteration{}
	}
	return iteration{depth: done.depth + 1}
}

// ready is the depth of search that prepares well enough for solving.
func ready(empties int) int { return max(2, empties-9) }

// maySolve reports whether a limit of depth leaves room for solving: a search of
// so many plies sees the end from up to twice as many, but no more than eight
// beyond.
func (e *engine) maySolve(t *bot.Task) bool {
	return t.Depth == 0 || e.board.Empties() <= min(2*t.Depth, t.Depth+8)
}

// exactNodes and winLossNodes are how many positions it may take to solve one with
// so many empty squares. Four in five positions from games take less.
func exactNodes(empties int) float64 { return 6e6 * math.Pow(2.1, float64(empties-20)) }

func winLossNodes(empties int) float64 { return 1.5e6 * math.Pow(2.2, float64(empties-20)) }

// inTime guesses whether so many positions can be searched within the bounds of
// time and positions that are left.
func (e *engine) inTime(t *bot.Task, nodes float64) bool {
	if t.Nodes > 0 && nodes > float64(t.Nodes-t.Count()) {
		return false
	}
	const speed = 2e7 // positions per second
	return t.Hard == 0 || nodes/speed*float64(time.Second) < float64(t.Hard-t.Elapsed())
}

// rankRoots puts the first moves into the order of a glance.
func (e *engine) rankRoots() {
	for i := range e.roots {
		e.roots[i].value = -e.search.mid(e.roots[i].next, -limit, limit, 0)
	}
	e.sort(0)
}

// sort orders the first moves from i on by value, the best first.
func (e *engine) sort(i int) {
	slices.SortStableFunc(e.roots[i:], func(a, b root) int { return b.value - a.value })
}

// iterate finds the best first moves of one iteration, reports them and reports
// whether what stands in roots can be relied on.
func (e *engine) iterate(t *bot.Task, it *iteration, lines int) bool {
	if it.bound == game.WinLoss {
		lines = 1
	}
	e.search.width = 0
	if it.selective {
		e.search.width = 1
	}
	for k := range lines {
		if !e.best(k, it) {
			// The moves before k are those of this iteration, the others of the
			// one before.
			return false
		}
		it.lines = k + 1
		if it.silent || !t.Heard() {
			continue
		}
		info := e.info(&e.roots[k], *it)
		info.Rank = k + 1
		t.Report(info)
	}
	return true
}

// best searches the first moves from k on and brings the best of them to place k.
// Even if the search is stopped the move at k is good to play.
func (e *engine) best(k int, it *iteration) bool {
	low, high := -limit, limit
	if it.bound == game.WinLoss {
		low, high = -disc, disc
	}
	guess, wide := e.roots[k].value, 3*disc
	switch {
	case it.bound == game.Exact || it.selective:
		// Scores are even: a window of two discs around one proves it.
		guess = 2 * disc * floorDiv(guess+disc, 2*disc)
		wide = disc
		low, high = max(low, guess-wide), min(high, guess+wide)
	case it.bound == game.Searched && it.depth > 4:
		low, high = max(low, guess-wide), min(high, guess+wide)
	}
	for {
		v, ok := e.window(k, it, low, high)
		wide *= 2
		switch {
		case !ok:
			return false
		case it.bound == game.WinLoss:
			return true
		case v <= low && low > -limit:
			low = max(-limit, v-wide)
			if it.bound == game.Exact || it.selective {
				high = min(limit, v+1)
			}
		case v >= high && high < limit:
			high = min(limit, v+wide)
			if it.bound == game.Exact || it.selective {
				low = max(-limit, v-1)
			}
		default:
			return true
		}
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// window searches the first moves from k on within a window.
func (e *engine) window(k int, it *iteration, low, high int) (int, bool) {
	best := none
	for i := k; i < len(e.roots); i++ {
		r := &e.roots[i]
		v := e.value(r.next, max(low, best), high, it, i > k)
		if e.search.stopped {
			return best, false
		}
		if v <= best {
			continue
		}
		best = v
		r.value = v
		moved := *r
		copy(e.roots[k+1:i+1], e.roots[k:i])
		e.roots[k] = moved
		if v >= high {
			break
		}
	}
	return best, true
}

// value searches one first move.
func (e *engine) value(b othello.Board, low, high int, it *iteration, scout bool) int {
	s := &e.search
	if it.bound != game.Searched || it.selective {
		lo, hi := max(-64, floorDisc(low)), min(64, ceilDisc(high))
		return disc * s.solveChild(b, lo, hi, b.Empties(), scout)
	}
	return s.midChild(b, low, high, it.depth-1, scout)
}

// info says what was found about a first move.
func (e *engine) info(r *root, it iteration) game.Info {
	info := game.Info{Eval: discs(r.value), Depth: it.depth, Bound: it.bound}
	if it.bound == game.WinLoss {
		info.Eval = discs(min(2*disc, max(-2*disc, r.value)))
	}
	info.PV = e.line(r, it.depth)
	return info
}

func discs(value int) game.Eval {
	d := float64(value) / disc
	return game.Eval{Unit: game.Discs, Lo: d, Hi: d}
}

// line follows the remembered best moves after a first move.
func (e *engine) line(r *root, depth int) []game.Move {
	pv := make([]game.Move, 1, max(1, min(depth, 60)))
	pv[0] = game.PlaceAt(othello.PointOf(r.square))
	b := r.next
	for len(pv) < depth {
		moves := b.Moves()
		if moves == 0 {
			if b.Over() {
				break
			}
			pv = append(pv, game.PassMove())
			b = b.Swap()
			continue
		}
		sq := noMove
		if en := e.search.tables.of(b.Empties()).find(b); en != nil {
			sq = int(en.move)
		}
		if bits.OnesCount64(moves) == 1 {
			sq = bits.TrailingZeros64(moves)
		}
		if sq == noMove || moves>>uint(sq)&1 == 0 {
			break
		}
		pv = append(pv, game.PlaceAt(othello.PointOf(sq)))
		b = b.Play(sq, b.Flips(sq))
	}
	return pv
}
