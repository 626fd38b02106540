package connect6

import (
	"cmp"
	"slices"
)

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

// move is a turn with its place in the order.
type move struct {
	m     pair
	order int32
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

// turns appends the turns of side c that are worth a look, the most promising
// first: those that spoil the threats of the other side, if there are any, else
// pairs of good points. There is always one if a point is empty.
func (s *position) turns(dst []move, c, stones int, replies []pair, w width, also ...int16) []move {
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
	return slices.ContainsFunc(list, func(x move) bool { return x.m == m || x.m.a == m.b && x.m.b == m.a })
}

// pairs appends all turns that the points make.
func (s *position) pairs(dst []move, points []int16, c, stones int) []move {
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
			s.meter.Visit()
		}
		f.take(int(p), c)
	}
	return dst
}

// add appends a turn with what it promises.
func (s *position) add(dst []move, m pair, c int) []move {
	s.f.play(m, c)
	dst = append(dst, move{m, s.promise(c)})
	s.f.undo(m, c)
	s.meter.Visit()
	return dst
}

// promise is the worth of the position for side c, who has just moved.
func (s *position) promise(c int) int32 {
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
func (s *position) points(c, most int, also []int16) []int16 {
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
func (s *position) dangers(dst []int16, c, turns, budget int) []int16 {
	if !s.seeks {
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
