package darkchess

import (
	"math/bits"

	"kibitz/bot"
	"kibitz/games/darkchess"
)

// move is from<<8 | to; a flip has from equal to to. 0 is none, which is a flip
// of the first square and never remembered.
type move uint16

func shift(from, to int) move { return move(from<<8 | to) }

func (m move) squares() (from, to int) { return int(m >> 8), int(m & 255) }

const (
	maxDepth = 40
	maxPly   = maxDepth + 24
	maxMoves = 128
	sideKey  = 0x9e3779b97f4a7c15
	quietKey = 0xc2b2ae3d27d4eb4f
)

type ordered struct {
	move  move
	order int32
}

// search is the alpha-beta search of one task.
type search struct {
	task    *bot.Task
	board   darkchess.Board
	values  values
	table   table
	noEat   int // quiet plies that make a draw, 0 for never
	repeats bool
	quiet   int // plies since the last flip or capture
	// path holds the keys of the positions since the game's last flip or capture,
	// the present one included.
	path    []uint64
	nodes   int64
	stopped bool
	history [darkchess.Squares][darkchess.Squares]int32
	killer  [maxPly + 1]move
	lists   [maxPly + 1][maxMoves]ordered
	pv      [maxPly + 2][]move
}

// visit counts a position and looks at the clock now and then.
func (s *search) visit() bool {
	s.nodes++
	if s.nodes&511 == 0 && s.task.Poll(512) {
		s.stopped = true
	}
	return s.stopped
}

// flush counts what visit has not passed on.
func (s *search) flush() {
	s.task.Poll(s.nodes & 511)
	s.nodes = 0
}

func (s *search) key(colour uint8) uint64 {
	if colour == darkchess.Black {
		return s.board.Hash() ^ sideKey
	}
	return s.board.Hash()
}

// make plays a move and returns what takes it back.
func (s *search) make(from, to int, colour uint8) (taken uint8, quiet int) {
	taken, quiet = s.board.Move(from, to), s.quiet
	if taken == darkchess.Empty {
		s.quiet++
	} else {
		s.quiet = 0
	}
	s.path = append(s.path, s.key(1-colour))
	return taken, quiet
}

func (s *search) unmake(from, to int, taken uint8, quiet int) {
	s.path = s.path[:len(s.path)-1]
	s.quiet = quiet
	s.board.Unmove(from, to, taken)
}

// drawn reports whether quiet plies or a repetition make a draw. One repetition
// in the search counts as much as the several that the rules ask for.
func (s *search) drawn() bool {
	if s.noEat > 0 && s.quiet >= s.noEat {
		return true
	}
	if !s.repeats {
		return false
	}
	n := len(s.path) - 1
	now := s.path[n]
	for i := n - 4; i >= 0 && i >= n-s.quiet; i -= 2 {
		if s.path[i] == now {
			return true
		}
	}
	return false
}

// node returns the value of the position for the colour to move. skipped tells
// that the other side has just flipped something, see the package comment.
func (s *search) node(depth, ply int, alpha, beta int, colour uint8, skipped bool) int {
	s.pv[ply] = s.pv[ply][:0]
	if s.visit() {
		return 0
	}
	switch {
	case s.board.Alive(colour) == 0:
		return ply - win
	case !skipped && s.drawn():
		return 0
	case depth <= 0 || ply >= maxDepth:
		return s.quiesce(ply, alpha, beta, colour)
	}
	key := s.key(colour)
	if skipped {
		key ^= quietKey
	}
	key += quietKey * uint64(s.quiet/8)
	old, known := s.table.get(key)
	if known && int(old.depth) >= depth {
		v := unplied(int(old.value), ply)
		if old.bound == exact && beta == alpha+1 || old.bound == atLeast && v >= beta || old.bound == atMost && v <= alpha {
			s.pv[ply] = append(s.pv[ply], old.best)
			return v
		}
	}
	list := s.moves(ply, colour, old.best, known)
	hidden := s.board.At(darkchess.Hidden) != 0
	if len(list) == 0 && !hidden {
		return ply - win
	}
	best, choice := -inf, move(0)
	low := alpha
	if hidden && (!skipped || len(list) == 0) {
		best = s.skip(depth, ply, low, beta, colour, skipped)
		low = max(low, best)
	}
	for i := range list {
		if s.stopped || low >= beta {
			break
		}
		m := pick(list, i)
		v := s.try(m, depth, ply, i == 0, low, beta, colour)
		if v > best {
			best, choice = v, m
			s.pv[ply] = append(append(s.pv[ply][:0], m), s.pv[ply+1]...)
		}
		low = max(low, v)
	}
	if s.stopped {
		return 0
	}
	s.learn(choice, depth, ply, best >= beta)
	s.keep(key, depth, ply, best, alpha, beta, choice)
	return best
}

