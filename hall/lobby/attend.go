package lobby

import (
	"context"
	"errors"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/internal/bell"
)

// presenceRetry is the time after which the presence of a person is told again that could
// not be told: until it is, the seat does not know to whom it puts its question.
const presenceRetry = time.Second

// Attend tells a person's seat that its owner is here, again and again and whenever it
// asks, and passes on what is asked of it, the latest alone. since is when the owner came.
func (run *Running) Attend(ctx context.Context, l *Watched, since time.Time) (<-chan bus.SeatState, func(over bool)) {
	if l.To == game.Public || l.Seats[l.To].Engine != "" {
		return nil, func(bool) {}
	}
	seat := game.Seat(l.To)
	states := make(chan bus.SeatState, 1)
	asked := make(chan struct{}, 1)
	sub, err := run.Bus.SubscribeSeatState(l.ID, seat, func(x bus.SeatState) {
		if x.Away {
			bell.Ring(asked)
		}
		select { // the latest replaces one that nobody has taken; only this function sends
		case <-states:
		default:
		}
		states <- x
	})
	if err != nil {
		run.Log.WarnContext(ctx, "the questions of a seat are not heard", "game", l.ID, "error", problem.OneLine(err))
		return nil, func(bool) {}
	}
	say := func(ctx context.Context, word string, waited func() time.Duration) error {
		ctx, cancel := context.WithTimeout(ctx, play.Heartbeat)
		defer cancel()
		_, err := run.Bus.AskSeatInput(ctx, bus.SeatInput{Game: l.ID, Seat: seat, Presence: word, Passed: waited})
		if err != nil && ctx.Err() == nil {
			run.Log.DebugContext(ctx, "presence was not told", "game", l.ID, "error", problem.OneLine(err))
		}
		return err
	}
	here, gone := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(play.Heartbeat)
		defer tick.Stop()
		waited := func() time.Duration { return run.Now().Sub(since) }
		for here.Err() == nil {
			back := run.Link.Current()
			once, stop := context.WithCancel(here)
			dead := context.AfterFunc(back, stop) // what was asked before is answered by nobody
			var again <-chan time.Time
			if err := say(once, "present", waited); err == nil {
				waited = nil
			} else if !errors.Is(err, bus.ErrNobody) { // who begins to play the game asks by itself
				again = time.After(presenceRetry)
			}
			dead()
			stop()
			select {
			case <-again:
			case <-back.Done(): // the state may have been told while nothing came through
			case <-asked:
			case <-tick.C:
			case <-here.Done():
			}
		}
	}()
	return states, func(over bool) {
		sub.Close()
		gone()
		<-done
		if !over { // else nobody asks any more, and the answer would be waited for in vain
			_ = say(context.WithoutCancel(ctx), "gone", nil)
		}
	}
}
