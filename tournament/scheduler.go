package tournament

import (
	"kibitz/game"
)

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

// core is a format as a Director needs it.
type core interface {
	Scheduler
	// standing is what the format ranks engines by, higher is better. It is false where
	// that is the share of its points that an engine made.
	standing(engine int) (float64, bool)
	// waves is how many waves have begun, 0 in formats that do not depend on
	// results. advance begins the next and is false if it cannot: games have not
	// ended, or there is none.
	waves() int
	advance() bool
	// missing are the numbers of the wave that runs, first and one after the last.
	missing() (from, to int)
	// reserve takes the next n numbers for games of others.
	reserve(n int) int
	// find returns a game by its number.
	find(index int) (Pairing, bool)
	// change adds a result (by 1) or takes it back (by -1).
	change(p Pairing, r game.Result, by int)
	// hold lets the next wave wait for a game more (by 1) or less (by -1): one of the
	// wave that runs, or one of an earlier that is played again.
	hold(by int)
	// withdraw takes an engine out of what is to be paired.
	withdraw(engine int)
	// enter takes in another engine, which then has the highest number, with a number
	// of byes of half a match; it returns the games that are to be added, if any.
	// mayEnter returns why it cannot.
	enter(byes int) *block
	mayEnter(byes int) error
	// meet lets two engines meet in the next round. mayMeet returns why they cannot; ok
	// is false if the format does not pair so, and games have to be added instead.
	meet(a, b int)
	mayMeet(a, b int) (ok bool, err error)
}

// NewScheduler returns the scheduler of a plan that Check finds in order. Points
// decide who stands where in formats that pair by standing.
func NewScheduler(plan Plan, points Points) Scheduler { return newCore(plan, points) }

func newCore(plan Plan, points Points) core {
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
