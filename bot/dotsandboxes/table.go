package dotsandboxes

import (
	"kibitz/bot"
	rule "kibitz/games/dotsandboxes"
	"kibitz/grid"
)

// entry is what is known of a quiet position, 16 bytes: its value for the side to
// move lies from lo to hi.
type entry struct {
	key    uint64
	lo, hi int8
	best   rule.Line
	used   bool
}

// table remembers positions. The latest result always replaces an older one.
type table struct{ bot.Table[entry] }

func (q *quiet) key() uint64 { return grid.Key(grid.Key(q.drawn.H) ^ q.drawn.V) }

func (t *table) get(key uint64) (entry, bool) {
	e := *t.At(key)
	return e, e.used && e.key == key
}

func (t *table) put(e entry) {
	e.used = true
	*t.At(e.key) = e
}
