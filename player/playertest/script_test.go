package playertest_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/link"
)

// Script is a connection whose other end follows a written conversation. A read
// or a write that the conversation does not expect at that point fails the test,
// so it proves order and grouping, and it needs no second goroutine.
//
// The text has one item a line; blank lines and lines that start with # are
// skipped, and "> " and "< " may be followed by nothing:
//
//	> text     the host must write this line
//	>+ text    continues the same write (only judged if Strict)
//	< text     the host reads this line
//	! eof      the peer closes its output
//	! late     the deadline of the read passes
//	! wait     the read blocks until Interrupt or its deadline
type Script struct {
	// Strict demands that lines of one write come together and those of two
	// writes apart.
	Strict bool

	t       testing.TB
	mu      sync.Mutex
	items   []item
	next    int
	partial string // what was written of a group, in lenient mode
	pending bool   // an interrupt that no read has seen
	wake    chan struct{}
	closed  bool
	line    []byte
}

type item struct {
	kind byte // '>', '<', '!'
	text string
	at   int // line number
}

// NewScript reads a conversation.
func NewScript(t testing.TB, text string) *Script {
	t.Helper()
	s := &Script{t: t, wake: make(chan struct{}, 1)}
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimRight(strings.TrimLeft(l, " \t"), "\r\n")
		switch {
		case l == "" || l[0] == '#':
		case strings.HasPrefix(l, ">+"):
			if n := len(s.items); n == 0 || s.items[n-1].kind != '>' {
				t.Fatalf("script line %d: >+ continues no write", i+1)
			} else {
				s.items[n-1].text += "\n" + strings.TrimPrefix(l[2:], " ")
			}
		case l[0] == '>' || l[0] == '<' || l[0] == '!':
			s.items = append(s.items, item{l[0], strings.TrimPrefix(l[1:], " "), i + 1})
		default:
			t.Fatalf("script line %d: %q has no direction", i+1, l)
		}
	}
	return s
}

// Done fails the test if the conversation has not come to its end.
func (s *Script) Done() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next < len(s.items) {
		it := s.items[s.next]
		s.t.Errorf("script stopped before line %d: %c %s", it.at, it.kind, it.text)
	}
}

// Closed reports whether the host closed the connection.
func (s *Script) Closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *Script) fault(format string, args ...any) error {
	s.t.Helper()
	err := fmt.Errorf("script: "+format, args...)
	s.t.Error(err)
	s.next = len(s.items)
	return err
}

// ReadLine returns the next line of the peer.
func (s *Script) ReadLine(deadline time.Time) ([]byte, error) {
	s.t.Helper()
	for {
		s.mu.Lock()
		if s.pending {
			s.pending = false
			if s.next < len(s.items) && s.items[s.next].text == "wait" {
				s.next++
			}
			s.mu.Unlock()
			return nil, link.ErrInterrupted
		}
		if s.next == len(s.items) {
			s.mu.Unlock()
			return nil, io.EOF
		}
		it := s.items[s.next]
		if it.kind == '>' {
			defer s.mu.Unlock()
			return nil, s.fault("line %d: the host reads, it should write %q", it.at, it.text)
		}
		if it.kind == '<' {
			s.next++
			if it.text == "" { // empty lines are skipped as on any connection
				s.mu.Unlock()
				continue
			}
			s.line = append(s.line[:0], it.text...)
			defer s.mu.Unlock()
			return s.line, nil
		}
		if it.text != "wait" {
			s.next++
			s.mu.Unlock()
			return nil, eventError(it.text)
		}
		s.mu.Unlock()
		if err := s.wait(deadline); err != nil {
			s.mu.Lock()
			s.next++
			s.mu.Unlock()
			return nil, err
		}
	}
}

func eventError(text string) error {
	switch text {
	case "late":
		return os.ErrDeadlineExceeded
	default:
		return io.EOF
	}
}

func (s *Script) wait(deadline time.Time) error {
	d := 10 * time.Second
	if !deadline.IsZero() {
		d = min(d, time.Until(deadline))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case <-s.wake:
			s.mu.Lock()
			seen := s.pending
			s.pending = false
			s.mu.Unlock()
			if seen {
				return link.ErrInterrupted
			}
		case <-timer.C:
			return os.ErrDeadlineExceeded
		}
	}
}

// Write compares what the host writes with the conversation.
func (s *Script) Write(p []byte) error {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	got := strings.TrimSuffix(strings.ReplaceAll(string(p), "\r\n", "\n"), "\n")
	if s.Strict {
		return s.expect(got)
	}
	for l := range strings.SplitSeq(got, "\n") {
		want := ""
		if s.next < len(s.items) && s.items[s.next].kind == '>' {
			want = s.items[s.next].text
		}
		if s.partial != "" {
			l = s.partial + "\n" + l
		}
		if strings.HasPrefix(want, l+"\n") {
			s.partial = l
			continue
		}
		s.partial = ""
		if err := s.expect(l); err != nil {
			return err
		}
	}
	return nil
}

func (s *Script) expect(got string) error {
	s.t.Helper()
	if s.next == len(s.items) {
		return s.fault("the host writes %q after the end", got)
	}
	it := s.items[s.next]
	if it.kind != '>' {
		return s.fault("line %d: the host writes %q, it should read %q", it.at, got, it.text)
	}
	if got != it.text {
		return s.fault("line %d: the host writes %q, want %q", it.at, got, it.text)
	}
	s.next++
	return nil
}

// Interrupt ends a waiting read, or the next.
func (s *Script) Interrupt() {
	s.mu.Lock()
	s.pending = true
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Close ends the connection.
func (s *Script) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

var _ link.Conn = (*Script)(nil)
