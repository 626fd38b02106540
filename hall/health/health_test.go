package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/hall/store"
	"kibitz/internal/leaks"
	"kibitz/internal/syncbuf"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// behind is something behind a hall that can be broken.
type behind struct {
	store.Store
	mu    sync.Mutex
	err   error
	hangs bool // until the context ends
	deaf  bool // and does not hear of that
	mends int
	tries int
	deep  int
	// takes is the time of an answer, connects that of a connection, of which some may be free;
	// one for whose answer nobody waits any more is gone.
	takes, connects time.Duration
	free            int
}

// slow lets it answer after a time, and be connected to after another.
func (b *behind) slow(takes, connects time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.takes, b.connects = takes, connects
}

func (b *behind) set(err error, hangs, deaf bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err, b.hangs, b.deaf = err, hangs, deaf
}

func (b *behind) do(ctx context.Context) error {
	b.mu.Lock()
	err, hangs, deaf, rest := b.err, b.hangs, b.deaf, b.takes
	if b.free > 0 {
		b.free--
	} else {
		rest += b.connects
	}
	b.mu.Unlock()
	if rest > 0 {
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b.mu.Lock()
	b.free++
	b.mu.Unlock()
	if deaf {
		time.Sleep(20 * time.Second)
	}
	if hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	return err
}

// tried is how often the part was tried.
func (b *behind) tried() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tries
}

func (b *behind) Check(ctx context.Context, deep bool) error {
	b.mu.Lock()
	b.tries++
	if deep {
		b.deep++
	}
	b.mu.Unlock()
	return b.do(ctx)
}

func (b *behind) View(ctx context.Context, _ func(store.Tx) error) error   { return b.do(ctx) }
func (b *behind) Update(ctx context.Context, _ func(store.Tx) error) error { return b.do(ctx) }

// watched is a Monitor over one part that can be broken, with its log.
type watched struct {
	*Monitor
	b     *behind
	log   *logged
	quiet Quiet
	beats chan time.Duration
}

type logged struct{ syncbuf.Buffer }

func (l *logged) lines() []string {
	return strings.Split(strings.TrimSpace(l.String()), "\n")
}

func watch(t *testing.T) *watched {
	t.Helper()
	w := &watched{b: &behind{}, log: &logged{}, beats: make(chan time.Duration, 10000)}
	w.quiet = NewQuiet(slog.NewTextHandler(w.log, nil), time.Now)
	p := DatabasePart(w.b)
	p.Mend = func(context.Context) error {
		w.b.mu.Lock()
		defer w.b.mu.Unlock()
		w.b.mends++
		return errors.New("not ours")
	}
	w.Monitor = New(Config{Parts: []Part{p}, Now: time.Now, Log: slog.New(w.quiet.Handler), Beat: func(age, _ time.Duration) { w.beats <- age }})
	w.quiet.Watch(w.Monitor)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return w
}

// ready is what Ready says, and how long it took.
func (w *watched) ready(t *testing.T) (away []*Away, took time.Duration) {
	t.Helper()
	began := time.Now()
	away = w.Ready(t.Context())
	return away, time.Since(began)
}

// TestReady breaks a part in each way: Ready knows within two seconds of it and of its
// healing, and what it says is for everybody.
func TestReady(t *testing.T) {
	for name, c := range map[string]struct {
		err         error
		hangs, deaf bool
		why         string
	}{
		"full":   {fmt.Errorf("secret: %w", store.ErrFull), false, false, "disk is full; make space"},
		"broken": {errors.New("secret"), false, false, "cannot be used"},
		"hangs":  {nil, true, false, "does not answer"},
		"deaf":   {nil, false, true, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := watch(t)
				for _, wait := range []time.Duration{0, 100 * time.Millisecond, 5 * time.Minute} { // used, and at rest
					time.Sleep(wait)
					if away, took := w.ready(t); len(away) > 0 || took > 2*time.Second {
						t.Fatalf("well: %v after %s", away, took)
					}
					time.Sleep(2 * every)
					w.b.set(c.err, c.hangs, c.deaf)
					time.Sleep(2 * time.Second)
					away, took := w.ready(t)
					if len(away) != 1 || took > limit+limit/5 || !strings.Contains(away[0].Text(), c.why) || strings.Contains(away[0].Error(), "secret") {
						t.Fatalf("%v after %s, want %q", away, took, c.why)
					}
					w.b.set(nil, false, false)
					time.Sleep(25 * time.Second)
					if away, took := w.ready(t); len(away) > 0 || took > limit {
						t.Fatalf("healed: %v after %s", away, took)
					}
				}
				if w.b.mends == 0 || w.b.deep == 0 {
					t.Errorf("mended %d times, tried deep %d times", w.b.mends, w.b.deep)
				}
			})
		})
	}
}

