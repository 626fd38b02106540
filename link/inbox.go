package link

import (
	"bytes"
	"os"
	"sync"
	"time"
)

// inbox is the receiving half of connections whose bytes are brought by another
// goroutine: the writer of a Pipe, the pump of a Stream.
type inbox struct {
	mu          sync.Mutex
	split       *Splitter
	err         error // what ReadLine returns once the lines are taken
	interrupted bool
	line        []byte
	timer       *time.Timer
	wake        chan struct{} // holds one token when something has changed
}

func newInbox(l Limits) *inbox {
	return &inbox{split: NewSplitter(l), wake: make(chan struct{}, 1)}
}

// signal wakes the reader, if one waits.
func (b *inbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// feed appends what the peer sent; it tells whether anybody still wants it.
func (b *inbox) feed(p []byte) bool {
	b.mu.Lock()
	open := b.err == nil && !b.split.Flooded()
	if open {
		_, _ = b.split.Write(p)
	}
	b.mu.Unlock()
	b.signal()
	return open
}

// fail ends the input: after the lines that are there ReadLine returns err.
func (b *inbox) fail(err error) {
	b.mu.Lock()
	if b.err == nil {
		b.err = err
	}
	b.mu.Unlock()
	b.signal()
}

// drop ends the input at once, with what is there.
func (b *inbox) drop(err error) {
	b.mu.Lock()
	b.err = err
	b.split = NewSplitter(b.split.limits)
	b.mu.Unlock()
	b.signal()
}

func (b *inbox) interrupt() {
	b.mu.Lock()
	b.interrupted = true
	b.mu.Unlock()
	b.signal()
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

// take returns a line or the error that is due; neither means wait.
func (b *inbox) take() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.interrupted {
		b.interrupted = false
		return nil, ErrInterrupted
	}
	if b.split.Flooded() {
		return nil, b.split.flood()
	}
	if line, ok := b.split.Next(); ok {
		b.line = append(b.line[:0], line...)
		return b.line, nil
	}
	return nil, b.err
}

func (b *inbox) readLine(deadline time.Time) ([]byte, error) {
	var expired <-chan time.Time
	for {
		line, err := b.take()
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
			if line, err := b.take(); line != nil || err != nil {
				return line, err
			}
			return nil, os.ErrDeadlineExceeded
		}
	}
}
