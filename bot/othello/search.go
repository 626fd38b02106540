package othello

import (
	"math/bits"

	"kibitz/bot/othello/internal/pattern"
	"kibitz/games/othello"
)

// Scores within the search are in parts of a disc.
const (
	disc  = pattern.Disc
	limit = pattern.Limit
	none  = -1 << 20 // below every score
)

// search is one searcher with what it has learned. It is used by one goroutine.
type search struct {
	tables  tables
	weights *pattern.Weights
	edges   *edgeStable
	// nodes counts positions since the last poll.
	nodes int64
	// poll is told of the positions searched and says whether to stop.
	poll func(n int64) bool
	// width, if above 0, makes solving selective: lines are left out that a search
	// with the evaluation puts so many standard deviations outside the window.
	width float64
	// midWidth is the same for searches with the evaluation.
	midWidth float64
	// stopped is set once poll has said so: values are then worthless.
	stopped bool
}

// load brings in the weights and tables that all searchers share.
func (s *search) load() error {
	w, err := loadWeights()
	s.use(w)
	return err
}

// use makes the searcher evaluate by the weights.
func (s *search) use(w *pattern.Weights) {
	s.weights, s.edges, s.midWidth = w, edgeTable(), midWidth
}

// pollEvery is the number of positions between two polls.
const pollEvery = 2048

// tick reports whether the search must end.
func (s *search) tick() bool {
	if s.nodes >= pollEvery {
		n := s.nodes
		s.nodes = 0
		if s.poll != nil && s.poll(n) {
			s.stopped = true
		}
	}
	return s.stopped
}

// flush hands over the positions counted since the last poll.
func (s *search) flush() {
	if s.poll != nil && s.poll(s.nodes) {
		s.stopped = true
	}
	s.nodes = 0
}

// mid searches a position to a depth with the evaluation, in parts of a disc.
func (s *search) mid(b othello.Board, alpha, beta, depth int) int {
	if depth <= 0 {
		return s.leaf(b, alpha, beta)
	}
	s.nodes++
	if s.tick() {
		return alpha
	}
	moves := b.Moves()
	if moves == 0 {
		if !b.Swap().HasMoves() {
			return disc * final(b.Own, b.Opp)
		}
		return -s.mid(b.Swap(), -beta, -alpha, depth)
	}
	if depth == 1 {
		return s.mid1(b, moves, alpha, beta)
	}
	hint := noMove
	t := s.tables.of(b.Empties())
	if e := t.find(b); e != nil {
		if e.exact || int(e.size) >= depth {
			if v, cut := e.cut(alpha, beta); cut {
				return v
			}
		}
		hint = int(e.move)
	}
	if v, cut := s.probCut(b, alpha, beta, depth); cut {
		return v
	}
	var list [maxMoves]ranked
	n := s.rank(b, moves, &list, hint, ordering{
		depth: sortDepth(depth), mobility: disc, low: -limit, high: limit,
	})
	best, move, low := none, noMove, alpha
	for i := range n {
		c := pick(list[:n], i)
		v := s.midChild(c.next, low, beta, depth-1, i > 0)
		if s.stopped {
			return alpha
		}
		if v > best {
			best, move = v, int(c.square)
			if v >= beta {
				break
			}
			low = max(low, v)
		}
	}
	t.store(b, best, alpha, beta, depth, false, move)
	return best
}

// midChild searches a child, with a null window first if another was searched
// before it.
func (s *search) midChild(b othello.Board, low, beta, depth int, scout bool) int {
	if scout && beta > low+1 {
		v := -s.mid(b, -low-1, -low, depth)
		if v <= low || v >= beta || s.stopped {
			return v
		}
	}
	return -s.mid(b, -beta, -low, depth)
}

// mid1 is mid for one ply: the children are evaluated without being ordered.
func (s *search) mid1(b othello.Board, moves uint64, alpha, beta int) int {
	best := none
	for _, group := range groups {
		for m := moves & group; m != 0; m &= m - 1 {
			sq := bits.TrailingZeros64(m)
			v := -s.leaf(b.Play(sq, b.Flips(sq)), -beta, -max(alpha, best))
			if v > best {
				best = v
				if v >= beta {
					return best
				}
			}
		}
	}
	return best
}

