package amazons

import (
	"cmp"
	"slices"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/player"
)

// turn is an amazon move and its shot.
type turn struct{ from, to, shot uint8 }

// child is a turn with what it is worth in a search of one area.
type child struct {
	turn
	value int32
}

// byValue sorts the best first; equal ones keep an order of their own.
func byValue(a, b child) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(numberOf(a.turn), numberOf(b.turn)))
}

// A filler looks for the longest sequence of turns that one side can make in an
// area where the other cannot interfere.
type filler struct {
	own, empty set
	budget     int64
	best       []turn
	line       []turn
	tick       func(n int64) bool // counts positions, reports whether to stop
	stopped    bool
	cut        bool // turns were left out
}

// fillNodes bounds the search of one area.
const fillNodes = 20_000

// area is a connected set of empty squares with the amazons beside it.
type area struct{ amazons, empty set }

// areasOf parts what the amazons of one side can reach. Amazons that touch two
// areas join them.
func areasOf(own, empty set) []area {
	var list []area
	for left := own; !left.empty(); {
		a := area{amazons: first(left)}
		for {
			a.empty = flood(a.amazons, empty)
			more := king(a.empty.or(a.amazons), own).or(a.amazons)
			if more == a.amazons {
				break
			}
			a.amazons = more
		}
		left = left.not(a.amazons)
		if !a.empty.empty() {
			list = append(list, a)
		}
	}
	return list
}

// longest returns the longest sequence found in an area, and whether it is proved
// that there is no longer one.
func (f *filler) longest(a area) ([]turn, bool) {
	f.own, f.empty, f.budget, f.stopped, f.cut = a.amazons, a.empty, fillNodes, false, false
	f.best, f.line = nil, f.line[:0]
	bound := a.empty.count()
	f.walk(bound)
	return f.best, !f.stopped && !f.cut || len(f.best) == bound
}

// walk extends the line and reports whether the bound was reached.
func (f *filler) walk(bound int) bool {
	if len(f.line) > len(f.best) || f.best == nil {
		f.best = append(f.best[:0:0], f.line...)
		if len(f.best) == bound {
			return true
		}
	}
	if len(f.line)+flood(f.own, f.empty).count() <= len(f.best) {
		return false
	}
	var buf [16]child
	for _, c := range f.candidates(buf[:0]) {
		own, empty := f.own, f.empty
		from, to, shot := bit(c.from), bit(c.to), bit(c.shot)
		f.own = own.not(from).or(to)
		f.empty = empty.or(from).not(to).not(shot)
		f.line = append(f.line, c.turn)
		full := f.walk(bound)
		f.line = f.line[:len(f.line)-1]
		f.own, f.empty = own, empty
		if full || f.stopped {
			return full
		}
	}
	return false
}

// candidates returns the turns that keep most of the area, best first. A turn
// should burn a square that nothing else needs, and go nowhere far.
func (f *filler) candidates(best []child) []child {
	for q := f.own; !q.empty(); q = q.rest() {
		from := first(q)
		for r := queen(from, f.empty); !r.empty(); r = r.rest() {
			to := first(r)
			own, empty := f.own.not(from).or(to), f.empty.or(from).not(to)
			for s := queen(to, empty); !s.empty(); s = s.rest() {
				shot := first(s)
				left := empty.not(shot)
				kept := flood(own, left)
				v := kept.count()*16 - king(shot, left).count() - king(to, left).count()/4
				f.cut = f.cut || len(best) == cap(best)
				best = insert(best, child{turn{from.square(), to.square(), shot.square()}, int32(v)})
				if f.budget--; f.budget&255 == 0 && f.tick(256) || f.budget < 0 {
					f.stopped = true
					return best
				}
			}
		}
	}
	return best
}

// insert keeps the list sorted and no longer than its capacity.
func insert(list []child, c child) []child {
	if len(list) == cap(list) {
		if byValue(c, list[len(list)-1]) >= 0 {
			return list
		}
		list = list[:len(list)-1]
	}
	i, _ := slices.BinarySearchFunc(list, c, byValue)
	return slices.Insert(list, i, c)
}

// parted reports whether no empty square can be reached by both sides.
func parted(p *view) bool {
	return flood(p.own, p.empty).and(flood(p.other, p.empty)).empty()
}

// fill answers once the areas are parted, at the beginning of a turn.
func (e *engine) fill(t *bot.Task) (player.Answer, bool) {
	p := look(&e.board)
	if _, shooting := e.board.Shooter(); shooting || t.Lines > 1 || !parted(&p) {
		return player.Answer{}, false
	}
	f := filler{tick: t.Poll}
	mine, line, sure := f.total(p.own, p.empty)
	theirs, _, sureToo := f.total(p.other, p.empty)
	if len(line) == 0 || !keepsParted(&p, line[0]) {
		return player.Answer{}, false
	}
	info := game.Info{Depth: len(line), Bound: game.Searched}
	for _, x := range line {
		info.PV = appendSteps(info.PV, x)
	}
	lead := float64(mine - theirs) // without a lead the side to move runs out first
	info.Eval = game.Eval{Unit: game.Points, Lo: lead, Hi: lead}
	if sure && sureToo {
		info.Bound = game.Exact
	}
	t.Report(info)
	e.steps = appendSteps(e.steps[:0], line[0])
	return player.Answer{Steps: e.steps, Info: info}, true
}

// total adds up the areas of one side and returns the line of the largest.
func (f *filler) total(own, empty set) (n int, line []turn, sure bool) {
	sure = true
	for _, a := range areasOf(own, empty) {
		l, proved := f.longest(a)
		n += len(l)
		sure = sure && proved
		if len(l) > len(line) {
			line = l
		}
	}
	return n, line, sure
}

// moved returns the view after an amazon move of the side to move, before its shot.
func moved(p view, from, to uint8) view {
	f, t := bit(from), bit(to)
	p.own = p.own.not(f).or(t)
	p.empty = p.empty.not(t).or(f)
	return p
}

// keepsParted reports whether a turn leaves no way for the other side into the
// area that it leaves.
func keepsParted(p *view, t turn) bool {
	q := moved(*p, t.from, t.to)
	q.empty = q.empty.not(bit(t.shot))
	return parted(&q)
}
