package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/match"
)

// interrupted reports whether the game was broken off and is to go on elsewhere.
func (a *attempt) interrupted(o *match.Outcome) bool {
	cause := context.Cause(a.ctx)
	if errors.Is(cause, errStale) {
		return true
	}
	return o.Result.Reason == game.ByAbort && (errors.Is(cause, errShutdown) || errors.Is(cause, errParked))
}

// settle tells the hall what became of the game.
func (a *attempt) settle(g *match.Game, o *match.Outcome) {
	cause := context.Cause(a.ctx)
	switch {
	case errors.Is(cause, errStale):
		a.log.Info("stopped: " + cause.Error())
		drop(a.d, a.log)
		return
	case a.interrupted(o) && errors.Is(cause, errShutdown) && !a.p.Keep:
		a.log.Info("given back: " + cause.Error())
		a.back(0)
		return
	case a.interrupted(o):
		a.report(bus.Result{Parked: true, Result: o.Result}, g, o)
		return
	case o.Fault != nil:
		a.fault(errors.New(o.Result.Detail))
		return
	}
	r := bus.Result{Result: o.Result, Why: a.whyOf(o, cause)}
	if o.Result.Reason == game.ByAbort && cause == nil && !o.Aborted {
		r.Fault = o.Result.Detail
	}
	var err error
	if r.Record, err = packed(a.w.pack, a.p, g, o, &played{a.begun, a.w.Name, a.hashes, a.engines}); err != nil {
		a.log.Error("the game has no record: " + err.Error())
	}
	r.Consoles = a.printed()
	a.report(r, g, o)
}

// whyOf is why the game ended without a verdict, or without a move of an engine.
func (a *attempt) whyOf(o *match.Outcome, cause error) game.Why {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case o.Result.Reason == game.ByStart && o.Result.Winner().IsPlayer():
		return game.Why{Code: bus.WhyStart, Name: a.p.Seats[o.Result.Winner().Other()].Name, Text: o.Result.Detail}
	case o.Result.Reason != game.ByAbort:
		return game.Why{}
	case o.Aborted:
		return game.Why{Code: bus.WhyPlayers, Text: o.Result.Detail}
	case errors.Is(cause, errAborted):
		return bus.ByHost()
	}
	return a.why
}

// SeatError tells that nobody can be found who plays a seat.
type SeatError struct {
	Seat game.Seat
	Err  error
}

// Error implements error.
func (e *SeatError) Error() string { return fmt.Sprintf("seat %s: %v", e.Seat, e.Err) }

// Unwrap returns what went wrong.
func (e *SeatError) Unwrap() error { return e.Err }

// fault gives the game back, for another worker, or tells that it cannot be played. An engine
// that cannot be had is told at once: people wait for it.
func (a *attempt) fault(err error) {
	if errors.Is(context.Cause(a.ctx), errStale) {
		drop(a.d, a.log)
		return
	}
	a.log.Warn("cannot be played: " + err.Error())
	var seat *SeatError
	why := game.Why{Code: bus.WhyFault, Text: err.Error()}
	if errors.As(err, &seat) {
		why = game.Why{Code: bus.WhyStart, Name: a.p.Seats[seat.Seat].Name, Text: seat.Err.Error()}
	} else if a.w.giveBack(a.d, a.log) {
		return
	}
	a.report(bus.Result{Fault: err.Error(), Result: game.Result{Reason: game.ByAbort, Detail: err.Error()}, Why: why}, nil, &match.Outcome{})
}

// back gives the job back to the queue.
func (a *attempt) back(delay time.Duration) {
	if err := a.d.Return(delay); err != nil {
		a.log.Warn(err.Error())
	}
}

// report publishes the result, then takes the job out of the queue. As long as the
// bus does not take it, it is tried again, unless the game has become stale.
func (a *attempt) report(r bus.Result, g *match.Game, o *match.Outcome) {
	r.Game, r.Attempt, r.Worker = a.p.Game, a.p.Attempt, a.w.ID
	r.Plies, r.Begun, r.Ended, r.Host, r.Hashes = o.Plies, a.begun, a.w.Now(), a.w.Name, a.hashes
	r.Hints = a.hints()
	r.Seconds = [2]float64{o.Used[0].Seconds(), o.Used[1].Seconds()}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	defer context.AfterFunc(a.w.idle, func() {
		t := time.AfterFunc(lastWords, func() { cancel(errShutdown) })
		context.AfterFunc(ctx, func() { t.Stop() })
	})()
	defer context.AfterFunc(a.ctx, func() {
		if errors.Is(context.Cause(a.ctx), errStale) {
			cancel(errStale)
		}
	})()
	for {
		err := a.w.Bus.PublishResult(ctx, r)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			a.log.Error("the result was not taken: " + err.Error())
			return
		}
		a.log.Warn("the result waits: " + err.Error())
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	if err := a.d.Done(ctx); err != nil {
		a.log.Debug(err.Error())
	}
}
