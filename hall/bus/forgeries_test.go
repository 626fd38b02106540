package bus

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"kibitz/game"
)

// A worker with a token of its own is neither heard of games that it does not have nor
// asked about them, whatever it says under which name, and each kind of try is told of.
func TestForgedNews(t *testing.T) {
	var latest atomic.Int64
	latest.Store(2)
	told := make(chan Forgery, 64)
	b := open(t, Options{
		Listen: "127.0.0.1:0", Admit: (&admitted{secret: map[string]string{"ann": "a1", "bob": "b1"}}).admit,
		Holder: func(_ context.Context, id string) (int, string, error) {
			if id == "nobody" {
				return 0, "", nil
			}
			return int(latest.Load()), "ann-x", nil
		},
		OnForgery: func(_ context.Context, f Forgery) { told <- f },
	})
	ctx := limit(t, 2*time.Minute)
	ann := open(t, Options{URL: "nats://ann.a1@" + b.Addr().String(), Worker: true})
	bob := open(t, Options{URL: "nats://bob.b1@" + b.Addr().String(), Worker: true})
	lines, frames, states, consoles := make(chan Live, 64), make(chan []byte, 64), make(chan SeatState, 64), make(chan Console, 64)
	defer must(b.SubscribeLive("g", game.Public, func(l Live) { lines <- l }))(t).Close()
	defer must(b.SubscribeSeat("g", 1, func(p []byte) { frames <- p }))(t).Close()
	defer must(b.SubscribeSeatState("g", 0, func(s SeatState) { states <- s }))(t).Close()
	defer must(b.SubscribeConsole("g", 0, func(c Console) { consoles <- c }))(t).Close()

	// Under its own name: of the attempt, of the one to come, of the one before.
	say := func(w *Bus, attempt int, word string) {
		t.Helper()
		check(t, w.PublishLive(Live{Game: "g", Attempt: attempt, To: game.Public, Seq: 1, Line: []byte(word)}))
		check(t, w.PublishSeat("g", attempt, 1, []byte(word)))
		check(t, w.PublishSeatState(SeatState{Game: "g", Attempt: attempt, Seat: 0, Legal: []string{word}}))
		check(t, w.PublishConsole(Console{Game: "g", Attempt: attempt, Seat: 0, Lines: []ConsoleLine{{Text: word}}}))
		flush(ctx, t, w)
	}
	say(bob, 2, "untrue")
	say(bob, 3, "untrue")
	say(bob, 1, "untrue")
	if f := receive(t, told); f.Sender != "bob" || !strings.Contains(f.What, "attempt 2 of game g, which it does not have") {
		t.Errorf("%+v", f)
	}
	// Its answers to what is asked of the game are not looked at: nobody asks it.
	defer must(bob.ServeSync("g", func(game.Audience) (Sync, error) { return Sync{Attempt: 9}, nil }))(t).Close()
	defer must(ann.ServeSync("g", func(game.Audience) (Sync, error) { return Sync{Attempt: 2}, nil }))(t).Close()
	defer must(bob.ServeSeatInput("g", 0, func(SeatInput) Reply { return Reply{Code: "bob"} }))(t).Close()
	defer must(ann.ServeSeatInput("g", 0, func(SeatInput) Reply { return Reply{Code: "ann"} }))(t).Close()
	defer must(bob.ServeConsole("g", 0, func() Console { return Console{Attempt: 9} }))(t).Close()
	defer must(ann.ServeConsole("g", 0, func() Console { return Console{Attempt: 2} }))(t).Close()
	orders := make(chan string, 4)
	defer must(bob.SubscribeOrders("g", func(Order) { orders <- "bob" }))(t).Close()
	defer must(ann.SubscribeOrders("g", func(Order) { orders <- "ann" }))(t).Close()
	for range 5 {
		if s := must(b.AskSync(ctx, "g", game.Public))(t); s.Attempt != 2 {
			t.Fatal("bob answers for ann's game")
		}
		if r := must(b.AskSeatInput(ctx, SeatInput{Game: "g"}))(t); r.Code != "ann" {
			t.Fatal("bob hears what is decided in ann's game")
		}
		if c := must(b.AskConsole(ctx, "g", 0))(t); c.Attempt != 2 {
			t.Fatal("bob answers for ann's engine")
		}
	}
	check(t, b.PublishOrder(Order{Game: "g", Kind: "park"}))
	if who := receive(t, orders); who != "ann" {
		t.Error("bob hears an order")
	}
	if _, err := b.AskSync(ctx, "nobody", game.Public); !errors.Is(err, ErrNobody) {
		t.Errorf("a game that nobody has: %v", err)
	}
	check(t, b.PublishOrder(Order{Game: "nobody", Kind: "park"}))

	// Past our own code, under the name of another one, and listening to what is asked there.
	raw := must(nats.Connect("nats://bob:b1@"+b.Addr().String(), nats.CustomInboxPrefix("_INBOX_bob"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})))(t)
	defer raw.Close()
	heard := make(chan *nats.Msg, 64)
	for _, subject := range []string{"kibitz.in.>", "kibitz.in.ann.>", "kibitz.sync.*.g", "kibitz.order.ann.g", "kibitz.lines.ann.g.0", "kibitz.live.ann.>"} {
		_, err := raw.ChanSubscribe(subject, heard)
		check(t, err)
	}
	for _, subject := range []string{"kibitz.live.ann.g.public", "kibitz.live.hall.g.public", "kibitz.live.g.public", "kibitz.live.bob", "kibitz.seat.ann.g.1.2", "kibitz.seat.g.1", "kibitz.console.ann.g.0", "kibitz.sync.ann.g"} {
		check(t, raw.Publish(subject, []byte(`2 1 untrue`)))
	}
	check(t, raw.Flush())
	must(b.AskSync(ctx, "g", game.Public))(t)

	// Whoever has the game is heard, also when it is another attempt.
	for attempt := 2; attempt <= 3; attempt++ {
		latest.Store(int64(attempt))
		say(ann, attempt, "true")
		if attempt == 3 {
			say(bob, attempt, "untrue")
		}
		if l := receive(t, lines); string(l.Line) != "true" || l.Attempt != attempt {
			t.Errorf("%+v", l)
		}
		if f := receive(t, frames); string(f) != "true" {
			t.Errorf("%s", f)
		}
		if s := receive(t, states); !slices.Equal(s.Legal, []string{"true"}) {
			t.Errorf("%+v", s)
		}
		if c := receive(t, consoles); c.Lines[0].Text != "true" {
			t.Errorf("%+v", c)
		}
	}
	flush(ctx, t, b)
	if n := len(lines) + len(frames) + len(states) + len(consoles) + len(heard) + len(orders); n != 0 {
		t.Errorf("%d untruths were heard", n)
	}
}

