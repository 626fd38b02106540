package bus

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// admitted are the workers of a test, by name.
type admitted struct {
	mu     sync.Mutex
	secret map[string]string
	// refused is told of who was not let in, if somebody listens.
	refused chan string
}

func (a *admitted) admit(name, secret string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	want, ok := a.secret[name]
	if ok && secret == want {
		return true
	}
	select {
	case a.refused <- name:
	default:
	}
	return false
}

func (a *admitted) allow(name, secret string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.secret[name] = secret
}

func (a *admitted) revoke(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.secret, name)
}

// guarded opens a server that knows its workers, and returns how to connect as one.
func guarded(t *testing.T, secrets map[string]string) (b *Bus, known *admitted, as func(token string) *Bus) {
	t.Helper()
	known = &admitted{secret: secrets, refused: make(chan string)}
	b = open(t, Options{
		Listen: "127.0.0.1:0", Token: "all", Admit: known.admit,
		// The games of these tests begin with the name of whoever has them.
		Holder: func(_ context.Context, id string) (int, string, error) {
			name, _, _ := strings.Cut(id, "-")
			return 1, name + "-x", nil
		},
	})
	return b, known, func(token string) *Bus {
		t.Helper()
		return open(t, Options{URL: "nats://" + token + "@" + b.Addr().String(), Worker: true})
	}
}

// A worker with a token of its own does all that a worker does.
func TestNamedWorkers(t *testing.T) {
	b, _, as := guarded(t, map[string]string{"": "common", "ann": "a1", "bob": "b1"})
	ctx := limit(t, 2*time.Minute)
	defer must(b.ServeBegin(func(_ context.Context, q Begin) (Begun, error) {
		return Begun{Play: &Play{Game: q.Game, Attempt: 1}}, nil
	}))(t).Close()
	defer must(b.ServeAlive(func(context.Context, Pulse) (Alive, error) { return Alive{}, nil }))(t).Close()
	results := make(chan Result, 4)
	defer must(b.ServeResults(func(_ context.Context, r Result) error { results <- r; return nil }))(t)()
	for token, prefix := range map[string]string{"ann.a1": "ann-", "bob.b1": "bob-", "common": "any-"} {
		t.Run(prefix, func(t *testing.T) {
			w := as(token)
			id := w.WorkerID("x")
			if !strings.HasPrefix(id, prefix) {
				t.Fatalf("the worker's ID is %q", id)
			}
			reg := must(w.Register(Worker{ID: id}))(t)
			check(t, b.Enqueue(ctx, Job{Game: prefix + "g", Needs: []string{"h1"}}))
			d := must(w.Take(ctx, func(string) bool { return true }))(t)
			if begun := must(w.AskBegin(ctx, Begin{Game: d.Job.Game, Worker: id}))(t); begun.Play == nil {
				t.Error("nothing to play")
			}
			check(t, d.Progress(ctx))
			must(w.AskAlive(ctx, Pulse{Game: d.Job.Game, Worker: id}))(t)
			log := must(w.OpenLog(d.Job.Game, 1))(t)
			check(t, log.Append(ctx, []byte("line")))
			check(t, log.Close(ctx))
			defer must(w.ServeSeatInput(d.Job.Game, 0, func(SeatInput) Reply { return Reply{Code: "heard"} }))(t).Close()
			if r := must(b.AskSeatInput(ctx, SeatInput{Game: d.Job.Game}))(t); r.Code != "heard" {
				t.Errorf("%+v", r)
			}
			workers(ctx, t, b, func(list []Worker) bool { return slices.ContainsFunc(list, func(x Worker) bool { return x.ID == id }) })
			check(t, w.PublishResult(ctx, Result{Game: d.Job.Game, Attempt: 1, Worker: id}))
			check(t, d.Done(ctx))
			if r := receive(t, results); r.Worker != id || r.Sender+"-" != prefix {
				t.Errorf("%+v", r)
			}
			had := func(_ int, sender string) bool { return sender+"-" == prefix }
			if attempt, lines, err := b.ReadLog(ctx, d.Job.Game, had); err != nil || attempt != 1 || len(lines) != 1 {
				t.Errorf("the log: %d, %q, %v", attempt, lines, err)
			}
			if attempt, _, err := b.ReadLog(ctx, d.Job.Game, func(int, string) bool { return false }); err != nil || attempt != 0 {
				t.Errorf("the log of another one: %d, %v", attempt, err)
			}
			reg.Close()
		})
	}
}

