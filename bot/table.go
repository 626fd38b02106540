package bot

import "reflect"

// Table is the memory of a search: places for entries, of which each key has one that
// it shares with others. What is kept of a position, how a stranger in its place is
// told, and who gives way, is the engine's.
//
//	type table struct{ bot.Table[entry] }
//
//	func (t *table) get(key uint64) (entry, bool) {
//		e := *t.At(key)
//		return e, e.key == key && e.bound != 0
//	}
//
// The zero value has no places; Resize or Fit makes some. Entries hold no pointers.
type Table[E any] struct {
	entries []E
	mask    uint64
}

// fewest is how many places a table has at least.
const fewest = 1 << 10

// EntryBytes is the size of an entry.
func (*Table[E]) EntryBytes() int64 { return int64(reflect.TypeFor[E]().Size()) }

// Bytes is the size of the table.
func (t *Table[E]) Bytes() int64 { return int64(len(t.entries)) * t.EntryBytes() }

// Resize makes as many places as there is room for in so many bytes: a power of two,
// at least 1024. If that is a change everything is forgotten.
func (t *Table[E]) Resize(bytes int64) {
	n := int64(fewest)
	for n*2*t.EntryBytes() <= bytes {
		n *= 2
	}
	if int64(len(t.entries)) != n {
		t.entries = make([]E, n)
		t.mask = uint64(n - 1)
	}
}

// Fit is Resize for the next task: to what it wants, within what the limit of the
// process allows (see TableBytes). Without a limit a table only grows, because what it
// holds may be of use.
func (t *Table[E]) Fit(limit, want int64) {
	if size := TableBytes(limit, want); limit > 0 || size > t.Bytes() || t.entries == nil {
		t.Resize(size)
	}
}

// Clear forgets everything.
func (t *Table[E]) Clear() { clear(t.entries) }

// At returns the place of a key.
func (t *Table[E]) At(key uint64) *E { return &t.entries[key&t.mask] }
