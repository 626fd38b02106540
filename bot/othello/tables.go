package othello

// tables are what a search remembers, in two tables: most positions searched are
// near the end, and for them a small table, which stays in the processor's cache,
// is faster than a large one holds more.
type tables struct{ far, near table }

// nearEnd is the number of empty squares up to which positions go into the small
// table, nearBytes its greatest size.
const (
	nearEnd   = 11
	nearBytes = 2 << 20
)

// of returns the table for positions with so many empty squares.
func (t *tables) of(empties int) *table {
	if empties <= nearEnd {
		return &t.near
	}
	return &t.far
}

// resize makes the tables as large as they can be within so many bytes, and empty
// if their size changes.
func (t *tables) resize(bytes int64) {
	near := min(int64(nearBytes), bytes/8)
	t.near.resize(near)
	t.far.resize(bytes - near)
}

func (t *tables) clear() {
	t.near.clear()
	t.far.clear()
}

// next begins a new search, whose entries displace older ones first.
func (t *tables) next() {
	t.near.next()
	t.far.next()
}

func (t *tables) bytes() int64 { return t.near.bytes() + t.far.bytes() }
