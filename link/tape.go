package link

import (
	"strconv"
	"sync"
	"time"
)

const (
	// tapeHold is how many bytes of received lines a tape holds back at most.
	tapeHold = 16 << 10
	// tapeWait is how long it holds a line back at most while nothing else happens.
	tapeWait = 75 * time.Millisecond
)

// leftOut begins the remark about lines of a flood that are not shown.
const leftOut = "the output is more than is kept; lines left out here: "

// tape passes the traffic of one connection to its observer in order, without
// delaying it: a received line is held until the next write has gone out, or until
// the peer has had tapeWait to itself. A nil tape does nothing.
//
// Holding a line back costs its copy, and beginning the wait now and then: the timer
// runs on by itself and is not set again as long as it does.
type tape struct {
	observe Observer
	now     func() time.Time

	showing sync.Mutex // held while the observer is called
	closed  bool       // under showing
	shown   []heldLine // what is being shown: the other halves of held and text
	told    []byte

	mu    sync.Mutex // taken inside showing, and never for longer than a copy
	held  []heldLine
	text  []byte
	timer *time.Timer
	runs  bool // the timer does
	// Of a flood the last line is kept, and the others are counted.
	omitted int64
	last    []byte
	spare   []byte // its other half
	lastAt  time.Time
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

// received holds a line back; the caller is about to act on it. Of the lines of a flood
// the last alone will be shown.
func (t *tape) received(line []byte, flood bool) {
	if t == nil {
		return
	}
	at := t.now()
	t.mu.Lock()
	if flood {
		t.omitted++
		t.last, t.lastAt = append(t.last[:0], line...), at
		t.mu.Unlock()
		return
	}
	t.text = append(t.text, line...)
	t.held = append(t.held, heldLine{at, len(t.text)})
	full := len(t.text) > tapeHold
	if !t.runs {
		t.runs = true
		if t.timer == nil {
			t.timer = time.AfterFunc(tapeWait, t.ripe)
		} else {
			t.timer.Reset(tapeWait)
		}
	}
	t.mu.Unlock()
	if full {
		t.show()
	}
}

// ripe shows what the timer has been waiting for.
func (t *tape) ripe() {
	t.showing.Lock()
	defer t.showing.Unlock()
	t.mu.Lock()
	t.runs = false
	t.mu.Unlock()
	if !t.closed {
		t.release()
	}
}

// begin is the time before a write: what the peer says to it comes later, also where that is
// seen first.
func (t *tape) begin() (at time.Time) {
	if t != nil {
		at = t.now()
	}
	return at
}

// sent shows what was held and then each line of p, which has gone out since begin.
func (t *tape) sent(p []byte, at time.Time) {
	if t == nil {
		return
	}
	t.showing.Lock()
	defer t.showing.Unlock()
	t.release()
	t.ebb()
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
}

// other shows a line of another direction at once.
func (t *tape) other(d Direction, line []byte) {
	if t == nil {
		return
	}
	at := t.now()
	t.showing.Lock()
	defer t.showing.Unlock()
	t.release()
	t.observe(d, at, line)
}

func (t *tape) show() {
	if t == nil {
		return
	}
	t.showing.Lock()
	defer t.showing.Unlock()
	t.release()
}

// flush shows all that was held, also what a flood has left.
func (t *tape) flush() {
	if t == nil {
		return
	}
	t.showing.Lock()
	defer t.showing.Unlock()
	t.release()
	t.ebb()
}

// end shows what was held, and after it nothing that the timer would.
func (t *tape) end() {
	if t == nil {
		return
	}
	t.showing.Lock()
	defer t.showing.Unlock()
	t.release()
	t.ebb()
	t.closed = true
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
}

// release shows what was held; showing is locked.
func (t *tape) release() {
	t.mu.Lock()
	t.shown, t.held = t.held, t.shown[:0]
	t.told, t.text = t.text, t.told[:0]
	t.mu.Unlock()
	start := 0
	for _, h := range t.shown {
		t.observe(Received, h.at, t.told[start:h.end])
		start = h.end
	}
}

// ebb tells how much of a flood was not shown, and shows its last line; showing is locked.
func (t *tape) ebb() {
	t.mu.Lock()
	n, last, at := t.omitted, t.last, t.lastAt
	t.omitted, t.last, t.spare = 0, t.spare[:0], t.last
	t.mu.Unlock()
	if n > 1 {
		t.observe(Noted, at, strconv.AppendInt([]byte(leftOut), n-1, 10))
	}
	if n > 0 {
		t.observe(Received, at, last)
	}
}
