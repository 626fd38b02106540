package surakarta

import "kibitz/games/surakarta"

// What the value of an entry says.
const (
	exact uint8 = iota + 1
	atLeast
	atMost
)

// entry is what is remembered of a position, 16 bytes.
type entry struct {
	key   uint64
	value int16
	best  surakarta.Step
	depth int8
	bound uint8
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

func (t *table) get(key uint64) (entry, bool) {
	e := t.entries[key&t.mask]
	return e, e.key == key && e.bound != 0
}

func (t *table) put(e entry) { t.entries[e.key&t.mask] = e }
