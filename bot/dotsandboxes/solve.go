package dotsandboxes

import (
	"math/bits"
	"time"

	"kibitz/bot"
	rule "kibitz/games/dotsandboxes"
)

// solver finds the exact value of quiet positions.
type solver struct {
	settler
	table   table
	task    *bot.Task
	size    int
	nodes   int64
	most    int64         // nodes after which it gives up, 0 for no limit
	until   time.Duration // time of the task after which it gives up, 0 for no limit
	stopped bool
	lists   [maxLines + 1][]choice
}

// resize prepares for boards of a size.
func (s *solver) resize(size int) {
	s.size, s.board = size, boxesOf(size)
}

// begin starts a search for a task.
func (s *solver) begin(t *bot.Task) {
	s.task, s.nodes, s.most, s.until, s.stopped = t, 0, 0, 0, false
}

func (s *solver) visit() {
	s.nodes++
	if s.nodes&1023 != 0 {
		return
	}
	s.stopped = s.task != nil && s.task.Poll(1024) || s.most > 0 && s.nodes >= s.most ||
		s.until > 0 && s.task.Elapsed() >= s.until
}

// flush counts what visit has not passed on.
func (s *solver) flush() {
	s.task.Poll(s.nodes & 1023)
	s.nodes = 0
}

// value returns the value of a quiet position for the side to move: the boxes that
// it will take less those of the other side. It is exact between alpha and beta,
// else a bound. It means nothing once the solver is stopped.
func (s *solver) value(q *quiet, ply, alpha, beta int) int {
	if q.open.Empty() {
		return 0
	}
	if s.visit(); s.stopped {
		return 0
	}
	left := s.size*s.size - bits.OnesCount64(q.drawn.Closed())
	lo, hi := -left, left
	key := q.key()
	old, known := s.table.get(q, key)
	if known {
		lo, hi = int(old.lo), int(old.hi)
	}
	if lo >= beta || lo == hi {
		return lo
	}
	if hi <= alpha {
		return hi
	}
	low, high := max(alpha, lo), min(beta, hi)
	list := q.choices(s.lists[ply][:0], s.size, s.board)
	s.lists[ply] = list
	if known {
		toFront(list, old.best)
	}
	best, line := -left-1, list[0].line
	for i := range list {
		v := s.try(q, list[i].line, ply, max(low, best), high)
		if s.stopped {
			return 0
		}
		if v > best {
			best, line = v, list[i].line
		}
		if best >= high {
			break
		}
	}
	// Below low the value is an upper bound, from high on a lower one.
	switch {
	case best >= high:
		lo = max(lo, best)
	case best <= low:
		hi = min(hi, best)
	default:
		lo, hi = best, best
	}
	s.table.put(key, entry{drawn: q.drawn, lo: int8(lo), hi: int8(max(lo, hi)), best: line})
	return best
}

// try returns the value of a line for the side that draws it.
func (s *solver) try(q *quiet, l rule.Line, ply, alpha, beta int) int {
	next := *q
	next.draw(l)
	o := s.settle(&next)
	if o.hand == 0 {
		return -o.taken - s.value(&next, ply+1, -beta-o.taken, -alpha-o.taken)
	}
	// The other side gets taken+|w+hand|, at least taken.
	least := -alpha - o.taken
	if least <= 0 {
		return -o.taken
	}
	return -o.worth(s.value(&next, ply+1, -least-o.hand, least-o.hand))
}

// toFront moves a line to the head of the list, if it is there.
func toFront(list []choice, l rule.Line) {
	for i := range list {
		if list[i].line == l {
			c := list[i]
			copy(list[1:i+1], list[:i])
			list[0] = c
			return
		}
	}
}
