package link

import "time"

// The limits that a zero field of Limits stands for.
const (
	DefaultLine    = 64 << 10
	DefaultBacklog = 256 << 10
	DefaultFlood   = 1 << 20
	DefaultWrite   = 5 * time.Second
)

// forsaken is how long nobody reads before lines are dropped to make room for others.
// Until then a peer that has filled the backlog waits: a reader may be late.
const forsaken = 2 * time.Second

// Limits bounds what a connection takes from its peer. Zero fields mean the
// defaults above.
type Limits struct {
	// Line is the longest line in bytes; the rest of a longer one is dropped.
	Line int
	// Backlog is how much input is kept in bytes while nobody reads. It is at
	// least four times Line.
	Backlog int
	// Flood is how many bytes a peer may send between two writes to it before it is
	// read with rests, and shown to the observer no more.
	Flood int64
	// Write is how long one Write waits for a peer that does not read.
	Write time.Duration
}

// withDefaults returns l with its zero fields filled in.
func (l Limits) withDefaults() Limits {
	if l.Line <= 0 {
		l.Line = DefaultLine
	}
	if l.Backlog <= 0 {
		l.Backlog = DefaultBacklog
	}
	l.Backlog = max(l.Backlog, 4*l.Line)
	if l.Flood <= 0 {
		l.Flood = DefaultFlood
	}
	if l.Write <= 0 {
		l.Write = DefaultWrite
	}
	return l
}

// Options configures a connection. The zero value has the default limits and no
// observer.
type Options struct {
	Limits Limits
	// Observe sees the traffic; it may be nil.
	Observe Observer
	// Now stamps what Observe is shown and begins the write limit. A Polled
	// connection needs it, the others only with Observe.
	Now func() time.Time
	// Direct lets a read of a Polled connection wait in the kernel for a fraction
	// of a second where the peer has been quick: the cheapest wait, but it keeps a
	// thread and for up to some milliseconds a processor of the runtime. It is for
	// programs in which no more goroutines wait so than there are processors.
	Direct bool
}

// Counts tells what a connection received and lost.
type Counts struct {
	Bytes   int64 // received in all
	Dropped int64 // bytes not kept: rests of long lines, oldest lines
	Cut     int64 // lines cut at the maximum
	Lost    int64 // whole lines dropped because nobody read them
	Floods  int64 // how often it was more than the limit between two writes
}

// Counter is implemented by connections that count.
type Counter interface {
	Counts() Counts
}

// Flusher is implemented by connections that show traffic to their Observer with
// a delay: Flush shows what is still held back, for example at the end of a game.
type Flusher interface {
	Flush()
}
