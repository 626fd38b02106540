package linktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/internal/bell"
	"kibitz/link"
)

// Patience is how long a script waits for an expected line: so long that only a fault
// reaches it, on a busy machine too.
const Patience = 2 * time.Minute

// Start plays the script, given as text, against the connection it returns. The
// test fails when what comes is not what the script expects; when the test ends,
// when steps that expect or send are left. Done returns once the script has been
// played, and may be called to wait for that.
func Start(t testing.TB, text string) (conn link.Conn, done func()) {
	t.Helper()
	s, err := Parse("script", text)
	if err != nil {
		t.Fatal(err)
	}
	return s.Start(t)
}

// Start is the function Start for a parsed script.
func (s *Script) Start(t testing.TB) (conn link.Conn, done func()) {
	t.Helper()
	c := newConn()
	p := &peer{t: t, script: s, conn: c, finished: make(chan struct{})}
	go p.run()
	var once sync.Once
	wait := func() {
		once.Do(func() {
			<-p.finished
			for _, e := range p.errs {
				t.Error(e)
			}
		})
	}
	t.Cleanup(func() {
		_ = c.Close()
		wait()
	})
	return c, wait
}

// Dialer returns a dialer whose n-th connection plays the n-th script. Dialling
// more often than there are scripts fails the test.
func Dialer(t testing.TB, texts ...string) link.Dialer {
	t.Helper()
	var scripts []*Script
	for i, text := range texts {
		s, err := Parse(fmt.Sprintf("script %d", i+1), text)
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, s)
	}
	next := 0
	return func(context.Context) (link.Conn, error) {
		if next == len(scripts) {
			t.Errorf("dialled %d times, there are %d scripts", next+1, next)
			return nil, errors.New("no script left")
		}
		s := scripts[next]
		next++
		c, _ := s.Start(t)
		return c, nil
	}
}

// peer plays one script. Errors are collected and reported by the test's own
// goroutine.
type peer struct {
	t        testing.TB
	script   *Script
	conn     *Conn
	finished chan struct{}
	errs     []string
	pending  string // bytes of writes not yet taken as lines
	ahead    string // a line taken but not fitted
	hasAhead bool
}

func (p *peer) failf(st step, format string, args ...any) {
	p.errs = append(p.errs, fmt.Sprintf("%s:%d: ", p.script.name, st.line)+fmt.Sprintf(format, args...))
}

func (p *peer) run() {
	defer close(p.finished)
	skip := false
	for _, st := range p.script.steps {
		if st.op == opSkip {
			skip = true
			continue
		}
		ok := p.play(st, skip)
		skip = false
		if !ok {
			p.conn.end(nil)
			return
		}
	}
}

func (p *peer) play(st step, skip bool) bool {
	switch st.op {
	case opExpect, opMatch:
		return p.expect(st, skip)
	case opOptional:
		line, err := p.line()
		if err == nil && line != st.text {
			p.ahead, p.hasAhead = line, true
		}
	case opWrite:
		w, err := p.write()
		if err != nil || w != st.text {
			p.failf(st, "expected %s, got %q (%v)", st, w, err)
			return false
		}
	case opSilent:
		if line, err := p.line(); !errors.Is(err, io.EOF) {
			p.failf(st, "expected silence, got %q (%v)", line, err)
			return false
		}
	case opSend:
		_ = p.conn.far.Write([]byte(st.text)) // what the side under test no longer wants is lost
	case opWait:
		time.Sleep(st.wait)
	case opStderr:
		p.conn.complain(st.text)
	case opClose:
		p.conn.end(nil)
	case opExit:
		p.conn.end(&link.Exit{Code: st.code})
	case opSignal:
		p.conn.end(&link.Exit{Code: -1, Signal: st.text})
	}
	return true
}

func (p *peer) expect(st step, skip bool) bool {
	for {
		line, err := p.line()
		if err != nil {
			p.failf(st, "expected %s: %v", st, err)
			return false
		}
		if line == st.text && st.op == opExpect || st.op == opMatch && st.re.MatchString(line) {
			return true
		}
		if !skip {
			p.failf(st, "expected %s, got %q", st, line)
			return false
		}
	}
}

