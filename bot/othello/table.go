package othello

import "kibitz/games/othello"

// entry is what is known of one position. The board is kept whole, so that one
// position is never taken for another and what is proved is proved.
type entry struct {
	own, opp uint64
	lo, hi   int16 // bounds of the score, in parts of a disc
	size     int8  // plies searched, or empty squares if exact
	exact    bool  // the bounds are proved
	move     uint8 // best move, noMove if unknown
	age      uint8
	_        [4]byte // two entries fill a line of the processor's cache
	mark     uint32  // of the table when it was kept; another one's is as good as none
}

const (
	entryBytes = 32
	bucket     = 2
	noMove     = 64
)

// table remembers searched positions.
type table struct {
	entries []entry
	mask    uint64 // of the bucket's number
	age     uint8
	mark    uint32
}

// resize makes the table as large as it can be within so many bytes, and empty
// if its size changes.
func (t *table) resize(bytes int64) {
	n := int64(1 << 8)
	for n*2*bucket*entryBytes <= bytes {
		n *= 2
	}
	if int64(len(t.entries)) == n*bucket {
		return
	}
	t.entries = make([]entry, n*bucket)
	t.mask, t.age, t.mark = uint64(n-1), 0, 0
}

// clear forgets everything: the table is then like a new one.
func (t *table) clear() {
	t.age = 0
	if t.mark++; t.mark == 0 { // all marks have been used
		clear(t.entries)
	}
}

// next begins a new search, whose entries displace older ones first.
func (t *table) next() { t.age++ }

// find returns the entry of the board, nil if there is none.
func (t *table) find(b othello.Board) *entry {
	i := (b.Hash() & t.mask) * bucket
	set := t.entries[i : i+bucket]
	for i := range set {
		if e := &set[i]; e.own == b.Own && e.opp == b.Opp && e.mark == t.mark {
			return e
		}
	}
	return nil
}

// store keeps what a search of the board has found: value within or outside of
// the window it was asked for.
func (t *table) store(b othello.Board, value, alpha, beta, size int, exact bool, move int) {
	i := (b.Hash() & t.mask) * bucket
	set := t.entries[i : i+bucket]
	e := &set[0]
	worst := 1 << 20
	for i := range set {
		c := &set[i]
		if c.mark != t.mark {
			*c = entry{mark: t.mark}
		}
		if c.own == b.Own && c.opp == b.Opp {
			e = c
			break
		}
		if w := c.worth(t.age); w < worst {
			worst, e = w, c
		}
	}
	lo, hi := int16(-limit), int16(limit)
	if value < beta {
		hi = int16(value)
	}
	if value > alpha {
		lo = int16(value)
	}
	if e.own == b.Own && e.opp == b.Opp {
		if e.exact && !exact { // proved bounds stay
			if move != noMove && e.move == noMove {
				e.move = uint8(move)
			}
			e.age = t.age
			return
		}
		if e.exact == exact && int(e.size) == size {
			lo, hi = max(lo, e.lo), min(hi, e.hi)
			if lo > hi { // searches of one depth may disagree
				lo, hi = int16(value), int16(value)
			}
		}
		if move == noMove || value <= alpha && e.move != noMove {
			move = int(e.move)
		}
	}
	*e = entry{
		own: b.Own, opp: b.Opp, lo: lo, hi: hi,
		size: int8(size), exact: exact, move: uint8(move), age: t.age, mark: t.mark,
	}
}

// worth says how much is lost with the entry.
func (e *entry) worth(age uint8) int {
	w := int(e.size) * 2
	if e.exact {
		w++
	}
	if e.age == age {
		w += 256
	}
	return w
}

func (t *table) bytes() int64 { return int64(len(t.entries)) * entryBytes }
