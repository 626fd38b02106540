package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestNeeds: a job goes to a worker that has the engines, and to no other.
func TestNeeds(t *testing.T) {
	b := open(t, Options{})
	ctx := limit(t, 2*time.Minute)
	check(t, b.Enqueue(ctx, Job{Game: "both", Needs: []string{"h2", "h1", "h1"}}))
	check(t, b.Enqueue(ctx, Job{Game: "one", Needs: []string{"h1"}}))

	if d, err := b.Take(limit(t, 300*time.Millisecond), none); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("without engines took %v, %v", d, err)
	}
	hasOne := func(h string) bool { return h == "h1" }
	d := must(b.Take(ctx, hasOne))(t)
	if d.Job.Game != "one" {
		t.Fatalf("took %s without its engine", d.Job.Game)
	}
	check(t, d.Done(ctx))
	d = must(b.Take(ctx, func(h string) bool { return h == "h1" || h == "h2" }))(t)
	if d.Job.Game != "both" {
		t.Fatalf("took %s", d.Job.Game)
	}
	check(t, d.Done(ctx))

	var many []string
	for i := range maxNeeds + 1 {
		many = append(many, fmt.Sprint("h", i))
	}
	for want, job := range map[string]Job{
		"game is empty":    {},
		`game "a.b"`:       {Game: "a.b"},
		`engine "*"`:       {Game: "g", Needs: []string{"*"}},
		"needs 9 engines":  {Game: "g", Needs: many},
		`engine "h\u202e"`: {Game: "g", Needs: []string{"h\u202e"}},
	} {
		if err := b.Enqueue(ctx, job); err == nil {
			t.Errorf("%+v was kept, want %q", job, want)
		} else if strings.Contains(err.Error(), "\u202e") {
			t.Errorf("%+v: %q shows what moves the cursor", job, err)
		}
	}
}

// TestDuplicates: the same game and try is delivered once, another try again.
func TestDuplicates(t *testing.T) {
	b := open(t, Options{})
	ctx := limit(t, 2*time.Minute)
	for range 3 {
		check(t, b.Enqueue(ctx, Job{Game: "g"}))
	}
	check(t, must(b.Take(ctx, none))(t).Done(ctx))
	check(t, b.Enqueue(ctx, Job{Game: "g"}))
	if d, err := b.Take(limit(t, 500*time.Millisecond), none); err == nil {
		t.Fatalf("delivered twice: %+v", d.Job)
	}
	check(t, b.Enqueue(ctx, Job{Game: "g", Try: 1}))
	if d := must(b.Take(ctx, none))(t); d.Job.Try != 1 {
		t.Fatalf("took %+v", d.Job)
	}
	var calls int
	again := make(chan int, 4)
	stop := must(b.ServeResults(func(context.Context, Result) error {
		calls++
		for id, want := range map[string]bool{"g": true, "h": false} {
			if waits, err := b.ResultWaits(ctx, id); waits != want || err != nil {
				t.Errorf("while the result of g is taken, that of %s waits: %v, %v", id, waits, err)
			}
		}
		again <- calls
		if calls == 1 {
			return errors.New("the database is busy")
		}
		return nil
	}))(t)
	defer stop()
	for range 3 {
		check(t, b.PublishResult(ctx, Result{Game: "g", Attempt: 1}))
	}
	for want := 1; want <= 2; want++ {
		if got := receive(t, again); got != want {
			t.Fatalf("call %d, want %d", got, want)
		}
	}
	select {
	case n := <-again:
		t.Fatalf("a result that was taken came again: call %d", n)
	case <-time.After(500 * time.Millisecond):
	}
	for waits := true; waits; { // that it is taken is told after the call has ended
		waits = must(b.ResultWaits(ctx, "g"))(t)
	}
}

// TestLease: a worker that gives no sign loses its job to another, and what it says
// about it later changes nothing.
func TestLease(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Lease: 3 * time.Second})
	ctx := limit(t, 2*time.Minute)
	check(t, b.Enqueue(ctx, Job{Game: "g"}))
	first := must(b.Take(ctx, none))(t)
	sign := time.Now()
	for kept := 0; kept < 4; kept++ { // longer than the lease
		time.Sleep(time.Second)
		err := first.Progress(ctx)
		if errors.Is(err, ErrLease) && time.Since(sign) > 2*time.Second { // the machine was busy for as long as that
			first, kept, err = must(b.Take(ctx, none))(t), -1, nil
		}
		check(t, err)
		sign = time.Now()
	}
	second, err := b.Take(limit(t, 300*time.Millisecond), none)
	if err == nil && time.Since(sign) < 2*time.Second { // later the lease may have run out
		t.Fatalf("a job whose lease was extended went to another: %+v", second.Job)
	}
	if err != nil {
		second = must(b.Take(ctx, none))(t)
	}
	for name, late := range map[string]func() error{
		"progress": func() error { return first.Progress(ctx) },
		"done":     func() error { return first.Done(ctx) },
		"return":   func() error { return first.Return(0) },
	} {
		if err := late(); !errors.Is(err, ErrLease) {
			t.Errorf("late %s: %v", name, err)
		}
	}
	// The job is still there: lost by the second one too, it comes a third time.
	third := must(b.Take(ctx, none))(t)
	if err := second.Done(ctx); !errors.Is(err, ErrLease) {
		t.Errorf("late done: %v", err)
	}
	check(t, third.Return(0))
	given := must(b.Take(ctx, none))(t)
	begun := time.Now()
	check(t, given.Return(300*time.Millisecond))
	last := must(b.Take(ctx, none))(t)
	if waited := time.Since(begun); waited < 200*time.Millisecond {
		t.Errorf("a job that was given back for later came after %s", waited)
	}
	check(t, last.Done(ctx))
	if d, err := b.Take(limit(t, time.Second), none); err == nil {
		t.Fatalf("a job that is done came again: %+v", d.Job)
	}
}

