package bus

import (
	"context"
	"errors"
	"testing"
	"time"

	"kibitz/internal/slowline"
)

// What is said at a seat waits for the worker that has begun the game and answers for the
// seat a moment later; where nobody comes it says so.
func TestSeatServedLater(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Timeout: 10 * time.Second})
	served := make(chan *Subscription, 1)
	time.AfterFunc(time.Second, func() {
		served <- must(b.ServeSeatInput("g", 0, func(SeatInput) Reply { return Reply{Code: "heard"} }))(t)
	})
	ctx := limit(t, time.Minute)
	if r := must(b.AskSeatInput(ctx, SeatInput{Game: "g"}))(t); r.Code != "heard" {
		t.Errorf("%+v", r)
	}
	(<-served).Close()
	quick := open(t, Options{Timeout: 2 * time.Second})
	if _, err := quick.AskSeatInput(ctx, SeatInput{Game: "h"}); !errors.Is(err, ErrNobody) {
		t.Errorf("where nobody comes: %v", err)
	}
}

// What somebody decided is as much longer under way as the queue is slow, and that is told with it:
// it is not his time. Where no beats are heard it is not known.
func TestSlowInput(t *testing.T) {
	t.Parallel()
	var crew *Bus
	h := open(t, Options{Listen: "127.0.0.1:0", Token: "token", Timeout: 10 * time.Second, Holder: func(context.Context, string) (int, string, error) {
		return 1, crew.WorkerID("w"), nil
	}})
	line := slowline.Start(t, "tcp", h.Addr().String())
	crew = open(t, Options{URL: "nats://token@" + line.Address(), Timeout: 10 * time.Second})
	inputs := make(chan SeatInput, 1)
	defer must(crew.ServeSeatInput("g", 0, func(in SeatInput) Reply { inputs <- in; return Reply{} }))(t).Close()
	const had, late = 10 * time.Second, 700 * time.Millisecond
	waited := func() time.Duration {
		must(h.AskSeatInput(limit(t, time.Minute), SeatInput{Game: "g", Prompt: 1, Passed: func() time.Duration { return had }}))(t)
		return receive(t, inputs).Waited - had
	}
	line.Slow(late, 0)
	if d := waited(); d != 0 {
		t.Errorf("without a beat: %s", d)
	}
	line.Slow(0, 0)
	beats := make(chan time.Duration, 1)
	defer must(crew.SubscribeBeats(func(age, _ time.Duration) { beats <- age }))(t).Close()
	for range 20 { // of these one is not held up by the machine
		check(t, h.PublishBeat(0, 0))
		receive(t, beats)
	}
	line.Slow(late, 0)
	if d := waited(); d < late-100*time.Millisecond || d > late+5*time.Second {
		t.Errorf("%s late, want %s", d, late)
	}
}
