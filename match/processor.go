package match

import (
	"context"
	"errors"
	"sync"

	"kibitz/game"
)

// errUnasked tells that a seat was not asked: while it waited for a processor the game was
// stopped, or the turn taken back.
var errUnasked = errors.New("not asked")

// queueing is a wait for a processor that anybody may end.
type queueing struct {
	mu  sync.Mutex
	end context.CancelFunc // nil while nobody waits
}

func (q *queueing) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.end != nil {
		q.end()
	}
}

func (q *queueing) set(end context.CancelFunc) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.end = end
}

// processor waits until the seat may think: on nobody's clock, and not before everybody
// has heard of the turn before. A paused game waits too. free is to be called when it has thought; ok is false if
// it is not to be asked.
func (r *referee) processor(seat game.Seat) (free func(), ok bool) {
	if r.g.Processor == nil && r.g.Brake == nil {
		return func() {}, true
	}
	r.rec.release()
	ctx, end := context.WithCancel(r.ctx)
	defer end()
	r.queueing.set(end)
	defer r.queueing.set(nil)
	for {
		if b := r.g.Brake; b != nil && seat.IsPlayer() && b.wait(ctx, r.time.journal()) != nil {
			return nil, false
		}
		free = func() {}
		if r.g.Processor != nil {
			var err error
			if free, err = r.g.Processor(ctx, seat); err != nil {
				return nil, false
			}
		}
		if r.g.Brake == nil || !seat.IsPlayer() || r.g.Brake.Paused() == nil {
			return free, true
		}
		free() // paused while it waited
	}
}
