// Package cutechess plays what was written for cutechess-cli: it reads its options, numbers
// games, orders openings and draws lots as it does, prints its lines and writes its files.
package cutechess

import (
	"slices"
	"sync/atomic"

	"kibitz/run/compat"
	"kibitz/tournament"
)

// Settings are what cutechess-cli's options say of a tournament.
type Settings struct {
	Format  string // round-robin, gauntlet, knockout or pyramid
	Players int
	// Games are those of each pair in a round, Rounds how often the whole is played.
	Games, Rounds int
	// Repeat is how often an opening is played, from 1.
	Repeat int
	// Seeds of the players run the gauntlet, or are placed in the knockout.
	Seeds           int
	NoSwap, Reverse bool
	Openings        Openings
}

// Openings are the order of N openings.
type Openings struct {
	N      int
	Random bool
	Start  int // from 1
	// Policy is default, encounter or round.
	Policy string
}

// plan numbers the games of a tournament as cutechess-cli does. It is a schedule.
type plan struct {
	s Settings
	// pairs returns who meets next when a pair has played its games: the next pair
	// and its round, from 1; false after the last. Knockouts have none.
	pairs func() (a, b, round int, ok bool)
	// knockout is set in that format.
	knockout *knockout

	total  atomic.Int64 // games, as far as is known; games that begin ask while others are handed out
	issued int
	// current is the pair that played last, turned those that meet with seats
	// exchanged the next time, by the pair in ascending order.
	current [2]int
	round   int
	turned  map[[2]int]bool

	openings *order
	compat.Counter
}

// newPlan returns a schedule; its lots depend on the seed, and count is told of every
// game.
func newPlan(s Settings, seed uint32, count compat.Counter) *plan {
	rng := newTwister(seed)
	p := &plan{s: s, current: [2]int{-1, -1}, turned: map[[2]int]bool{}, Counter: count}
	p.openings = newOrder(s.Openings, s.Repeat, rng)
	players := s.Players
	cycle := players * (players - 1) / 2
	switch s.Format {
	case "round-robin":
		p.pairs = circlePairs(players)
	case "pyramid":
		p.pairs = pyramidPairs(players)
	case "gauntlet":
		seeds := min(max(s.Seeds, 1), players-1)
		cycle = (players - seeds) * seeds
		p.pairs = gauntletPairs(players, seeds)
	case "knockout":
		p.knockout = newKnockout(players, min(s.Seeds, players), s.Games, rng)
		cycle = p.knockout.players - 1
	}
	p.total.Store(int64(cycle * s.Games * s.Rounds))
	return p
}

// circlePairs is a round robin by the circle method.
func circlePairs(n int) func() (int, int, int, bool) {
	even := n + n%2
	var top, bottom []int
	for i := range even / 2 {
		top, bottom = append(top, i), append(bottom, even-1-i)
	}
	at, round := 0, 1
	return func() (int, int, int, bool) {
		for {
			if at == len(top) {
				at = 0
				round++
				if len(top) > 1 {
					top = slices.Insert(top, 1, bottom[0])
					bottom = append(bottom[1:], top[len(top)-1])
					top = top[:len(top)-1]
				}
			}
			at++
			if a, b := top[at-1], bottom[at-1]; a < n && b < n {
				return a, b, round, true
			}
		}
	}
}

// pyramidPairs lets every player meet all before it, again and again.
func pyramidPairs(n int) func() (int, int, int, bool) {
	at, newcomer, round := 0, 1, 1
	return func() (int, int, int, bool) {
		if at == newcomer {
			at = 0
			round++
			if newcomer++; newcomer == n {
				newcomer = 1
			}
		}
		at++
		return newcomer, at - 1, round, true
	}
}

// gauntletPairs lets each of the first players meet all the others.
func gauntletPairs(n, seeds int) func() (int, int, int, bool) {
	runner, opponent, round := 0, seeds, 1
	return func() (int, int, int, bool) {
		if opponent == n {
			opponent = seeds
			if runner++; runner == seeds {
				runner = 0
				round++
			}
		}
		opponent++
		return runner, opponent - 1, round, true
	}
}

// Len is how many games there are, as far as is known.
func (p *plan) Len() int { return int(p.total.Load()) }

// Most is how many there can be: rematches of a knockout have no end.
func (p *plan) Most() int {
	if p.knockout != nil {
		return 1 << 20
	}
	return p.Len()
}

// Record counts a game.
func (p *plan) Record(f tournament.Finished) {
	if p.knockout != nil {
		p.knockout.record(f)
	}
	p.Counter.Record(f)
}

// Next returns the next game.
func (p *plan) Next() (tournament.Pairing, tournament.State) {
	var pair [2]int
	round := p.round
	switch {
	case p.knockout != nil:
		var state tournament.State
		if pair, round, state = p.knockout.next(); state != tournament.Ready {
			return tournament.Pairing{}, state
		}
	case p.issued == p.Len():
		return tournament.Pairing{}, tournament.Over
	case p.issued%p.s.Games == 0:
		pair[0], pair[1], round, _ = p.pairs()
	default:
		pair = p.current
	}
	return p.start(pair, round), tournament.Ready
}

// start numbers a game of a pair.
func (p *plan) start(pair [2]int, round int) tournament.Pairing {
	key := [2]int{min(pair[0], pair[1]), max(pair[0], pair[1])}
	same := p.current == pair || p.current == [2]int{pair[1], pair[0]}
	if _, met := p.turned[key]; !met {
		p.turned[key] = pair[0] > pair[1] // as it is named at first
	}
	if !same && p.s.Reverse {
		p.turned[key] = !p.turned[key]
	}
	newRound := round > p.openings.round
	if policy := p.openings.policy; !same && p.s.Players > 2 && policy != "round" || policy == "round" && newRound {
		p.openings.renew(round)
	}
	first, second := key[0], key[1]
	if p.turned[key] {
		first, second = second, first
	}
	if !p.s.NoSwap {
		p.turned[key] = !p.turned[key]
	}
	p.current, p.round = pair, round
	p.issued++
	p.total.Store(int64(max(p.Len(), p.issued)))
	return tournament.Pairing{
		Index: p.issued - 1, Round: round, Pair: 1, First: first, Second: second, Opening: p.openings.take(), Shuffle: p.issued - 1,
	}
}
