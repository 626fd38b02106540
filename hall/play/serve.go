package play

import (
	"context"
	"sync"
	"time"

	"kibitz/internal/plain"
)

const (
	// sweepEvery is the time between two sweeps, sweepSoon that before one that has
	// something to make up for.
	sweepEvery, sweepSoon = 10 * time.Second, time.Second
	// sweepShare keeps sweeps over very many games to that part of a hall's time, as far
	// as that is not longer than sweepMost. One that failed has rather waited than
	// worked.
	sweepShare, sweepMost = 20, time.Minute
	// queuedFor is how long a game may be queued before it is published again: a hall
	// may have ended between its transaction and the publication. It doubles with each
	// try, mostDoubled times: a game may also wait because there is much to play.
	queuedFor   = 2 * time.Minute
	mostDoubled = 4
	// absentFor is how long a worker may be missing from the registry, or not name a
	// game that it plays, before the game is begun elsewhere. The registry forgets a
	// worker after such a time, too, and all of them when its servers are lost.
	absentFor = 15 * time.Second
)

// Serve answers workers until the context ends.
func (p *Dispatcher) Serve(ctx context.Context) error {
	begin, err := p.cfg.Bus.ServeBegin(p.Begin)
	if err != nil {
		return err
	}
	defer begin.Close()
	alive, err := p.cfg.Bus.ServeAlive(p.Alive)
	if err != nil {
		return err
	}
	defer alive.Close()
	stop, err := p.cfg.Bus.ServeResults(p.Result)
	if err != nil {
		return err
	}
	defer stop()
	var unsent sync.WaitGroup
	defer unsent.Wait()
	unsent.Go(func() { p.serveUnsent(ctx) })
	s := NewReaper(p)
	for {
		began := p.now()
		soon, err := s.Sweep(ctx)
		if err != nil && ctx.Err() == nil {
			p.cfg.Log.WarnContext(ctx, "sweep", "error", plain.OneLine(err))
		}
		select {
		case <-time.After(pause(p.now().Sub(began), soon, err)):
		case <-ctx.Done():
			return nil
		}
	}
}

// pause is the time until the next sweep after one that took so long.
func pause(took time.Duration, soon bool, err error) time.Duration {
	switch {
	case err != nil:
		return min(max(sweepSoon, took), sweepMost)
	case soon:
		return min(max(sweepSoon, sweepShare*took), sweepMost)
	default:
		return min(max(sweepEvery, sweepShare*took), sweepMost)
	}
}
