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

// Play plays one game. A game that could not be played to a verdict returns false
// and is not counted.
type Play func(ctx context.Context, p Pairing) (Finished, bool)

// Run plays the games of a schedule, at most concurrency at a time, and hands each
// to done, one at a time, as they end. When drain is closed no further game
// starts; running ones end. ctx stops at once. It returns how many games were
// handed to done.
func Run(ctx context.Context, s Scheduler, concurrency int, drain <-chan struct{}, play Play, done func(Finished)) int {
	r := &runner{ctx: ctx, s: s, drain: drain}
	r.ended.L = &r.mu
	var wg sync.WaitGroup
	for range max(1, concurrency) {
		wg.Go(func() {
			for {
				p, ok := r.take()
				if !ok {
					return
				}
				f, ok := play(ctx, p)
				r.mu.Lock()
				if ok {
					r.finished++
					done(f)
				} else {
					f = Finished{Pairing: p}
				}
				s.Record(f)
				r.running--
				r.ended.Broadcast()
				r.mu.Unlock()
			}
		})
	}
	wg.Wait()
	return r.finished
}

// runner is shared by the goroutines that play.
type runner struct {
	ctx               context.Context
	drain             <-chan struct{}
	mu                sync.Mutex
	ended             sync.Cond
	s                 Scheduler
	running, finished int
}

// take returns the next game; it waits while that depends on games that run, which
// also end when ctx does.
func (r *runner) take() (Pairing, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if r.ctx.Err() != nil {
			return Pairing{}, false
		}
		select {
		case <-r.drain:
			return Pairing{}, false
		default:
		}
		p, state := r.s.Next()
		switch {
		case state == Ready:
			r.running++
			return p, true
		case state == Over || r.running == 0:
			return Pairing{}, false
		}
		r.ended.Wait()
	}
}
