package server

import (
	"context"
	"errors"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/store"
)

// GameEnded returns what a hub asks of silent streams: whether nothing comes of a game
// any more, for those with a delay too. What came of it is asked for elsewhere.
func GameEnded(st store.Store, now func() time.Time) func(context.Context, hub.Key) bool {
	return func(ctx context.Context, k hub.Key) bool {
		over := false
		err := st.View(ctx, func(tx store.Tx) error {
			g, err := tx.Game(k.Game)
			over = g.State == store.Aborted || g.State == store.Over && !now().Before(g.Ended.Add(k.Delay+heartbeat))
			return err
		})
		return err == nil && over
	}
}

// presenceRetry is the time after which the presence of a person is told again that could
// not be told: until it is, the seat does not know to whom it puts its question.
const presenceRetry = time.Second

// attend tells a person's seat that its owner is here, again and again and whenever it
// asks, and passes on what is asked of it, the latest alone.
func (h *Hall) attend(ctx context.Context, l *liveGame) (<-chan bus.SeatState, func(over bool)) {
	if l.to == game.Public || l.Seats[l.to].Engine != "" {
		return nil, func(bool) {}
	}
	seat := game.Seat(l.to)
	states := make(chan bus.SeatState, 1)
	asked := make(chan struct{}, 1)
	sub, err := h.cfg.Live.Bus.SubscribeSeatState(l.ID, seat, func(x bus.SeatState) {
		if x.Away {
			poke(asked)
		}
		select { // the latest replaces one that nobody has taken; only this function sends
		case <-states:
		default:
		}
		states <- x
	})
	if err != nil {
		h.cfg.Log.WarnContext(ctx, "the questions of a seat are not heard", "game", l.ID, "error", oneLine(err))
		return nil, func(bool) {}
	}
	say := func(ctx context.Context, word string) error {
		ctx, cancel := context.WithTimeout(ctx, heartbeat)
		defer cancel()
		_, err := h.cfg.Live.Bus.AskSeatInput(ctx, bus.SeatInput{Game: l.ID, Seat: seat, Presence: word})
		if err != nil && ctx.Err() == nil {
			h.cfg.Log.DebugContext(ctx, "presence was not told", "game", l.ID, "error", oneLine(err))
		}
		return err
	}
	here, gone := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for here.Err() == nil {
			back := h.link.current()
			once, stop := context.WithCancel(here)
			dead := context.AfterFunc(back, stop) // what was asked before is answered by nobody
			var again <-chan time.Time
			if err := say(once, "present"); err != nil && !errors.Is(err, bus.ErrNobody) { // who begins to play the game asks by itself
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
			_ = say(context.WithoutCancel(ctx), "gone")
		}
	}
}
