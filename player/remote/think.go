package remote

import (
	"slices"
	"time"

	"kibitz/game"
	"kibitz/internal/bell"
)

// thinkEvery is the time between two messages of what a player reports while it
// thinks: what it reports in between is told by the latest.
const thinkEvery = 50 * time.Millisecond

// thought is the latest that the player reported and was not yet sent. It is guarded by
// Client.mu.
type thought struct {
	f     *frame
	timer *time.Timer
	runs  bool // the timer does
}

// think keeps what the player reports about a question until it is time to send it.
func (c *Client) think(to *frame, i *game.Info) {
	info := told(*i)
	info.PV = slices.Clone(info.PV)
	c.mu.Lock()
	defer c.mu.Unlock()
	if to.S != c.session || c.running != to.Q || c.ctx.Err() != nil {
		return
	}
	t := &c.thought
	t.f = &frame{K: kindThink, S: to.S, Q: to.Q, Think: &info}
	switch {
	case t.runs:
		return
	case t.timer == nil:
		t.timer = time.AfterFunc(thinkEvery, c.thinkNow)
	default:
		t.timer.Reset(thinkEvery)
	}
	t.runs = true
}

// thinkNow wakes whoever sends.
func (c *Client) thinkNow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.thought.runs = false
	if c.thought.f != nil {
		bell.Ring(c.wake)
	}
}

// next is what is to be said now, nil for nothing. Who waits for the timer waits on.
func (t *thought) next() *frame {
	if t.runs {
		return nil
	}
	f := t.f
	t.f = nil
	return f
}
