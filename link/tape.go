package link

import (
	"sync"
	"time"
)

// tapeHold is how many bytes of received lines a tape holds back at most.
const tapeHold = 16 << 10

// tape passes the traffic of one connection to its observer in order, without
// delaying it: a received line is held until the next write has gone out. A nil
// tape does nothing.
type tape struct {
	observe Observer
	now     func() time.Time

	mu   sync.Mutex
	held []heldLine
	text []byte
}

type heldLine struct {
	at  time.Time
	end int
}

func newTape(o Options) *tape {
	if o.Observe == nil {
		return nil
	}
	now := o.Now
	if now == nil {
		now = func() time.Time { return time.Time{} }
	}
	return &tape{observe: o.Observe, now: now}
}

// received holds a line back; the caller is about to act on it.
func (t *tape) received(line []byte) {
	if t == nil {
		return
	}
	at := t.now()
	t.mu.Lock()
	t.text = append(t.text, line...)
	t.held = append(t.held, heldLine{at, len(t.text)})
	if len(t.text) > tapeHold {
		t.release()
	}
	t.mu.Unlock()
}

// sent shows what was held and then each line of p, which has gone out.
func (t *tape) sent(p []byte) {
	if t == nil {
		return
	}
	at := t.now()
	t.mu.Lock()
	t.release()
	for len(p) > 0 {
		i := lineEnd(p)
		switch {
		case i < 0:
			t.observe(Sent, at, p)
			p = nil
		case i > 0:
			t.observe(Sent, at, p[:i])
			fallthrough
		default:
			p = p[i+1:]
		}
	}
	t.mu.Unlock()
}

// other shows a line of another direction at once.
func (t *tape) other(d Direction, line []byte) {
	if t == nil {
		return
	}
	at := t.now()
	t.mu.Lock()
	t.release()
	t.observe(d, at, line)
	t.mu.Unlock()
}

func (t *tape) flush() {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.release()
	t.mu.Unlock()
}

func (t *tape) release() {
	start := 0
	for _, h := range t.held {
		t.observe(Received, h.at, t.text[start:h.end])
		start = h.end
	}
	t.held, t.text = t.held[:0], t.text[:0]
}
