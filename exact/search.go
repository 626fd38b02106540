package exact

import (
	"crypto/sha256"
	"math"

	"kibitz/game"
	"kibitz/rules"
)

// Search decides positions of any game of perfect information by playing all that
// is left, or as much of it as decides the result. It knows turns of several
// decisions, passes and draws. Where chance or a hidden fact would decide, nothing
// is known, and what is proved does not depend on it.
type Search struct {
	// Text names the rest in a verdict, for example "3 empty points".
	Text func(s rules.State) string
	// When is the test of Near.
	When func(s rules.State) bool
	// History says that a position is more than its text: repetitions and counters
	// decide games. Then no position is remembered, and the search goes deeper by
	// one decision at a time, for as long as the budget lasts.
	History bool
	// Cap bounds the positions searched whatever the budget, 0 for not at all.
	Cap int64
	// Unit is what the board counts, if the score that comes with the result is to
	// be known too. The scores of both seats must have a constant sum at the end.
	Unit string

	budget, nodes int64
	known         map[key]bounds
	unsure        int // what an undecided position counts for the seat at the root
	root          game.Seat
	missed        bool // an undecided position was met
}

// mostKnown bounds the positions that a search remembers, some 60 bytes each.
const mostKnown = 4 << 20

// key stands for a position: the first half of the SHA-256 of its text. Two
// positions with one key are not known to exist and cannot be found by chance.
type key [16]byte

// bounds is what is known of the value of a position for the first seat.
type bounds struct {
	lo, hi int
	best   game.Move
}

// won is the value of a win without its score; scores come on top.
const won = 1 << 20

// most is above every value.
const most = math.MaxInt32

// Near reports what When says, true if it is nil.
func (x *Search) Near(s rules.State) bool { return x.When == nil || x.When(s) }

// Solve decides the position.
func (x *Search) Solve(s rules.State, budget int64) (Verdict, bool) {
	x.budget, x.nodes = budget, 0
	if x.Cap > 0 {
		x.budget = min(budget, x.Cap)
	}
	x.root = s.Turn().Seat
	if !x.root.IsPlayer() {
		return Verdict{}, false
	}
	var value int
	var ok bool
	if x.History {
		value, ok = x.deepen(s)
	} else {
		x.known = map[key]bounds{}
		x.missed, x.unsure = false, 0
		value, ok = x.value(s, most, -x.bound(), x.bound())
		ok = ok && !x.missed
	}
	v := x.verdict(s, value, ok)
	x.known = nil
	return v, ok
}

// verdict puts a value into words. The line is what is remembered.
func (x *Search) verdict(s rules.State, value int, ok bool) Verdict {
	v := Verdict{Nodes: x.nodes}
	if !ok {
		return v
	}
	switch {
	case value > 0:
		v.Points = [2]float64{1, 0}
	case value < 0:
		v.Points = [2]float64{0, 1}
	default:
		v.Points = [2]float64{0.5, 0.5}
	}
	v.Why = "searched to the end"
	if x.Text != nil {
		v.Why = x.Text(s) + " searched to the end"
	}
	if x.History {
		v.Why = "all lines that matter are decided"
	}
	v.Line = x.line(s, value)
	v.Nodes = x.nodes
	if x.Unit != "" {
		if end, over := after(s, v.Line).Result(); over && end.HasBoard && valueOf(end, true) == value {
			v.SetBoard(end.Board[0], end.Board[1], x.Unit)
		}
	}
	return v
}

func after(s rules.State, line []game.Move) rules.State {
	c := s.Clone()
	for _, m := range line {
		if _, err := c.Apply(m, nil); err != nil {
			break
		}
	}
	return c
}

// bound is the value that none exceeds: where scores do not count a win is the best.
func (x *Search) bound() int {
	if x.Unit == "" {
		return won
	}
	return most
}

// deepen looks deeper until the result no longer depends on what is undecided: it
// is the same whether that is lost or won for the side at the root.
func (x *Search) deepen(s rules.State) (value int, ok bool) {
	limit := x.bound()
	best := limit
	if x.root == game.Second {
		best = -limit
	}
	for depth := 1; ; depth++ {
		x.missed, x.unsure = false, -best
		low, ok := x.value(s, depth, -limit, limit)
		if !ok {
			return 0, false
		}
		if !x.missed {
			return low, true
		}
		if low == best {
			return low, true
		}
		x.unsure = best
		high, ok := x.value(s, depth, -limit, limit)
		switch {
		case !ok:
			return 0, false
		case low == high:
			return low, true
		}
	}
}