// A worker that is refused again and again, as while the hall's database is away, comes back when it is let in.
func TestRefusedForAWhile(t *testing.T) {
	b, known, as := guarded(t, map[string]string{"ann": "a1"})
	ann := as("ann.a1")
	back := make(chan bool, 16)
	ann.Notify(func(ready bool) { back <- ready })
	known.revoke("ann")
	b.Dismiss("ann")
	for range 5 {
		receive(t, known.refused)
	}
	known.allow("ann", "a1")
	for !receive(t, back) {
	}
	defer must(ann.ServeSeatInput("ann-g", 0, func(SeatInput) Reply { return Reply{Code: "heard"} }))(t).Close()
	if r := must(b.AskSeatInput(limit(t, time.Minute), SeatInput{Game: "ann-g"}))(t); r.Code != "heard" {
		t.Errorf("%+v", r)
	}
}

// A worker speaks under its own name alone, and neither reads nor takes away what is of
// others.
func TestWorkersSpeakForThemselves(t *testing.T) {
	t.Parallel()
	b, known, as := guarded(t, map[string]string{"ann": "a1", "bob": "b1"})
	ctx := limit(t, 2*time.Minute)
	asked := make(chan Begin, 8)
	defer must(b.ServeBegin(func(_ context.Context, q Begin) (Begun, error) { asked <- q; return Begun{}, nil }))(t).Close()
	ann := as("ann.a1")
	if _, err := ann.AskBegin(ctx, Begin{Game: "g", Worker: "bob-x"}); err == nil || !strings.Contains(err.Error(), "bob-x is not one of ann") {
		t.Errorf("ann asks for bob's worker: %v", err)
	}
	check(t, b.PublishResult(ctx, Result{Game: "kept", Attempt: 1, Worker: "bob-x"}))

	raw := must(nats.Connect("nats://ann:a1@"+b.Addr().String(), nats.CustomInboxPrefix("_INBOX_ann"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})))(t)
	defer raw.Close()
	heard := make(chan *nats.Msg, 64)
	for _, subject := range []string{">", "_INBOX.>", "_INBOX_bob.>", "kibitz.results.>", "kibitz.hall.>", "kibitz.seat.>", "kibitz.log.>", "kibitz.live.>", "$KV.>", "$JS.>"} {
		_, err := raw.ChanSubscribe(subject, heard)
		check(t, err)
	}
	check(t, raw.Flush())
	said := []string{
		"kibitz.results.g.bob", "kibitz.results.g.hall", "kibitz.results.g", "kibitz.hall.begin.bob", "kibitz.log.g.1.bob",
		"kibitz.jobs.any", "kibitz.order.g", "kibitz.topic.lobby", "kibitz.in.g.0", "$KV.kibitz_workers.bob.bob-x", "$KV.kibitz_workers.hall.x",
		"$JS.API.STREAM.DELETE.kibitz_RESULTS", "$JS.API.STREAM.PURGE.kibitz_JOBS", "$JS.API.STREAM.DELETE.kibitz_JOBS",
		"$JS.API.STREAM.MSG.GET.kibitz_RESULTS", "$JS.API.CONSUMER.CREATE.kibitz_RESULTS.x", "$JS.API.CONSUMER.MSG.NEXT.kibitz_RESULTS.halls",
		"$JS.ACK.kibitz_RESULTS.halls.1.1.1.1.0", "_INBOX.x", "_INBOX_bob.x",
	}
	for _, subject := range said {
		check(t, raw.Publish(subject, []byte(`{"worker":"bob-x"}`)))
	}
	check(t, raw.Flush())
	select {
	case q := <-asked:
		t.Errorf("ann asked as bob: %+v", q)
	default:
	}
	if waits := must(b.ResultWaits(ctx, "g"))(t); waits {
		t.Error("a result came in under another name")
	}
	if waits := must(b.ResultWaits(ctx, "kept"))(t); !waits {
		t.Error("a result was taken away")
	}
	if attempt, _, err := b.ReadLog(ctx, "g", nil); attempt != 0 || err != nil {
		t.Errorf("a log was written: %d %v", attempt, err)
	}
	if info := must(b.Queue.jobs.now().Info(ctx, jetstream.WithSubjectFilter(">")))(t); info.State.Msgs != 0 {
		t.Errorf("%d jobs were made", info.State.Msgs)
	}
	if list := must(b.Workers(ctx))(t); len(list) != 0 {
		t.Errorf("workers %+v", list)
	}
	if len(heard) > 0 {
		t.Errorf("ann heard %s", (<-heard).Subject)
	}

	// Who is revoked is cut off, and does not come back.
	known.revoke("ann")
	b.Dismiss("ann")
	for raw.IsConnected() {
		select {
		case <-ctx.Done():
			t.Fatal("a revoked worker is still connected")
		case <-time.After(10 * time.Millisecond):
		}
	}
	for _, token := range []string{"ann.a1", "bob.a1", "bob", "a1", "hall.a1", "any.a1", "bob.", ""} {
		o := Options{URL: "nats://" + b.Addr().String(), Token: token, Worker: true, Now: time.Now}
		if w, err := Open(limit(t, 200*time.Millisecond), o); err == nil {
			w.Close()
			t.Errorf("token %q was taken", token)
		} else if errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
	as("bob.b1")
}
