package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kibitz/bus"
	"kibitz/server/hub"
	"kibitz/store"
)

// maxFeed is how many messages of a console may wait for a viewer; of more the oldest are
// left out, as a console leaves out its oldest lines.
const maxFeed = 1000

// feed is what a viewer of a console gets. What is not under the lock belongs to the
// goroutine of run.
type feed struct {
	h *Hall
	x *heard

	mu    sync.Mutex
	inbox []bus.Console
	sign  chan struct{}

	// attempt and next are what has come, wait are the lines that a delay holds back.
	attempt, next int
	whole         bool
	wait          []heldLine
	over          time.Time // from when on it may be told that nothing more comes
}

// heldLine is a line with its number and the time from when on it may be told.
type heldLine struct {
	consoleLine
	number int
	due    time.Time
}

// newFeed begins to listen, and asks for what there is already.
func (h *Hall) newFeed(ctx context.Context, x *heard) (f *feed, stop func(), err error) {
	f = &feed{h: h, x: x, sign: make(chan struct{}, 1), whole: true}
	if x.over {
		c, err := h.storedConsole(ctx, x)
		f.take(c)
		return f, func() {}, err
	}
	sub, err := h.cfg.Live.Bus.SubscribeConsole(x.ID, x.seat, f.take)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var asked sync.WaitGroup
	asked.Go(func() { f.ask(ctx) })
	return f, func() { cancel(); sub.Close(); asked.Wait() }, nil
}

// ask asks for what there is until somebody answers. Whoever is there from the first
// line on needs no answer: lines that are known change nothing.
func (f *feed) ask(ctx context.Context) {
	for ctx.Err() == nil {
		c, err := f.h.cfg.Live.Bus.AskConsole(ctx, f.x.ID, f.x.seat)
		if err == nil {
			f.take(c)
			return
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// take is called by the bus.
func (f *feed) take(c bus.Console) {
	f.mu.Lock()
	if f.inbox = append(f.inbox, c); len(f.inbox) > maxFeed {
		f.inbox = f.inbox[1:]
	}
	f.mu.Unlock()
	select {
	case f.sign <- struct{}{}:
	default:
	}
}

// resume leaves out what a viewer has who comes back; he says so by the number of the
// latest event.
func (f *feed) resume(since string) {
	if id := hub.ParseID(since); id.Attempt > 0 && id.Attempt <= f.x.Attempt && id.Seq > 0 {
		f.attempt, f.next, f.whole = id.Attempt, int(min(id.Seq, 1<<40)), false //nolint:gosec // it is bounded
	}
}

// errFeedOver ends a feed.
var errFeedOver = errors.New("nothing more comes of the console")

// run sends what comes until it is over or the client goes.
func (f *feed) run(ctx context.Context, s *stream) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-f.sign:
		case <-timer.C:
		case <-tick.C:
			f.ended(ctx)
			if s.beat() != nil {
				return
			}
		case <-ctx.Done():
			return
		}
		f.collect()
		if f.send(s) != nil {
			return
		}
		if until := f.until(); !until.IsZero() {
			timer.Reset(max(0, until.Sub(f.h.cfg.Now())))
		}
	}
}

// collect puts what has come into line.
func (f *feed) collect() {
	f.mu.Lock()
	inbox := f.inbox
	f.inbox = nil
	f.mu.Unlock()
	for i := range inbox {
		c := &inbox[i]
		switch {
		case c.Attempt < f.attempt:
			continue
		case c.Attempt > f.attempt:
			f.attempt, f.next, f.whole, f.wait, f.over = c.Attempt, 1, true, nil, time.Time{}
		}
		for n := range c.Lines {
			if number := c.Next - len(c.Lines) + n; number >= f.next {
				l := consoleLine(c.Lines[n])
				f.wait = append(f.wait, heldLine{l, number, l.At.Add(f.x.delay)})
				f.next = number + 1
			}
		}
		if c.Over {
			f.over = f.h.cfg.Now().Add(f.x.delay)
			if f.x.over { // it is known since when
				f.over = f.x.Ended.Add(f.x.delay)
			}
		}
	}
}

// send sends what may be told by now.
func (f *feed) send(s *stream) error {
	now := f.h.cfg.Now()
	out := consoleLines{Attempt: f.attempt, Lines: []consoleLine{}, Whole: f.whole}
	for len(f.wait) > 0 && !f.wait[0].due.After(now) {
		out.Lines, out.Next = append(out.Lines, f.wait[0].consoleLine), f.wait[0].number+1
		f.wait = f.wait[1:]
	}
	if len(out.Lines) > 0 {
		f.whole = false
		if err := s.send(fmt.Sprintf("%d-%d", out.Attempt, out.Next), "lines", jsonOf(out)); err != nil {
			return err
		}
	}
	if len(f.wait) == 0 && !f.over.IsZero() && !f.over.After(now) {
		_ = s.send("", "over", []byte("{}")) // a client that has gone needs no answer
		return errFeedOver
	}
	return nil
}

// until is when there is something to be sent next, if nothing comes.
func (f *feed) until() time.Time {
	if len(f.wait) > 0 {
		return f.wait[0].due
	}
	return f.over
}

// ended asks whether the game is over: a worker that has died says nothing.
func (f *feed) ended(ctx context.Context) {
	x, err := f.h.mayHear(ctx, f.x.ID, int(f.x.seat))
	gone := errors.Is(err, store.ErrNotFound) || errors.Is(err, errNoConsole)
	if gone || err == nil && x.over && f.over.IsZero() {
		f.over = f.h.cfg.Now().Add(f.x.delay)
	}
}
