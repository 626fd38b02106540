package hub

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/hall/live"
	"kibitz/journal"
)

// clocks are those of a game as pages count them on.
type clocks struct {
	controls [2]clock.Control
	// used is what the seats have used of the turns that they are at, total what they had used of the game
	// when they were last told of.
	used, total [2]time.Duration
}

// ClocksOf are the clocks of a game that is over, by its time controls in the command line's form.
func ClocksOf(controls [2]string, list [2]journal.Clock) *[2]live.Clock {
	var c clocks
	for i, text := range controls {
		c.controls[i], _ = clock.Parse(text) // of what cannot be read the budget alone is shown
	}
	return c.at(list)
}

// start gives the clocks at the beginning, nil if no time can run out.
func (c *clocks) start(controls [2]clock.Control) *[2]live.Clock {
	c.controls = controls
	if controls[0].None() && controls[1].None() {
		return nil
	}
	return c.at([2]journal.Clock{journal.ClockOf(clock.New(controls[0])), journal.ClockOf(clock.New(controls[1]))})
}

// spend takes what a seat has used for a decision.
func (c *clocks) spend(by game.Seat, used time.Duration, ended bool) {
	switch {
	case !by.IsPlayer():
	case ended:
		c.used[by] = 0
	default:
		c.used[by] += used
	}
}

// end are the clocks at the end, where a turn may have ended without a decision.
func (c *clocks) end(list [2]journal.Clock) *[2]live.Clock {
	for i, k := range list {
		c.used[i] += k.Total - c.total[i]
	}
	return c.at(list)
}

// now are the clocks within a turn, which goes on later.
func (c *clocks) now(list [2]journal.Clock) *[2]live.Clock {
	x := *c
	return x.end(list)
}

// at are the clocks as the journal has them.
func (c *clocks) at(list [2]journal.Clock) *[2]live.Clock {
	var out [2]live.Clock
	for i, k := range list {
		control := &c.controls[i]
		c.total[i] = k.Total
		if !control.Timed() && control.Turn > 0 {
			k.Left = max(0, control.Turn-c.used[i])
		}
		out[i] = live.Clock{Left: k.Left.Milliseconds(), Total: k.Total.Milliseconds(), Moves: k.Moves, Periods: k.Periods, Stage: int(k.Stage)}
		next, more := control.After(k.Stage, k.Periods)
		out[i].Next, out[i].More = next.Milliseconds(), more
		out[i].Free = max(0, control.Delay-c.used[i]).Milliseconds()
	}
	return &out
}
