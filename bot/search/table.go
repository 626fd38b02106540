package search

import (
	"sync/atomic"

	"kibitz/bot"
)

// bound says what the value of an entry means.
type bound uint8

const (
	exact bound = iota + 1
	atLeast
	atMost
)

// boundOf says what a value means that was found with a window.
func boundOf(v, alpha, beta int) bound {
	switch {
	case v >= beta:
		return atLeast
	case v <= alpha:
		return atMost
	}
	return exact
}

// entry is what is remembered of a position: 32 bits of move, 22 of value, 8 of depth
// and 2 of bound. A bound of 0 is no entry.
type entry uint64

func pack(m Move, value, depth int, b bound) entry {
	return entry(m) | entry(value&(1<<22-1))<<32 | entry(uint8(depth))<<54 | entry(b)<<62
}

func (e entry) move() Move   { return Move(e) }
func (e entry) value() int   { return int(int64(e)<<10) >> 42 }
func (e entry) depth() int   { return int(e >> 54 & 255) }
func (e entry) bound() bound { return bound(e >> 62) }

// decides tells whether v, the entry's value at this ply, ends the search of a window.
func (e entry) decides(v, alpha, beta int) bool {
	b := e.bound()
	return b == exact || b == atLeast && v >= beta || b == atMost && v <= alpha
}

// place keeps an entry. check is the key mixed with the entry, so that of two
// goroutines that write at once neither leaves something that is taken for true.
// (Hyatt and Mann, A lock-less transposition table implementation, 2002.)
type place struct{ check, entry uint64 }

// table is the transposition table. The latest result replaces an older one.
type table struct {
	bot.Table[place]
	many bool // there is more than one goroutine
}

// get returns what is known of a position, 0 if nothing is.
func (t *table) get(key uint64) entry {
	p := t.At(key)
	var check, e uint64
	if t.many {
		check, e = atomic.LoadUint64(&p.check), atomic.LoadUint64(&p.entry)
	} else {
		check, e = p.check, p.entry
	}
	if check^e != key^t.Mark() {
		return 0
	}
	return entry(e)
}

func (t *table) put(key uint64, e entry) {
	p := t.At(key)
	check := key ^ t.Mark() ^ uint64(e)
	if t.many {
		atomic.StoreUint64(&p.check, check)
		atomic.StoreUint64(&p.entry, uint64(e))
		return
	}
	p.check, p.entry = check, uint64(e)
}
