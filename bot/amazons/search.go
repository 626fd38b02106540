package amazons

import (
	"slices"

	"kibitz/bot"
	"kibitz/games/amazons"
)

// turn is an amazon move and its shot. The zero turn is none. A turn that only
// shoots, in the middle of one, has from equal to to.
type turn struct{ from, to, shot uint8 }

func (t turn) code() int { return int(t.from)<<16 | int(t.to)<<8 | int(t.shot) }

// child is a turn with its value for the side that makes it.
type child struct {
	turn
	value int32
}

// byValue sorts the best first; equal ones keep an order of their own.
func byValue(a, b child) int {
	if a.value != b.value {
		return int(b.value) - int(a.value)
	}
	return a.code() - b.code()
}

const maxDepth = 40

// How many amazon moves are looked at with their arrows, and how many turns are
// searched, by distance from the root.
var (
	shiftWidth = [...]int{24, 12, 10, 8}
	turnWidth  = [...]int{60, 20, 14, 10}
)

func at(widths []int, ply int) int { return widths[min(ply, len(widths)-1)] }

// search is the alpha-beta search of one task.
type search struct {
	weights weights
	sau     bool
	table   table
	task    *bot.Task
	board   amazons.Board
	stopped bool
	nodes   int64
	lists   [maxDepth + 1][]child
	shifts  [maxDepth + 1][]child
	pv      [maxDepth + 2][]turn
}

// visit counts an evaluated position.
func (s *search) visit() {
	s.nodes++
	if s.nodes&255 == 0 && s.task.Poll(256) {
		s.stopped = true
	}
}

// flush counts what visit has not passed on.
func (s *search) flush() {
	s.task.Poll(s.nodes & 255)
	s.nodes = 0
}

// value is the evaluation for the side to move, with the ruling in force.
func (s *search) value(p *position, white bool) int {
	if s.sau {
		own, other := queen(p.own, p.empty).empty(), queen(p.other, p.empty).empty()
		if own || other { // boxed in white loses before black
			lost := own && (white || !other)
			if lost {
				return -won
			}
			return won
		}
	}
	return s.weights.evaluate(p)
}

// node returns the value of the position for the side to move. The best line is
// in s.pv[ply].
func (s *search) node(depth, ply int, alpha, beta int) int {
	s.pv[ply] = s.pv[ply][:0]
	key := s.board.Hash()
	old, known := s.table.get(key)
	if known && int(old.depth) >= depth {
		v := unplied(int(old.value), ply)
		if old.bound == exact || old.bound == atLeast && v >= beta || old.bound == atMost && v <= alpha {
			s.pv[ply] = append(s.pv[ply], old.best)
			return v
		}
	}
	if !known {
		old.best = turn{}
	}
	bound := beta
	if depth > 1 {
		bound = inf
	}
	list := s.expand(ply, old.best, bound)
	if s.stopped {
		return 0
	}
	if len(list) == 0 {
		return ply - won
	}
	if depth == 1 {
		return s.leaf(list, ply, alpha, beta)
	}
	best, move := -inf, turn{}
	low := alpha
	for i := range list {
		v := s.try(&list[i], depth, ply, i == 0, low, beta)
		if s.stopped {
			return 0
		}
		if v > best {
			best, move = v, list[i].turn
			s.line(ply, move)
		}
		if low = max(low, v); low >= beta {
			break
		}
	}
	s.keep(key, depth, ply, best, alpha, beta, move)
	return best
}

// leaf returns the best evaluation among the turns.
func (s *search) leaf(list []child, ply, alpha, beta int) int {
	b := list[0]
	for _, c := range list[1:] {
		if byValue(c, b) < 0 {
			b = c
		}
	}
	s.pv[ply] = append(s.pv[ply][:0], b.turn)
	s.keep(s.board.Hash(), 1, ply, int(b.value), alpha, beta, b.turn)
	return int(b.value)
}

// try searches one turn: the first with the full window, the others first with
// an empty one.
func (s *search) try(c *child, depth, ply int, first bool, alpha, beta int) int {
	if c.value >= won-maxDepth || c.value <= maxDepth-won {
		s.pv[ply+1] = s.pv[ply+1][:0]
		return int(c.value) // the game ends here
	}
	s.make(c.turn)
	defer s.unmake(c.turn)
	if first {
		return -s.node(depth-1, ply+1, -beta, -alpha)
	}
	v := -s.node(depth-1, ply+1, -alpha-1, -alpha)
	if v > alpha && v < beta && !s.stopped {
		v = -s.node(depth-1, ply+1, -beta, -alpha)
	}
	return v
}