// skip is the value of flipping something somewhere.
func (s *search) skip(depth, ply, alpha, beta int, colour uint8, skipped bool) int {
	if skipped {
		return s.evaluate(colour)
	}
	quiet := s.quiet
	s.quiet = 0
	s.path = append(s.path, s.key(1-colour))
	v := -s.node(depth-2, ply+1, -beta, -alpha, 1-colour, true)
	s.path = s.path[:len(s.path)-1]
	s.quiet = quiet
	return v
}

// try searches one move: the first with the full window, the others first with an
// empty one.
func (s *search) try(m move, depth, ply int, first bool, alpha, beta int, colour uint8) int {
	from, to := m.squares()
	taken, quiet := s.make(from, to, colour)
	v := 0
	if !first {
		v = -s.node(depth-1, ply+1, -alpha-1, -alpha, 1-colour, false)
	}
	if first || v > alpha && v < beta && !s.stopped {
		v = -s.node(depth-1, ply+1, -beta, -alpha, 1-colour, false)
	}
	s.unmake(from, to, taken, quiet)
	return v
}

// quiesce looks at captures only.
func (s *search) quiesce(ply int, alpha, beta int, colour uint8) int {
	s.pv[ply] = s.pv[ply][:0]
	best := s.evaluate(colour)
	if best >= beta || ply >= maxPly {
		return best
	}
	low := max(alpha, best)
	list := s.captures(ply, colour)
	for i := range list {
		m := pick(list, i)
		from, to := m.squares()
		taken, quiet := s.make(from, to, colour)
		v := 0
		if s.visit(); !s.stopped {
			if s.board.Alive(1-colour) == 0 {
				v = win - ply - 1
			} else {
				v = -s.quiesce(ply+1, -beta, -low, 1-colour)
			}
		}
		s.unmake(from, to, taken, quiet)
		if s.stopped {
			return 0
		}
		if v > best {
			best = v
			s.pv[ply] = append(append(s.pv[ply][:0], m), s.pv[ply+1]...)
		}
		if low = max(low, v); low >= beta {
			break
		}
	}
	return best
}

// moves lists the moves of a colour with their order.
func (s *search) moves(ply int, colour uint8, hint move, hinted bool) []ordered {
	list := s.lists[ply][:0]
	for own := s.board.Own(colour); own != 0; own &= own - 1 {
		from := bits.TrailingZeros32(own)
		for t := s.board.Targets(from); t != 0; t &= t - 1 {
			to := bits.TrailingZeros32(t)
			m := shift(from, to)
			order := s.history[from][to]
			switch victim := s.board.Cell(to); {
			case hinted && m == hint:
				order = 1 << 30
			case victim != darkchess.Empty:
				order = s.gain(from, victim)
			case m == s.killer[ply]:
				order = 1 << 20
			}
			list = append(list, ordered{m, order})
		}
	}
	return list
}

// captures lists the captures of a colour with their order.
func (s *search) captures(ply int, colour uint8) []ordered {
	list := s.lists[ply][:0]
	enemies := s.board.Own(1 - colour)
	for own := s.board.Own(colour); own != 0; own &= own - 1 {
		from := bits.TrailingZeros32(own)
		for t := s.board.Targets(from) & enemies; t != 0; t &= t - 1 {
			to := bits.TrailingZeros32(t)
			list = append(list, ordered{shift(from, to), s.gain(from, s.board.Cell(to))})
		}
	}
	return list
}

// gain orders captures: the best victim first, by the least attacker.
func (s *search) gain(from int, victim uint8) int32 {
	return int32(1<<24 + s.values[victim]*16 - s.values[s.board.Cell(from)])
}

// pick moves the best of the moves from i on to i. Equal ones keep their order.
func pick(list []ordered, i int) move {
	b := i
	for j := i + 1; j < len(list); j++ {
		if list[j].order > list[b].order {
			b = j
		}
	}
	list[i], list[b] = list[b], list[i]
	return list[i].move
}

// learn notes which quiet moves refute.
func (s *search) learn(m move, depth, ply int, refuted bool) {
	if !refuted || m == 0 {
		return
	}
	from, to := m.squares()
	if s.board.Cell(to) != darkchess.Empty {
		return
	}
	s.killer[ply] = m
	if h := &s.history[from][to]; *h < 1<<18 {
		*h += int32(depth * depth)
	}
}

func (s *search) keep(key uint64, depth, ply, v, alpha, beta int, best move) {
	bound := exact
	switch {
	case v >= beta:
		bound = atLeast
	case v <= alpha:
		bound = atMost
	}
	s.table.put(entry{key: key, value: int32(plied(v, ply)), best: best, depth: int8(depth), bound: bound})
}

// plied makes a won value count from the position instead of from the root.
func plied(v, ply int) int {
	switch {
	case v >= winMin:
		return v + ply
	case v <= -winMin:
		return v - ply
	}
	return v
}

func unplied(v, ply int) int {
	switch {
	case v >= winMin:
		return v - ply
	case v <= -winMin:
		return v + ply
	}
	return v
}
