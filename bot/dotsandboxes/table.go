package dotsandboxes

import (
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

const entryBytes = 16

// table remembers positions. The latest result always replaces an older one.
type table struct {
	entries []entry
	mask    uint64
}

// resize makes a table of at most so many bytes, a power of two of entries.
func (t *table) resize(limit int64) {
	n := int64(1 << 10)
	for n*2*entryBytes <= limit {
		n *= 2
	}
	if int64(len(t.entries)) != n {
		t.entries = make([]entry, n)
		t.mask = uint64(n - 1)
	}
}

func (t *table) clear() { clear(t.entries) }

func (q *quiet) key() uint64 { return grid.Key(grid.Key(q.drawn.H) ^ q.drawn.V) }

func (t *table) get(key uint64) (entry, bool) {
	e := t.entries[key&t.mask]
	return e, e.used && e.key == key
}

func (t *table) put(e entry) {
	e.used = true
	t.entries[e.key&t.mask] = e
}