// TestSlow lets a part answer late. One that is a little slow interrupts nothing: it is never
// away, and what workers hear is younger than what they take for an interruption. One that is
// too slow is away as one that hangs is, in one line, and back in another as soon as its
// answers are quick enough, although each new connection takes longer than a try may.
func TestSlow(t *testing.T) {
	const unreached = 2 * time.Second // of a worker
	for takes, connects := range map[time.Duration]time.Duration{200 * time.Millisecond: time.Second, 700 * time.Millisecond: 0, limit - every/10: 0} {
		synctest.Test(t, func(t *testing.T) {
			w := watch(t)
			time.Sleep(time.Second)
			w.b.slow(takes, connects)
			for end := time.Now().Add(time.Minute); time.Now().Before(end); {
				w.Use()
				if age := <-w.beats; age > unreached-every/5 {
					t.Errorf("answers after %s: a sign that is %s old", takes, age)
				}
			}
			if text := w.log.String(); text != "" {
				t.Errorf("answers after %s: %s", takes, text)
			}
		})
	}
	for _, takes := range []time.Duration{limit + every/5, 3 * time.Second, 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := watch(t)
			g := Guard(w.b, w.Monitor)
			time.Sleep(time.Second)
			w.b.slow(takes, 4*takes)
			for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(every) {
				if away, took := w.ready(t); time.Until(end) < 28*time.Second && (len(away) != 1 || took > 2*time.Second) {
					t.Fatalf("answers after %s: %v after %s", takes, away, took)
				}
			}
			w.b.slow(200*time.Millisecond, limit)
			healed := time.Now()
			for away, changed := w.Away(); away != nil; away, changed = w.Away() {
				select {
				case <-changed:
				case <-time.After(time.Minute):
					t.Fatal("it does not come back")
				}
			}
			if took := time.Since(healed); took > patience+limit+2*every {
				t.Errorf("it is back after %s", took)
			}
			time.Sleep(time.Minute)
			if err := g.Update(t.Context(), nil); err != nil {
				t.Error(err)
			}
			if l := w.log.lines(); len(l) != 2 || !strings.Contains(l[0], "does not answer in time") || !strings.Contains(l[1], "is back") {
				t.Errorf("answers after %s: %s", takes, l)
			}
		})
	}
}

// TestRest tries a hall that nobody uses every ten seconds, and one that is used not
// oftener than twice a second, nor when it has just shown that it works.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t)
		count := func(d time.Duration, each func()) int {
			before := w.b.tried()
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				each()
			}
			return w.b.tried() - before
		}
		if n := count(time.Minute, w.Use); n < 100 || n > 125 {
			t.Errorf("used: %d tries a minute", n)
		}
		if n := count(time.Minute, func() { w.Worked(Database, time.Now()); w.Use() }); n > 2 {
			t.Errorf("working: %d tries a minute", n)
		}
		time.Sleep(time.Minute)
		if n := count(time.Minute, func() {}); n < 5 || n > 7 {
			t.Errorf("at rest: %d tries a minute", n)
		}
	})
}

// TestLog writes one line when an outage begins, one a minute, and one when it ends,
// whatever others have to say meanwhile, and counts what it holds back.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t)
		log := slog.New(w.quiet).With("part", "test")
		g := Guard(w.b, w.Monitor)
		log.Warn("before")
		time.Sleep(time.Second)
		w.b.set(store.ErrUnavailable, false, false)
		for i := range 10*60*5 + 50 {
			err := g.Update(t.Context(), nil)
			if !errors.Is(err, ErrAway) {
				t.Fatal(err)
			}
			log.Warn("a game waits", "game", i, "error", err.Error())
			log.Error("request failed: " + err.Error())
			log.Warn(fmt.Sprintf("something else about game %d", i))
			time.Sleep(100 * time.Millisecond)
		}
		w.b.set(nil, false, false)
		time.Sleep(2 * time.Second)
		log.Warn("after")
		var about, other, rest int
		for _, l := range w.log.lines() {
			switch {
			case strings.Contains(l, "the database"):
				about++
			case strings.Contains(l, "something else"):
				other++
			default:
				rest++
			}
		}
		if about != 1+5+1 || other > 7 || rest != 2 {
			t.Errorf("%d lines about the outage, %d about something else, %d others:\n%s", about, other, rest, strings.Join(w.log.lines(), "\n"))
		}
		if l := w.log.lines(); !strings.Contains(strings.Join(l, "\n"), "refused=") || !strings.Contains(l[len(l)-1], "after") {
			t.Error(l[len(l)-2:])
		}
	})
}

