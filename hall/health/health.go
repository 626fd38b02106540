// Package health knows which of the things behind a hall cannot be used now, and since
// when: its database, its queue, the disk below them.
//
// A Monitor tries each of them, again and again, by doing what the hall does with it:
// by writing. Everything else asks the Monitor: requests are refused at once instead of
// waiting, workers are told until when the hall could take moves, /readyz says what is
// wrong, and the log has a line at the beginning, one a minute and one at the end.
package health

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// The parts of a hall.
const (
	Database = "database"
	Queue    = "queue"
)

const (
	// every is the time between two tries of a part while somebody uses the hall, idle
	// that while nobody does and all is well, so that the disk may rest.
	every, idle = 500 * time.Millisecond, 10 * time.Second
	// used is how long after the last use the hall counts as used.
	used = 20 * time.Second
	// limit is how long one try may take; what takes longer does not answer.
	limit = 1300 * time.Millisecond
	// remind is the time between two lines of the log about what is still away.
	remind = time.Minute
)

// Part is something that a hall cannot be without.
type Part struct {
	// Name is Database or Queue.
	Name string
	// Try does what shows that the part works, which is a write. While it is away, deep
	// asks for one that is large enough to show that there is space.
	Try func(ctx context.Context, deep bool) error
	// Say puts an error of Try into words that name no address: what is wrong, and what
	// the operator is to do, empty if nothing.
	Say func(err error) (why, do string)
	// Mend tries to bring the part back after a try that failed; nil where the hall can
	// do nothing about it.
	Mend func(ctx context.Context) error
}

// Config is what a Monitor is made of. Parts, Now and Log are needed.
type Config struct {
	Parts []Part
	Now   func() time.Time
	Log   *slog.Logger
	// Beat is called twice a second: the hall could take moves at the time at which the
	// last try of each part that went well began, which is age ago. It is not called
	// while a part is away. It may be nil.
	Beat func(age time.Duration)
}

// Monitor watches the parts. Its methods may be called by any goroutine, and of nil,
// which knows of nothing that is away.
type Monitor struct {
	cfg   Config
	parts []*part
	asked atomic.Int64 // when the hall was last used, in nanoseconds of Unix

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when a part goes or comes back
}

// part is a Part with what is known of it; Monitor.mu guards the fields below it.
type part struct {
	Part
	bell chan struct{} // holds one: try at once
	// turn lets one try at a time; it is never waited for.
	turn sync.Mutex

	good time.Time // when the latest try that went well began
	last time.Time // when the latest try ended
	done chan struct{}
	away *Away
	// life ends with the *Away as its cause when the part goes, and is made anew when
	// it is back.
	life context.Context
	end  context.CancelCauseFunc
	// failed is what failed since the latest try: the next one is deep.
	failed error
	// told is when the log was, held how many lines and requests were not logged since.
	told time.Time
	held int
}

// New returns a Monitor that holds all parts for well until Run has tried them.
func New(c Config) *Monitor {
	m := &Monitor{cfg: c, changed: make(chan struct{})}
	now := c.Now()
	m.asked.Store(now.UnixNano())
	for _, x := range c.Parts {
		p := &part{Part: x, bell: make(chan struct{}, 1), good: now, done: make(chan struct{})}
		p.life, p.end = context.WithCancelCause(context.Background())
		m.parts = append(m.parts, p)
	}
	return m
}

// Run watches until ctx ends.
func (m *Monitor) Run(ctx context.Context) {
	var wg sync.WaitGroup
	for _, p := range m.parts {
		wg.Go(func() { m.watch(ctx, p) })
	}
	if m.cfg.Beat != nil {
		wg.Go(func() { m.beat(ctx) })
	}
	wg.Wait()
}

// watch tries one part again and again.
func (m *Monitor) watch(ctx context.Context, p *part) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		m.try(ctx, p)
		for rest := true; rest; {
			select {
			case <-ctx.Done():
				return
			case <-p.bell:
				rest = false
			case <-tick.C:
				rest = m.resting(p)
			}
		}
	}
}

// resting reports whether a part need not be tried yet: nobody uses the hall, or the
// part has just shown by itself that it works.
func (m *Monitor) resting(p *part) bool {
	now := m.cfg.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case p.away != nil || p.failed != nil:
		return false
	case now.Sub(p.good) < every*3/4:
		return true
	default:
		return !m.busy(now) && now.Sub(p.last) < idle
	}
}

