// Package tournament decides who plays whom, in which seats, from which opening
// and with which seeds, runs the games side by side and keeps the standings. It
// knows nothing of boards, engines or processes.
package tournament

import "fmt"

// Plan is a round robin of any number of engines. Games are numbered from 0 and
// computed as they are needed.
type Plan struct {
	// Engines is how many take part, at least two.
	Engines int
	// Games is how many games each pair plays in a round, at least one; seats are
	// exchanged after each.
	Games int
	// Rounds is how often the whole is repeated, at least one.
	Rounds int
	// Openings is how many openings there are to take in turn, 0 for none.
	Openings int
	// Repeat plays each opening (or shuffle) twice with seats exchanged before
	// the next is taken.
	Repeat bool
	// FixedSeats lets the engine with the lower number begin every game.
	FixedSeats bool
}

// Pairing is one game to be played.
type Pairing struct {
	// Index is the number of the game in the plan, from 0.
	Index int
	// Round counts from 1, Pair numbers the two engines' meeting in the plan
	// from 1.
	Round, Pair int
	// First and Second are the engines in the seats.
	First, Second int
	// Opening is the number of the opening, -1 for none.
	Opening int
	// Shuffle numbers what chance does: games with the same number are dealt the
	// same.
	Shuffle int
}

// Label names the game's place in the seed tree.
func (p Pairing) Label() string { return fmt.Sprintf("game %d", p.Index+1) }

// Check returns why the plan cannot be played.
func (p Plan) Check() error {
	switch {
	case p.Engines < 2:
		return fmt.Errorf("a match needs at least two engines, %d given", p.Engines)
	case p.Games < 1:
		return fmt.Errorf("--games %d: must be at least 1", p.Games)
	case p.Rounds < 1:
		return fmt.Errorf("--rounds %d: must be at least 1", p.Rounds)
	case p.Repeat && p.FixedSeats:
		return fmt.Errorf("--repeat plays each opening with seats exchanged, --fixed-seats never exchanges them: give one of them")
	}
	return nil
}

func (p Plan) pairs() int { return p.Engines * (p.Engines - 1) / 2 }

// Len returns the number of games.
func (p Plan) Len() int { return p.Rounds * p.pairs() * p.Games }

// At returns game number i. Within a round all pairs play two games with seats
// exchanged, then all play the next two, so that a run that is stopped early has
// been fair to everyone.
func (p Plan) At(i int) Pairing {
	perRound := p.pairs() * p.Games
	round, rest := i/perRound, i%perRound
	// A couple is two games of one pair; the last may be single.
	cycle := rest / (2 * p.pairs())
	rest -= cycle * 2 * p.pairs()
	width := min(2, p.Games-2*cycle)
	pair, game := rest/width, 2*cycle+rest%width
	a, b := p.pair(pair)
	if (game+round*p.Games)%2 == 1 && !p.FixedSeats {
		a, b = b, a
	}
	out := Pairing{Index: i, Round: round + 1, Pair: pair + 1, First: a, Second: b, Opening: -1}
	// Every pair meets the same openings in the same order.
	out.Shuffle = round*p.Games + game
	if p.Repeat {
		out.Shuffle /= 2
	}
	if p.Openings > 0 {
		out.Opening = out.Shuffle % p.Openings
	}
	if !p.Repeat {
		out.Shuffle = i
	} else {
		out.Shuffle = out.Shuffle*p.pairs() + pair
	}
	return out
}

// pair returns the engines of pair number k: 0-1, 0-2, 1-2, 0-3, …
func (p Plan) pair(k int) (int, int) {
	for b := 1; ; b++ {
		if k < b {
			return k, b
		}
		k -= b
	}
}
