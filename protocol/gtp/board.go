package gtp

import "kibitz/game"

// board is the game as the host was told it, and what of it the engine has on its
// own board.
type board struct {
	style style
	want  []unit
	has   []unit
	same  int  // so many units at the front of has are known to be those of want
	open  bool // the turn of the last unit of want goes on
	clear bool // the engine's board is not known
}

// unit is what one command of play says, or several that make one step: a whole
// turn, or one of its steps where each point has a command.
type unit struct {
	steps  [2]game.Move
	n      int8 // steps; above their number: more than the protocol can say
	at     int8 // points of the same turn before these
	plays  int8 // how many moves they are on the engine's board, 0 for a pass of its own, or unknown
	colour game.Colour
	forced bool
}

const unknown = -1

// begin empties the board for a new game. What the engine had is gone.
func (b *board) begin(s style) {
	*b = board{style: s, want: b.want[:0], has: b.has[:0]}
}

func (u *unit) list() []game.Move { return u.steps[:min(int(u.n), len(u.steps))] }

func (u *unit) points() int8 {
	n := int8(0)
	for _, m := range u.list() {
		n++
		if m.Op == game.Shift {
			n++
		}
	}
	return n
}

func (u *unit) is(v *unit) bool {
	return u.n == v.n && u.steps == v.steps && u.colour == v.colour
}

// extend appends a step to the units of a game. goesOn tells that the step belongs
// to the turn of the last one.
func (b *board) extend(list []unit, m game.Move, c game.Colour, forced, goesOn bool) []unit {
	at := int8(0)
	if k := len(list); goesOn && k > 0 {
		u := &list[k-1]
		if b.style == whole {
			if int(u.n) < len(u.steps) {
				u.steps[u.n] = m
			}
			u.n = min(u.n+1, int8(len(u.steps))+1)
			return list
		}
		at = u.at + u.points()
	}
	return append(list, unit{steps: [2]game.Move{m}, n: 1, at: at, colour: c, forced: forced})
}

func (b *board) add(m game.Move, c game.Colour, forced bool) {
	b.want = b.extend(b.want, m, c, forced, b.open)
	b.same = min(b.same, len(b.want)-1)
	b.open = true
}

func (b *board) endTurn() { b.open = false }

// begun returns the steps of the running turn, as far as one unit holds them, and
// how many points they have.
func (b *board) begun() (steps []game.Move, points int) {
	if !b.open || len(b.want) == 0 {
		return nil, 0
	}
	u := &b.want[len(b.want)-1]
	return u.list(), int(u.at + u.points())
}

// rewind takes back n steps.
func (b *board) rewind(n int) {
	for k := len(b.want); n > 0 && k > 0; k-- {
		u := &b.want[k-1]
		if int(u.n) > n {
			u.n -= int8(n)
			clear(u.steps[u.n:])
			b.open, b.same = true, min(b.same, k-1)
			return
		}
		n -= int(u.n)
		b.open = u.at > 0
		b.want = b.want[:k-1]
	}
	b.same = min(b.same, len(b.want))
}

// answered notes steps that the engine has made on its own board.
func (b *board) answered(steps []game.Move, c game.Colour) {
	_, at := b.begun()
	from := len(b.has)
	for i, m := range steps {
		b.has = b.extend(b.has, m, c, false, i > 0)
		if i == 0 {
			b.has[from].at = int8(at)
		}
	}
	for i := from; i < len(b.has); i++ {
		b.has[i].plays = b.plays(&b.has[i])
	}
}

func (b *board) plays(u *unit) int8 {
	if b.style == whole {
		return 1
	}
	return u.points()
}

// back returns how many moves the engine must take back to be where want goes on.
// can is false if that cannot be done move by move: whether undo takes back one
// point of a turn or all of them is every engine's own affair.
func (b *board) back() (moves int, can bool) {
	for b.same < len(b.has) && b.same < len(b.want) && b.has[b.same].is(&b.want[b.same]) {
		b.same++
	}
	for i := range b.has[b.same:] {
		u := &b.has[b.same+i]
		moves += int(u.plays)
		if u.plays == unknown || b.style == whole && u.points() > 1 {
			return 0, false
		}
	}
	return moves, true
}

// split goes over from whole turns to a command for each point. How an engine takes
// back a turn that it was told whole is not known then.
func (b *board) split() {
	want, has := append([]unit(nil), b.want...), append([]unit(nil), b.has...)
	b.style, b.want, b.has, b.same = pointwise, b.want[:0], b.has[:0], 0
	for i := range want {
		for k, m := range want[i].list() {
			b.want = b.extend(b.want, m, want[i].colour, want[i].forced, k > 0)
		}
	}
	for i := range has {
		for k, m := range has[i].list() {
			b.has = b.extend(b.has, m, has[i].colour, has[i].forced, k > 0)
			u := &b.has[len(b.has)-1]
			if u.plays = has[i].plays; has[i].n > 1 {
				u.plays = unknown
			}
		}
	}
}
