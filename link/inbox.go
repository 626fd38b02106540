package link

import (
	"bytes"
	"os"
	"sync"
	"time"

	"kibitz/internal/bell"
)

// inbox is the receiving half of connections whose bytes are brought by another
// goroutine: the writer of a Pipe, the pump of a Stream.
type inbox struct {
	mu          sync.Mutex
	split       *Splitter
	err         error // what ReadLine returns once the lines are taken
	interrupted bool
	// A feeder waits for room, or until it has found that nobody reads.
	room     chan struct{}
	forsaken bool
	// overdue is a deadline that passed in a flood; left is how many bytes are still
	// taken for it, those that had come by then.
	overdue time.Time
	left    int

	// The reader's own: the line it was handed, and whether that is of a flood.
	line    []byte
	flooded bool

	timer *time.Timer
	wake  chan struct{} // holds one token when something has changed
}

func newInbox(l Limits) *inbox {
	return &inbox{split: NewSplitter(l), wake: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// admit waits until there is room for n bytes, or nobody has read for long.
func (b *inbox) admit(n int) {
	for {
		b.mu.Lock()
		held := b.split.buffered()
		ok := b.err != nil || b.forsaken || held == 0 || held+n <= b.split.limits.Backlog
		b.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-b.room:
		case <-time.After(forsaken):
			b.mu.Lock()
			b.forsaken = true
			b.mu.Unlock()
		}
	}
}

// feed appends what the peer sent; it tells whether anybody still wants it.
func (b *inbox) feed(p []byte) bool {
	b.mu.Lock()
	open := b.err == nil
	if open {
		_, _ = b.split.Write(p)
	}
	b.mu.Unlock()
	bell.Ring(b.wake)
	return open
}

// fail ends the input: after the lines that are there ReadLine returns err.
func (b *inbox) fail(err error) {
	b.mu.Lock()
	if b.err == nil {
		b.err = err
	}
	b.mu.Unlock()
	bell.Ring(b.wake)
}

// drop ends the input at once, with what is there.
func (b *inbox) drop(err error) {
	b.mu.Lock()
	b.err = err
	counts := b.split.counts
	b.split = NewSplitter(b.split.limits)
	b.split.counts = counts
	b.mu.Unlock()
	bell.Ring(b.room)
	bell.Ring(b.wake)
}

func (b *inbox) interrupt() {
	b.mu.Lock()
	b.interrupted = true
	b.mu.Unlock()
	bell.Ring(b.wake)
}

func (b *inbox) newTurn() {
	b.mu.Lock()
	b.split.NewTurn()
	b.mu.Unlock()
}

// rest returns what came after the last end of a line.
func (b *inbox) rest() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.split.Rest())
}

func (b *inbox) counts() Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.split.Counts()
}

// pause returns how long the goroutine that feeds is to rest.
func (b *inbox) pause(p *pace) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.split.Flooded() {
		return 0
	}
	return p.rest(time.Now(), b.split.Counts().Bytes)
}

// take returns a line or the error that is due by a deadline; neither means wait.
func (b *inbox) take(deadline time.Time) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.interrupted {
		b.interrupted = false
		return nil, ErrInterrupted
	}
	if b.flooded = b.split.Flooded(); b.flooded && b.spent(deadline) {
		return nil, os.ErrDeadlineExceeded
	}
	if line, ok := b.split.Next(); ok {
		b.forsaken = false
		bell.Ring(b.room)
		b.line = append(b.line[:0], line...)
		b.left -= len(line) + 1
		return b.line, nil
	}
	return nil, b.err
}

// spent reports whether what a flood had brought by a deadline has been taken.
func (b *inbox) spent(deadline time.Time) bool {
	switch {
	case deadline.IsZero():
		return false
	case !b.overdue.Equal(deadline):
		if time.Until(deadline) <= 0 {
			b.overdue, b.left = deadline, b.split.buffered()
		}
		return false
	case b.left > 0:
		return false
	}
	b.overdue = time.Time{}
	return true
}

func (b *inbox) readLine(deadline time.Time) ([]byte, error) {
	var expired <-chan time.Time
	for {
		line, err := b.take(deadline)
		if line != nil || err != nil {
			return line, err
		}
		if !deadline.IsZero() && expired == nil {
			left := time.Until(deadline)
			if left <= 0 {
				return nil, os.ErrDeadlineExceeded
			}
			if b.timer == nil {
				b.timer = time.NewTimer(left)
			} else {
				b.timer.Reset(left)
			}
			defer b.timer.Stop()
			expired = b.timer.C
		}
		select {
		case <-b.wake:
		case <-expired:
			if line, err := b.take(deadline); line != nil || err != nil {
				return line, err
			}
			return nil, os.ErrDeadlineExceeded
		}
	}
}