// What a worker tries against its permissions is told with its name, once a minute.
func TestForgeriesAreTold(t *testing.T) {
	var now atomic.Int64
	f := newForgeries(func() time.Time { return time.Unix(now.Load(), 0) })
	for range 5 {
		f.add("bob", "tries")
	}
	f.add("ann", "tries")
	now.Store(61)
	f.add("bob", "again")
	for _, want := range []Forgery{{"bob", "tries", 0}, {"ann", "tries", 0}, {"bob", "again", 4}} {
		if got := receive(t, f.wait); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	told := make(chan Forgery, 8)
	b := open(t, Options{
		Listen: "127.0.0.1:0", Admit: (&admitted{secret: map[string]string{"bob": "b1", "eve": "e1"}}).admit,
		OnForgery: func(_ context.Context, f Forgery) { told <- f },
	})
	defer must(b.ServeBegin(func(context.Context, Begin) (Begun, error) { return Begun{}, &AskError{Code: CodeNoLease, Text: "no"} }))(t).Close()
	for _, c := range []struct {
		url, want string
		try       func(*nats.Conn) error
	}{
		{"bob.b1@", `it published to what it may not: Subject "kibitz.live.ann.g.public"`, func(c *nats.Conn) error {
			return c.Publish("kibitz.live.ann.g.public", nil)
		}},
		{"eve:e1@", `it listened to what it may not: Subject "kibitz.in.ann.>"`, func(c *nats.Conn) error {
			_, err := c.SubscribeSync("kibitz.in.ann.>")
			return err
		}},
	} {
		raw := must(nats.Connect("nats://"+c.url+b.Addr().String(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})))(t)
		check(t, c.try(raw))
		check(t, raw.Flush())
		if f := receive(t, told); f.Sender != c.url[:3] || !strings.HasPrefix(f.What, c.want) {
			t.Errorf("%+v, want %s", f, c.want)
		}
		raw.Close()
	}
	bob := open(t, Options{URL: "nats://" + b.Addr().String(), Token: "bob.b1", Worker: true})
	if _, err := bob.AskBegin(limit(t, time.Minute), Begin{Game: "g", Worker: "bob-x"}); err == nil {
		t.Error("it begins a game")
	}
}

