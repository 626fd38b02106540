// Package watchdog notices when this process was suspended while time went on.
package watchdog

import (
	"sync"
	"time"
)

const (
	// interval is how often a watchdog looks at the time, gapLeast from when on it has been
	// away: the process was stopped, or starved.
	interval = 100 * time.Millisecond
	gapLeast = 500 * time.Millisecond
	// wakeRoom is how soon after a gap that is found which came meanwhile.
	wakeRoom = 50 * time.Millisecond
)

// Watchdog notices when this process does not run although time goes on: stopped by
// SIGSTOP or a debugger, frozen with its container, or pushed aside. What an engine
// has answered meanwhile is found when it is over.
type Watchdog struct {
	now func() time.Time

	mu       sync.Mutex
	last     time.Time // when it looked last
	from, to time.Time // the latest gap
}

// New returns a watchdog that does not run yet; now tells what time it is.
func New(now func() time.Time) *Watchdog { return &Watchdog{now: now, last: now()} }

// Start lets it run until stop is called.
func (w *Watchdog) Start() (stop func()) {
	over := make(chan struct{})
	t := time.NewTicker(interval)
	go func() {
		defer t.Stop()
		for {
			select {
			case <-t.C:
				w.mu.Lock()
				w.note(w.now())
				w.mu.Unlock()
			case <-over:
				return
			}
		}
	}()
	return func() { close(over) }
}

// note takes a time: whoever wakes up first finds the gap. The caller holds the mutex.
func (w *Watchdog) note(at time.Time) {
	if at.Sub(w.last) >= gapLeast {
		w.from, w.to = w.last, at
	}
	if at.After(w.last) {
		w.last = at
	}
}

// Slept returns how much of a span lies in the latest gap, and how much of the span's
// end, if it ended with that gap.
func (w *Watchdog) Slept(began, ended time.Time) (all, last time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(ended)
	from := w.from
	if began.After(from) {
		from = began
	}
	if all = min(w.to.Sub(from), ended.Sub(from)); all <= 0 {
		return 0, 0
	}
	if ended.Sub(w.to) <= wakeRoom {
		last = ended.Sub(from)
	}
	return all, last
}
