// Package clock holds time controls and clocks as pure values. A clock never
// looks at the time: it is told how much was used and answers with a new value.
package clock

import (
	"math"
	"time"
)

// Unlimited is what Left and Limit return where no time can run out.
const Unlimited = time.Duration(math.MaxInt64)

// Most is the longest time that a part of a control may have. It keeps sums far
// from overflow.
const Most = 100_000 * time.Hour

// Control is a time control for one seat. The zero value is no clock at all.
// Main, Period and the per-turn extras combine; Turn (a limit for each turn)
// stands alone or on top of them.
type Control struct {
	// Main is the budget for the game, or for Moves turns if Moves > 0.
	Main time.Duration
	// Moves is the number of turns for which Main is given anew; 0 for the game.
	Moves int
	// Increment is added after each completed turn (Fischer).
	Increment time.Duration
	// Delay is free at the start of each turn and never accumulates.
	Delay time.Duration
	// Bronstein is given back after each turn, at most what the turn used.
	Bronstein time.Duration
	// Periods, Period and PeriodMoves are byo-yomi after Main. A period is Period
	// long for PeriodMoves turns (1 if 0). Whoever completes them in time gets
	// the period back whole, with all its turns; whoever overruns it loses it and
	// enters the next one, which is whole too and of whose turns the running one
	// is the first. Overrunning the last one loses the game. The turn in which
	// Main runs out goes on in the first period and is its first turn.
	//
	// The "one-ply time T2 / ply share K" of the dark chess manual is one period
	// of T2 shared over K turns, given anew each time they are done: Periods 1,
	// Period T2, PeriodMoves K.
	Periods     int
	Period      time.Duration
	PeriodMoves int
	// Canadian is granted for CanadianMoves turns again and again after Main. It
	// does the same as byo-yomi with one period.
	Canadian      time.Duration
	CanadianMoves int
	// Overtime is granted once when Main has run out (Othello's grace period);
	// not together with periods.
	Overtime time.Duration
	// Hourglass is the start budget of a clock on which the time that one seat
	// uses is given to the other. It takes the place of Main.
	Hourglass time.Duration
	// Turn limits each turn.
	Turn time.Duration
}

// Timed reports whether the control has a budget for the game, beside a limit
// for each turn.
func (c Control) Timed() bool {
	return c.Main > 0 || c.Increment > 0 || c.Periods > 0 || c.Canadian > 0 || c.Hourglass > 0 || c.Delay > 0 || c.Bronstein > 0
}

// None reports whether no time can run out under the control.
func (c Control) None() bool { return !c.Timed() && c.Turn <= 0 }

// Stage says what part of the control is running.
type Stage uint8

// The stages of a clock.
const (
	InMain Stage = iota
	InPeriods
	InCanadian
	InOvertime
)

// Clock is the state of one seat's clock.
type Clock struct {
	Control Control
	// Left is what remains of the running budget; meaningless without one.
	Left time.Duration
	// Moves is the number of turns until the running budget is renewed, 0 if it
	// is not.
	Moves int
	// Periods is the number of byo-yomi periods left, the running one included.
	Periods int
	Stage   Stage
	// Used is the time spent in the current turn so far.
	Used time.Duration
	// Total is the time spent in the game so far.
	Total time.Duration
	// Fallen is set once the flag has fallen, and stays.
	Fallen bool
	// Overtime is set once the grace period has been entered.
	Overtime bool
}

// New returns the clock at the start of a game.
func New(c Control) Clock {
	k := Clock{Control: c, Left: c.Main, Moves: c.Moves, Periods: c.Periods}
	switch {
	case c.Hourglass > 0:
		k.Left = c.Hourglass
	case c.Main <= 0 && c.Increment+c.Bronstein > 0:
		k.Left = c.Increment + c.Bronstein // given before the first turn, as after the others
	case c.Main <= 0 && c.Periods > 0:
		k = k.enterPeriods()
	case c.Main <= 0 && c.Canadian > 0:
		k = k.enterCanadian()
	}
	return k
}

func (k Clock) enterPeriods() Clock {
	k.Stage, k.Left, k.Moves = InPeriods, k.Control.Period, max(1, k.Control.PeriodMoves)
	return k
}

