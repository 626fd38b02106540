package bus

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/internal/leaks"
)

func TestMain(m *testing.M) {
	if serveAsChild() {
		return
	}
	// Those that run beside each other wait, for leases and for servers that agree.
	flag.Parse()
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	leaks.Main(m)
}

// open starts a bus of its own for a test, with times that suit one.
func open(t testing.TB, o Options) *Bus {
	t.Helper()
	o.Now = time.Now
	o.Poll = cmp.Or(o.Poll, 200*time.Millisecond)
	b, err := Open(limit(t, 2*time.Minute), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// flush waits until the servers have all that was published up to now.
func flush(ctx context.Context, t testing.TB, b *Bus) {
	t.Helper()
	check(t, b.conn.nc.FlushWithContext(ctx))
}

// workers waits until those that live are as wanted.
func workers(ctx context.Context, t testing.TB, b *Bus, want func([]Worker) bool) {
	t.Helper()
	for {
		list := must(b.Workers(ctx))(t)
		if want(list) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// limit is a context for something that must not take longer.
func limit(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// receive waits for a value.
func receive[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(2 * time.Minute):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

func none(string) bool { return false }

// TestGame takes one game all the way: job, question, live events, seat, result.
func TestGame(t *testing.T) {
	b := open(t, Options{Folder: t.TempDir()})
	ctx := limit(t, 2*time.Minute)
	if !b.Ready() {
		t.Fatal("an open bus is not ready")
	}
	begin := must(b.ServeBegin(func(_ context.Context, q Begin) (Begun, error) {
		if q.Game != "g1" {
			return Begun{}, &AskError{Code: "stale", Text: "no such game"}
		}
		return Begun{Play: &Play{Game: q.Game, Attempt: 1, Seed: []byte{1}}}, nil
	}))(t)
	defer begin.Close()
	alive := must(b.ServeAlive(func(_ context.Context, p Pulse) (Alive, error) {
		return Alive{Stale: p.Attempt != 1, Order: &Order{Game: p.Game, Kind: "park"}}, nil
	}))(t)
	defer alive.Close()

	check(t, b.Enqueue(ctx, Job{Game: "g1"}))
	d := must(b.Take(ctx, none))(t)
	if d.Job.Game != "g1" {
		t.Fatalf("took %+v", d.Job)
	}
	begun := must(b.AskBegin(ctx, Begin{Game: "g1", Worker: "w"}))(t)
	if begun.Play == nil || begun.Play.Attempt != 1 || len(begun.Play.Seed) != 1 {
		t.Fatalf("begun %+v", begun)
	}
	var own *AskError
	if _, err := b.AskBegin(ctx, Begin{Game: "g2"}); !errors.As(err, &own) || own.Code != "stale" {
		t.Fatalf("asked for a game that is not there: %v", err)
	}
	if a := must(b.AskAlive(ctx, Pulse{Game: "g1", Attempt: 1}))(t); a.Stale || a.Order == nil || a.Order.Kind != "park" {
		t.Fatalf("alive %+v", a)
	}
	if a := must(b.AskAlive(ctx, Pulse{Game: "g1", Attempt: 2}))(t); !a.Stale {
		t.Fatalf("alive %+v", a)
	}

	lives := make(chan Live, 8)
	sub := must(b.SubscribeLive("g1", game.Public, func(l Live) { lives <- l }))(t)
	defer sub.Close()
	want := Live{Game: "g1", Attempt: 1, To: game.Public, Seq: 1, Line: []byte(`{"e":"a b"}`)}
	check(t, b.PublishLive(want))
	if got := receive(t, lives); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("live %+v", got)
	}
	testSeat(t, b)

	results := make(chan Result, 1)
	defer must(b.ServeResults(func(_ context.Context, r Result) error { results <- r; return nil }))(t)()
	check(t, b.PublishResult(ctx, Result{Game: "g1", Attempt: 1, Record: make([]byte, 3<<20)}))
	if r := receive(t, results); r.Game != "g1" || len(r.Record) != 3<<20 {
		t.Fatalf("result of %s with %d bytes", r.Game, len(r.Record))
	}
	check(t, d.Progress(ctx))
	check(t, d.Done(ctx))
}

func testSeat(t *testing.T, b *Bus) {
	t.Helper()
	ctx := limit(t, 2*time.Minute)
	states := make(chan SeatState, 4)
	sub := must(b.SubscribeSeatState("g1", 1, func(s SeatState) { states <- s }))(t)
	defer sub.Close()
	check(t, b.PublishSeatState(SeatState{Game: "g1", Seat: 1, Prompt: 3, Legal: []string{"d3"}}))
	if s := receive(t, states); s.Prompt != 3 || len(s.Legal) != 1 {
		t.Fatalf("state %+v", s)
	}
	in := must(b.ServeSeatInput("g1", 1, func(in SeatInput) Reply {
		if in.Prompt != 3 {
			return Reply{Error: "nothing was asked", Code: "not-asked"}
		}
		return Reply{}
	}))(t)
	defer in.Close()
	for prompt, code := range map[int]string{3: "", 4: "not-asked"} {
		if r := must(b.AskSeatInput(ctx, SeatInput{Game: "g1", Seat: 1, Prompt: prompt}))(t); r.Code != code {
			t.Errorf("prompt %d: %+v, want %q", prompt, r, code)
		}
	}
}

// TestRefused: what cannot work is said at once, in a line that names it.
func TestRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"no clock":                 {Options{}, "Now"},
		"listening without secret": {Options{Listen: "127.0.0.1:0"}, "token"},
		"bad port":                 {Options{Listen: "127.0.0.1:x", Token: "s"}, `port "x"`},
		"bad address":              {Options{Listen: "here", Token: "s"}, `"here"`},
		"both":                     {Options{URL: "nats://127.0.0.1:1", Folder: "x"}, "give one"},
		"bad prefix":               {Options{Prefix: "a.b"}, "prefix"},
		"folder is a file":         {Options{Folder: file}, "file"},
		"nobody there":             {Options{URL: "nats://u:secret@127.0.0.1:1"}, "127.0.0.1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.want != "Now" {
				tt.o.Now = time.Now
			}
			b, err := Open(limit(t, 300*time.Millisecond), tt.o)
			if err == nil {
				b.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q does not say %q in a line", err, tt.want)
			}
			if strings.Contains(err.Error(), "secret@") {
				t.Fatalf("error %q tells the secret", err)
			}
		})
	}
}

// TestSilentClients: the server gives up a connection that is silent in less time than a
// lease lasts, so that questions go to halls that are there.
func TestSilentClients(t *testing.T) {
	b := open(t, Options{Listen: "127.0.0.1:0", Token: "s"})
	v := must(b.conn.server.srv.Varz(nil))(t)
	if most := v.PingInterval * time.Duration(v.MaxPingsOut+2); v.PingInterval <= 0 || most > 20*time.Second {
		t.Errorf("a silent connection may count for %s: asked every %s, %d times", most, v.PingInterval, v.MaxPingsOut)
	}
}