// groups are the squares in the order in which they are tried unseen: corners, the
// middle, edges, the second lines, and what is beside a corner.
var groups = [...]uint64{corners, 0x00003c3c3c3c0000, 0x3c0081818181003c, 0x003c424242423c00, 0x42c300000000c342}

// leaf evaluates a position, exactly if it is nearly full.
func (s *search) leaf(b othello.Board, alpha, beta int) int {
	e := b.Empties()
	if e <= 4 {
		return disc * s.fewest(b, floorDisc(alpha), ceilDisc(beta), e)
	}
	s.nodes++
	return s.weights.Eval(b)
}

// floorDisc and ceilDisc turn bounds into whole discs without narrowing them.
func floorDisc(v int) int { return max(-65, (v+limit*2)/disc-128) }

func ceilDisc(v int) int { return min(65, -floorDisc(-v)) }

// cut returns what the entry says about the window.
func (e *entry) cut(alpha, beta int) (int, bool) {
	switch {
	case e.lo == e.hi:
		return int(e.lo), true
	case int(e.lo) >= beta:
		return int(e.lo), true
	case int(e.hi) <= alpha:
		return int(e.hi), true
	}
	return 0, false
}

const maxMoves = 34

// ranked is a move with the position after it and how promising it looks.
type ranked struct {
	next   othello.Board
	rank   int32
	square int8
}

// pick brings the most promising of the moves from i on to place i.
func pick(list []ranked, i int) *ranked {
	best := i
	for k := i + 1; k < len(list); k++ {
		if list[k].rank > list[best].rank {
			best = k
		}
	}
	list[i], list[best] = list[best], list[i]
	return &list[i]
}

// sortDepth returns how deep moves are searched to order them for a search.
func sortDepth(depth int) int {
	switch {
	case depth < 3:
		return -1
	case depth < 8:
		return 0
	case depth < 12:
		return 1
	}
	return 2
}

// ordering says how moves are put into order.
type ordering struct {
	depth     int // of a search of each move, -1 for none, 0 for the evaluation
	mobility  int // what a reply less is worth, in parts of a disc
	low, high int // values beyond need not be told apart
}

// rank lists the moves with their promise: the remembered one first, then by a
// search or the evaluation and by how few replies they leave.
func (s *search) rank(b othello.Board, moves uint64, list *[maxMoves]ranked, hint int, o ordering) int {
	n := 0
	for ; moves != 0 && n < maxMoves; moves &= moves - 1 {
		sq := bits.TrailingZeros64(moves)
		r := &list[n]
		n++
		r.square = int8(sq)
		r.next = b.Play(sq, b.Flips(sq))
		if sq == hint {
			r.rank = 1 << 30
			continue
		}
		replies := r.next.Moves()
		if r.next.Own == 0 {
			r.rank = 1 << 29 // a wipe-out
			continue
		}
		m := bits.OnesCount64(replies) + bits.OnesCount64(replies&corners)
		r.rank = int32(-m * o.mobility)
		switch {
		case o.depth < 0:
			r.rank += int32(squareValue[sq]) * (disc / 8)
		case o.depth == 0:
			r.rank -= int32(s.weights.Eval(r.next))
			s.nodes++
		default:
			r.rank -= int32(s.mid(r.next, -o.high, -o.low, o.depth))
		}
	}
	return n
}

const corners = 0x8100000000000081

// squareValue is a first guess what squares are good for.
var squareValue = makeSquareValue()

func makeSquareValue() (t [othello.Squares]int8) {
	quarter := [4][4]int8{{18, 4, 16, 12}, {4, 0, 6, 8}, {16, 6, 14, 10}, {12, 8, 10, 0}}
	for s := range t {
		x, y := s%8, s/8
		t[s] = quarter[min(y, 7-y)][min(x, 7-x)]
	}
	return t
}
