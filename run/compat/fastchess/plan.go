// Package fastchess numbers games and orders openings as fastchess does.
package fastchess

import (
	"slices"

	"gonum.org/v1/gonum/mathext/prng"

	"kibitz/tournament"
)

// Settings are what fastchess's options say of a tournament.
type Settings struct {
	// Gauntlet lets the first Seeds players meet all others, else all meet all.
	Gauntlet       bool
	Players, Seeds int
	// Games are those of each pair in a round, 1 or 2.
	Games, Rounds   int
	NoSwap, Reverse bool
	// Openings are so many, in random order or not, from Start on, which counts from 1.
	Openings int
	Random   bool
	Start    int
}

// Plan numbers the games of a tournament as fastchess does. It is a schedule.
type Plan struct {
	s Settings
	// pairs are those that meet in a round, openings their order.
	pairs    [][2]int
	openings []int
	issued   int
	count    func(tournament.Finished)
}

// NewPlan returns a schedule; the order of openings depends on the seed, and count is told
// of every game.
func NewPlan(s Settings, seed uint64, count func(tournament.Finished)) *Plan {
	p := &Plan{s: s, count: count}
	runners := s.Players - 1
	if s.Gauntlet {
		runners = min(s.Seeds, runners)
	}
	for a := range runners {
		for b := a + 1; b < s.Players; b++ {
			p.pairs = append(p.pairs, [2]int{a, b})
		}
	}
	if s.Openings > 0 {
		p.openings = order(&s, seed)
	}
	return p
}

// order is the order of openings: shuffled, turned to where they start, no more than
// there are rounds.
func order(s *Settings, seed uint64) []int {
	n := s.Openings
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	if s.Random {
		rng := prng.NewMT19937_64()
		rng.Seed(seed)
		for i := 0; i+2 <= n; i++ {
			j := i + int(rng.Uint64()%uint64(n-i))
			list[i], list[j] = list[j], list[i]
		}
	}
	from := (s.Start - 1) % n
	list = slices.Concat(list[from:], list[:from])
	return list[:min(n, s.Rounds)]
}

// Len is how many games there are.
func (p *Plan) Len() int { return p.s.Rounds * len(p.pairs) * p.s.Games }

// Most is how many there can be.
func (p *Plan) Most() int { return p.Len() }

// Record counts a game.
func (p *Plan) Record(f tournament.Finished) { p.count(f) }

// Next returns the next game. A meeting is the games of a pair in a round, which have the
// same opening.
func (p *Plan) Next() (tournament.Pairing, tournament.State) {
	if p.issued == p.Len() {
		return tournament.Pairing{}, tournament.Over
	}
	i := p.issued
	p.issued++
	meeting := i / p.s.Games
	pair := p.pairs[meeting%len(p.pairs)]
	if swap := i%2 == 1 && !p.s.NoSwap; swap != p.s.Reverse {
		pair[0], pair[1] = pair[1], pair[0]
	}
	opening := -1
	if n := len(p.openings); n > 0 {
		opening = p.openings[meeting%n]
	}
	return tournament.Pairing{
		Index: i, Round: meeting + 1, Pair: 1, First: pair[0], Second: pair[1], Opening: opening, Shuffle: meeting,
	}, tournament.Ready
}
