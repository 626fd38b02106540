package tournament

import (
	"math/rand/v2"
	"slices"

	"kibitz/game"
)

// MostRematches is how often a tied match of a knockout is played again before the
// engine that was placed higher goes on.
const MostRematches = 5

// Knockout is a tournament in which the winner of a match goes on and the loser is
// out. The field is filled up to a power of two by byes for those placed highest,
// who meet each other as late as can be.
type Knockout struct {
	meetings
	// place is how an engine was placed, from 0.
	place []int
	// alive are those who play the round, in the order of the bracket; -1 is a bye.
	alive   []int
	round   int
	bracket []KnockoutMatch
	// live are the matches of the bracket that the current wave decides.
	live      []int
	rematches int
	extra     int // games of all rematches so far
}

// KnockoutMatch is a match of the bracket.
type KnockoutMatch struct {
	// Round counts from 1, Of is how many there are.
	Round, Of int
	// First and Second are the engines; Second is -1 for a bye.
	First, Second int
	// Points are what they scored, as games count (1, ½, 0), rematches included.
	Points [2]float64
	// Rematches is how often the match was played again.
	Rematches int
	// Winner is -1 while there is none. Placed says that all rematches were tied
	// and the higher place decided.
	Winner int
	Placed bool
}

func newKnockout(plan Plan) *Knockout {
	k := &Knockout{meetings: newMeetings(plan), place: make([]int, plan.Engines)}
	ranked := make([]int, plan.Engines)
	for i := range ranked {
		ranked[i] = i
	}
	if plan.Seeds > 0 {
		rest := ranked[plan.Seeds:]
		rand.New(rand.NewChaCha8(plan.Lot)).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
	for i, e := range ranked {
		k.place[e] = i
	}
	// 0; 0 1; 0 3 1 2; …: each meets its mirror.
	k.alive = []int{0}
	for size := 2; len(k.alive) < plan.Engines; size *= 2 {
		var wider []int
		for _, p := range k.alive {
			wider = append(wider, p, size-1-p)
		}
		k.alive = wider
	}
	for i, p := range k.alive {
		k.alive[i] = -1
		if p < plan.Engines {
			k.alive[i] = ranked[p]
		}
	}
	return k
}

// Len returns how many games there are unless more rematches come.
func (k *Knockout) Len() int { return (k.plan.Engines-1)*k.plan.Games + k.extra }

// Most returns how many games there are if every match is played again as often as
// it can be.
func (k *Knockout) Most() int {
	return (k.plan.Engines - 1) * (k.plan.Games + MostRematches*k.rematch())
}

// rematch is how many games a rematch has: one for each seat, or one with seats
// exchanged where a match is a single game.
func (k *Knockout) rematch() int { return min(2, k.plan.Games) }

// Next returns the next game, and begins a round or its rematches when what was
// before is over.
func (k *Knockout) Next() (Pairing, State) { return k.follow(k.advance) }

// advance begins the rematches of a round, or the next round with its winners.
func (k *Knockout) advance() bool {
	if k.open > 0 {
		return false
	}
	if k.count > 0 {
		bracket, tied := k.decided()
		if len(tied) > 0 {
			k.bracket = bracket
			k.again(tied)
			return true
		}
		if len(k.alive) == 2 {
			return false
		}
		k.bracket = bracket
		n := len(k.alive) / 2
		k.alive = k.alive[:0]
		for _, m := range k.bracket[len(k.bracket)-n:] {
			k.alive = append(k.alive, m.Winner)
		}
	}
	k.pair()
	return true
}

// pair begins a round.
func (k *Knockout) pair() {
	k.round++
	k.rematches = 0
	k.live = nil
	of := k.round - 1
	for n := len(k.alive); n > 1; n /= 2 {
		of++
	}
	var pairs []meeting
	for i := 0; i < len(k.alive); i += 2 {
		a, b := k.alive[i], k.alive[i+1]
		if a < 0 {
			a, b = b, a
		}
		m := KnockoutMatch{Round: k.round, Of: of, First: a, Second: b, Winner: -1}
		if b < 0 {
			m.Winner = a
		} else {
			k.live = append(k.live, len(k.bracket))
			pairs = append(pairs, k.seat(i/2+1, a, b))
		}
		k.bracket = append(k.bracket, m)
	}
	k.start(k.round, k.plan.Games, pairs)
}

// again begins the rematches of a round, of those of the live matches that are tied.
func (k *Knockout) again(tied []int) {
	k.rematches++
	pairs, live := make([]meeting, len(tied)), make([]int, len(tied))
	for i, at := range tied {
		live[i] = k.live[at]
		k.bracket[live[i]].Rematches++
		pairs[i] = meeting{number: k.pairs[at].number, first: k.pairs[at].second, second: k.pairs[at].first}
	}
	k.live = live
	k.extra += len(pairs) * k.rematch()
	k.start(k.round, k.rematch(), pairs)
}

// Record takes a result.
func (k *Knockout) Record(f Finished) {
	k.change(f.Pairing, f.Result, 1)
	k.hold(-1)
}

// change counts a result. One of a wave that is over counts in the bracket, but who
// went on has gone on.
func (k *Knockout) change(p Pairing, r game.Result, by int) {
	if k.tally(p, r, by) {
		return
	}
	first := slices.IndexFunc(k.bracket, func(m KnockoutMatch) bool { return m.Round == p.Round })
	k.bracket[first+p.Pair-1].count([2]int{p.First, p.Second}, r.Points, by)
}

// count adds what two engines scored.
func (m *KnockoutMatch) count(engines [2]int, points [2]float64, by int) {
	if engines[0] != m.First {
		points[0], points[1] = points[1], points[0]
	}
	m.Points[0] += float64(by) * points[0]
	m.Points[1] += float64(by) * points[1]
}

// decided returns the bracket with the wave that is over counted, and which of the
// live matches are to be played again.
func (k *Knockout) decided() (bracket []KnockoutMatch, tied []int) {
	bracket = slices.Clone(k.bracket)
	if k.open > 0 {
		return bracket, nil
	}
	for i, n := range k.live {
		m, p := &bracket[n], k.pairs[i]
		m.count([2]int{p.first, p.second}, p.points, 1)
		switch {
		case m.Points[0] > m.Points[1]:
			m.Winner = m.First
		case m.Points[1] > m.Points[0]:
			m.Winner = m.Second
		case k.rematches == MostRematches:
			m.Placed, m.Winner = true, m.First
			if k.place[m.Second] < k.place[m.First] {
				m.Winner = m.Second
			}
		default:
			tied = append(tied, i)
		}
	}
	return bracket, tied
}

// withdraw has nothing to do: the games of who is gone are awarded, and the opponent
// goes on.
func (k *Knockout) withdraw(int) {}

// enter takes in another engine before the first round, placed last.
func (k *Knockout) mayEnter(int) error {
	if k.count > 0 {
		return errBegun("the knockout has begun")
	}
	return nil
}

func (k *Knockout) enter(int) *block {
	plan := k.plan
	plan.Engines++
	top, keep := k.top, k.keep
	*k = *newKnockout(plan)
	k.top, k.keep = top, keep
	return nil
}

// standing is the round that an engine reached; the champion's is one more than the
// final.
func (k *Knockout) standing(engine int) (float64, bool) {
	reached := 0
	for _, m := range k.Bracket() {
		switch {
		case m.Winner == engine:
			reached = max(reached, m.Round+1)
		case m.First == engine || m.Second == engine:
			reached = max(reached, m.Round)
		}
	}
	return float64(reached), true
}

// Bracket returns the matches that have begun, in the order of the bracket.
func (k *Knockout) Bracket() []KnockoutMatch {
	bracket, _ := k.decided()
	return bracket
}
