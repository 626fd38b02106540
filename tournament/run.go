package tournament

import (
	"context"
	"sync"

	"kibitz/game"
)

// Finished is the outcome of one game of a plan, as far as the standings need it.
type Finished struct {
	Pairing Pairing
	Result  game.Result
	// Plies is the number of decisions, Seconds the time each seat used.
	Plies   int
	Seconds [2]float64
	// Data is what the caller of Run attached to the game.
	Data any
}

// Play plays one game in a slot: of the games that run at a time each has another
// slot, the lowest that is free, from 0. A game that could not be played to a
// verdict returns false and is not counted.
type Play func(ctx context.Context, p Pairing, slot int) (Finished, bool)

// Runner plays the games of a schedule side by side. How many run at a time can be
// changed, and starting can be paused, while it runs; all methods may be called
// from any goroutine.
type Runner struct {
	play Play
	done func(Finished) (goOn bool)

	mu      sync.Mutex
	changed sync.Cond // something that take waits for
	idle    sync.Cond // there is no worker any more
	s       Scheduler
	ctx     context.Context
	// limit is how many games may run at a time, slots which of the places have a
	// worker, playing how many games run.
	limit    int
	slots    []bool
	workers  int
	playing  int
	finished int
	paused   bool
	drained  bool
	running  bool
}

// NewRunner returns a runner that plays at most concurrency games at a time, one if
// it is less, and hands each to done, one at a time, as they end. No further game
// starts once done returns false.
func NewRunner(s Scheduler, concurrency int, play Play, done func(Finished) (goOn bool)) *Runner {
	r := &Runner{s: s, play: play, done: done, limit: max(1, concurrency)}
	r.changed.L, r.idle.L = &r.mu, &r.mu
	return r
}

// Run plays until the schedule is over or the runner is drained, and returns how
// many games were handed to done. When ctx ends the games that run are stopped.
func (r *Runner) Run(ctx context.Context) int {
	defer r.wakeAtEnd(ctx)()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ctx, r.running = ctx, true
	r.hire()
	for r.workers > 0 {
		r.idle.Wait()
	}
	r.running = false
	return r.finished
}

// Drain lets the running games end and starts no further ones.
func (r *Runner) Drain() { r.set(func() { r.drained = true }) }

// Pause starts no further games until it is called with false; running ones go on.
func (r *Runner) Pause(yes bool) { r.set(func() { r.paused = yes }) }

// SetConcurrency changes how many games may run at a time, at least one. Games that
// are too many end as they would.
func (r *Runner) SetConcurrency(n int) { r.set(func() { r.limit = max(1, n) }) }

// Change calls f between two games, when nothing is asked of the scheduler or handed
// to done: what f changes of either is seen whole or not at all.
func (r *Runner) Change(f func()) { r.set(f) }

// Await waits until something holds that is asked between two games, nothing is played any more, or ctx ends.
func (r *Runner) Await(ctx context.Context, holds func() bool) {
	defer r.wakeAtEnd(ctx)()
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.workers > 0 && ctx.Err() == nil && !holds() {
		r.changed.Wait()
	}
}

// wakeAtEnd wakes those who wait when ctx ends, unless stop is called before.
func (r *Runner) wakeAtEnd(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})
}

// Status is what a runner is about.
type Status struct {
	// Playing is how many games run, Limit how many may.
	Playing, Limit  int
	Paused, Drained bool
}

// Status returns what the runner is about.
func (r *Runner) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Status{Playing: r.playing, Limit: r.limit, Paused: r.paused, Drained: r.drained}
}

func (r *Runner) set(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	if r.running {
		r.hire()
	}
	r.changed.Broadcast()
}

// hire starts workers for the places that are free; the caller holds the mutex.
func (r *Runner) hire() {
	for slot := 0; slot < r.limit; slot++ {
		if slot == len(r.slots) {
			r.slots = append(r.slots, false)
		}
		if !r.slots[slot] && !r.stopped() {
			r.slots[slot] = true
			r.workers++
			go r.work(slot)
		}
	}
}

// work plays one game after another in a place.
func (r *Runner) work(slot int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		p, ok := r.take(slot)
		if !ok {
			r.slots[slot] = false
			r.workers--
			r.changed.Broadcast()
			r.idle.Signal()
			return
		}
		r.playing++
		r.mu.Unlock()
		f, ok := r.play(r.ctx, p, slot)
		r.mu.Lock()
		if !ok {
			f = Finished{Pairing: p}
		}
		r.s.Record(f)
		if ok {
			r.finished++
			r.drained = !r.done(f) || r.drained
		}
		r.playing--
		r.changed.Broadcast()
	}
}

// stopped reports whether no further game is to start.
func (r *Runner) stopped() bool { return r.drained || r.ctx.Err() != nil }

// take returns the next game for a place; it waits while that depends on games that
// run, and while the runner is paused.
func (r *Runner) take(slot int) (Pairing, bool) {
	for {
		if r.stopped() || slot >= r.limit {
			return Pairing{}, false
		}
		if !r.paused {
			p, state := r.s.Next()
			switch {
			case state == Ready:
				return p, true
			case state == Over || r.playing == 0:
				return Pairing{}, false
			}
		}
		r.changed.Wait()
	}
}
