package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"kibitz/game"
)

// TestHidden: what is for one audience reaches nobody else, by whatever way.
func TestHidden(t *testing.T) {
	b := open(t, Options{})
	ctx := limit(t, 2*time.Minute)
	got := map[game.Audience]chan Live{}
	for _, to := range []game.Audience{game.ToFirst, game.ToSecond, game.Public} {
		c := make(chan Live, 100)
		got[to] = c
		defer must(b.SubscribeLive("g", to, func(l Live) { c <- l }))(t).Close()
	}
	seats := make(chan []byte, 10)
	defer must(b.SubscribeSeat("g", 1, func(p []byte) { seats <- p }))(t).Close()
	for i := range 20 {
		for to := range got {
			check(t, b.PublishLive(Live{Game: "g", To: to, Seq: uint64(i + 1), Line: []byte(to.String())}))
			check(t, b.PublishLive(Live{Game: "other", To: to, Seq: 1, Line: []byte("other game")}))
		}
	}
	check(t, b.PublishSeat("g", 1, 0, []byte("of the first")))
	check(t, b.PublishSeat("g", 1, 1, []byte("of the second")))
	for to, c := range got {
		for i := range 20 {
			if l := receive(t, c); string(l.Line) != to.String() || l.Seq != uint64(i+1) || l.To != to {
				t.Fatalf("%s was told %+v", to, l)
			}
		}
	}
	if p := receive(t, seats); string(p) != "of the second" {
		t.Fatalf("second was told %q", p)
	}
	flush(ctx, t, b)
	time.Sleep(50 * time.Millisecond)
	for to, c := range got {
		if len(c) > 0 || len(seats) > 0 {
			t.Errorf("%s was told more: %+v", to, <-c)
		}
	}
	testNotTheArbiter(t, b)
}

// testNotTheArbiter: nothing that is live or asked for is for the arbiter.
func testNotTheArbiter(t *testing.T, b *Bus) {
	t.Helper()
	ctx := limit(t, 2*time.Minute)
	asked := make(chan game.Audience, 10)
	defer must(b.ServeSync("g", func(to game.Audience) (Sync, error) {
		asked <- to
		if to == game.ToFirst {
			return Sync{}, errors.New("over")
		}
		return Sync{Attempt: 2, Seq: 7, Lines: [][]byte{[]byte(to.String())}}, nil
	}))(t).Close()
	s := must(b.AskSync(ctx, "g", game.ToSecond))(t)
	if s.Attempt != 2 || s.Seq != 7 || len(s.Lines) != 1 || string(s.Lines[0]) != "second" || <-asked != game.ToSecond {
		t.Fatalf("all for the second: %+v", s)
	}
	var own *AskError
	if _, err := b.AskSync(ctx, "g", game.ToFirst); !errors.As(err, &own) || own.Text != "over" || <-asked != game.ToFirst {
		t.Fatalf("a game that is over: %v", err)
	}
	if err := b.PublishLive(Live{Game: "g", To: game.Arbiter}); err == nil {
		t.Error("the arbiter's events went out")
	}
	if _, err := b.SubscribeLive("g", game.Arbiter, nil); err == nil {
		t.Error("the arbiter's events can be listened to")
	}
	if _, err := b.AskSync(ctx, "g", game.Arbiter); err == nil {
		t.Error("the arbiter's events can be asked for")
	}
	// Not even by a question of another make.
	if err := b.conn.ask(ctx, b.conn.names.subject("sync", "g"), syncQuestion{game.Arbiter}, &s); err == nil || len(asked) > 0 {
		t.Errorf("the arbiter's events were given: %v", err)
	}
}

// TestTopics: small things go to who listens, and names that are none are refused.
func TestTopics(t *testing.T) {
	b := open(t, Options{})
	got := make(chan string, 4)
	sub := must(b.Subscribe("room.17", func(p []byte) { got <- string(p) }))(t)
	check(t, b.Publish("room.18", []byte("other")))
	check(t, b.Publish("room.17", []byte("this")))
	if s := receive(t, got); s != "this" {
		t.Fatalf("got %q", s)
	}
	orders := make(chan Order, 4)
	defer must(b.SubscribeOrders("g", func(o Order) { orders <- o }))(t).Close()
	check(t, b.PublishOrder(Order{Game: "g", Kind: "verdict", Result: &game.Result{}}))
	if o := receive(t, orders); o.Kind != "verdict" || o.Result == nil {
		t.Fatalf("got %+v", o)
	}
	sub.Close()
	sub.Close()
	check(t, b.Publish("room.17", []byte("nobody listens")))
	for _, bad := range []string{"", "room.", "room.*", ">", "room 1"} {
		if b.Publish(bad, nil) == nil {
			t.Errorf("%q is a topic", bad)
		}
		if _, err := b.Subscribe(bad, nil); err == nil {
			t.Errorf("%q is a topic to listen to", bad)
		}
	}
	flush(limit(t, 2*time.Minute), t, b)
	if len(got) > 0 {
		t.Errorf("after the end came %q", <-got)
	}
}

// TestNobody: a question that nobody answers ends with a line that says so.
func TestNobody(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Timeout: 2 * time.Second})
	if _, err := b.AskBegin(context.Background(), Begin{Game: "g"}); err == nil || !bytes.Contains([]byte(err.Error()), []byte("nobody is there")) {
		t.Errorf("without a hall: %v", err)
	}
	asked := make(chan struct{})
	defer must(b.ServeAlive(func(ctx context.Context, _ Pulse) (Alive, error) {
		<-asked
		return Alive{}, nil
	}))(t).Close()
	defer close(asked)
	if _, err := b.AskAlive(context.Background(), Pulse{}); err == nil || !bytes.Contains([]byte(err.Error()), []byte("no answer within")) {
		t.Errorf("with a slow hall: %v", err)
	}
	if _, err := b.AskSeat(context.Background(), "g", 2, nil); err == nil {
		t.Error("a third seat was asked")
	}
}

