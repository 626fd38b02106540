package connect6

// entryBytes is the size of an entry of the table.
const entryBytes = 24

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
type table struct{ entries []entry }

// resize makes room for so many bytes; it forgets everything if that is a change.
func (t *table) resize(bytes int64) {
	n := 1
	for int64(2*n*entryBytes) <= bytes {
		n *= 2
	}
	if n != len(t.entries) {
		t.entries = make([]entry, n)
	}
}

func (t *table) clear() { clear(t.entries) }

func (t *table) at(key uint64) *entry { return &t.entries[key&uint64(len(t.entries)-1)] }

func (t *table) get(key uint64) (entry, bool) {
	e := t.at(key)
	return *e, e.key == key
}

func (t *table) put(e entry) {
	if old := t.at(e.key); old.key != e.key || old.depth <= e.depth || e.bound == exact {
		*old = e
	}
}