// The names of two workers do not run into each other.
func TestOwns(t *testing.T) {
	for _, c := range []struct {
		sender, worker string
		want           bool
	}{
		{"ann", "ann-x", true},
		{"ann", "ann-b-x", false},
		{"ann-b", "ann-b-x", true},
		{"ann", "bob-x", false},
		{"hall", "ann-x", true},
		{"hall", "w", true},
		{"ann", "hall-5f_X", false},
		{"ann", "ann", false},
	} {
		if Owns(c.sender, c.worker) != c.want {
			t.Errorf("Owns(%q, %q)", c.sender, c.worker)
		}
	}
}

// While the database does not tell who has a game, news of it wait, and none is lost: what
// follows may be long in coming. Who listens no more waits for nothing.
func TestNewsWaitForTheDatabase(t *testing.T) {
	asked := make(chan struct{}, 1000)
	var away atomic.Bool
	away.Store(true)
	b := open(t, Options{Holder: func(context.Context, string) (int, string, error) {
		asked <- struct{}{}
		if away.Load() {
			return 0, "", errors.New("the database is away")
		}
		return 2, "w", nil
	}})
	lines, states, consoles := make(chan Live, 64), make(chan SeatState, 64), make(chan Console, 64)
	defer must(b.SubscribeLive("g", game.Public, func(l Live) { lines <- l }))(t).Close()
	defer must(b.SubscribeSeatState("g", 0, func(s SeatState) { states <- s }))(t).Close()
	defer must(b.SubscribeConsole("g", 0, func(c Console) { consoles <- c }))(t).Close()
	left := must(b.SubscribeLive("h", game.Public, func(Live) { t.Error("who listens no more is told") }))(t)
	check(t, b.PublishLive(Live{Game: "h", Attempt: 2, To: game.Public, Seq: 1, Line: []byte("h")}))
	receive(t, asked)
	left.Close()
	const n = 5
	for i := range n {
		check(t, b.PublishLive(Live{Game: "g", Attempt: 2, To: game.Public, Seq: uint64(i + 1), Line: []byte("g")}))
		check(t, b.PublishSeatState(SeatState{Game: "g", Attempt: 2, Prompt: i + 1}))
		check(t, b.PublishConsole(Console{Game: "g", Attempt: 2, Next: i + 1}))
	}
	for range 12 {
		receive(t, asked)
	}
	away.Store(false)
	for i := range n {
		if l := receive(t, lines); l.Seq != uint64(i+1) {
			t.Fatalf("line %d comes as number %d", l.Seq, i+1)
		}
		if s := receive(t, states); s.Prompt != i+1 {
			t.Fatalf("question %d comes as number %d", s.Prompt, i+1)
		}
		if c := receive(t, consoles); c.Next != i+1 {
			t.Fatalf("line %d of the console comes as number %d", c.Next, i+1)
		}
	}
}
