// Package fastchess plays what was written for fastchess, most of which is as in cutechess-cli:
// it reads its options, numbers games and orders openings as it does, and prints its lines.
package fastchess

import (
	"slices"

	"gonum.org/v1/gonum/mathext/prng"

	"kibitz/run/compat"
	"kibitz/run/compat/cutechess"
	"kibitz/tournament"
)

// newPlan numbers the games as fastchess does; the order of openings depends on the seed. A
// meeting is the games of a pair in a round, which have the same opening.
func newPlan(s cutechess.Settings, seed uint64, count compat.Counter) *compat.Schedule {
	runners := s.Players - 1
	if s.Format == "gauntlet" {
		runners = min(s.Seeds, runners)
	}
	var pairs [][2]int
	for a := range runners {
		for b := a + 1; b < s.Players; b++ {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	var openings []int
	if s.Openings.N > 0 {
		openings = order(s.Openings, seed)
		openings = openings[:min(len(openings), s.Rounds)]
	}
	return &compat.Schedule{Counter: count, Games: s.Rounds * len(pairs) * s.Games, At: func(i int) tournament.Pairing {
		meeting := i / s.Games
		pair := pairs[meeting%len(pairs)]
		if swap := i%2 == 1 && !s.NoSwap; swap != s.Reverse {
			pair[0], pair[1] = pair[1], pair[0]
		}
		opening := -1
		if n := len(openings); n > 0 {
			opening = openings[meeting%n]
		}
		return tournament.Pairing{
			Index: i, Round: meeting + 1, Pair: 1, First: pair[0], Second: pair[1], Opening: opening, Shuffle: meeting,
		}
	}}
}

// order is the order of openings: shuffled, turned to where they start.
func order(o cutechess.Openings, seed uint64) []int {
	rng := prng.NewMT19937_64()
	rng.Seed(seed)
	list := compat.Order(o.N, o.Random, func(n int) int { return int(rng.Uint64() % uint64(n)) })
	from := (o.Start - 1) % o.N
	return slices.Concat(list[from:], list[:from])
}
