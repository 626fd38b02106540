package main

import (
	"slices"

	"gonum.org/v1/gonum/mathext/prng"

	"kibitz/tournament"
)

// fcPlan numbers the games of a tournament as fastchess does. It is a schedule.
type fcPlan struct {
	o *ccOptions
	// pairs are those that meet in a round, openings their order.
	pairs    [][2]int
	openings []int
	issued   int
	count    func(tournament.Finished)
}

// newFCPlan returns the schedule of so many players and openings.
func newFCPlan(o *ccOptions, players, openings int, seed uint64, count func(tournament.Finished)) *fcPlan {
	p := &fcPlan{o: o, count: count}
	runners := players - 1
	if o.format == "gauntlet" {
		runners = min(o.seeds, runners)
	}
	for a := range runners {
		for b := a + 1; b < players; b++ {
			p.pairs = append(p.pairs, [2]int{a, b})
		}
	}
	if openings > 0 {
		p.openings = fcOrder(openings, o.openings, o.rounds, seed)
	}
	return p
}

// fcOrder is the order of openings: shuffled, turned to where they start, no more than
// there are rounds.
func fcOrder(n int, x *ccOpenings, rounds int, seed uint64) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	if x.random {
		rng := prng.NewMT19937_64()
		rng.Seed(seed)
		for i := 0; i+2 <= n; i++ {
			j := i + int(rng.Uint64()%uint64(n-i))
			list[i], list[j] = list[j], list[i]
		}
	}
	from := (x.start - 1) % n
	list = slices.Concat(list[from:], list[:from])
	return list[:min(n, rounds)]
}

// Len is how many games there are, as Most is.
func (p *fcPlan) Len() int  { return p.o.rounds * len(p.pairs) * p.o.games }
func (p *fcPlan) Most() int { return p.Len() }

// Record counts a game.
func (p *fcPlan) Record(f tournament.Finished) { p.count(f) }

// Next returns the next game. A meeting is the games of a pair in a round, which have the
// same opening.
func (p *fcPlan) Next() (tournament.Pairing, tournament.State) {
	if p.issued == p.Len() {
		return tournament.Pairing{}, tournament.Over
	}
	i := p.issued
	p.issued++
	meeting := i / p.o.games
	pair := p.pairs[meeting%len(p.pairs)]
	if swap := i%2 == 1 && !p.o.noswap; swap != p.o.reverse {
		pair[0], pair[1] = pair[1], pair[0]
	}
	opening := -1
	if n := len(p.openings); n > 0 {
		opening = p.openings[meeting%n]
	}
	return tournament.Pairing{Index: i, Round: meeting + 1, Pair: 1, First: pair[0], Second: pair[1], Opening: opening, Shuffle: meeting}, tournament.Ready
}
