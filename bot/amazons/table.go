package amazons

import "kibitz/bot"

// What the value of an entry says.
const (
	exact uint8 = iota + 1
	atLeast
	atMost
)

// entry is what is remembered of a position, 24 bytes.
type entry struct {
	key   uint64
	value int32
	best  turn
	depth uint8
	bound uint8
}

// table remembers positions. The latest result always replaces an older one.
type table struct{ bot.Table[entry] }

func (t *table) get(key uint64) (entry, bool) {
	e := *t.At(key)
	return e, e.key == key^t.Mark() && e.bound != 0
}

func (t *table) put(e entry) {
	at := t.At(e.key)
	e.key ^= t.Mark()
	*at = e
}
