package connect6

import "kibitz/bot"

// The meanings of a stored score.
const (
	exact = iota
	atLeast
	atMost
)

// entry is what is remembered of a position.
type entry struct {
	key   uint64
	score int32
	move  pair
	depth int8
	bound uint8
}

// table remembers positions by their number.
type table struct{ bot.Table[entry] }

func (t *table) get(key uint64) (entry, bool) {
	e := *t.At(key)
	return e, e.key == key^t.Mark()
}

func (t *table) put(e entry) {
	old := t.At(e.key)
	e.key ^= t.Mark()
	if old.key != e.key || old.depth <= e.depth || e.bound == exact {
		*old = e
	}
}