func (s *search) line(ply int, t turn) {
	s.pv[ply] = append(append(s.pv[ply][:0], t), s.pv[ply+1]...)
}

func (s *search) keep(key uint64, depth, ply, v, alpha, beta int, best turn) {
	bound := exact
	switch {
	case v >= beta:
		bound = atLeast
	case v <= alpha:
		bound = atMost
	}
	s.table.put(entry{key: key, value: int32(plied(v, ply)), best: best, depth: uint8(depth), bound: bound})
}

// plied makes a won value count from the position instead of from the root.
func plied(v, ply int) int {
	switch {
	case v >= won-maxDepth:
		return v + ply
	case v <= maxDepth-won:
		return v - ply
	}
	return v
}

func unplied(v, ply int) int {
	switch {
	case v >= won-maxDepth:
		return v - ply
	case v <= maxDepth-won:
		return v + ply
	}
	return v
}

func (s *search) make(t turn) {
	if t.from != t.to {
		s.board.Shift(int(t.from), int(t.to))
	}
	s.board.Shoot(int(t.shot))
}

func (s *search) unmake(t turn) {
	s.board.Unshoot(int(t.shot), int(t.to))
	if t.from != t.to {
		s.board.Unshift(int(t.from), int(t.to))
	}
}

// expand evaluates the turns of the most promising amazon moves and returns the
// best of them in order, the remembered one first. It ends early once a turn is
// worth beta.
func (s *search) expand(ply int, hint turn, beta int) []child {
	p := look(&s.board)
	list := s.lists[ply][:0]
	if sq, ok := s.board.Shooter(); ok {
		list = s.shots(list, &p, uint8(sq), uint8(sq), ply, beta)
	} else {
		for _, c := range s.rankShifts(&p, ply, hint) {
			from, to := int(c.from), int(c.to)
			s.board.Shift(from, to)
			q := moved(p, c.from, c.to)
			n := len(list)
			list = s.shots(list, &q, c.from, c.to, ply, beta)
			s.board.Unshift(from, to)
			if s.stopped || hasFrom(list[n:], beta) {
				break
			}
		}
	}
	s.lists[ply] = list
	if s.stopped && ply > 0 {
		return nil
	}
	if beta == inf {
		slices.SortFunc(list, byValue)
		list = list[:min(len(list), at(turnWidth[:], ply))]
		toFront(list, hint)
	}
	return list
}

func hasFrom(list []child, beta int) bool {
	for i := range list {
		if int(list[i].value) >= beta {
			return true
		}
	}
	return false
}

// toFront moves a turn to the head of the list, if it is there.
func toFront(list []child, t turn) {
	for i := range list {
		if list[i].turn == t {
			c := list[i]
			copy(list[1:i+1], list[:i])
			list[0] = c
			return
		}
	}
}

func moved(p position, from, to uint8) position {
	f, t := bit(from), bit(to)
	p.own = p.own.not(f).or(t)
	p.empty = p.empty.not(t).or(f)
	return p
}

// rankShifts returns the amazon moves that look best without their arrows.
func (s *search) rankShifts(p *position, ply int, hint turn) []child {
	list := s.shifts[ply][:0]
	white := s.board.Side() == 1
	var buf [4 * amazons.Size]uint8
	for _, from := range s.board.Queens(s.board.Side()) {
		for _, to := range s.board.Reach(int(from), buf[:0]) {
			q := moved(*p, from, to)
			q.own, q.other = q.other, q.own
			v := -s.value(&q, !white)
			if from == hint.from && to == hint.to {
				v = inf
			}
			list = append(list, child{turn{from, to, 0}, int32(v)})
			s.visit()
		}
	}
	s.shifts[ply] = list
	slices.SortFunc(list, byValue)
	return list[:min(len(list), at(shiftWidth[:], ply))]
}

// shots appends the turns of an amazon that stands on its new square in p and on
// the board.
func (s *search) shots(list []child, p *position, from, to uint8, ply, beta int) []child {
	white := s.board.Side() == 1
	var buf [4 * amazons.Size]uint8
	q := *p
	q.own, q.other = p.other, p.own
	for _, shot := range s.board.Reach(int(to), buf[:0]) {
		q.empty = p.empty.not(bit(shot))
		v := -s.value(&q, !white)
		if v >= won || v <= -won {
			v -= (ply + 1) * sign(v)
		}
		list = append(list, child{turn{from, to, shot}, int32(v)})
		if s.visit(); s.stopped || v >= beta {
			break
		}
	}
	return list
}

func sign(v int) int {
	if v < 0 {
		return -1
	}
	return 1
}
