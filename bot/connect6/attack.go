package connect6

import "slices"

// The bounds of the search of attacks.
const (
	attackTurns = 24 // turns of the attacker in a row, at most
	attackPairs = 28 // turns tried in one position
	attackStart = 20 // points that a turn is made of, at most
)

// attacker looks for wins by turns that each make threats which take both stones
// of the reply to spoil. What it finds is a win whatever the other side does; it
// does not find all wins.
type attacker struct {
	f       *field
	budget  int             // positions left
	failed  map[uint64]int8 // positions with how many turns were not enough
	moves   [attackTurns + 1][]threat
	cover   [attackTurns + 1][]pair
	near    []int32 // windows that a point shares with the one being looked at
	singles []int32 // windows with three stones through a point
	points  []int16
	tick    func() bool // counts a position and reports whether to stop
}

// threat is a turn with what it promises.
type threat struct {
	m     pair
	order int32
}

func (a *attacker) reset(f *field, tick func() bool) {
	a.f, a.tick = f, tick
	if len(a.near) != len(f.stones) {
		a.near = make([]int32, len(f.stones))
		a.singles = make([]int32, len(f.stones))
	}
	if a.failed == nil || len(a.failed) > 1<<17 {
		a.failed = make(map[uint64]int8, 1<<10)
	}
}

// find looks for a win of side c, which has both stones of its turn, in so many
// turns, within so many positions. It returns the turn to begin with and the
// number of turns until six is made, 0 if it finds none.
func (a *attacker) find(c, turns, budget int) (m pair, n int) {
	a.budget = budget
	for limit := 1; limit <= min(turns, attackTurns) && a.budget > 0; limit++ {
		if m, n = a.search(c, limit, 0); n > 0 {
			return m, n
		}
	}
	return nothing, 0
}

// search is find at a ply, counted in turns of the attacker: limit more turns of
// threats are allowed.
func (a *attacker) search(c, limit, ply int) (best pair, n int) {
	f := a.f
	if m, ok := f.winning(c, 2); ok {
		return m, 1
	}
	if limit <= 0 || a.budget <= 0 || f.empty < 3 {
		return nothing, 0
	}
	key := f.hash ^ attackKey*uint64(c+1)
	if int(a.failed[key]) >= limit {
		return nothing, 0
	}
	for _, t := range a.list(c, ply) {
		if n := a.try(t.m, c, limit, ply); n > 0 {
			return t.m, n
		}
		if a.budget <= 0 {
			return nothing, 0
		}
	}
	a.failed[key] = int8(limit)
	return nothing, 0
}

const attackKey = 0x9e3779b97f4a7c15

// try makes a turn and returns how many turns it takes to win after all replies,
// 0 if one of them holds.
func (a *attacker) try(m pair, c, limit, ply int) (n int) {
	f := a.f
	a.budget--
	if a.tick() {
		a.budget = 0
		return 0
	}
	f.play(m, c)
	defer f.undo(m, c)
	if len(f.threats(1-c)) > 0 {
		return 0 // the other side is first
	}
	replies := f.covers(a.cover[ply][:0], c, 2)
	a.cover[ply] = replies
	if len(f.threats(c)) == 0 {
		return 0
	}
	longest := 1
	for _, r := range replies {
		if r.b == none {
			return 0 // one stone holds, the other is free
		}
		f.play(r, 1-c)
		_, n := a.search(c, limit-1, ply+1)
		f.undo(r, 1-c)
		if n == 0 {
			return 0
		}
		longest = max(longest, n)
	}
	return longest + 1
}

// list returns the turns of side c that may make two threats, most promising first.
func (a *attacker) list(c, ply int) []threat {
	f := a.f
	list := a.moves[ply][:0]
	defer func() { a.moves[ply] = list }()
	var buf [4]pair
	if answers := f.covers(buf[:0], 1-c, 2); len(f.threats(1-c)) > 0 {
		// The threats of the other side must be spoilt on the way.
		for _, r := range answers {
			if r.b != none {
				list = append(list, threat{r, 0})
				continue
			}
			for _, p := range a.starts(c) {
				if p != r.a {
					list = append(list, threat{pair{r.a, p}, f.points[c][p]})
				}
			}
			a.clean(c)
		}
		return a.sorted(list)
	}
	starts := a.starts(c)
	for k, p := range starts {
		a.shared(c, p, 1)
		for _, q := range starts[k+1:] {
			if n := a.near[q] + a.singles[p] + a.singles[q]; n >= 2 {
				list = append(list, threat{pair{p, q}, n*64 + f.points[c][p] + f.points[c][q]})
			}
		}
		a.shared(c, p, -1)
	}
	a.clean(c)
	return a.sorted(list)
}

func (a *attacker) sorted(list []threat) []threat {
	slices.SortFunc(list, func(x, y threat) int {
		if x.order != y.order {
			return int(y.order - x.order)
		}
		return int(x.m.a-y.m.a)<<10 + int(x.m.b-y.m.b)
	})
	return list[:min(len(list), attackPairs)]
}

// starts lists the empty points of the windows in which side c has two or three
// stones, the best of them first, and counts in a.singles the windows with three.
func (a *attacker) starts(c int) []int16 {
	f := a.f
	list := a.points[:0]
	for _, i := range f.lists[c][1] {
		for _, p := range f.windows[i].at {
			if f.stones[p] == none {
				if a.singles[p] == 0 {
					list = append(list, p)
				}
				a.singles[p]++
			}
		}
	}
	threes := len(list)
	for _, i := range f.lists[c][0] {
		for _, p := range f.windows[i].at {
			if f.stones[p] == none && a.singles[p] == 0 && a.near[p] == 0 {
				a.near[p] = 1
				list = append(list, p)
			}
		}
	}
	for _, p := range list[threes:] {
		a.near[p] = 0
	}
	slices.SortFunc(list, func(x, y int16) int {
		if d := f.points[c][y] + 32*a.singles[y] - f.points[c][x] - 32*a.singles[x]; d != 0 {
			return int(d)
		}
		return int(x - y)
	})
	a.points = list
	return list[:min(len(list), attackStart)]
}

// clean forgets what starts counted.
func (a *attacker) clean(c int) {
	for _, i := range a.f.lists[c][1] {
		for _, p := range a.f.windows[i].at {
			a.singles[p] = 0
		}
	}
}

// shared adds to a.near, for each point, the windows with two stones of side c
// that it shares with p.
func (a *attacker) shared(c int, p int16, by int32) {
	f := a.f
	for _, i := range f.through[p] {
		w := &f.windows[i]
		if w.count[c] == 2 && w.count[1-c] == 0 {
			for _, q := range w.at {
				a.near[q] += by
			}
		}
	}
}
