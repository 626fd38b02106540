package worker

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
)

// Over the real bus a game with a person is played, parked by the hall, taken up from
// its log by another worker, and ended.
func TestOnBus(t *testing.T) {
	b, err := bus.Open(t.Context(), bus.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	play := people("othello", bus.BotSeat)
	attempts := 0
	results := make(chan bus.Result, 4)
	begin, err := b.ServeBegin(func(ctx context.Context, q bus.Begin) (bus.Begun, error) {
		p := play
		attempts++
		p.Attempt = attempts
		if _, lines, err := b.ReadLog(ctx, q.Game, nil); err == nil {
			p.Resume = lines
		}
		return bus.Begun{Play: &p}, nil
	})
	alive, err2 := b.ServeAlive(func(_ context.Context, q bus.Pulse) (bus.Alive, error) {
		return bus.Alive{Stale: q.Attempt != attempts}, nil
	})
	taken, err3 := b.ServeResults(func(_ context.Context, r bus.Result) error {
		results <- r
		return nil
	})
	states := make(chan bus.SeatState, 1000)
	seat, err4 := b.SubscribeSeatState("g", game.First, func(s bus.SeatState) { states <- s })
	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	defer begin.Close()
	defer alive.Close()
	defer taken()
	defer seat.Close()
	answer := func(prompt int) {
		t.Helper()
		for {
			select {
			case s := <-states:
				if s.Prompt != prompt {
					continue
				}
				r, err := b.AskSeatInput(t.Context(), bus.SeatInput{Game: "g", Seat: game.First, Prompt: prompt, Steps: s.Legal[:1]})
				if err != nil || r.Error != "" {
					t.Fatalf("%+v, %v", r, err)
				}
				return
			case <-time.After(2 * time.Minute):
				t.Fatalf("question %d was not put", prompt)
			}
		}
	}
	result := func() bus.Result {
		t.Helper()
		select {
		case r := <-results:
			return r
		case <-time.After(2 * time.Minute):
			t.Fatal("no result")
			return bus.Result{}
		}
	}
	_, end := start(t, Config{Bus: OnBus(b), Build: steadySetup(time.Millisecond), ID: "w", Name: "one"})
	defer end()
	if err := b.Enqueue(t.Context(), bus.Job{Game: "g"}); err != nil {
		t.Fatal(err)
	}
	answer(1)
	answer(2)
	s, err := b.AskSync(t.Context(), "g", game.ToFirst)
	if err != nil || s.Attempt != 1 || len(s.Lines) < 4 || bytes.Count(bytes.Join(s.Lines, nil), []byte(`"kind":"view"`)) != 1 {
		t.Errorf("%d lines of attempt %d, %v", len(s.Lines), s.Attempt, err)
	}
	if err := b.PublishOrder(bus.Order{Game: "g", Kind: "park"}); err != nil {
		t.Fatal(err)
	}
	if r := result(); !r.Parked || r.Attempt != 1 {
		t.Fatalf("%+v", r)
	}
	if err := b.Enqueue(t.Context(), bus.Job{Game: "g", Try: 1}); err != nil {
		t.Fatal(err)
	}
	answer(1)
	if r, err := b.AskSeatInput(t.Context(), bus.SeatInput{Game: "g", Seat: game.First, Act: "resign"}); err != nil || r.Error != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	r := result()
	rec := unpacked(t, r)
	if r.Result.Reason != game.ByResign || r.Attempt != 2 || len(rec.Steps) < 5 || r.Plies != len(rec.Steps) {
		t.Errorf("%+v with %d steps", r, len(rec.Steps))
	}
	first, err := journal.ParseEvent(s.Lines[0])
	if err != nil || !r.Begun.Equal(first.Time) {
		t.Errorf("begun %v, the first attempt %v, %v", r.Begun, first.Time, err)
	}
}