// TestOnce: many jobs over several workers are played once each.
func TestOnce(t *testing.T) {
	jobs := 1000
	if testing.Short() {
		jobs = 200
	}
	b := open(t, Options{Listen: "127.0.0.1:0", Token: "s"})
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var mu sync.Mutex
	var wg sync.WaitGroup
	taken, by := map[string]int{}, map[int]int{}
	finished := make(chan struct{})
	for w := range 5 {
		bus := open(t, Options{URL: "nats://" + b.Addr().String(), Token: "s"})
		wg.Go(func() {
			for {
				d, err := bus.Take(ctx, none)
				if err != nil {
					return
				}
				if err := d.Done(ctx); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				taken[d.Job.Game]++
				by[w]++
				if len(taken) == jobs {
					close(finished)
				}
				mu.Unlock()
			}
		})
	}
	for i := range jobs {
		check(t, b.Enqueue(ctx, Job{Game: fmt.Sprint("g", i)}))
	}
	receive(t, finished)
	cancel()
	wg.Wait()
	for g, n := range taken {
		if n != 1 {
			t.Errorf("%s was taken %d times", g, n)
		}
	}
	if len(by) != 5 {
		t.Errorf("jobs of each worker: %v", by)
	}
}

// TestIdle: a worker that cannot serve what waits asks the servers now and then, not
// all the time, however many sets of engines wait.
func TestIdle(t *testing.T) {
	b := open(t, Options{Poll: 300 * time.Millisecond})
	ctx := limit(t, 2*time.Minute)
	for i := range 200 {
		check(t, b.Enqueue(ctx, Job{Game: fmt.Sprint("g", i), Needs: []string{fmt.Sprint("h", i)}}))
	}
	before := b.conn.nc.Stats().OutMsgs
	if d, err := b.Take(limit(t, 950*time.Millisecond), none); err == nil {
		t.Fatalf("took %+v", d.Job)
	}
	if n := b.conn.nc.Stats().OutMsgs - before; n > 20 {
		t.Errorf("%d messages in a second of waiting", n)
	}
	d := must(b.Take(ctx, func(h string) bool { return h == "h77" }))(t)
	if d.Job.Game != "g77" {
		t.Fatalf("took %+v", d.Job)
	}
}

// TestClosed: who waits learns that the bus is closed.
func TestClosed(t *testing.T) {
	b := open(t, Options{})
	ended := make(chan error, 1)
	go func() { _, err := b.Take(context.Background(), none); ended <- err }()
	time.Sleep(50 * time.Millisecond)
	check(t, b.Close())
	if err := receive(t, ended); !errors.Is(err, ErrClosed) {
		t.Errorf("ended with %v", err)
	}
	if b.Ready() {
		t.Error("a closed bus is ready")
	}
	if _, err := b.ServeResults(nil); !errors.Is(err, ErrClosed) {
		t.Errorf("results of a closed bus: %v", err)
	}
}

// TestNames: what could widen a subject is no name.
func TestNames(t *testing.T) {
	for _, bad := range []string{"", ".", "a.b", "*", ">", "a b", "a\n", "ä", strings.Repeat("x", maxName+1)} {
		if CheckName("game", bad) == nil {
			t.Errorf("%q is a name", bad)
		}
	}
	n := names{"p"}
	for _, needs := range [][]string{nil, {"b"}, {"b", "a"}} {
		subject := must(n.job(needs))(t)
		back, ok := n.needs(subject)
		if want := slices.Sorted(slices.Values(needs)); !ok || !slices.Equal(back, want) {
			t.Errorf("%q reads as %q", subject, back)
		}
	}
	for _, bad := range []string{"p.jobs", "p.jobs.need", "p.jobs.need.", "q.jobs.any"} {
		if needs, ok := n.needs(bad); ok {
			t.Errorf("%q reads as %q", bad, needs)
		}
	}
}

// A result that a hall looks at for long holds up no others.
func TestSlowResult(t *testing.T) {
	b := open(t, Options{})
	ctx := limit(t, 2*time.Minute)
	taken, free := make(chan string, 8), make(chan struct{})
	stop := must(b.ServeResults(func(_ context.Context, r Result) error {
		taken <- r.Game
		if r.Game == "slow" {
			<-free
		}
		return nil
	}))(t)
	for _, id := range []string{"slow", "a", "b", "c", "d", "e"} {
		check(t, b.PublishResult(ctx, Result{Game: id, Attempt: 1, Worker: "w"}))
	}
	for range 6 {
		receive(t, taken)
	}
	close(free)
	stop()
}
