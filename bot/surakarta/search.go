package surakarta

import (
	"kibitz/bot"
	"kibitz/games/surakarta"
)

const (
	maxDepth = 60
	maxPly   = maxDepth + 2*surakarta.Pieces + 2
	inf      = 32000
	// won is the value of having won, minus the plies until then. What would be won
	// if a repetition below the root went on is worth counted, minus the plies.
	won     = 30000
	counted = 10000
	// near is the number of plies before the limit without captures from which on
	// the table knows positions by their distance from it.
	near = 20
)

// place is what the search keeps for each ply.
type place struct {
	moves   [surakarta.MaxMoves]surakarta.Step
	order   [surakarta.MaxMoves]int32
	killers [2]surakarta.Step
	line    []surakarta.Step
}

// history is a position with what decides about its end.
type history struct {
	board      surakarta.Board
	repetition int // occurrence of a position that ends the game, 0 for none
	noCapture  int // plies without a capture that end it, 0 for none
	quiet      int // plies since the last capture
	// keys are the hashes of all positions so far, the present one last.
	keys []uint64
}

// search is the alpha-beta search of one task.
type search struct {
	history
	weights weights
	table   table
	task    *bot.Task
	stopped bool
	nodes   int64
	root    int // length of keys at the root
	stack   [maxPly + 1]place
	good    [2][surakarta.Points][surakarta.Points]int32 // quiet moves that refuted
}

// visit counts a position and reports whether thinking must end.
func (s *search) visit() bool {
	s.nodes++
	if s.nodes&255 == 0 && s.task.Poll(256) {
		s.stopped = true
	}
	return s.stopped
}

// flush counts what visit has not passed on.
func (s *search) flush() {
	s.task.Poll(s.nodes & 255)
	s.nodes = 0
}

// move makes a move; undo takes it back with the two numbers that it returned.
func (h *history) move(m surakarta.Step) (took bool, quiet int) {
	quiet = h.quiet
	took = h.board.Move(m)
	h.quiet++
	if took {
		h.quiet = 0
	}
	h.keys = append(h.keys, h.board.Hash())
	return took, quiet
}

func (h *history) undo(m surakarta.Step, took bool, quiet int) {
	h.keys = h.keys[:len(h.keys)-1]
	h.quiet = quiet
	h.board.Unmove(m, took)
}

// count is the value for the side to move if pieces are counted and more of them
// are worth win.
func (s *search) count(win, ply int) int {
	me := s.board.Side()
	switch own, other := s.board.Count(me), s.board.Count(me.Other()); {
	case own > other:
		return win - ply
	case own < other:
		return ply - win
	}
	return 0
}

// ended returns the value of the position if the game is over by repetition or for
// want of captures. A position that has occurred below the root is not searched
// again: what was repeated once can be repeated until it ends the game.
func (s *search) ended(ply int) (value int, over bool) {
	if s.noCapture > 0 && s.quiet >= s.noCapture {
		return s.count(won, ply), true
	}
	last := len(s.keys) - 1
	times := 1
	for i := last - 4; i >= last-s.quiet && i >= 0; i -= 2 {
		if s.keys[i] != s.keys[last] {
			continue
		}
		switch times++; {
		case times == s.repetition:
			return s.count(won, ply), true
		case i >= s.root && s.repetition == 0:
			return 0, true // nobody gets on this way
		case i >= s.root:
			return s.count(counted, ply), true
		}
	}
	return 0, false
}

// key is the position's key in the table.
func (s *search) key() uint64 {
	k := s.board.Hash()
	if left := s.noCapture - s.quiet; s.noCapture > 0 && left < near {
		k ^= uint64(left+1) * 0x9e3779b97f4a7c15
	}
	return k
}

// node returns the value of the position for the side to move. The best line is
// in s.stack[ply].line.
func (s *search) node(depth, ply, alpha, beta int, skip bool) int {
	p := &s.stack[ply]
	p.line = p.line[:0]
	if s.visit() {
		return 0
	}
	if s.board.Of(s.board.Side()) == 0 {
		return ply - won
	}
	if v, over := s.ended(ply); over {
		return v
	}
	if depth <= 0 || ply >= maxDepth {
		return s.quiesce(ply, alpha, beta)
	}
	key := s.key()
	old, known := s.table.get(key)
	if known && int(old.depth) >= depth && beta-alpha == 1 {
		v := unplied(int(old.value), ply)
		if old.bound == exact || old.bound == atLeast && v >= beta || old.bound == atMost && v <= alpha {
			return v
		}
	}
	static := s.weights.evaluate(&s.board)
	if skip && depth >= 3 && beta-alpha == 1 && static >= beta && s.board.Count(s.board.Side()) > 3 {
		if v := s.skip(depth, ply, beta); s.stopped || v >= beta {
			return v
		}
	}
	n := s.list(p, old.best, known)
	if n == 0 {
		return s.count(won, ply)
	}
	low, best, choice := alpha, -inf, surakarta.Step{}
	hopeless := depth == 1 && static+2*piece <= alpha && alpha > ply-counted+maxPly
	for i := range n {
		m := p.next(i, n)
		taking := s.board.Of(s.board.Side().Other())>>m.To&1 != 0
		if hopeless && i > 0 && !taking {
			best = max(best, static+2*piece)
			continue
		}
		took, quiet := s.move(m)
		v := s.try(depth-1, ply, low, beta, i, late(depth, i, taking, p, m))
		s.undo(m, took, quiet)
		if s.stopped {
			return 0
		}
		if v > best {
			best = v
			if v > low || i == 0 {
				choice = m
				p.line = append(append(p.line[:0], m), s.stack[ply+1].line...)
			}
		}
		if low = max(low, v); low >= beta {
			if !taking {
				s.refuted(p, m, depth)
			}
			break
		}
	}
	s.keep(key, depth, ply, best, alpha, beta, choice)
	return best
}

