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

// Run plays all games of a plan from number start, at most concurrency at a time,
// and hands each to done, one at a time, as they end. When drain is closed no
// further game starts; running ones end. ctx stops at once. It returns how many
// games were handed to done.
func Run(ctx context.Context, plan Plan, start, concurrency int, drain <-chan struct{}, play Play, done func(Finished)) int {
	var (
		mu       sync.Mutex
		next     = start
		finished int
		wg       sync.WaitGroup
	)
	take := func() (Pairing, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next >= plan.Len() || ctx.Err() != nil {
			return Pairing{}, false
		}
		select {
		case <-drain:
			return Pairing{}, false
		default:
		}
		next++
		return plan.At(next - 1), true
	}
	for range max(1, concurrency) {
		wg.Go(func() {
			for {
				p, ok := take()
				if !ok {
					return
				}
				f, ok := play(ctx, p)
				if !ok {
					continue
				}
				mu.Lock()
				finished++
				done(f)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return finished
}
