package tournament

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// few is up to how many places all pairings of a round are looked at, and whether
// the rounds to come can still be paired without meeting twice. With more of them
// the rounds that anybody plays never come near that limit.
const few = 10

// choose returns for each place the one that it is paired with, left being how
// many rounds are to follow.
func (f *field) choose(left int) []int {
	n := len(f.order)
	if n == 0 {
		return nil
	}
	if n > few {
		return cheapest(n, f.cost)
	}
	list := f.all()
	for _, p := range list {
		if f.leaves(p.mates, left) {
			return p.mates
		}
	}
	return list[0].mates
}

// pairing is one way to pair a round.
type pairing struct {
	mates []int
	cost  int64
}

// all returns all ways to pair a round, the cheapest first.
func (f *field) all() []pairing {
	var out []pairing
	mates := make([]int, len(f.order))
	var fill func(free uint, cost int64)
	fill = func(free uint, cost int64) {
		if free == 0 {
			out = append(out, pairing{slices.Clone(mates), cost})
			return
		}
		a := bits.TrailingZeros(free)
		for b := a + 1; b < len(mates); b++ {
			if free>>b&1 == 1 {
				mates[a], mates[b] = b, a
				fill(free&^(1<<a|1<<b), cost+f.cost(a, b))
			}
		}
	}
	fill(1<<len(mates)-1, 0)
	slices.SortStableFunc(out, func(x, y pairing) int { return cmp.Compare(x.cost, y.cost) })
	return out
}

// leaves reports whether after a pairing without repetition the rounds that are
// left can be paired without one too, as far as there are opponents. When all have
// met all, it begins anew.
func (f *field) leaves(mates []int, left int) bool {
	n := len(mates)
	often := uint16(min((f.s.round-1)/(n-1), math.MaxUint16-1)) // so often all have met already
	var may [few]uint                                           // whom each may still meet
	for a, mate := range mates {
		if f.s.times[f.order[a]+1][f.order[mate]+1] > often {
			return false
		}
		for b := range n {
			if b != a && b != mate && f.s.times[f.order[a]+1][f.order[b]+1] <= often {
				may[a] |= 1 << b
			}
		}
	}
	left = min(left, bits.OnesCount(may[0]))
	// Where more than half of all opponents are left there is always a way.
	if bits.OnesCount(may[0]) > n/2 {
		return true
	}
	return extend(&may, 1<<n-1, 1<<n-1, left)
}

// extend reports whether the free places can be paired, and then all of them for
// the rest of the rounds.
func extend(may *[few]uint, free, all uint, rounds int) bool {
	if rounds == 0 {
		return true
	}
	if free == 0 {
		return extend(may, all, all, rounds-1)
	}
	a := bits.TrailingZeros(free)
	for set := may[a] & free; set != 0; set &= set - 1 {
		b := bits.TrailingZeros(set)
		may[a] &^= 1 << b
		may[b] &^= 1 << a
		found := extend(may, free&^(1<<a|1<<b), all, rounds)
		may[a] |= 1 << b
		may[b] |= 1 << a
		if found {
			return true
		}
	}
	return false
}
