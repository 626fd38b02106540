package worker

import (
	"container/list"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
)

const (
	// queueShown is how long a game waits for a processor before it tells so,
	// queueAgain the time until it tells its new place.
	queueShown, queueAgain = 250 * time.Millisecond, time.Second
	// turnsKept is of how many turns the length is known, turnsKnown how many must be before a
	// wait is said to be so long.
	turnsKept, turnsKnown = 20, 5
)

// processors are what the engines of a worker think on: as many think at a time as there
// are slots. Those who wait are served in the order in which they came, but for games whose people
// have all left: they come when nobody else waits. A game has one engine on turn, so that each
// that waits gets one turn in a round, however many there are.
type processors struct {
	now   func() time.Time
	slots int

	mu    sync.Mutex
	free  int
	queue list.List // of *turn
	// spent is how long the latest turns had a processor, the oldest first.
	spent []time.Duration
}

// turn is one that waits for a processor.
type turn struct {
	here chan struct{} // closed when the processor is there
	// left tells that nobody waits for it any more.
	left func() bool
}

func newProcessors(n int, now func() time.Time) *processors {
	return &processors{now: now, slots: n, free: n}
}

// take waits for a processor. left tells, at any time, that nobody waits for what is thought about.
// told is called from time to time while it waits, with how many come before, how many wait and how
// long it will take, 0 if that is not known; the function that is returned gives the processor back.
func (p *processors) take(ctx context.Context, left func() bool, told func(before, of int, about time.Duration)) (free func(), err error) {
	p.mu.Lock()
	if p.free > 0 {
		p.free--
		p.mu.Unlock()
		return p.taken(), nil
	}
	x := &turn{make(chan struct{}), left}
	at := p.queue.PushBack(x)
	p.mu.Unlock()
	t := time.NewTimer(queueShown)
	defer t.Stop()
	for {
		select {
		case <-x.here:
			return p.taken(), nil
		case <-t.C:
			if before, of, about, waits := p.place(at); waits {
				told(before, of, about)
			}
			t.Reset(queueAgain)
		case <-ctx.Done():
			p.leave(at)
			return nil, ctx.Err()
		}
	}
}

// taken begins a turn on a processor, and returns what ends it.
func (p *processors) taken() func() {
	began := p.now()
	return sync.OnceFunc(func() {
		spent := p.now().Sub(began)
		p.mu.Lock()
		p.spent = append(p.spent[max(0, len(p.spent)-turnsKept+1):], spent)
		p.mu.Unlock()
		p.give()
	})
}

// give passes a processor on.
func (p *processors) give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := p.queue.Front()
	if next == nil {
		p.free++
		return
	}
	for e := next; e != nil; e = e.Next() {
		if !waiting(e).left() {
			next = e
			break
		}
	}
	p.queue.Remove(next)
	close(waiting(next).here)
}

func waiting(e *list.Element) *turn { return e.Value.(*turn) } //nolint:forcetypeassert // nothing else is in the queue

// leave takes somebody out of the queue; a processor that was given meanwhile goes on.
func (p *processors) leave(at *list.Element) {
	p.mu.Lock()
	p.queue.Remove(at)
	p.mu.Unlock()
	select {
	case <-waiting(at).here:
		p.give()
	default:
	}
}

// place is how many come before somebody, how many wait, and about how long it will be by the
// median of the latest turns, 0 if too few are known; waits is false if he does not.
func (p *processors) place(at *list.Element) (before, of int, about time.Duration, waits bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for e := p.queue.Front(); e != nil; e = e.Next() {
		if e == at {
			if len(p.spent) >= turnsKnown {
				median := slices.Sorted(slices.Values(p.spent))[len(p.spent)/2]
				about = median * time.Duration(before+1) / time.Duration(max(1, p.slots))
			}
			return before, p.queue.Len(), about, true
		}
		if !waiting(e).left() {
			before++
		}
	}
	return 0, 0, 0, false
}

// thinks reports whether a player of the seat thinks on this machine: a person, and an
// engine elsewhere, need no processor of it.
func thinks(s *bus.Seat) bool { return s.Kind == bus.BotSeat || s.Kind == bus.EngineSeat }

// processor is match.Game.Processor: a wait is told to all who watch.
func (a *attempt) processor(ctx context.Context, seat game.Seat) (free func(), err error) {
	if seat.IsPlayer() && a.resumed {
		a.resumed = false
		defer a.wait(&journal.Wait{}) // clocks go on from now, not from when the game was broken off
	}
	switch {
	case seat.IsPlayer() && !thinks(&a.p.Seats[seat]),
		!seat.IsPlayer() && a.p.Seats[0].Kind != bus.EngineSeat && a.p.Seats[1].Kind != bus.EngineSeat: // ours are ready at once
		return func() {}, nil
	}
	waited := false
	free, err = a.w.processors.take(ctx, a.left, func(before, of int, about time.Duration) {
		waited = true
		a.wait(&journal.Wait{For: journal.ForProcessor, Before: before, Of: of, About: int(math.Ceil(about.Seconds()))})
	})
	if waited {
		a.wait(&journal.Wait{})
	}
	if err != nil {
		return nil, err
	}
	a.free = free // should the game break down
	return free, nil
}

// wait tells what the game waits for: if for nothing else, then for the answer before a pause.
func (a *attempt) wait(w *journal.Wait) {
	a.pausing.Lock()
	defer a.pausing.Unlock()
	if s := a.stand; w.For == "" && s.Pause != nil && !s.Now {
		w = &journal.Wait{For: journal.ForAnswer, By: s.By, Ruled: s.Ruled}
	}
	a.live.add(a.waitEvent(w))
}
