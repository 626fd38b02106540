package engines

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"kibitz/link"
)

// maxTraffic bounds what is kept of one engine's traffic in one game; a mad
// engine must not fill the memory.
const maxTraffic = 16 << 20

// Traffic keeps what passes between Kibitz and one engine during one game.
type Traffic struct {
	mu    sync.Mutex
	began time.Time
	buf   []byte
	lost  int
	// Note is told of warnings as they come; it may be nil. It is set before the first line.
	Note func(string)
	// tap, if not nil, is given each line instead of keeping it.
	tap func(mark byte, at time.Time, line []byte)
	// also, if not nil, is given each line that is kept.
	also func(mark byte, at time.Time, line []byte)
}

var directionMarks = [...]byte{link.Sent: '>', link.Received: '<', link.Errput: '!', link.Noted: '#', link.Printed: '|'}

// Observe appends one line: seconds since the game began to the microsecond, a
// mark for the direction, the line.
func (t *Traffic) Observe(d link.Direction, at time.Time, line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tap != nil {
		t.tap(directionMarks[d], at, line)
		return
	}
	if t.also != nil {
		t.also(directionMarks[d], at, line)
	}
	if len(t.buf)+len(line)+32 > maxTraffic {
		t.lost++
		return
	}
	us := max(at.Sub(t.began).Microseconds(), 0)
	t.buf = strconv.AppendInt(t.buf, us/1e6, 10)
	t.buf = append(t.buf, '.')
	for scale, rest := int64(100000), us%1e6; scale > 0; scale /= 10 {
		t.buf = append(t.buf, byte('0'+rest/scale%10))
	}
	t.buf = append(t.buf, ' ', directionMarks[d], ' ')
	t.buf = append(t.buf, line...)
	t.buf = append(t.buf, '\n')
}

// Warn keeps a remark of the host among the traffic.
func (t *Traffic) Warn(text string) {
	t.mu.Lock()
	note := t.Note
	if t.tap == nil {
		t.buf = append(t.buf, "         # "+text+"\n"...)
	}
	t.mu.Unlock()
	if note != nil {
		note(text)
	}
}

// Listen passes lines to fn from now on.
func (t *Traffic) Listen(fn func(mark byte, at time.Time, line []byte)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tap = fn
}

// Hear passes lines to fn from now on, and keeps them.
func (t *Traffic) Hear(fn func(mark byte, at time.Time, line []byte)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.also = fn
}

// Begin starts the log of a game.
func (t *Traffic) Begin(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.began, t.buf, t.lost = now, t.buf[:0], 0
}

// Take appends the log of the game to dst.
func (t *Traffic) Take(dst []byte, title string) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if dst == nil { // the other engine's, which follows, is about as long
		n := len(title) + len(t.buf) + 4
		dst = make([]byte, 0, 2*n+n/4)
	}
	dst = append(dst, "== "+title+"\n"...)
	dst = append(dst, t.buf...)
	if t.lost > 0 {
		dst = append(dst, fmt.Sprintf("… %d further lines are not kept\n", t.lost)...)
	}
	return dst
}
