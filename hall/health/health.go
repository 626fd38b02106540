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

	"kibitz/internal/bell"
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
	// limit is how long one try may take; what takes longer does not answer. Tries overlap, so
	// that a part that is slow and works was known to work limit and every ago at most, which
	// is less than what workers take for an interruption.
	limit = 1300 * time.Millisecond
	// places is how many tries of a part go on at most.
	places = 3
	// patience is how long one of the tries of a part that is away may take: with it a
	// connection is made where the way is long. It is back by a try that is quick.
	patience = 5 * time.Second
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
	// last try of each part that went well began, which is age ago; what arrived longer ago
	// than waits was passed on. It is not called while a part is away. It may be nil.
	Beat func(age, waits time.Duration)
}

// Monitor watches the parts. Its methods may be called by any goroutine, and of nil,
// which knows of nothing that is away.
type Monitor struct {
	cfg   Config
	parts []*part
	asked atomic.Int64 // when the hall was last used, in nanoseconds of Unix

	mu      sync.Mutex
	changed bell.Chime // when a part goes or comes back
	taking  map[*taken]bool
	// refused is what may arrive once more, well when the latest part came back.
	refused map[string]*taken
	well    time.Time
}

// part is a Part with what is known of it; Monitor.mu guards the fields below it.
type part struct {
	Part
	bell chan struct{} // holds one: try at once
	// mend lets one repair at a time; it is never waited for.
	mend sync.Mutex

	// going counts the tries that have not come back, deaf those of them that are not waited
	// for any more; patient tells that one of them may take its time.
	going, deaf int
	patient     bool

	good time.Time // when the latest try that went well began
	last time.Time // when the latest try ended
	done bell.Chime
	away *Away
	// went is when it was found to be away.
	went time.Time
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
	m := &Monitor{cfg: c, taking: map[*taken]bool{}, refused: map[string]*taken{}}
	now := c.Now()
	m.asked.Store(now.UnixNano())
	for _, x := range c.Parts {
		p := &part{Part: x, bell: make(chan struct{}, 1), good: now}
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
	var tries sync.WaitGroup
	defer tries.Wait()
	for {
		m.try(ctx, p, &tries)
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

// try begins a try of a part, and notes what comes of it. One that does not come back is not
// waited for; while none of them does, no other is begun.
func (m *Monitor) try(ctx context.Context, p *part, tries *sync.WaitGroup) {
	began, most := m.cfg.Now(), limit
	m.mu.Lock()
	if p.going == places {
		deaf := p.deaf == places
		m.mu.Unlock()
		if deaf {
			m.note(p, began, context.DeadlineExceeded)
		}
		return
	}
	p.going++
	failed := p.failed
	deep := p.away != nil || failed != nil
	p.failed = nil
	patient := p.away != nil && !p.patient
	if patient {
		p.patient, most = true, patience
	}
	m.mu.Unlock()
	once, cancel := context.WithTimeout(ctx, most)
	result, back := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(back)
		defer cancel()
		result <- p.Try(once, deep)
	}()
	tries.Go(func() {
		wait := time.NewTimer(most + most/10)
		defer wait.Stop()
		select {
		case err := <-result:
			m.came(p, patient, false)
			if err == nil && m.cfg.Now().Sub(began) > limit {
				err = context.DeadlineExceeded // it works, and too slowly
			}
			if err == nil && failed != nil {
				m.cfg.Log.Warn("the "+p.Name+" failed, and works again", "error", failed.Error())
			}
			m.tried(ctx, p, began, err)
		case <-wait.C:
			m.mu.Lock()
			p.deaf++
			m.mu.Unlock()
			go func() {
				<-back // too late for what it says
				m.came(p, patient, true)
			}()
			m.tried(ctx, p, began, context.DeadlineExceeded)
		}
	})
}

// came notes that a try has come back.
func (m *Monitor) came(p *part, patient, deaf bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.going--
	if deaf {
		p.deaf--
	}
	if patient {
		p.patient = false
	}
}

// tried notes the outcome of a try.
func (m *Monitor) tried(ctx context.Context, p *part, began time.Time, err error) {
	if ctx.Err() != nil {
		return
	}
	m.note(p, began, err)
	if err == nil || p.Mend == nil || !p.mend.TryLock() {
		return
	}
	defer p.mend.Unlock()
	once, cancel := context.WithTimeout(ctx, 10*limit)
	defer cancel()
	if mend := p.Mend(once); mend != nil {
		m.cfg.Log.Debug("the "+p.Name+" could not be mended", "error", mend.Error())
		return
	}
	bell.Ring(p.bell)
}

func (m *Monitor) note(p *part, began time.Time, err error) {
	now := m.cfg.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	p.last = now
	p.done.Ring()
	switch {
	case err == nil && p.away != nil && began.Before(p.went), err != nil && began.Before(p.good):
		// one that was begun later has told already
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
	p.away, m.well = nil, now
	p.life, p.end = context.WithCancelCause(context.Background())
	m.changed.Ring()
}

// goes notes that a part cannot be used any more; mu is held.
func (m *Monitor) goes(p *part, now time.Time, err error) {
	a := &Away{Part: p.Name, Since: p.good}
	a.Why, a.Do = p.Say(err)
	p.away, p.went, p.told, p.held = a, now, now, 0
	m.cfg.Log.Error("the hall cannot go on: "+a.Text(), "error", err.Error())
	p.end(a)
	m.changed.Ring()
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

// beat tells from when the hall could take moves.
func (m *Monitor) beat(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if age, waits, ok := m.age(); ok {
			m.cfg.Beat(age, waits)
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

// age returns how long ago all parts were last known to work, and how long the oldest of what
// arrived waits. While nobody uses the hall the former is taken for granted.
func (m *Monitor) age() (age, waits time.Duration, ok bool) {
	now := m.cfg.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.parts {
		if p.away != nil {
			return 0, 0, false
		}
		age = max(age, now.Sub(p.good))
	}
	if !m.busy(now) {
		age = 0
	}
	for t := range m.taking {
		waits = max(waits, now.Sub(t.at))
	}
	m.forget(now)
	for _, t := range m.refused {
		waits = max(waits, now.Sub(t.at))
	}
	return age, waits, true
}