// busy reports whether the hall is used.
func (m *Monitor) busy(now time.Time) bool {
	return now.Sub(time.Unix(0, m.asked.Load())) < used
}

// try tries a part once and notes what came of it. A try that does not come back is
// not waited for, and as long as it has not, no other is begun.
func (m *Monitor) try(ctx context.Context, p *part) {
	began := m.cfg.Now()
	if p.turn.TryLock() {
		m.mu.Lock()
		failed := p.failed
		p.failed = nil
		deep := p.away != nil || failed != nil
		m.mu.Unlock()
		result := make(chan error, 1)
		once, cancel := context.WithTimeout(ctx, limit)
		go func() {
			defer p.turn.Unlock()
			defer cancel()
			result <- p.Try(once, deep)
		}()
		wait := time.NewTimer(limit + limit/10)
		defer wait.Stop()
		select {
		case err := <-result:
			if err == nil && failed != nil {
				m.cfg.Log.Warn("the "+p.Name+" failed, and works again", "error", failed.Error())
			}
			m.tried(ctx, p, began, err)
		case <-wait.C:
			m.tried(ctx, p, began, context.DeadlineExceeded)
		}
		return
	}
	m.tried(ctx, p, began, context.DeadlineExceeded)
}

// tried notes the outcome of a try.
func (m *Monitor) tried(ctx context.Context, p *part, began time.Time, err error) {
	if ctx.Err() != nil {
		return
	}
	m.note(p, began, err)
	if err == nil || p.Mend == nil {
		return
	}
	once, cancel := context.WithTimeout(ctx, 10*limit)
	defer cancel()
	if mend := p.Mend(once); mend != nil {
		m.cfg.Log.Debug("the "+p.Name+" could not be mended", "error", mend.Error())
		return
	}
	poke(p.bell)
}

func (m *Monitor) note(p *part, began time.Time, err error) {
	now := m.cfg.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	p.last = now
	close(p.done)
	p.done = make(chan struct{})
	switch {
	case err == nil:
		m.works(p, began, now)
	case p.away == nil:
		m.goes(p, now, err)
	default:
		m.stays(p, now, err)
	}
}

// works notes that a part did what it was asked at began; mu is held.
func (m *Monitor) works(p *part, began, now time.Time) {
	if began.After(p.good) {
		p.good = began
	}
	if p.away == nil {
		return
	}
	m.cfg.Log.Info("the "+p.Name+" is back", "after", now.Sub(p.away.Since).Round(100*time.Millisecond), "refused", p.held)
	p.away = nil
	p.life, p.end = context.WithCancelCause(context.Background())
	m.change()
}

// goes notes that a part cannot be used any more; mu is held.
func (m *Monitor) goes(p *part, now time.Time, err error) {
	a := &Away{Part: p.Name, Since: p.good}
	a.Why, a.Do = p.Say(err)
	p.away, p.told, p.held = a, now, 0
	m.cfg.Log.Error("the hall cannot go on: "+a.Text(), "error", err.Error())
	p.end(a)
	m.change()
}

// stays notes that a part is still away; mu is held.
func (m *Monitor) stays(p *part, now time.Time, err error) {
	a := *p.away
	if a.Why, a.Do = p.Say(err); a != *p.away { // somebody may hold the old one
		p.away = &a
	}
	if now.Sub(p.told) >= remind {
		m.cfg.Log.Error("still: "+a.Text(), "for", now.Sub(a.Since).Round(time.Second), "refused", p.held, "error", err.Error())
		p.told = now
	}
}

// change tells those who wait; mu is held.
func (m *Monitor) change() {
	close(m.changed)
	m.changed = make(chan struct{})
}

func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// beat tells from when the hall could take moves.
func (m *Monitor) beat(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if age, ok := m.age(); ok {
			m.cfg.Beat(age)
		}
		_, changed := m.Away()
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-tick.C:
		}
	}
}

// age returns how long ago all parts were last known to work. While nobody uses the hall
// that is taken for granted.
func (m *Monitor) age() (time.Duration, bool) {
	now := m.cfg.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	var age time.Duration
	for _, p := range m.parts {
		if p.away != nil {
			return 0, false
		}
		age = max(age, now.Sub(p.good))
	}
	if !m.busy(now) {
		age = 0
	}
	return age, true
}
