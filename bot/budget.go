package bot

import (
	"time"

	"kibitz/clock"
)

// Budget is the time for one turn. Zero fields are unlimited.
type Budget struct {
	// Soft is when no further iteration should begin, Hard when thinking ends.
	Soft, Hard time.Duration
}

// Share decides how long to think: the clock of the seat on turn, the time until
// the referee stops waiting (0 or less if it waits for ever), the number of
// turns that the game will probably still last for this seat, and how late this player
// has lately been in looking at its clock.
//
// Hard stays below what the clock allows by a margin for the way of the answer:
// 2 ms and a sixteenth, at most 150 ms, or twice the lateness if that is more, at most
// half; of a budget for the whole
// game a twentieth is kept back too, at most 300 ms. Grace periods (Overtime)
// and byo-yomi periods after the running one are never planned with. Without a
// clock the referee's patience is no time to be used, only an end: Soft is then
// unlimited.
func Share(k clock.Clock, wait time.Duration, turns int, late time.Duration) Budget {
	k.Left -= keep(k)
	limit := reach(k)
	if wait > 0 {
		limit = min(limit, wait)
	}
	if limit == clock.Unlimited {
		return Budget{}
	}
	hard := limit - margin(limit, late)
	if k.Control.None() {
		return Budget{Hard: max(hard, 1)}
	}
	soft := hard * 6 / 10
	if k.Control.Timed() {
		share := max(0, plan(k, max(1, turns))-overhead)
		soft = min(soft, share)
		hard = min(hard, max(share, min(share*4, limit-reserve(k, turns))))
	}
	return Budget{Soft: max(min(soft, hard), 1), Hard: max(hard, 1)}
}

// keep is what is never planned with of a budget that has to last to the end: it
// pays for what goes on beside thinking.
func keep(k clock.Clock) time.Duration {
	c := k.Control
	if k.Stage != clock.InMain || c.Periods > 0 || c.Canadian > 0 || c.Hourglass > 0 {
		return 0
	}
	return max(0, min(c.Main/20, 300*time.Millisecond, k.Left/2))
}

// overhead is what a turn costs beside thinking, so that many fast turns do not
// add up.
const overhead = 2 * time.Millisecond

// reserve returns what a difficult turn must leave for the ones after it, so that
// each of them can still be played.
func reserve(k clock.Clock, turns int) time.Duration {
	c := k.Control
	if k.Moves > 0 {
		turns = k.Moves
	}
	if c.Hourglass > 0 {
		turns = 30
	}
	return time.Duration(turns-1) * 5 * time.Millisecond
}

// margin returns what is left unused of a limit. Who looks at his clock late may do so
// at the end of the turn, and again on the way of the answer.
func margin(limit, late time.Duration) time.Duration {
	m := min(2*time.Millisecond+limit/16, 150*time.Millisecond)
	return max(0, min(max(m, 2*late), limit/2))
}

// lateness is the longest that a player was lately away from its clock while it thought,
// as on a machine with more to do than it has processors. It fades within some turns.
type lateness time.Duration

// add notes the longest stretch of a turn.
func (l *lateness) add(d time.Duration) { *l = max(lateness(d), *l*3/4) }

// reach returns the time after which the turn would cost the game or, in
// byo-yomi, a period.
func reach(k clock.Clock) time.Duration {
	c := k.Control
	limit := k.Limit()
	if !c.Timed() {
		return limit
	}
	left := max(0, k.Left) + max(0, c.Delay-k.Used)
	if k.Stage == clock.InMain {
		switch {
		case c.Periods > 0:
			left += c.Period / time.Duration(max(1, c.PeriodMoves))
		case c.Canadian > 0:
			left += c.Canadian / time.Duration(max(1, c.CanadianMoves))
		}
	}
	if left <= 0 { // only the grace period or further periods are left
		return limit
	}
	return min(limit, left)
}

// plan returns the fair share of a game clock for one turn.
func plan(k clock.Clock, turns int) time.Duration {
	c := k.Control
	left := max(0, k.Left)
	free := max(0, c.Delay-k.Used)
	switch k.Stage {
	case clock.InPeriods, clock.InCanadian:
		return left*9/10/time.Duration(max(1, k.Moves)) + free
	case clock.InOvertime:
		return left/time.Duration(turns+2) + free
	}
	if c.Hourglass > 0 {
		return left / 12
	}
	if k.Moves > 0 {
		turns = k.Moves
	}
	// A turn or so is kept in reserve, the more so the longer the game.
	share := left*10/time.Duration(turns*10+8) + free
	share += (c.Increment + min(c.Bronstein, left/2)) * 8 / 10
	switch {
	case c.Periods > 0:
		share = max(share, c.Period*8/10/time.Duration(max(1, c.PeriodMoves)))
	case c.Canadian > 0:
		share = max(share, c.Canadian*8/10/time.Duration(max(1, c.CanadianMoves)))
	}
	return share
}