// line returns the next line that the side under test sent.
func (p *peer) line() (string, error) {
	if p.hasAhead {
		p.hasAhead = false
		return p.ahead, nil
	}
	for {
		if i := strings.IndexByte(p.pending, '\n'); i >= 0 {
			line := strings.TrimSuffix(p.pending[:i], "\r")
			p.pending = p.pending[i+1:]
			return line, nil
		}
		w, err := p.conn.nextWrite()
		if err != nil {
			if p.pending != "" {
				err = fmt.Errorf("%w, after the unfinished line %q", err, p.pending)
			}
			return "", err
		}
		p.pending += w
	}
}

// write returns the next write as a whole.
func (p *peer) write() (string, error) {
	if p.hasAhead || p.pending != "" {
		return p.ahead + p.pending, errors.New("part of an earlier write is left")
	}
	return p.conn.nextWrite()
}

// Conn is the scripted connection. It implements link.Conn and link.Process.
type Conn struct {
	link.Conn           // what the side under test reads from
	far       link.Conn // where the script writes to

	mu      sync.Mutex
	writes  []string
	closed  bool
	gone    bool
	exit    *link.Exit
	stderr  []string
	started time.Time
	more    chan struct{}
	stops   int
}

var (
	_ link.Conn    = (*Conn)(nil)
	_ link.Process = (*Conn)(nil)
)

func newConn() *Conn {
	a, b := link.Pipe()
	return &Conn{Conn: a, far: b, more: make(chan struct{}, 1), started: time.Now()}
}

// Write implements link.Conn.
func (c *Conn) Write(p []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.gone {
		return io.ErrClosedPipe
	}
	c.writes = append(c.writes, string(p))
	bell.Ring(c.more)
	return nil
}

// Close implements link.Conn.
func (c *Conn) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	bell.Ring(c.more)
	return c.Conn.Close()
}

// nextWrite waits for a write of the side under test.
func (c *Conn) nextWrite() (string, error) {
	timer := time.NewTimer(Patience)
	defer timer.Stop()
	for {
		c.mu.Lock()
		if len(c.writes) > 0 {
			w := c.writes[0]
			c.writes = c.writes[1:]
			c.mu.Unlock()
			return w, nil
		}
		closed := c.closed
		c.mu.Unlock()
		if closed {
			return "", io.EOF
		}
		select {
		case <-c.more:
		case <-timer.C:
			return "", os.ErrDeadlineExceeded
		}
	}
}

func (c *Conn) complain(line string) {
	c.mu.Lock()
	c.stderr = append(c.stderr, line)
	c.mu.Unlock()
}

// end closes the script's side.
func (c *Conn) end(exit *link.Exit) {
	c.mu.Lock()
	c.gone = true
	if exit != nil {
		c.exit = exit
	}
	c.mu.Unlock()
	_ = c.far.Close()
}

// Rest implements link.Partial.
func (c *Conn) Rest() []byte { return c.Conn.(link.Partial).Rest() }

// Exited implements link.Process.
func (c *Conn) Exited() (link.Exit, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exit == nil {
		return link.Exit{}, false
	}
	return *c.exit, true
}

// Stderr implements link.Process.
func (c *Conn) Stderr() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.stderr)
}

// Started implements link.Process.
func (c *Conn) Started() time.Time { return c.started }

// Suspend implements link.Process.
func (c *Conn) Suspend() error { return c.suspend(1) }

// Resume implements link.Process.
func (c *Conn) Resume() error { return c.suspend(-1) }

func (c *Conn) suspend(n int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stops += n
	return nil
}

// Suspended reports whether Suspend was called without a Resume after it.
func (c *Conn) Suspended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stops > 0
}

// CloseAfter implements link.Process: it closes once the script has ended the
// process, or after d.
func (c *Conn) CloseAfter(d time.Duration) error {
	end := time.Now().Add(d)
	for time.Now().Before(end) {
		c.mu.Lock()
		gone := c.gone
		c.mu.Unlock()
		if gone {
			break
		}
		time.Sleep(min(time.Millisecond, d))
	}
	return c.Close()
}
