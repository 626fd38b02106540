package main

import (
	"sync"
	"time"
)

const (
	// beat is how often a pulse beats, gapLeast from when on it has missed beats: the
	// process was stopped, or starved.
	beat     = 100 * time.Millisecond
	gapLeast = 500 * time.Millisecond
	// wakeRoom is how soon after a gap that is found which came meanwhile.
	wakeRoom = 50 * time.Millisecond
)

// pulse notices when this process does not run although time goes on: stopped by
// SIGSTOP or a debugger, frozen with its container, or pushed aside. What an engine
// has answered meanwhile is found when it is over.
type pulse struct {
	now func() time.Time

	mu       sync.Mutex
	last     time.Time // the latest beat
	from, to time.Time // the latest gap
}

func newPulse(now func() time.Time) *pulse { return &pulse{now: now, last: now()} }

// start lets it beat until stop is called.
func (p *pulse) start() (stop func()) {
	over := make(chan struct{})
	t := time.NewTicker(beat)
	go func() {
		defer t.Stop()
		for {
			select {
			case <-t.C:
				p.mu.Lock()
				p.note(p.now())
				p.mu.Unlock()
			case <-over:
				return
			}
		}
	}()
	return func() { close(over) }
}

// note takes a beat: whoever wakes up first finds the gap. The caller holds the mutex.
func (p *pulse) note(at time.Time) {
	if at.Sub(p.last) >= gapLeast {
		p.from, p.to = p.last, at
	}
	if at.After(p.last) {
		p.last = at
	}
}

// slept returns how much of a span lies in the latest gap, and how much of the span's
// end, if it ended with that gap.
func (p *pulse) slept(began, ended time.Time) (all, last time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(ended)
	from := p.from
	if began.After(from) {
		from = began
	}
	if all = min(p.to.Sub(from), ended.Sub(from)); all <= 0 {
		return 0, 0
	}
	if ended.Sub(p.to) <= wakeRoom {
		last = ended.Sub(from)
	}
	return all, last
}
