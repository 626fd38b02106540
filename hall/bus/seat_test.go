package bus

import (
	"errors"
	"testing"
	"time"
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
	quick := open(t, Options{Timeout: 200 * time.Millisecond})
	if _, err := quick.AskSeatInput(ctx, SeatInput{Game: "h"}); !errors.Is(err, ErrNobody) {
		t.Errorf("where nobody comes: %v", err)
	}
}
