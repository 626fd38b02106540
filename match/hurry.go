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
	stopper
}

func (h *hurry) end() {
	h.on = false
	h.stopper.end()
}

// thinks begins the turn of a seat.
func (d *desk) thinks(seat game.Seat, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h := &d.hurry
	h.on, h.seat, h.began = true, seat, now
	if h.limit[seat] > 0 {
		d.hurryIn(h.limit[seat])
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
			d.hurryIn(h.limit[seat] - d.r.g.Now().Sub(h.began))
		} else {
			h.stopper.end()
		}
	case !thinks:
		return about(player.NotPerson, side.Name, "does not think now, and cannot be asked")
	default:
		d.hurryIn(0)
	}
	return player.Reply{Effect: player.Done}
}

// hurryIn stops who thinks after a time; d.mu is held.
func (d *desk) hurryIn(after time.Duration) {
	h := &d.hurry
	d.stopIn(&h.stopper, after, d.r.g.Sides[h.seat].Player.Stop)
}