func (k Clock) enterCanadian() Clock {
	k.Stage, k.Left, k.Moves = InCanadian, k.Control.Canadian, max(1, k.Control.CanadianMoves)
	return k
}

// Limit returns the longest time that may still be spent in this turn before the
// flag falls, all stages included; Unlimited if it cannot fall.
func (k Clock) Limit() time.Duration {
	c := k.Control
	limit := Unlimited
	if c.Timed() {
		limit = k.Left + max(0, c.Delay-k.Used)
		switch k.Stage {
		case InMain:
			switch {
			case c.Periods > 0:
				limit += time.Duration(c.Periods) * c.Period
			case c.Canadian > 0:
				limit += c.Canadian
			case c.Overtime > 0:
				limit += c.Overtime
			}
		case InPeriods:
			limit += time.Duration(max(0, k.Periods-1)) * c.Period
		}
		limit = max(0, limit)
	}
	if c.Turn > 0 {
		limit = min(limit, max(0, c.Turn-k.Used))
	}
	if k.Fallen {
		return 0
	}
	return limit
}

// After returns the budgets that follow the running one when it has run out, and how many; periods is how
// many of byo-yomi are left, the running one included.
func (c Control) After(stage Stage, periods int) (each time.Duration, n int) {
	switch {
	case stage == InPeriods && periods > 1:
		return c.Period, periods - 1
	case stage != InMain:
		return 0, 0
	case c.Periods > 0:
		return c.Period, c.Periods
	case c.Canadian > 0:
		return c.Canadian, 1
	case c.Overtime > 0:
		return c.Overtime, 1
	}
	return 0, 0
}

// Remaining returns what is left of the running budget as an engine should be
// told it: without the free delay, without stages to come, never below zero;
// Unlimited without a budget.
func (k Clock) Remaining() time.Duration {
	if !k.Control.Timed() {
		return Unlimited
	}
	return max(0, k.Left)
}

// Spend returns the clock after d has passed on this seat's turn. It sets Fallen
// when the time ran out; spending exactly what is left does not.
func (k Clock) Spend(d time.Duration) Clock {
	if d <= 0 {
		return k
	}
	c := k.Control
	before := k.Used
	k.Used += d
	k.Total += d
	if c.Turn > 0 && k.Used > c.Turn {
		k.Fallen = true
	}
	if !c.Timed() {
		return k
	}
	free := max(0, c.Delay-before)
	k.Left -= max(0, d-free)
	for k.Left < 0 && !k.Fallen {
		over := -k.Left
		switch {
		case k.Stage == InMain && c.Periods > 0:
			k = k.enterPeriods()
		case k.Stage == InMain && c.Canadian > 0:
			k = k.enterCanadian()
		case k.Stage == InMain && c.Overtime > 0:
			k.Stage, k.Overtime, k.Left = InOvertime, true, c.Overtime
		case k.Stage == InPeriods && k.Periods > 1:
			k.Periods--
			k = k.enterPeriods()
		default:
			k.Fallen = true
			return k
		}
		k.Left -= over
	}
	return k
}

// EndTurn returns the clock after the seat has completed its turn.
func (k Clock) EndTurn() Clock {
	c := k.Control
	used := k.Used
	k.Used = 0
	if k.Fallen || !c.Timed() {
		return k
	}
	switch k.Stage {
	case InMain, InOvertime:
		k.Left += c.Increment + min(used, c.Bronstein)
		if c.Moves > 0 && k.Stage == InMain {
			if k.Moves--; k.Moves <= 0 {
				k.Moves = c.Moves
				k.Left += c.Main
			}
		}
	case InPeriods:
		if k.Moves--; k.Moves <= 0 {
			k.Moves, k.Left = max(1, c.PeriodMoves), c.Period
		}
	case InCanadian:
		if k.Moves--; k.Moves <= 0 {
			k.Moves, k.Left = max(1, c.CanadianMoves), c.Canadian
		}
	}
	return k
}

// Gain returns an hourglass clock after the other seat has used d; any other
// clock is unchanged.
func (k Clock) Gain(d time.Duration) Clock {
	if k.Control.Hourglass > 0 {
		k.Left += d
	}
	return k
}
