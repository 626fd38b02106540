package link

import (
	"errors"
	"io"
	"sync"
	"time"
)

// Stream is a connection over any reader and writer. A goroutine of its own
// reads all the time, so it costs a hand-over per line; Polled does not, where
// the system can wait for a descriptor.
type Stream struct {
	in    *inbox
	w     io.Writer
	close func() error
	tape  *tape
	out   sync.Mutex
	once  sync.Once
	err   error
	done  chan struct{}
}

// NewStream returns a connection that reads r and writes w. Close calls closer,
// if it is not nil, which should make a blocked read of r return. The write
// limit holds only as far as w has deadlines of its own.
func NewStream(r io.Reader, w io.Writer, closer func() error, o Options) *Stream {
	s := &Stream{in: newInbox(o.Limits), w: w, close: closer, tape: newTape(o), done: make(chan struct{})}
	go s.pump(r)
	return s
}

// Stdio returns the connection of a program that is itself an engine: r and w are
// its standard input and output. Close does not wait for a blocked read of r,
// since a terminal cannot be interrupted.
func Stdio(r io.Reader, w io.Writer, now func() time.Time) *Stream {
	return NewStream(r, w, nil, Options{Now: now})
}

func (s *Stream) pump(r io.Reader) {
	defer close(s.done)
	buf := make([]byte, 32<<10)
	var p pace
	for {
		n, err := r.Read(buf)
		s.in.admit(n)
		if n > 0 && !s.in.feed(buf[:n]) {
			return // closed
		}
		if d := s.in.pause(&p); d > 0 {
			time.Sleep(d)
			p.rested(time.Now())
		}
		if err != nil {
			if !errors.Is(err, ErrGarbled) {
				err = io.EOF
			}
			s.in.fail(err)
			return
		}
	}
}

// ReadLine implements Conn.
func (s *Stream) ReadLine(deadline time.Time) ([]byte, error) {
	line, err := s.in.readLine(deadline)
	if err == nil {
		s.tape.received(line, s.in.flooded)
	}
	return line, err
}

// Write implements Conn.
func (s *Stream) Write(p []byte) error {
	s.in.newTurn()
	s.out.Lock()
	defer s.out.Unlock()
	began := s.tape.begin()
	_, err := s.w.Write(p)
	if err == nil {
		s.tape.sent(p, began)
	}
	return err
}

// Interrupt implements Conn.
func (s *Stream) Interrupt() { s.in.interrupt() }

// Rest implements Partial.
func (s *Stream) Rest() []byte { return s.in.rest() }

// Counts implements Counter.
func (s *Stream) Counts() Counts { return s.in.counts() }

// Flush implements Flusher.
func (s *Stream) Flush() { s.tape.flush() }

// Note shows the observer a line that is not part of the conversation.
func (s *Stream) Note(d Direction, line []byte) { s.tape.other(d, line) }

// Close implements Conn.
func (s *Stream) Close() error {
	s.once.Do(func() {
		if rest := s.in.rest(); len(rest) > 0 {
			s.tape.other(Noted, append([]byte(unended), rest...))
		}
		s.in.drop(io.ErrClosedPipe)
		if s.close != nil {
			s.err = s.close()
			<-s.done
		}
		s.tape.end()
	})
	return s.err
}
