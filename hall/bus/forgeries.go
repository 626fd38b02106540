package bus

import (
	"context"
	"sync"
	"time"
)

// Forgery is what a sender tried that only another one may do.
type Forgery struct {
	// Sender is the name of the worker's token; What is a line for people.
	Sender, What string
	// Untold is how many others of the same sender were not told of since the last one.
	Untold int
}

// CodeNoLease is the code of an AskError that tells a worker that it does not have the job
// of the game that it asks for.
const CodeNoLease = "no-lease"

// codeNotYours tells somebody that asks for a worker of another one.
const codeNotYours = "not-yours"

// forgeryEvery is how often forgeries of one sender are told of: one that does not give up
// fills neither the log nor the audit log.
const forgeryEvery = time.Minute

// forgeries collects forgeries, from any goroutine and without waiting.
type forgeries struct {
	now  func() time.Time
	wait chan Forgery

	mu   sync.Mutex
	told map[string]*lately
}

// lately is when a sender was told of last, and how many forgeries were not since.
type lately struct {
	at     time.Time
	untold int
}

func newForgeries(now func() time.Time) *forgeries {
	return &forgeries{now: now, wait: make(chan Forgery, 64), told: map[string]*lately{}}
}

func (f *forgeries) add(sender, what string) {
	now := f.now()
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.told[sender]
	if l == nil {
		l = &lately{}
		f.told[sender] = l
	} else if now.Sub(l.at) < forgeryEvery {
		l.untold++
		return
	}
	select {
	case f.wait <- Forgery{Sender: sender, What: what, Untold: l.untold}:
		l.at, l.untold = now, 0
	default:
		l.untold++
	}
}

// tellForgeries passes them on until the bus is closed.
func (b *Bus) tellForgeries() {
	for {
		select {
		case <-b.conn.life.Done():
			return
		case f := <-b.forgeries.wait:
			b.conn.opts.Log.Warn("bus: a worker tried what it may not: "+f.What, "worker", f.Sender, "untold", f.Untold)
			if b.conn.opts.OnForgery == nil {
				continue
			}
			ctx, cancel := context.WithTimeout(b.conn.life, b.conn.opts.Timeout)
			b.conn.opts.OnForgery(ctx, f)
			cancel()
		}
	}
}