// TestLog: lines come back in order, of the newest attempt that has any.
func TestLog(t *testing.T) {
	b := open(t, Options{Folder: t.TempDir()})
	ctx := limit(t, 2*time.Minute)
	write := func(attempt, lines int) {
		l := must(b.OpenLog("g", attempt))(t)
		for i := range lines {
			check(t, l.Append(ctx, fmt.Appendf(nil, "%d/%d\n", attempt, i)))
		}
		check(t, l.Close(ctx))
		if err := l.Append(ctx, []byte("late")); !errors.Is(err, ErrClosed) {
			t.Errorf("a closed log took a line: %v", err)
		}
	}
	write(1, 3)
	write(9, 10_000)
	write(10, 2)
	write(11, 0)
	other := must(b.OpenLog("g2", 1))(t)
	check(t, other.Append(ctx, bytes.Repeat([]byte("x"), 2*logBatch)))
	for _, bad := range []string{"", "\n", "a\nb"} {
		if err := other.Append(ctx, []byte(bad)); err == nil {
			t.Errorf("%q is a line", bad)
		}
	}
	check(t, other.Flush(ctx))

	attempt, lines, err := b.ReadLog(ctx, "g", nil)
	if want := [][]byte{[]byte("10/0"), []byte("10/1")}; err != nil || attempt != 10 || !slices.EqualFunc(lines, want, bytes.Equal) {
		t.Fatalf("attempt %d, %d lines, %v", attempt, len(lines), err)
	}
	check(t, b.Logs.stream.now().Purge(ctx, jetstream.WithPurgeSubject(b.conn.names.subject("log", "g", "10", "*"))))
	attempt, lines, err = b.ReadLog(ctx, "g", nil)
	if err != nil || attempt != 9 || len(lines) != 10_000 {
		t.Fatalf("attempt %d, %d lines, %v", attempt, len(lines), err)
	}
	for i, l := range lines {
		if string(l) != fmt.Sprintf("9/%d", i) {
			t.Fatalf("line %d is %q", i, l)
		}
	}
	check(t, b.PurgeLog(ctx, "g"))
	if attempt, lines, err := b.ReadLog(ctx, "g", nil); attempt != 0 || len(lines) != 0 || err != nil {
		t.Fatalf("after purging: attempt %d, %d lines, %v", attempt, len(lines), err)
	}
	if _, lines, err := b.ReadLog(ctx, "g2", nil); err != nil || len(lines) != 1 || len(lines[0]) != 2*logBatch {
		t.Fatalf("the other game's log: %d lines, %v", len(lines), err)
	}
	check(t, other.Close(ctx))
}

// TestWorkers: who registers is seen, who goes or dies is not any more.
func TestWorkers(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Presence: 3 * time.Second})
	ctx := limit(t, 2*time.Minute)
	until := func(n int) {
		t.Helper()
		workers(ctx, t, b, func(l []Worker) bool { return len(l) == n })
	}
	until(0)
	one := must(b.Register(Worker{ID: "w1", Slots: 2}))(t)
	two := must(b.Register(Worker{ID: "w2"}))(t)
	until(2)
	one.Update(Worker{ID: "ignored", Slots: 3})
	workers(ctx, t, b, func(l []Worker) bool { return len(l) == 2 && l[0].Slots == 3 })
	for _, key := range []string{"hall.w1", "hall.w2"} { // their entries are made anew before they are old
		refreshed(t, b, key)
	}
	// One may have been late on a busy machine.
	workers(ctx, t, b, func(l []Worker) bool { return len(l) == 2 && l[0].ID == "w1" && l[1].ID == "w2" })
	two.Close()
	until(1)
	// One that dies is not refreshed and goes by itself.
	put := time.Now()
	_, err := b.Registry.entries().Put(ctx, "hall.w3", []byte(`{"id":"w3"}`))
	check(t, err)
	// A machine that stands still does not see it while it is there.
	workers(ctx, t, b, func(l []Worker) bool { return len(l) == 2 || time.Since(put) > 3*time.Second })
	until(1)
	one.Close()
	until(0)
	if _, err := b.Register(Worker{ID: "a.b"}); err == nil {
		t.Error("a worker with a bad ID was registered")
	}
}

// refreshed waits until the entry of a worker was made anew twice.
func refreshed(t *testing.T, b *Bus, key string) {
	t.Helper()
	watch := must(b.Registry.entries().Watch(t.Context(), key))(t)
	defer func() { check(t, watch.Stop()) }()
	for revisions := map[uint64]bool{}; len(revisions) < 3; {
		if e := receive(t, watch.Updates()); e != nil {
			revisions[e.Revision()] = true
		}
	}
}

// FuzzReadLive: anything may come over the wire; what is read is written as the same.
func FuzzReadLive(f *testing.F) {
	for _, s := range []string{"1 2 line", "1 2 ", "", " ", "x 1 y", "1 -1 y", "99999999999999999999 1 y", "0 18446744073709551615 a b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := readLive(data)
		if err != nil {
			if len(err.Error()) > 300 || bytes.ContainsRune([]byte(err.Error()), '\n') {
				t.Fatalf("error %q", err)
			}
			return
		}
		back, err := readLive(appendLive(nil, l))
		if err != nil || back.Attempt != l.Attempt || back.Seq != l.Seq || !bytes.Equal(back.Line, l.Line) {
			t.Fatalf("%+v came back as %+v, %v", l, back, err)
		}
	})
}
