package connect6

import (
	"kibitz/game"
	"kibitz/games/connect6"
)

// Prover looks for wins by turns of threats, each of which takes both stones of the
// reply to spoil: what it finds is a win whatever the other side does. It is used
// by one goroutine.
type Prover struct {
	field  *field
	attack attacker
	nodes  int64
}

// Find looks for a win of the side to move, which has both stones of its turn. It
// looks at no more than about most positions. The line is the win against one
// choice of replies, turns is how many turns it takes against the best.
func (v *Prover) Find(b *connect6.Board, s game.Seat, most int64) (line []game.Move, turns int, nodes int64) {
	if v.field == nil || v.field.size != b.Size() {
		v.field = newField(b.Size())
	}
	v.field.follow(b)
	v.nodes = 0
	v.attack.failed = nil
	v.attack.reset(v.field, func() bool { v.nodes++; return v.nodes > most })
	c := int(s)
	m, n := v.attack.find(c, attackTurns, int(most))
	if n == 0 {
		return nil, 0, v.nodes
	}
	nodes = v.nodes
	return v.follow(m, n, c), n, nodes
}

// Lost looks for a proof that the side to move, which has both stones of its turn,
// loses whatever it does: it must spoil threats with both stones, and after each way
// to do so the other side wins by Find. The line begins with one of them, if there
// is any.
func (v *Prover) Lost(b *connect6.Board, s game.Seat, most int64) (line []game.Move, turns int, nodes int64) {
	if v.field == nil || v.field.size != b.Size() {
		v.field = newField(b.Size())
	}
	f, c := v.field, 1-int(s)
	f.follow(b)
	if len(f.threats(int(s))) > 0 || len(f.threats(c)) == 0 {
		return nil, 0, 0
	}
	v.nodes, v.attack.failed = 0, nil
	v.attack.reset(f, func() bool { v.nodes++; return v.nodes > most })
	turns = 1
	replies := f.covers(nil, c, 2)
	for _, r := range replies {
		if r.b == none {
			return nil, 0, v.nodes
		}
		f.play(r, 1-c)
		m, n := v.attack.find(c, attackTurns, int(most-v.nodes))
		nodes = v.nodes
		if n >= turns {
			turns = n
			line = append([]game.Move{game.PlaceAt(f.point(r.a)), game.PlaceAt(f.point(r.b))}, v.follow(m, n, c)...)
			v.nodes = nodes
		}
		f.undo(r, 1-c)
		if n == 0 {
			return nil, 0, nodes
		}
	}
	return line, turns, v.nodes
}

// follow plays a win to its end against the first of the replies that make sense.
func (v *Prover) follow(m pair, left, c int) (line []game.Move) {
	f := v.field
	var done []pair
	add := func(m pair, side int) {
		f.put(int(m.a), side)
		if m.b != none && f.made(m.a, side) {
			m.b = none // the first stone is enough
		} else if m.b != none {
			f.put(int(m.b), side)
		}
		done = append(done, m)
		line = append(line, game.PlaceAt(f.point(m.a)))
		if m.b != none {
			line = append(line, game.PlaceAt(f.point(m.b)))
		}
	}
	for left > 0 {
		if win, ok := f.winning(c, 2); ok {
			add(win, c)
			break
		}
		add(m, c)
		left--
		replies := f.covers(nil, c, 2)
		if len(replies) == 0 {
			break // any
		}
		add(replies[0], 1-c)
		v.attack.budget = 1 << 30
		v.nodes = 0
		if m, left = v.attack.search(c, left, 0); left == 0 {
			break
		}
	}
	for i := len(done) - 1; i >= 0; i-- {
		side := c
		if i%2 == 1 {
			side = 1 - c
		}
		f.undo(done[i], side)
	}
	return line
}