// TestGuard ends what waits when the database goes, lets nobody wait while it is away but
// a second for reading, and tells of no other error that the database is away.
func TestGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t)
		synctest.Wait() // it has looked once
		g := Guard(w.b, w.Monitor)
		took := func(fn func() error) (time.Duration, error) {
			began := time.Now()
			err := fn()
			return time.Since(began), err
		}
		view := func() error { return g.View(t.Context(), nil) }
		update := func() error { return g.Update(t.Context(), nil) }
		for _, fn := range []func() error{view, update} {
			if _, err := took(fn); err != nil {
				t.Error(err)
			}
		}
		w.b.set(store.ErrTaken, false, false)
		if err := update(); !errors.Is(err, store.ErrTaken) || errors.Is(err, ErrAway) {
			t.Error(err)
		}
		w.b.set(nil, true, false)
		for i, fn := range []func() error{view, view, update} {
			d, err := took(fn)
			if most := []time.Duration{every + limit, readAway, 0}[i]; !errors.Is(err, ErrAway) || d > most {
				t.Errorf("%d: %v after %s, want it within %s", i, err, d, most)
			}
		}
		w.b.set(nil, false, false)
		if err := view(); err != nil { // what can be read is, while nothing can be written
			t.Error(err)
		}
		time.Sleep(time.Second)
		if err := update(); err != nil {
			t.Error(err)
		}
		w.b.set(nil, true, false)
		time.Sleep(2 * limit)
		short, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		if err := w.Until(short, func(ctx context.Context) error { return g.Update(ctx, nil) }); !errors.Is(err, ErrAway) {
			t.Errorf("of a part that does not come back: %v", err)
		}
		time.AfterFunc(time.Minute, func() { w.b.set(nil, false, false) })
		if d, err := took(func() error {
			return w.Until(t.Context(), func(ctx context.Context) error { return g.Update(ctx, nil) })
		}); err != nil || d < time.Minute {
			t.Errorf("when it is back: %v after %s", err, d)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		w.b.set(nil, true, false)
		if err := g.View(gone, nil); !errors.Is(err, context.Canceled) || errors.Is(err, ErrAway) {
			t.Error(err)
		}
	})
}

// silent is a database one of whose connections never answers.
type silent struct{ *behind }

func (silent) Update(ctx context.Context, _ func(store.Tx) error) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestSilentConnection ends a transaction that hears nothing while the database answers others: who
// asked is told that the database is away, and it is not away for anybody else.
func TestSilentConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t)
		synctest.Wait()
		began := time.Now()
		err := Guard(silent{w.b}, w.Monitor).Update(t.Context(), nil)
		if took := time.Since(began); !errors.Is(err, ErrAway) || took != longestWrite {
			t.Errorf("%v after %s", err, took)
		}
		if err := Guard(w.b, w.Monitor).Update(t.Context(), nil); err != nil {
			t.Error(err)
		}
	})
}

// TestBeat vouches for no moment at which a part may have been away already.
func TestBeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t)
		began := time.Now()
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Second) {
			w.Use()
		}
		w.b.set(nil, true, false)
		broke := time.Now()
		time.Sleep(10 * time.Second)
		n, latest := 0, began
		for len(w.beats) > 0 {
			n++
			latest = began.Add(time.Duration(n-1) * every).Add(-<-w.beats)
		}
		if n < 20 || n > 26 || latest.After(broke) || broke.Sub(latest) > time.Second {
			t.Errorf("%d beats, the last one for %s before the fault", n, broke.Sub(latest))
		}
	})
}

// TestAgain lets what is refused be sent again: if the hall was without a part it has waited since
// it came first, and beats say so meanwhile, for ten seconds after that.
func TestAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t)
		waited := func(same string, refused bool) time.Duration {
			ctx, done := w.Take(t.Context(), same)
			time.Sleep(time.Second)
			d := Passed(ctx)
			done(refused)
			return d
		}
		w.Use()
		waited("a", true)
		if _, waits, _ := w.age(); waits != 0 {
			t.Errorf("of a hall that is well something waits for %s", waits)
		}
		w.b.set(errors.New("broken"), false, false)
		time.Sleep(5 * time.Second)
		if d := waited("a", true); d != time.Second {
			t.Errorf("it has waited for %s", d)
		}
		if d := waited("another", false); d != time.Second {
			t.Errorf("another one has waited for %s", d)
		}
		time.Sleep(time.Minute)
		w.b.set(nil, false, false)
		time.Sleep(5 * time.Second)
		if _, waits, _ := w.age(); waits != 67*time.Second {
			t.Errorf("something waits for %s", waits)
		}
		if d := waited("a", false); d != 68*time.Second {
			t.Errorf("after the outage it has waited for %s", d)
		}
		if d := waited("a", true); d != time.Second {
			t.Errorf("what was passed on had waited for %s", d)
		}
		time.Sleep(2 * again)
		if d := waited("a", true); d != time.Second {
			t.Errorf("what was not sent again in time has waited for %s", d)
		}
		w.b.set(errors.New("broken"), false, false)
		time.Sleep(5 * time.Second)
		for n := range kept + 1 {
			_, done := w.Take(t.Context(), strconv.Itoa(n))
			done(true)
		}
		if n := len(w.refused); n > kept {
			t.Errorf("%d are remembered", n)
		}
	})
}

// TestNothingWatched is a hall of which nobody watches anything.
func TestNothingWatched(t *testing.T) {
	var m *Monitor
	m.Use()
	m.Worked(Database, time.Now())
	m.Refused()
	if a, _ := m.Away(); a != nil || len(m.Ready(t.Context())) > 0 || !errors.Is(m.Failed(Queue, store.ErrFull), store.ErrFull) {
		t.Error("something is away")
	}
	ctx, cancel, err := m.During(t.Context(), Queue)
	defer cancel()
	if err != nil || ctx.Err() != nil {
		t.Error(err)
	}
}
