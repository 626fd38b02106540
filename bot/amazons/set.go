package amazons

import (
	"math/bits"

	"kibitz/games/amazons"
)

// set holds squares of the board with a spare column on the right that is never
// in a set of empty squares, so that shifted sets do not wrap around.
type set struct{ lo, hi uint64 }

const stride = amazons.Size + 1

// bit returns the set of one square of the board's own numbering.
func bit(sq uint8) set {
	n := uint(sq) + uint(sq)/amazons.Size
	if n < 64 {
		return set{lo: 1 << n}
	}
	return set{hi: 1 << (n - 64)}
}

// square returns the board's number of the first square of a set.
func (s set) square() uint8 {
	n := bits.TrailingZeros64(s.lo)
	if s.lo == 0 {
		n = 64 + bits.TrailingZeros64(s.hi)
	}
	return uint8(n - n/stride)
}

// rest returns s without its first square.
func (s set) rest() set {
	if s.lo != 0 {
		return set{s.lo & (s.lo - 1), s.hi}
	}
	return set{0, s.hi & (s.hi - 1)}
}

func (s set) or(t set) set  { return set{s.lo | t.lo, s.hi | t.hi} }
func (s set) and(t set) set { return set{s.lo & t.lo, s.hi & t.hi} }
func (s set) not(t set) set { return set{s.lo &^ t.lo, s.hi &^ t.hi} }
func (s set) empty() bool   { return s.lo|s.hi == 0 }
func (s set) count() int    { return bits.OnesCount64(s.lo) + bits.OnesCount64(s.hi) }

// ray returns the squares that are reached from a set along one line, both ways,
// over empty squares. n is the distance of neighbours on the line.
func ray(from, empty set, n uint) set {
	n &= 63
	m := (64 - n) & 63
	u, d := from, from
	var all set
	for {
		u = set{u.lo << n & empty.lo, (u.hi<<n | u.lo>>m) & empty.hi}
		d = set{(d.lo>>n | d.hi<<m) & empty.lo, d.hi >> n & empty.hi}
		lo, hi := u.lo|d.lo, u.hi|d.hi
		if lo|hi == 0 {
			return all
		}
		all.lo |= lo
		all.hi |= hi
	}
}

// queen returns the squares one queen move away from any of a set.
func queen(from, empty set) set {
	return ray(from, empty, 1).or(ray(from, empty, stride)).
		or(ray(from, empty, stride-1)).or(ray(from, empty, stride+1))
}

// king returns the empty squares one step away from any of a set.
func king(from, empty set) set {
	lo := from.lo | from.lo<<1 | from.lo>>1 | from.hi<<63
	hi := from.hi | from.hi<<1 | from.lo>>63 | from.hi>>1
	return set{
		(lo | lo<<stride | lo>>stride | hi<<(64-stride)) & empty.lo,
		(hi | hi<<stride | lo>>(64-stride) | hi>>stride) & empty.hi,
	}
}

// flood returns the empty squares that can be reached from a set at all.
func flood(from, empty set) set {
	var all set
	for {
		from = king(from, empty).not(all)
		if from.empty() {
			return all
		}
		all = all.or(from)
	}
}

// first returns the set of the first square of one that is not empty.
func first(s set) set {
	if s.lo != 0 {
		return set{lo: s.lo & -s.lo}
	}
	return set{hi: s.hi & -s.hi}
}
