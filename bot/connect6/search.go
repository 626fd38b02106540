package connect6

import (
	"cmp"
	"slices"

	"kibitz/bot"
)

// Scores are from the view of the side to move. A win in n turns is win-n.
const (
	win      = 1 << 20
	winBound = win - 1000 // scores beyond are proved wins or losses
	hopeless = 50_000     // lost, as far as replies were looked at
	maxPly   = 64
	sideKey  = 0x6a09e667f3bcc909
)

// ahead is what a side's windows count when it is on turn, in 16ths; the other's
// count 16.
const ahead = 30

// width says how many points turns are made of, and how many of the turns are
// looked at.
type width struct{ points, turns int }

var (
	rootWidth = width{18, 60}
	wideWidth = width{40, 500} // where nothing else holds
	highWidth = width{12, 22}
	lowWidth  = width{10, 12}
	lastWidth = width{5, 6}
)

// search is one task under way.
type search struct {
	f      *field
	t      *bot.Task
	tt     *table
	attack attacker
	deep   int // turns of attacks that the level sees, 0 for none
	limit  int // plies of the running iteration with its extensions
	nodes  int64
	told   int64 // of them, told to the task
	stop   bool
	lists  [maxPly][]move
	buf    []int16
}

// move is a turn with its place in the order.
type move struct {
	m     pair
	order int32
}

// begin prepares for a task.
func (s *search) begin(t *bot.Task, f *field, tt *table) {
	s.t, s.f, s.tt = t, f, tt
	s.nodes, s.told, s.stop = 0, 0, false
	s.deep = attacksOf(t.Level)
	s.attack.reset(f, s.tick)
}

// attacksOf returns how many turns of attacks a level sees.
func attacksOf(level int) int {
	switch {
	case level <= 1:
		return 0
	case level <= 3:
		return 2
	case level <= 5:
		return 6
	}
	return 16
}

// tick counts a position and reports whether to stop.
func (s *search) tick() bool {
	s.nodes++
	if s.nodes-s.told >= 128 {
		s.flush()
	}
	return s.stop
}

// flush tells the task what was counted.
func (s *search) flush() {
	n := s.nodes - s.told
	s.told = s.nodes
	s.stop = s.t.Poll(n) || s.stop
}

// eval is the worth of a position without threats to the side to move.
func (s *search) eval(c int) int {
	return (int(s.f.sum[c])*ahead - int(s.f.sum[1-c])*16) / 16
}

// attacks looks for a forced win of side c.
func (s *search) attacks(c, depth int) (pair, int) {
	if s.deep == 0 {
		return nothing, 0
	}
	switch {
	case depth <= 0:
		return s.attack.find(c, min(s.deep, 5), 100)
	case depth == 1:
		return s.attack.find(c, min(s.deep, 10), 400)
	}
	return s.attack.find(c, s.deep, 1_500)
}

// negamax searches a position in which side c has a whole turn.
func (s *search) negamax(alpha, beta, depth, ply, c int) int {
	if s.tick() {
		return 0
	}
	f := s.f
	if _, ok := f.winning(c, 2); ok {
		return win - ply - 1
	}
	if f.empty == 0 {
		return 0
	}
	var buf [4]pair
	replies := f.covers(buf[:0], 1-c, 2)
	threatened := len(f.threats(1-c)) > 0
	if threatened && len(replies) == 0 {
		return -(win - ply - 2)
	}
	if ply >= s.limit || ply >= maxPly-1 || f.empty < 2 {
		return s.eval(c)
	}
	key := f.hash ^ sideKey*uint64(c)
	e, known := s.tt.get(key)
	if known && int(e.depth) >= depth {
		switch v := fromTable(e.score, ply); {
		case e.bound == exact, e.bound == atLeast && v >= beta, e.bound == atMost && v <= alpha:
			return v
		}
	}
	if m, n := s.attacks(c, depth); n > 0 {
		v := win - ply - 2*n + 1
		s.tt.put(entry{key: key, score: toTable(v, ply), move: m, depth: maxPly, bound: atLeast})
		return v
	}
	if s.stop {
		return 0
	}
	if depth <= 0 && !threatened {
		return s.eval(c)
	}
	var also [6]int16
	danger := also[:0]
	if depth >= 1 && !threatened {
		danger = s.dangers(danger, c, min(s.deep, 6), 200)
	}
	list := s.turns(s.lists[ply][:0], c, 2, replies, widthOf(depth), danger...)
	s.lists[ply] = list
	if known {
		first(list, e.move)
	}
	return s.walk(list, key, alpha, beta, depth, ply, c, complete(replies))
}

// complete reports whether replies are all that can be done: threats bind both
// stones. Otherwise only what looks best is tried, and a loss is not proved.
func complete(replies []pair) bool {
	for _, r := range replies {
		if r.b == none {
			return false
		}
	}
	return len(replies) > 0
}

// dangers appends the points of an attack of the other side, if it has one: where
// it begins, and where it could be spoilt then.
func (s *search) dangers(dst []int16, c, turns, budget int) []int16 {
	if s.deep == 0 {
		return dst
	}
	m, n := s.attack.find(1-c, turns, budget)
	if n < 2 {
		return dst
	}
	dst = append(dst, m.a, m.b)
	var buf [4]pair
	s.f.play(m, 1-c)
	for _, r := range s.f.covers(buf[:0], 1-c, 2) {
		for _, p := range [2]int16{r.a, r.b} {
			if p != none && !slices.Contains(dst, p) {
				dst = append(dst, p)
			}
		}
	}
	s.f.undo(m, 1-c)
	return dst
}

