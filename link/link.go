// Package link carries lines between Kibitz and whoever is at the other end: a
// child process, a TCP peer, a test. It knows nothing of what the lines mean.
//
// Reading is done by the goroutine that wants the answer, under a deadline, so
// that a move costs one write and one read. While nobody reads, a connection
// keeps itself from blocking its peer: see Conn.
package link

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// Conn is a line connection.
//
// Between two reads the connection drains its peer by itself within a fraction of
// a second and keeps what came, so that a chatty peer never blocks on a full
// pipe; what was kept is what the next ReadLine returns first, in order. Reading
// and draining exclude each other: at any moment one goroutine owns the input.
// Memory is bounded: what nobody reads is kept up to Limits.Backlog, and when nobody
// has read for two seconds the oldest lines are dropped and counted. So is the work: of what a peer sends beyond
// Limits.Flood between two writes to it the observer sees the last line only, and
// whoever reads it rests as long as he reads.
//
// ReadLine is called by one goroutine at a time, Write by one at a time; both may
// run together. Close and Interrupt may be called from anywhere.
type Conn interface {
	// ReadLine returns the next line without its end, valid until the next call.
	// Lines end with LF, CRLF or CR; empty lines are skipped; a line beyond the
	// maximum is cut there and the rest dropped; what a peer left unfinished when
	// it closed is no line. A zero deadline waits for ever. The error is
	// os.ErrDeadlineExceeded after the deadline, io.EOF when the peer closed its
	// output.
	//
	// A line that is there when the deadline has passed is returned all the same:
	// the caller sees by its own clock that it is late, and how late. Who reads on
	// with the same deadline gets what was there by then and no more. Where the
	// connection can tell that its reader was woken late, the peer gets as much
	// longer as that, once, but no longer than the wait was to be.
	ReadLine(deadline time.Time) ([]byte, error)
	// Write sends p in one piece. It gives up after the connection's write limit
	// with an error, so that a peer that does not read cannot block for ever.
	Write(p []byte) error
	// Interrupt makes a running ReadLine return ErrInterrupted, or the next one
	// if none runs. It may be called from any goroutine.
	Interrupt()
	// Close ends the connection and whatever it started, for certain.
	Close() error
}

// Errors of a Conn beside io.EOF and os.ErrDeadlineExceeded.
var (
	ErrInterrupted = errors.New("reading was interrupted")
	// ErrGarbled is wrapped by the errors of connections whose bytes have a form,
	// such as counted frames, that the peer does not keep.
	ErrGarbled = errors.New("what the peer sends has no sense")
)

// Dialer makes a connection; hosts of a protocol use it to start an engine and
// to start it again.
type Dialer func(ctx context.Context) (Conn, error)

// Process is implemented by connections to a child process.
type Process interface {
	// Exited returns how the process ended, and whether it has.
	Exited() (Exit, bool)
	// Stderr returns the latest lines of the process's standard error.
	Stderr() []string
	// Started returns when the process was created.
	Started() time.Time
	// Suspend and Resume stop and continue the whole process group.
	Suspend() error
	Resume() error
	// CloseAfter waits up to d for the process to end by itself, then closes.
	CloseAfter(d time.Duration) error
}

// Exit says how a process ended.
type Exit struct {
	Code   int    // exit status, -1 if a signal ended it
	Signal string // "segmentation fault", empty if it exited
	// Note says in a few words what the status or the signal means, where it is not
	// plain or more is known than it says; it may be empty.
	Note string
}

// Status is the end in the system's words: "exit status 3", "signal: killed".
func (e Exit) Status() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return "exit status " + strconv.Itoa(e.Code)
}

// String describes the end for people: the status and the note.
func (e Exit) String() string {
	if e.Note != "" {
		return e.Status() + ", " + e.Note
	}
	return e.Status()
}

// Used is what a process has consumed.
type Used struct {
	// CPU is processor time, its own and the system's for it, of all its threads.
	CPU time.Duration
	// Peak is the largest resident memory in bytes, 0 if unknown.
	Peak int64
}

// Partial is implemented by connections that can show what came without a line end.
type Partial interface {
	// Rest returns a copy of what the peer has sent after the last end of a line,
	// nil if nothing. It waits for a running ReadLine.
	Rest() []byte
}

// Ahead is implemented by connections that can say at no cost that the peer has said more than was
// asked for.
type Ahead interface {
	// Ahead reports whether something is there that came together with what was read last.
	Ahead() bool
}

// Meter is implemented by connections to a process whose consumption can be told.
type Meter interface {
	// Used returns what the process and all that it started have consumed since its
	// start, also after its end; false if that is unknown. It reads a few small files
	// of the system: often enough for once a game, too much for once a move.
	Used() (Used, bool)
	// Begin lets Used tell the peak from now on, where the system allows it, and returns
	// what Used would of the processor time: both for little more than one of them.
	Begin() (Used, bool)
}

// Sched is how the kernel has scheduled the threads of a process so far.
type Sched struct {
	// Ran is the time on a processor, Waited that in which a thread could have run and
	// none was free. Threads that have ended are not in it.
	Ran, Waited time.Duration
}

// Scheduled is implemented by connections to a process whose scheduling can be told.
type Scheduled interface {
	// Sched is false where the system does not tell. What was read last stays known
	// when the process has ended.
	Sched() (Sched, bool)
}

// Placed is implemented by connections to a process that can be bound to processors while
// it runs.
type Placed interface {
	// Place binds the process to processors and reports whether it is bound. One that has
	// started others, has several threads or was not free to run on all is left alone.
	// Without processors it is free again.
	Place(processors, all []int) bool
}

// Guarded is implemented by connections to a process that runs under limits.
type Guarded interface {
	// Limited returns which limit the process has run into, in words that follow the
	// engine's name: "used 512 MB of memory; its limit is 350 MB". It is empty if it
	// has run into none, or nobody can tell. It is asked when the process has failed
	// or ended, and also after Close.
	Limited() string
}

// Direction says which way a line went.
type Direction uint8

// The directions, and what else a log of the traffic holds.
const (
	Sent     Direction = iota // to the peer
	Received                  // from the peer
	Errput                    // the peer's standard error
	Noted                     // a remark of Kibitz itself
	Printed                   // standard output of a peer that talks elsewhere
)

// Observer sees the traffic of a connection, sent lines with the time at which their write
// began. It never delays a line: it is called
// after the line was handed on, within some 150 ms where the peer goes on by itself,
// or while nobody reads; line is valid only during the call. Calls come from
// several goroutines but never two at once for one connection. An Observer must
// not use the connection.
type Observer func(d Direction, at time.Time, line []byte)
