package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// batchBytes is how much a Writer gathers at most before it writes.
const batchBytes = 64 << 10

// File is what a Writer writes to.
type File interface {
	io.WriteCloser
	Sync() error
}

// Writer appends events. It is safe for concurrent use by the games of a run.
//
// Events are gathered and written in one piece when a game or the run changes its
// state (Durable), when enough have come together, and by Flush. A process that
// is killed therefore loses no finished game; with Sync neither does a machine
// that loses its power.
type Writer struct {
	// Sync makes the end of each game wait until the disk has it. Set it before
	// the first Append.
	Sync bool

	// out is held while the file is written, and taken before mu: others append meanwhile.
	out   sync.Mutex
	file  File
	spare []byte // what was written last

	mu  sync.Mutex // guards what follows
	buf []byte
	seq uint64
	at  stamp
	err error
}

// NewWriter returns a writer that numbers events from last+1.
func NewWriter(f File, last uint64) *Writer { return &Writer{file: f, seq: last} }

// Open opens the journal at path for appending, creating it if there is none. A
// tail torn by a crash is cut off; the report says what was found, without a look
// at what events tell.
func Open(path string) (*Writer, Report, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, Report{}, err
	}
	report, err := survey(f)
	if err == nil && report.Torn > 0 {
		err = f.Truncate(report.Good)
	}
	if err == nil {
		_, err = f.Seek(report.Good, io.SeekStart)
	}
	if err != nil {
		return nil, report, errors.Join(fmt.Errorf("journal %s: %w", path, err), f.Close())
	}
	return NewWriter(f, report.LastSeq), report, nil
}

// Durable reports whether a journal writes the event at once, with all before it.
func (ev *Event) Durable() bool {
	switch ev.Kind {
	case KindRun, KindResult, KindRuling, KindReveal, KindOrder:
		return true
	default:
		return false
	}
}

// Append adds an event and sets its Seq. After a failed write every call fails
// with the same error, since what follows a gap is of no use.
func (w *Writer) Append(ev *Event) error {
	w.mu.Lock()
	if w.err != nil {
		defer w.mu.Unlock()
		return w.err
	}
	ev.Seq = w.seq + 1
	buf, err := appendEvent(w.buf, ev, &w.at)
	if err != nil {
		defer w.mu.Unlock()
		return err
	}
	w.buf = buf
	w.seq++
	durable := ev.Durable()
	full := len(w.buf) >= batchBytes
	w.mu.Unlock()
	if durable || full {
		err = w.Flush()
	}
	if err == nil && durable && w.Sync {
		return w.file.Sync()
	}
	return err
}

// Flush writes what is gathered. What somebody else is about to write is waited for.
func (w *Writer) Flush() error {
	w.out.Lock()
	defer w.out.Unlock()
	w.mu.Lock()
	b, err := w.buf, w.err
	w.buf = w.spare[:0]
	w.mu.Unlock()
	w.spare = b
	if err != nil || len(b) == 0 {
		return err
	}
	if _, err = w.file.Write(b); err != nil {
		err = fmt.Errorf("writing the journal: %w", err)
		w.mu.Lock()
		w.err = err
		w.mu.Unlock()
	}
	return err
}

// Close writes what is gathered, makes it durable and closes the file.
func (w *Writer) Close() error {
	err := w.Flush()
	return errors.Join(err, w.file.Sync(), w.file.Close())
}
