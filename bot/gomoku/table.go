package gomoku

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
type table struct {
	entries []entry
	mask    uint64
}

// entryBytes is the size of an entry in memory.
const entryBytes = 16

// resize makes room for a number of bytes and forgets everything if the size
// changes.
func (t *table) resize(bytes int64) {
	n := 1 << 10
	for int64(n)*2*entryBytes <= bytes {
		n *= 2
	}
	if len(t.entries) != n {
		t.entries = make([]entry, n)
		t.mask = uint64(n - 1)
	}
}

func (t *table) clear() { clear(t.entries) }

func (t *table) get(key uint64) (entry, bool) {
	e := t.entries[key&t.mask]
	return e, e.key == key && e.bound != 0
}

func (t *table) put(e entry) {
	old := &t.entries[e.key&t.mask]
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
