package gomoku

import "kibitz/bot"

// bounds of a stored score.
const (
	exact uint8 = iota + 1
	lower
	upper
)

// entry is what is known of a position.
type entry struct {
	key   uint64
	move  int16
	score int16
	depth int8
	bound uint8
}

// table is the transposition table. Newer results replace older ones unless those
// are of the same position and deeper.
type table struct{ bot.Table[entry] }

func (t *table) get(key uint64) (entry, bool) {
	e := *t.At(key)
	return e, e.key == key^t.Mark() && e.bound != 0
}

func (t *table) put(e entry) {
	old := t.At(e.key)
	e.key ^= t.Mark()
	if old.key == e.key && old.depth > e.depth && e.bound != exact {
		if old.move < 0 {
			old.move = e.move
		}
		return
	}
	if e.move < 0 && old.key == e.key {
		e.move = old.move
	}
	*old = e
}
