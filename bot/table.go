package bot

import (
	"math"
	"reflect"
)

// Table is the memory of a search: places for entries, of which each key has one that
// it shares with others. What is kept of a position, how a stranger in its place is
// told, and who gives way, is the engine's.
//
//	type table struct{ bot.Table[entry] }
//
//	func (t *table) get(key uint64) (entry, bool) {
//		e := *t.At(key)
//		return e, e.key == key^t.Mark() && e.bound != 0
//	}
//
// To forget costs nothing, however large the table is: entries stay and become
// strangers, because they are kept with a mark that is then another. For that a stranger
// must not be treated otherwise than an empty place.
//
// The zero value has no places; Resize or Fit makes some. Entries hold no pointers.
type Table[E any] struct {
	entries []E
	mask    uint64
	mark    uint64
}

// nextMark is what is added to a mark: odd, so that it takes 2^64 steps to come back.
const nextMark = 0x9e3779b97f4a7c15

// fewest is how many places a table has at least.
const fewest = 1 << 10

// EntryBytes is the size of an entry.
func (*Table[E]) EntryBytes() int64 { return int64(reflect.TypeFor[E]().Size()) }

// Bytes is the size of the table.
func (t *Table[E]) Bytes() int64 { return int64(len(t.entries)) * t.EntryBytes() }

// Resize makes as many places as there is room for in so many bytes: a power of two,
// at least 1024. If that is a change everything is forgotten.
func (t *Table[E]) Resize(bytes int64) {
	n := t.places(bytes)
	t.make(n, n)
}

// make makes n places if there are not so many, of those that there were as long as
// these are no more than most.
func (t *Table[E]) make(n, most int64) {
	if int64(len(t.entries)) == n {
		return
	}
	if room := int64(cap(t.entries)); room >= n && room <= most {
		t.entries = t.entries[:n]
		t.Clear()
	} else {
		t.entries = make([]E, n)
	}
	t.mask = uint64(n - 1)
}

func (t *Table[E]) places(bytes int64) int64 {
	n := int64(fewest)
	for n*2*t.EntryBytes() <= bytes {
		n *= 2
	}
	return n
}

// Fit is Resize for the next task: to what it wants, within what the limit of the
// process allows (see TableBytes). Without a limit a table only grows, because what it
// holds may be of use.
func (t *Table[E]) Fit(limit, want int64) {
	switch size := TableBytes(limit, want); {
	case limit > 0:
		t.Resize(size)
	case size > t.Bytes() || len(t.entries) == 0:
		t.make(t.places(size), math.MaxInt64)
	}
}

// Clear forgets everything.
func (t *Table[E]) Clear() { t.mark += nextMark }

// Forget is Clear, also of the size: the table is then like a new one, and has no places
// until the next Resize or Fit.
func (t *Table[E]) Forget() {
	t.Clear()
	t.entries = t.entries[:0]
}

// Mark is what is mixed into what an entry is known by.
func (t *Table[E]) Mark() uint64 { return t.mark }

// At returns the place of a key.
func (t *Table[E]) At(key uint64) *E { return &t.entries[key&t.mask] }
