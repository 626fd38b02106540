// Package people is a load of scripted people on a hall: visitors who open games against
// engines and each other, think, close their pages in every state, come back, use two
// tabs, lose their network, take back, offer, resign, abort and play again.
//
// What visitors do is drawn from a seed before they do it: the same seed is the same
// script. What the hall promises them is looked at while they are there and afterwards:
// see Found.
package people

import (
	"math"
	"math/rand/v2"
	"time"
)

// State is where a game stands when a visitor goes.
type State string

// The states in which pages are closed.
const (
	Queued State = "queued"     // the game was ordered; its stream was never opened
	Begun  State = "begun"      // the board was seen, nothing decided
	Own    State = "own turn"   // the visitor is asked
	Other  State = "other turn" // the visitor has just decided
	Asked  State = "offer made" // an offer of the visitor waits for its answer
)

// States lists them.
func States() []State { return []State{Queued, Begun, Own, Other, Asked} }

// Finish is how a visitor ends a game.
type Finish string

// The ways to end a game.
const (
	Resigns Finish = "resign"
	Aborts  Finish = "abort"
	Plays   Finish = "play on" // to the end by the rules, or by the clock
	Goes    Finish = "go"      // closes all pages in a State
)

// Visit is one game of a visitor, in whole: what he does in his own turns.
type Visit struct {
	// Before passes before the game is opened.
	Before time.Duration
	Game   string
	Clock  string
	// Grace is how long a place without a clock may be away.
	Grace time.Duration
	// Level is that of the engine, 1 to 9; of no meaning against people.
	Level int
	// Place is the visitor's own, 0 or 1.
	Place int
	// Tabs are open, 1 or 2; with Half the second one is closed in the middle.
	Tabs int
	Half bool
	// Think are the times for thinking, used in turn, round and round.
	Think []time.Duration
	// Turns are played before the visitor makes an end of it.
	Turns  int
	Finish Finish
	// In is where the game stands when the visitor Goes, Lost whether the network goes
	// rather than the page, Back after which time he comes back, 0 for never.
	In   State
	Lost bool
	Back time.Duration
	// Asks are acts by the number of the own turn, from 0, in which they are made
	// before its decision.
	Asks map[int]string
	// Accepts is whether offers of the opponent are accepted.
	Accepts bool
	// Again is whether a rematch follows.
	Again bool
	// Seed is of the decisions.
	Seed uint64
}

// Script draws visits. Clocks, the time scale and the games are the same for all.
type Script struct {
	Seed uint64
	// Scale stretches all times but those of clocks: 1 is how people are.
	Scale float64
	// Clocks are drawn from; "inf" has Grace instead. Grace is never scaled.
	Clocks []string
	Grace  time.Duration
	Games  []string
}

// longThought is the longest that a visitor thinks about a decision, before Scale.
const longThought = 2 * time.Minute

// Visit is the n-th of a visitor.
func (s *Script) Visit(visitor, n int) Visit {
	r := rand.New(rand.NewPCG(s.Seed, uint64(visitor)<<32|uint64(n)))
	v := Visit{
		Before: s.some(r, time.Second, 20*time.Second), Game: pick(r, s.Games), Clock: pick(r, s.Clocks), Grace: s.Grace,
		Level: pick(r, []int{1, 1, 2, 3, 4, 6}), Place: r.IntN(2), Tabs: 1 + r.IntN(4)/3, Turns: 1 + r.IntN(10), Accepts: r.IntN(2) == 0,
		Again: r.IntN(4) == 0, Seed: r.Uint64(), Asks: map[int]string{}, In: pick(r, States()),
		Finish: pick(r, []Finish{Resigns, Aborts, Plays, Goes, Goes, Goes, Goes}),
	}
	v.Half = v.Tabs == 2 && r.IntN(2) == 0
	v.Lost = r.IntN(3) == 0
	if r.IntN(2) == 0 {
		v.Back = s.some(r, 2*time.Second, 90*time.Second)
	}
	if v.Finish == Plays {
		v.Turns = 400
	}
	for range 3 + r.IntN(6) {
		v.Think = append(v.Think, s.some(r, time.Second, longThought))
	}
	for range r.IntN(3) {
		v.Asks[r.IntN(v.Turns)] = pick(r, []string{"undo", "undo", "draw"})
	}
	return v
}

// some is a time between two, short ones as often as long ones by their logarithm.
func (s *Script) some(r *rand.Rand, from, to time.Duration) time.Duration {
	x := float64(from) * math.Pow(float64(to)/float64(from), r.Float64())
	return time.Duration(x * s.Scale).Round(time.Millisecond)
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
