package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line that Read takes for an event.
const maxLine = 16 << 20

// Report says what Read found.
type Report struct {
	// Events is how many were read, LastSeq the number of the last one.
	Events  int
	LastSeq uint64
	// Good is where the last complete line ends, in bytes from the start; Torn
	// how many bytes follow it, left by a write that was cut short.
	Good, Torn int64
	// Faults are the lines that are no events although they are complete, and the
	// gaps in the numbering. An intact journal has none.
	Faults []Fault
}

// Fault is one place where a journal is damaged.
type Fault struct {
	Line   int   // from 1
	Offset int64 // of the line's first byte
	Why    string
}

// String says where and why.
func (f Fault) String() string {
	return fmt.Sprintf("line %d (byte %d): %s", f.Line, f.Offset, f.Why)
}

// ErrNewer is wrapped by the error of Read for a journal that a newer program
// wrote.
var ErrNewer = errors.New("the journal was written by a newer version of the program")

// Read passes the events of a journal to fn in order. An event and what it points to
// are valid during the call; whoever keeps it copies it. What is torn or damaged is
// left out and told in the report; the error is that of r, of fn, or ErrNewer.
func Read(r io.Reader, fn func(*Event) error) (Report, error) {
	m := &memory{lend: true}
	return read(r, func(line []byte, ev *Event) error { return parseEvent(line, ev, m) }, fn)
}

// survey does the same for nobody: of the events that are whole, it knows the numbers
// only.
func survey(r io.Reader) (Report, error) {
	parse := func(line []byte, ev *Event) error {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if err := checkSum(line); err != nil {
			return err
		}
		q := quick{cursor: cursor{line: line}}
		if ev.Seq = q.begin(); !q.odd {
			return nil
		}
		var err error
		*ev, err = ParseEvent(line)
		return err
	}
	return read(r, parse, func(*Event) error { return nil })
}

// read reads with a way to read a line.
func read(r io.Reader, parse func([]byte, *Event) error, fn func(*Event) error) (Report, error) {
	rd := reader{in: bufio.NewReaderSize(r, 256<<10)}
	var ev Event
	for {
		line, err := rd.next()
		if err == io.EOF { //nolint:errorlint // bufio returns it as it is
			return rd.report, nil
		}
		if err != nil {
			return rd.report, err
		}
		if line == nil {
			continue
		}
		if err := parse(line, &ev); err != nil {
			if errors.Is(err, ErrNewer) {
				return rd.report, err
			}
			rd.fault(err.Error())
			continue
		}
		if last := rd.report.LastSeq; ev.Seq != last+1 {
			rd.fault(fmt.Sprintf("event %d follows event %d", ev.Seq, last))
		}
		rd.report.LastSeq = max(rd.report.LastSeq, ev.Seq)
		rd.report.Events++
		if err := fn(&ev); err != nil {
			return rd.report, err
		}
	}
}

type reader struct {
	in     *bufio.Reader
	long   []byte
	report Report
	line   int
	start  int64
}

func (r *reader) fault(why string) {
	r.report.Faults = append(r.report.Faults, Fault{Line: r.line, Offset: r.start, Why: why})
}

// next returns the next complete line; nil for one that is too long.
func (r *reader) next() ([]byte, error) {
	r.start = r.report.Good
	r.long = r.long[:0]
	var size int64
	for {
		part, err := r.in.ReadSlice('\n')
		size += int64(len(part))
		switch {
		case err == nil:
			r.line++
			r.report.Good += size
			if size > maxLine {
				r.fault(fmt.Sprintf("a line of %d bytes", size))
				return nil, nil
			}
			if len(r.long) == 0 {
				return part, nil
			}
			return append(r.long, part...), nil
		case errors.Is(err, bufio.ErrBufferFull):
			if size <= maxLine {
				r.long = append(r.long, part...)
			}
		case errors.Is(err, io.EOF):
			r.report.Torn = size
			return nil, io.EOF
		default:
			return nil, err
		}
	}
}

// ReadAll reads the events of a journal that fits in memory.
func ReadAll(data []byte) ([]Event, Report, error) {
	var all []Event
	own := func(line []byte, ev *Event) error { return parseEvent(line, ev, nil) }
	report, err := read(bytes.NewReader(data), own, func(ev *Event) error {
		all = append(all, *ev)
		return nil
	})
	return all, report, err
}
