package tournament

import "math"

// State says whether there is a game to start.
type State int

// The states of a Scheduler.
const (
	// Ready: the game can start.
	Ready State = iota
	// Wait: which game is next depends on games that have not ended.
	Wait
	// Over: there are no more games.
	Over
)

// Scheduler hands out the games of a plan and takes their results. Games and
// their numbers are a function of the plan and of the results alone, never of the
// order in which games end or of how many run at a time. A Scheduler is not safe
// for use by several goroutines at once.
type Scheduler interface {
	// Next returns the next game to start if the state is Ready.
	Next() (Pairing, State)
	// Record takes a game that Next gave and that is over; one that was not played
	// to a verdict has the zero Result and counts for nobody.
	Record(f Finished)
	// Len is how many games there are, as far as is known: rematches make it grow.
	// Most is how many there can be.
	Len() int
	Most() int
}

// NewScheduler returns the scheduler of a plan that Check finds in order. Points
// decide who stands where in formats that pair by standing.
func NewScheduler(plan Plan, points Points) Scheduler {
	switch plan.Format {
	case SwissSystem:
		return newSwiss(plan, points)
	case KnockoutSystem:
		return newKnockout(plan)
	case LadderSystem:
		return newLadder(plan)
	}
	return newFixed(plan)
}

// fixed schedules the formats that do not depend on results. It remembers nothing
// but how far it is.
type fixed struct {
	plan  Plan
	next  int
	index int // of the wave
	wave  wave
}

func newFixed(plan Plan) *fixed {
	f := &fixed{plan: plan}
	f.wave = f.at(0)
	return f
}

func (f *fixed) rounds() int {
	if f.plan.Format == Double {
		return 2 * f.plan.Rounds
	}
	return f.plan.Rounds
}

// Len returns the number of games.
func (f *fixed) Len() int { return f.rounds() * f.plan.pairs() * f.plan.Games }

// Most is the number of games.
func (f *fixed) Most() int { return f.Len() }

// Record has nothing to do: no game depends on a result.
func (f *fixed) Record(Finished) {}

// Next returns the next game.
func (f *fixed) Next() (Pairing, State) {
	if f.next >= f.Len() {
		return Pairing{}, Over
	}
	if f.next >= f.wave.end() {
		f.index++
		f.wave = f.at(f.index)
	}
	f.next++
	return f.plan.at(&f.wave, f.next-1), Ready
}

// at returns wave number i: a round, or the games of one newcomer of a pyramid.
func (f *fixed) at(i int) wave {
	p := &f.plan
	w := wave{round: i + 1, games: p.Games, matches: p.pairs()}
	pair, turn := triangle, i
	switch p.Format {
	case Gauntlet:
		pair = func(k int) (int, int) { return k % p.Seeds, p.Seeds + k/p.Seeds }
	case Pyramid:
		newcomer := 1 + i%(p.Engines-1)
		turn = i / (p.Engines - 1)
		w.matches, w.pair = newcomer, newcomer*(newcomer-1)/2
		pair = func(k int) (int, int) { return k, newcomer }
	}
	w.before = turn * p.Games
	w.start = w.before*p.pairs() + w.pair*p.Games
	w.match = func(k int) (int, int) {
		a, b := pair(k)
		// Who begins is spread evenly over the pairs, and exchanged from game to
		// game also from round to round.
		if ((b-a)%2 == 0) != (w.before%2 == 1) {
			return b, a
		}
		return a, b
	}
	return w
}

// triangle returns the engines of pair number k: 0-1, 0-2, 1-2, 0-3, …
func triangle(k int) (int, int) {
	b := int((1 + math.Sqrt(float64(8*k+1))) / 2)
	for b*(b-1)/2 > k {
		b--
	}
	for b*(b+1)/2 <= k {
		b++
	}
	return k - b*(b-1)/2, b
}
