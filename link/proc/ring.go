package proc

import (
	"sync"
	"time"
)

const (
	ringLines = 200
	ringLine  = 4096 // longest line kept
	ringBytes = 128 << 10
	errPiece  = 256 << 10 // after so much the reader of a flood takes a rest
	errRest   = 2 * time.Millisecond
)

// ring keeps the latest lines of a process's standard error.
type ring struct {
	mu    sync.Mutex
	lines [ringLines][]byte
	next  int // index of the oldest, the next to be overwritten
	count int
	bytes int
}

func (r *ring) add(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.count > 0 && (r.count == ringLines || r.bytes+len(line) > ringBytes) {
		oldest := (r.next - r.count + ringLines) % ringLines
		r.bytes -= len(r.lines[oldest])
		r.count--
	}
	slot := r.lines[r.next]
	if cap(slot) > 512 && len(line) <= 512 {
		slot = nil // do not hold on to the space of a long line
	}
	r.lines[r.next] = append(slot[:0], line...)
	r.bytes += len(line)
	r.next = (r.next + 1) % ringLines
	r.count++
}

func (r *ring) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]string, r.count)
	for i := range out {
		out[i] = string(r.lines[(r.next-r.count+i+ringLines)%ringLines])
	}
	return out
}
