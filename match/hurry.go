package match

import (
	"time"

	"kibitz/game"
	"kibitz/player"
)

// hurry is how an engine is made to answer before it would.
type hurry struct {
	// limit is how long a seat is let think in a turn, 0 for as long as it likes.
	limit [2]time.Duration
	// on tells that a seat thinks, which and since when.
	on    bool
	seat  game.Seat
	began time.Time
	// timer is when it is stopped.
	timer *time.Timer
}

// end ends a turn.
func (h *hurry) end() {
	h.on = false
	if h.timer != nil {
		h.timer.Stop()
		h.timer = nil
	}
}

// thinks begins the turn of a seat.
func (d *desk) thinks(seat game.Seat, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h := &d.hurry
	h.on, h.seat, h.began = true, seat, now
	if h.limit[seat] > 0 {
		d.stopIn(h.limit[seat])
	}
}

// press has the engine of a seat answer at once, or within a limit; d.mu is held.
func (d *desk) press(seat game.Seat, a *player.Act) player.Reply {
	side, h := &d.r.g.Sides[seat], &d.hurry
	thinks := h.on && h.seat == seat
	if !d.r.g.Policy.Hurry || d.r.g.Rated {
		return player.No(player.NoDeed, "nobody is told to move in this game")
	}
	if _, ok := side.Player.(player.Hurrier); !ok {
		return about(player.NotPerson, side.Name, "cannot be asked to move")
	}
	switch {
	case a.Do == player.SetLimit:
		h.limit[seat] = time.Duration(max(0, a.Limit)) * time.Millisecond
		if !thinks {
			break
		}
		if h.limit[seat] > 0 {
			d.stopIn(h.limit[seat] - d.r.g.Now().Sub(h.began))
		} else if h.timer != nil {
			h.timer.Stop()
			h.timer = nil
		}
	case !thinks:
		return about(player.NotPerson, side.Name, "does not think now, and cannot be asked")
	default:
		d.stopIn(0)
	}
	return player.Reply{Effect: player.Done}
}

// stopIn stops who thinks after a time, and again as long as he thinks on; d.mu is held.
func (d *desk) stopIn(after time.Duration) {
	h := &d.hurry
	if h.timer != nil {
		h.timer.Stop()
	}
	wait, seat := stopAgain, h.seat
	var t *time.Timer
	t = time.AfterFunc(after, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if h.timer != t {
			return
		}
		d.stops++ // the turn does not end meanwhile
		d.mu.Unlock()
		d.r.g.Sides[seat].Player.Stop()
		d.mu.Lock()
		d.stops--
		d.free.Broadcast()
		if h.timer == t {
			t.Reset(wait)
			wait = min(2*wait, stopSlowest)
		}
	})
	h.timer = t
}
