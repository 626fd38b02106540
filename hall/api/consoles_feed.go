package api

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/store"
	"kibitz/internal/bell"
)

// maxFeed is how many messages of a console may wait for a viewer; of more the oldest are
// left out, as a console leaves out its oldest lines.
const maxFeed = 1000

// feed is what a viewer of a console gets. What is not under the lock belongs to the
// goroutine of run.
type feed struct {
	consoles *lobby.Consoles
	bus      lobby.ConsoleBus
	link     *lobby.Link
	now      func() time.Time
	x        *lobby.Console

	mu    sync.Mutex
	inbox []printed
	sign  chan struct{}
	// gap asks for all lines: some before those that came are missing. It holds one.
	gap chan struct{}

	// attempt and next are what has come, wait are the lines that a delay holds back.
	attempt, next int
	whole         bool
	wait          []heldLine
	over          time.Time // from when on it may be told that nothing more comes
}

// printed is what came of a console: news, or all that its worker has kept.
type printed struct {
	bus.Console
	all bool
}

// heldLine is a line with its number and the time from when on it may be told.
type heldLine struct {
	lobby.ConsoleLine
	number int
	due    time.Time
}

// newFeed begins to listen, and asks for what there is already.
func (h *consoleStreams) newFeed(ctx context.Context, x *lobby.Console) (f *feed, stop func(), err error) {
	f = &feed{
		consoles: h.consoles, bus: h.bus, link: h.link, now: h.now, x: x, sign: make(chan struct{}, 1), gap: make(chan struct{}, 1), whole: true,
	}
	if x.Over {
		c, err := h.consoles.Stored(ctx, x)
		f.take(printed{c, true})
		return f, func() {}, err
	}
	sub, err := h.bus.SubscribeConsole(x.ID, x.Seat, func(c bus.Console) { f.take(printed{c, false}) })
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var asked sync.WaitGroup
	asked.Go(func() { f.ask(ctx) })
	return f, func() { cancel(); sub.Close(); asked.Wait() }, nil
}

// ask asks for what there is, at the beginning and whenever something is missing, until
// somebody answers. Lines that are known change nothing.
func (f *feed) ask(ctx context.Context) {
	for ctx.Err() == nil {
		back := f.link.Current()
		if c, err := f.kept(ctx); err == nil {
			f.take(printed{c, true})
			select {
			case <-f.gap:
			case <-back.Done(): // lines may have been told while nothing came through
			case <-ctx.Done():
			}
			continue
		}
		select {
		case <-time.After(feedRetry):
		case <-ctx.Done():
		}
	}
}

// feedRetry is the time between two questions of which the first was not answered.
const feedRetry = time.Second

// kept is all that there is: of a game that is over what was stored.
func (f *feed) kept(ctx context.Context) (bus.Console, error) {
	c, err := f.bus.AskConsole(ctx, f.x.ID, f.x.Seat)
	if err == nil {
		return c, nil
	}
	x, may := f.consoles.Find(ctx, f.x.ID, int(f.x.Seat))
	if may != nil || !x.Over {
		return c, err
	}
	return f.consoles.Stored(ctx, &x)
}

// take is called by the bus.
func (f *feed) take(c printed) {
	f.mu.Lock()
	if f.inbox = append(f.inbox, c); len(f.inbox) > maxFeed {
		f.inbox = f.inbox[1:]
	}
	f.mu.Unlock()
	bell.Ring(f.sign)
}

// resume leaves out what a viewer has who comes back; he says so by the number of the
// latest event.
func (f *feed) resume(since string) {
	if id := hub.ParseID(since); id.Attempt > 0 && id.Attempt <= f.x.Attempt && id.Seq > 0 {
		f.attempt, f.next, f.whole = id.Attempt, int(min(id.Seq, 1<<40)), false //nolint:gosec // it is bounded
	}
}

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
			timer.Reset(max(0, until.Sub(f.now())))
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
		if c.Next-len(c.Lines) > f.next && !c.all { // they come once more, with those before them
			bell.Ring(f.gap)
			continue
		}
		for n := range c.Lines {
			if number := c.Next - len(c.Lines) + n; number >= f.next {
				l := lobby.ConsoleLine(c.Lines[n])
				f.wait = append(f.wait, heldLine{l, number, l.At.Add(f.x.Delay)})
				f.next = number + 1
			}
		}
		if c.Over {
			f.over = f.now().Add(f.x.Delay)
			if f.x.Over { // it is known since when
				f.over = f.x.Ended.Add(f.x.Delay)
			}
		}
	}
}

// send sends what may be told by now.
func (f *feed) send(s *stream) error {
	now := f.now()
	out := lobby.ConsoleLines{Attempt: f.attempt, Lines: []lobby.ConsoleLine{}, Whole: f.whole}
	for len(f.wait) > 0 && !f.wait[0].due.After(now) {
		out.Lines, out.Next = append(out.Lines, f.wait[0].ConsoleLine), f.wait[0].number+1
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

// lastLines is how long after the news that a game is over the worker's last lines of it are waited for.
const lastLines = 5 * time.Second

// ended asks whether the game is over: a worker that has died says nothing.
func (f *feed) ended(ctx context.Context) {
	x, err := f.consoles.Find(ctx, f.x.ID, int(f.x.Seat))
	gone := errors.Is(err, store.ErrNotFound) || errors.Is(err, lobby.ErrNoConsole)
	switch {
	case gone:
		f.over = f.now().Add(f.x.Delay)
	case err == nil && x.Over && f.over.IsZero():
		f.over = f.now().Add(f.x.Delay + lastLines)
	}
}
