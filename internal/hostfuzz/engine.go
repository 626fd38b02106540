package hostfuzz

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"
	"time"

	"kibitz/link"
)

// The events of a script.
const (
	Wait    = 0x1e
	Silence = 0x1d
	End     = 0x1c
)

// most bounds how often a host may write to an engine, or wait for one that says
// nothing, before it counts as caught in a loop.
const most = 5000

// engine says what is in a script. It is the clock, too: time passes when it is silent
// up to a deadline, and a little with each line.
type engine struct {
	script []byte
	silent bool
	plain  bool

	mu    sync.Mutex
	at    time.Duration
	turns int
}

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func (e *engine) now() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return epoch.Add(e.at)
}

func (e *engine) pass(t time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if d := t.Sub(epoch); d > e.at {
		e.at = d
	}
	e.at += time.Microsecond
}

func (e *engine) turn() {
	if e.turns++; e.turns > most {
		panic("the host is caught in a loop")
	}
}

// dial starts a process that says what is left of the script.
func (e *engine) dial(context.Context) (link.Conn, error) {
	e.turn()
	c := &conn{e: e, split: link.NewSplitter(link.Limits{})}
	if e.plain {
		return c, nil
	}
	return &process{conn: c}, nil
}

// conn is the connection to an engine.
type conn struct {
	e     *engine
	split *link.Splitter
	// ended: the engine has closed its output; closed: the host has ended it.
	ended, closed bool

	mu          sync.Mutex
	interrupted bool
}

func (c *conn) ReadLine(deadline time.Time) ([]byte, error) {
	c.mu.Lock()
	stop := c.interrupted
	c.interrupted = false
	c.mu.Unlock()
	switch {
	case c.closed:
		return nil, io.ErrClosedPipe
	case stop:
		return nil, link.ErrInterrupted
	}
	c.e.pass(c.e.now().Add(time.Microsecond))
	c.say()
	if line, ok := c.split.Next(); ok {
		return line, nil
	}
	return nil, c.nothing(deadline)
}

// say moves what comes before the next event into the lines.
func (c *conn) say() {
	if c.ended {
		return
	}
	s := c.e.script
	n := bytes.IndexAny(s, "\x1c\x1d\x1e")
	if n < 0 {
		n = len(s)
	}
	_, _ = c.split.Write(s[:n])
	c.e.script = s[n:]
}

// nothing is what a host meets that waits for a line where the script has none.
func (c *conn) nothing(deadline time.Time) error {
	s := c.e.script
	switch {
	case c.ended:
		return io.EOF
	case len(s) > 0 && s[0] == Silence:
		c.e.script = s[1:]
	case len(s) > 0 && s[0] == Wait, len(s) == 0 && c.e.silent:
	default:
		if len(s) > 0 {
			c.e.script = s[1:]
		}
		c.ended = true
		return io.EOF
	}
	if deadline.IsZero() { // silence for ever is the end of it
		c.ended = true
		return io.EOF
	}
	c.e.turn()
	c.e.pass(deadline)
	return os.ErrDeadlineExceeded
}

func (c *conn) Write([]byte) error {
	c.e.turn()
	if c.closed || c.ended {
		return io.ErrClosedPipe
	}
	c.split.NewTurn()
	c.say()
	if s := c.e.script; len(s) > 0 && s[0] == Wait {
		c.e.script = s[1:]
	}
	return nil
}

func (c *conn) Interrupt() {
	c.mu.Lock()
	c.interrupted = true
	c.mu.Unlock()
}

func (c *conn) Close() error {
	c.closed = true
	return nil
}

type process struct{ *conn }

func (p *process) Exited() (link.Exit, bool) { return link.Exit{Code: 3}, p.ended || p.closed }
func (p *process) Stderr() []string          { return []string{"a last word"} }
func (p *process) Started() time.Time        { return epoch }
func (p *process) Suspend() error            { return nil }
func (p *process) Resume() error             { return nil }

func (p *process) CloseAfter(time.Duration) error { return p.Close() }

var _ link.Process = (*process)(nil)