// valueOf returns the value of a result for the first seat.
func valueOf(r game.Result, board bool) int {
	n := 0
	switch r.Winner() {
	case game.First:
		n = won
	case game.Second:
		n = -won
	}
	if board && r.HasBoard {
		n += int(2 * (r.Board[0] - r.Board[1]))
	}
	return n
}

// value returns the value of a position for the first seat, exact between alpha and
// beta, else a bound of it; depth is how many more decisions may be looked at. ok is
// false if the budget is spent.
func (x *Search) value(s rules.State, depth, alpha, beta int) (v int, ok bool) {
	if x.nodes++; x.nodes > x.budget {
		return 0, false
	}
	if r, over := s.Result(); over {
		return valueOf(r, x.Unit != ""), true
	}
	seat := s.Turn().Seat
	if _, hidden := s.(rules.Permitter); depth == 0 || hidden || !seat.IsPlayer() {
		x.missed = true
		return x.unsure, true
	}
	k, old, cut := x.find(s, alpha, beta)
	if cut {
		if old.lo >= beta || old.lo == old.hi {
			return old.lo, true
		}
		return old.hi, true
	}
	low, high := max(alpha, old.lo), min(beta, old.hi)
	best, move, ok := x.children(s, seat, depth, low, high, old.best)
	if !ok {
		return 0, false
	}
	x.keep(k, old, bounds{best, best, move}, low, high)
	return best, true
}

// children returns the best value of all decisions of a seat, and the decision.
func (x *Search) children(s rules.State, seat game.Seat, depth, low, high int, hint game.Move) (best int, move game.Move, ok bool) {
	best = -most
	if seat == game.Second {
		best = most
	}
	var room [64]game.Move
	list := s.Legal(room[:0])
	front(list, hint)
	var notices [4]game.Notice
	for _, m := range list {
		c := s.Clone()
		if _, err := c.Apply(m, notices[:0]); err != nil {
			return 0, m, false
		}
		v, ok := x.value(c, depth-1, low, high)
		if !ok {
			return 0, m, false
		}
		if seat == game.First && v > best || seat == game.Second && v < best || move.Op == game.NoOp {
			best, move = v, m
		}
		if seat == game.First {
			low = max(low, best)
		} else {
			high = min(high, best)
		}
		if low >= high {
			break
		}
	}
	return best, move, len(list) > 0
}

// front puts a decision first, if it is in the list.
func front(list []game.Move, m game.Move) {
	for i := range list {
		if list[i] == m {
			copy(list[1:i+1], list[:i])
			list[0] = m
			return
		}
	}
}

// find looks a position up, and reports whether what is known suffices.
func (x *Search) find(s rules.State, alpha, beta int) (k key, b bounds, enough bool) {
	b = bounds{lo: -most, hi: most}
	if x.History {
		return k, b, false
	}
	sum := sha256.Sum256([]byte(s.Text()))
	copy(k[:], sum[:])
	if old, ok := x.known[k]; ok {
		b = old
	}
	return k, b, b.lo >= beta || b.hi <= alpha || b.lo == b.hi
}

// keep remembers what a search between low and high has found.
func (x *Search) keep(k key, old, found bounds, low, high int) {
	if x.History {
		return
	}
	if found.lo <= low { // at most
		found.lo = old.lo
	}
	if found.hi >= high { // at least
		found.hi = old.hi
	}
	if len(x.known) < mostKnown || old.lo > -most || old.hi < most {
		x.known[k] = found
	}
}

// line returns a line of best play: from what is remembered, and found anew where
// that does not suffice.
func (x *Search) line(s rules.State, value int) []game.Move {
	var line []game.Move
	if x.History {
		return nil
	}
	x.budget += x.budget // the proof is complete: what follows shows it
	for c := s.Clone(); c.Turn().Seat.IsPlayer(); {
		m, ok := x.next(c, value)
		if !ok {
			break
		}
		if _, err := c.Apply(m, nil); err != nil {
			break
		}
		line = append(line, m)
	}
	return line
}

// next returns a decision that keeps the value.
func (x *Search) next(s rules.State, value int) (game.Move, bool) {
	_, b, _ := x.find(s, -most, most)
	list := s.Legal(nil)
	front(list, b.best)
	for _, m := range list {
		c := s.Clone()
		if _, err := c.Apply(m, nil); err != nil {
			return m, false
		}
		v, ok := x.value(c, most, value-1, value+1)
		if !ok {
			return m, false
		}
		if v == value {
			return m, true
		}
	}
	return game.Move{}, false
}