// late is how many plies a move is searched less.
func late(depth, i int, taking bool, p *place, m surakarta.Step) int {
	switch {
	case depth < 3 || i < 4 || taking || m == p.killers[0] || m == p.killers[1]:
		return 0
	case depth >= 6 && i >= 12:
		return 2
	}
	return 1
}

// try searches the position after a move: the first with the full window, the
// others first with an empty one and perhaps not as deep.
func (s *search) try(depth, ply, alpha, beta, i, less int) int {
	if i == 0 {
		return -s.node(depth, ply+1, -beta, -alpha, true)
	}
	v := -s.node(depth-less, ply+1, -alpha-1, -alpha, true)
	if v > alpha && less > 0 && !s.stopped {
		v = -s.node(depth, ply+1, -alpha-1, -alpha, true)
	}
	if v > alpha && v < beta && !s.stopped {
		v = -s.node(depth, ply+1, -beta, -alpha, true)
	}
	return v
}

// skip lets the other side move twice: if that does not help it, the position is
// good enough.
func (s *search) skip(depth, ply, beta int) int {
	s.board.Skip()
	s.keys = append(s.keys, s.board.Hash())
	v := -s.node(depth-3, ply+1, -beta, 1-beta, false)
	s.keys = s.keys[:len(s.keys)-1]
	s.board.Skip()
	return min(v, counted-maxPly) // no proof of a win
}

// quiesce searches captures until none is worth making.
func (s *search) quiesce(ply, alpha, beta int) int {
	p := &s.stack[ply]
	p.line = p.line[:0]
	best := s.weights.evaluate(&s.board)
	if best >= beta || ply >= maxPly {
		return best
	}
	low := max(alpha, best)
	for _, m := range s.board.Captures(p.moves[:0]) {
		took, quiet := s.move(m)
		v := won - ply - 1
		s.stack[ply+1].line = s.stack[ply+1].line[:0]
		if s.board.Of(s.board.Side()) != 0 {
			if s.visit() {
				s.undo(m, took, quiet)
				return 0
			}
			v = -s.quiesce(ply+1, -beta, -low)
		}
		s.undo(m, took, quiet)
		if s.stopped {
			return 0
		}
		if v > best {
			best = v
			p.line = append(append(p.line[:0], m), s.stack[ply+1].line...)
		}
		if low = max(low, v); low >= beta {
			break
		}
	}
	return best
}

// list fills the moves of a ply with their order and returns their number.
func (s *search) list(p *place, hint surakarta.Step, known bool) int {
	caught := len(s.board.Captures(p.moves[:0]))
	n := len(s.board.Quiet(p.moves[:caught]))
	side := s.board.Side()
	for i, m := range p.moves[:n] {
		switch {
		case known && m == hint:
			p.order[i] = 1 << 30
		case i < caught:
			p.order[i] = 1 << 29
		case m == p.killers[0]:
			p.order[i] = 1<<28 + 1
		case m == p.killers[1]:
			p.order[i] = 1 << 28
		default:
			p.order[i] = s.good[side][m.From][m.To]
		}
	}
	return n
}

// next brings the most promising of the moves from i on to i.
func (p *place) next(i, n int) surakarta.Step {
	k := i
	for j := i + 1; j < n; j++ {
		if p.order[j] > p.order[k] {
			k = j
		}
	}
	p.moves[i], p.moves[k] = p.moves[k], p.moves[i]
	p.order[i], p.order[k] = p.order[k], p.order[i]
	return p.moves[i]
}

// refuted remembers a quiet move that was good enough.
func (s *search) refuted(p *place, m surakarta.Step, depth int) {
	if p.killers[0] != m {
		p.killers[1], p.killers[0] = p.killers[0], m
	}
	g := &s.good[s.board.Side()][m.From][m.To]
	*g = min(*g+int32(depth*depth), 1<<27)
}

func (s *search) keep(key uint64, depth, ply, v, alpha, beta int, best surakarta.Step) {
	bound := exact
	switch {
	case v >= beta:
		bound = atLeast
	case v <= alpha:
		bound = atMost
	}
	s.table.put(entry{key: key, value: int16(plied(v, ply)), best: best, depth: int8(depth), bound: bound})
}

// plied makes the value of a game that is decided count from the position instead
// of from the root.
func plied(v, ply int) int {
	switch {
	case v > counted-maxPly:
		return v + ply
	case v < maxPly-counted:
		return v - ply
	}
	return v
}

func unplied(v, ply int) int {
	switch {
	case v > counted-maxPly:
		return v - ply
	case v < maxPly-counted:
		return v + ply
	}
	return v
}
