package dotsandboxes

import (
	"kibitz/bot"
	"kibitz/game/grid"
	rule "kibitz/games/dotsandboxes"
)

// entry is what is known of a quiet position, 24 bytes: its value for the side to
// move lies from lo to hi. The lines are kept whole, so that one position is never
// taken for another and what is solved is solved.
type entry struct {
	drawn  rule.Lines
	lo, hi int8
	best   rule.Line
	used   bool
	mark   uint32
}

// table remembers positions. The latest result always replaces an older one.
type table struct{ bot.Table[entry] }

func (q *quiet) key() uint64 { return grid.Key(grid.Key(q.drawn.H) ^ q.drawn.V) }

func (t *table) get(q *quiet, key uint64) (entry, bool) {
	e := *t.At(key)
	return e, e.used && e.mark == uint32(t.Mark()) && e.drawn == q.drawn
}

func (t *table) put(key uint64, e entry) {
	e.used, e.mark = true, uint32(t.Mark())
	*t.At(key) = e
}