// walk tries the turns of a position, which are all there are or only some.
func (s *search) walk(list []move, key uint64, alpha, beta, depth, ply, c int, all bool) int {
	best, low := entry{key: key, score: -win, depth: int8(max(depth, 0)), bound: atMost}, alpha
	score := -win
	for _, m := range list {
		v := s.try(m.m, score > -win, alpha, beta, depth, ply, c)
		if s.stop {
			return 0
		}
		if v > score {
			score, best.move = v, m.m
		}
		alpha = max(alpha, v)
		if alpha >= beta {
			break
		}
	}
	if score < -winBound && !all {
		score = 8*ply - hopeless
	}
	best.score = toTable(score, ply)
	switch {
	case score >= beta:
		best.bound = atLeast
	case score > low:
		best.bound = exact
	}
	s.tt.put(best)
	return score
}

// try searches below a turn; what is not the first one is first held to be worse
// than the best.
func (s *search) try(m pair, later bool, alpha, beta, depth, ply, c int) int {
	f := s.f
	f.play(m, c)
	defer f.undo(m, c)
	below := depth - 1
	if len(f.threats(c)) > 0 && below < 1 {
		below = 0 // the reply is forced, and looked at
	}
	if later && beta-alpha > 1 {
		if v := -s.negamax(-alpha-1, -alpha, below, ply+1, 1-c); v <= alpha || s.stop {
			return v
		}
	}
	return -s.negamax(-beta, -alpha, below, ply+1, 1-c)
}

func widthOf(depth int) width {
	switch {
	case depth >= 3:
		return highWidth
	case depth >= 1:
		return lowWidth
	}
	return lastWidth
}

// toTable and fromTable turn distances from the root into distances from the
// position.
func toTable(v, ply int) int32 {
	switch {
	case v > winBound:
		v += ply
	case v < -winBound:
		v -= ply
	}
	return int32(v)
}

func fromTable(v int32, ply int) int {
	switch n := int(v); {
	case n > winBound:
		return n - ply
	case n < -winBound:
		return n + ply
	default:
		return n
	}
}

// first brings a turn to the front.
func first(list []move, m pair) {
	for k := range list {
		if list[k].m == m {
			x := list[k]
			copy(list[1:k+1], list[:k])
			list[0] = x
			return
		}
	}
}

// turns appends the turns of side c that are worth a look, the most promising
// first: those that spoil the threats of the other side, if there are any, else
// pairs of good points. There is always one if a point is empty.
func (s *search) turns(dst []move, c, stones int, replies []pair, w width, also ...int16) []move {
	points := s.points(c, w.points, also)
	from := len(dst)
	free := 0 // turns that spoil everything in more than one way are listed once
	for _, r := range replies {
		switch {
		case r.b != none || stones == 1:
			dst = s.add(dst, r, c)
		default:
			free++
			for _, p := range points {
				if m := (pair{r.a, p}); p != r.a && (free == 1 || !listed(dst[from:], m)) {
					dst = s.add(dst, m, c)
				}
			}
		}
	}
	if len(replies) == 0 {
		dst = s.pairs(dst, points, c, stones)
	}
	list := dst[from:]
	slices.SortFunc(list, func(x, y move) int {
		if n := cmp.Compare(y.order, x.order); n != 0 {
			return n
		}
		return cmp.Compare(int(x.m.a)<<16|int(x.m.b), int(y.m.a)<<16|int(y.m.b))
	})
	return dst[:from+min(len(list), w.turns)]
}

func listed(list []move, m pair) bool {
	for _, x := range list {
		if x.m == m || x.m.a == m.b && x.m.b == m.a {
			return true
		}
	}
	return false
}

// pairs appends all turns that the points make.
func (s *search) pairs(dst []move, points []int16, c, stones int) []move {
	f := s.f
	for k, p := range points {
		if stones == 1 || len(points) == 1 {
			dst = s.add(dst, pair{p, none}, c)
			continue
		}
		f.put(int(p), c)
		for _, q := range points[k+1:] {
			f.put(int(q), c)
			dst = append(dst, move{pair{p, q}, s.promise(c)})
			f.take(int(q), c)
			s.tick()
		}
		f.take(int(p), c)
	}
	return dst
}

// add appends a turn with what it promises.
func (s *search) add(dst []move, m pair, c int) []move {
	s.f.play(m, c)
	dst = append(dst, move{m, s.promise(c)})
	s.f.undo(m, c)
	s.tick()
	return dst
}

// promise is the worth of the position for side c, who has just moved.
func (s *search) promise(c int) int32 {
	v := int32(-s.eval(1 - c))
	if len(s.f.threats(c)) > 0 {
		var buf [4]pair
		switch list := s.f.covers(buf[:0], c, 2); {
		case len(list) == 0:
			v += win
		case list[0].b != none:
			v += 60 // both stones of the reply are bound
		}
	}
	return v
}

// points lists the best empty points for side c, with those named also.
func (s *search) points(c, most int, also []int16) []int16 {
	f := s.f
	list := s.buf[:0]
	own, other := f.points[c], f.points[1-c]
	for p, stone := range f.stones {
		if stone != none {
			continue
		}
		v := own[p]*5 + other[p]*4
		if len(list) == most && v <= own[list[most-1]]*5+other[list[most-1]]*4 {
			continue
		}
		k := len(list)
		if k < most {
			list = append(list, 0)
		} else {
			k--
		}
		for ; k > 0 && own[list[k-1]]*5+other[list[k-1]]*4 < v; k-- {
			list[k] = list[k-1]
		}
		list[k] = int16(p)
	}
	for _, p := range also {
		if f.stones[p] == none && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	s.buf = list
	return list
}
