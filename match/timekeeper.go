package match

import (
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
)

// timekeeper keeps the clocks of both seats, and tells how much of a turn counts on them.
type timekeeper struct {
	g       *Game
	clocks  [2]clock.Clock
	used    [2]time.Duration // charged to each seat in the game
	late    time.Duration    // the worst lateness of the referee itself
	transit time.Duration    // transmission error of the latest answer
	sched   [2]scheduled
	starved *Starved
}

// measure returns the time of a question: that of the player's host if it measured, else
// the referee's own. late is what of it was our own doing.
//
// A host waits for its engine until the deadline; when it brings an answer after
// that, it was itself woken late, and what is beyond the deadline is not the
// engine's. A player that thinks in this process has no such excuse.
func (t *timekeeper) measure(began, ended, deadline time.Time, ans *player.Answer, answered bool) (used, late time.Duration) {
	used, late, t.transit = ended.Sub(began), ans.Late, 0
	switch {
	case !answered:
	case ans.Measured:
		t.transit = max(0, used-ans.Used) / 2
		used = ans.Used
		if !deadline.IsZero() {
			// What the host needed to make the engine ready is in neither: it
			// moved its deadline by that.
			late = max(late, min(ended.Sub(deadline), used-deadline.Sub(began)))
		}
	case ans.Claimed > 0:
		t.transit = max(0, used-ans.Claimed) / 2
	}
	if answered {
		late = max(late, t.slept(began, ended, ans.Measured))
	}
	used = max(0, used)
	return used, min(max(0, late), used)
}

// slept is for how much of a turn this process was stopped, by whatever, and the
// player cannot have needed it: one that thinks in here was stopped too; of another's
// answer, if it was there on waking up, nobody knows when it came.
func (t *timekeeper) slept(began, ended time.Time, outside bool) time.Duration {
	if t.g.Slept == nil {
		return 0
	}
	all, last := t.g.Slept(began, ended)
	if outside {
		return last
	}
	return all
}

// spend runs the seat's clock.
func (t *timekeeper) spend(seat game.Seat, used time.Duration) {
	t.clocks[seat] = t.clocks[seat].Spend(used)
	t.clocks[seat.Other()] = t.clocks[seat.Other()].Gain(used)
}

// unfinished charges a turn within which the game has ended, for at most what was left.
func (t *timekeeper) unfinished(seat game.Seat, used time.Duration) {
	used = min(used, t.clocks[seat].Limit())
	t.used[seat] += used
	t.spend(seat, used)
}

// overrun says by what a seat lost on time, and what it had waited for in its last turn. It
// notes the game as one that the seat may have lost by the machine.
func (t *timekeeper) overrun(seat game.Seat, used, limit time.Duration) string {
	text := fmt.Sprintf("used %s of %s (margin %s)", used.Round(time.Microsecond), limit.Round(time.Microsecond), t.g.Sides[seat].Margin)
	ran, waited, ok := t.sched[seat].last(used)
	if !ok {
		return text
	}
	if x := (Starved{Seat: seat, Waited: waited, Over: max(0, used-limit)}); x.Waited > x.Over {
		t.starved = &x
	}
	text += fmt.Sprintf("; %s on a processor, %s waiting for one", ran.Round(time.Millisecond), waited.Round(time.Millisecond))
	if t.g.Load == nil {
		return text
	}
	if load, ok := t.g.Load(); ok {
		text += fmt.Sprintf(", load of the machine %.1f", load)
	}
	return text
}

// overtime applies the penalty for having entered the grace period of the clock:
// at best a loss by the smallest margin.
func (t *timekeeper) overtime(res game.Result) game.Result {
	a, b := t.clocks[0].Overtime, t.clocks[1].Overtime
	if a == b {
		return res
	}
	late := game.First
	if b {
		late = game.Second
	}
	if res.Points[late] < res.Points[late.Other()] {
		return res
	}
	out := game.Win(late.Other(), game.ByTime, fmt.Sprintf("%s needed overtime and can at best lose narrowly (%s on the board)",
		t.g.Sides[late].Name, res.Reason))
	if res.HasBoard {
		half := (res.Board[0] + res.Board[1]) / 2
		out.HasBoard = true
		out.Board[late], out.Board[late.Other()] = half-1, half+1
	}
	return out
}

// journal returns the clocks as the journal has them.
func (t *timekeeper) journal() [2]journal.Clock {
	return [2]journal.Clock{journal.ClockOf(t.clocks[0]), journal.ClockOf(t.clocks[1])}
}
