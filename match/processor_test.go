package match_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// A wait for a processor is on nobody's clock, comes after the update of the turn before, and
// each processor that was given is given back.
func TestWaitForProcessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, err := clock.Parse("10")
		if err != nil {
			t.Fatal(err)
		}
		think := func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			if left := time.Until(p.Deadline); left < 9*time.Second {
				t.Errorf("the seat is asked with %s left", left)
			}
			time.Sleep(100 * time.Millisecond)
			return player.Answer{Steps: p.Moves.Legal(nil)[:1]}, nil
		}
		g := newGame(&fake{choose: think}, &fake{choose: think})
		g.Policy.MaxMoves = 6
		for i := range g.Sides {
			g.Sides[i].Clock = k
		}
		told, held, asked := 0, 0, 0
		g.Sink = func(ev *journal.Event) {
			if ev.Decision != nil {
				told++
			}
		}
		g.Processor = func(_ context.Context, seat game.Seat) (func(), error) {
			if held > 0 {
				t.Error("a processor is taken while another one is held")
			}
			if seat.IsPlayer() && told != asked {
				t.Errorf("%d turns were told of %d before the next one waits", told, asked)
			}
			if seat.IsPlayer() {
				asked++
			}
			time.Sleep(time.Minute) // six times what the clocks have
			held++
			return func() { held-- }, nil
		}
		out := match.Play(t.Context(), g)
		if out.Result.Reason != game.ByAdjudication || held != 0 || asked != 6 {
			t.Errorf("%+v, %d held, %d asked", out.Result, held, asked)
		}
		for s, used := range out.Used {
			if used != 300*time.Millisecond {
				t.Errorf("seat %d is charged %s", s, used)
			}
		}
	})
}

// A wait ends with the game.
func TestStopWhileWaiting(t *testing.T) {
	for _, at := range []game.Seat{game.Nobody, game.First, game.Second} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			g := newGame(&fake{}, &fake{})
			g.Processor = func(ctx context.Context, seat game.Seat) (func(), error) {
				if seat != at {
					return func() {}, nil
				}
				time.AfterFunc(time.Second, func() { cancel(errors.New("enough")) })
				<-ctx.Done()
				return nil, ctx.Err()
			}
			began := time.Now()
			out := match.Play(ctx, g)
			if out.Result.Reason != game.ByAbort || out.Result.Detail != "stopped: enough" || out.Fault != nil || time.Since(began) != time.Second {
				t.Errorf("%s waits: %+v after %s", at, out, time.Since(began))
			}
		})
	}
}
