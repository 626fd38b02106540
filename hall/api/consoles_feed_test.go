package api

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/lobby"
	"kibitz/hall/store"
)

// lateConsole is a bus on which the worker of a game is asked for lines: each question
// waits for its answer.
type lateConsole struct {
	answers chan bus.Console
	tell    func(bus.Console)
}

func (b *lateConsole) SubscribeConsole(_ string, _ game.Seat, fn func(bus.Console)) (*bus.Subscription, error) {
	b.tell = fn
	return &bus.Subscription{}, nil
}

func (b *lateConsole) AskConsole(ctx context.Context, _ string, _ game.Seat) (bus.Console, error) {
	select {
	case c := <-b.answers:
		return c, nil
	case <-ctx.Done():
		return bus.Console{}, ctx.Err()
	}
}

// closedStore is a database that has nothing to say.
type closedStore struct{ store.Store }

func (closedStore) View(context.Context, func(store.Tx) error) error { return store.ErrNotFound }

// numbered are the lines of a console from one number to another.
func numbered(from, to int) bus.Console {
	c := bus.Console{Game: "g", Attempt: 1, Next: to + 1}
	for n := from; n <= to; n++ {
		c.Lines = append(c.Lines, bus.ConsoleLine{Text: strconv.Itoa(n)})
	}
	return c
}

// What a worker answers late, and what was lost on the way, is told all the same, in
// order: lines that follow do not take the place of those before them.
func TestNoLineIsMissing(t *testing.T) {
	wire := &lateConsole{answers: make(chan bus.Console)}
	consoles := &lobby.Consoles{Running: &lobby.Running{Store: closedStore{}}}
	h := &consoleStreams{consoles: consoles, bus: wire, link: &lobby.Link{}, now: time.Now}
	f, stop, err := h.newFeed(t.Context(), &lobby.Console{Watched: lobby.Watched{Game: store.Game{ID: "g"}}, Seat: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	var got []string
	until := func(last int) {
		t.Helper()
		limit := time.After(2 * time.Minute)
		for !slices.Contains(got, strconv.Itoa(last)) {
			select {
			case <-f.sign:
			case <-limit:
				t.Fatalf("line %d is not told, after %v", last, got)
			}
			f.collect()
			for _, l := range f.wait {
				got = append(got, l.Text)
			}
			f.wait = nil
		}
	}
	late := func(c bus.Console) {
		t.Helper()
		select {
		case wire.answers <- c:
		case <-time.After(time.Minute):
			t.Fatalf("what is missing is not asked for, after %v", got)
		}
	}
	wire.tell(numbered(3, 4)) // the first were told before anybody listened
	<-f.sign
	f.collect()
	late(numbered(1, 4))
	until(4)
	wire.tell(numbered(5, 5))
	wire.tell(numbered(8, 8)) // what was told between is lost
	until(5)
	late(numbered(6, 8))
	until(8)
	wire.tell(numbered(9, 9))
	until(9)
	if want := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}; !slices.Equal(got, want) {
		t.Errorf("told: %v", got)
	}
}
