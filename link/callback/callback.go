// Package callback runs an engine that connects to us: Kibitz listens on a port
// of this machine, starts the process with the address on its command line and
// waits until it comes. What they say to each other goes over that connection in
// frames; what the process prints is shown to the observer and otherwise ignored.
package callback

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"kibitz/link"
	"kibitz/link/frame"
	"kibitz/link/proc"
)

// Address is where Kibitz listens: engines of the field take dotted numbers only.
const Address = "127.0.0.1"

// lastWords is how long the end of the connection waits for the news of the
// process's end, as that of a pipe does (link/proc); poll how often it looks.
const (
	lastWords = time.Second
	poll      = 5 * time.Millisecond
)

// Spec says what to run and how it learns the address.
type Spec struct {
	// Process is the program without the address. Its Options are those of the
	// connection.
	Process proc.Spec
	// NoName leaves the program's own name out of its arguments, so that the
	// address is argv[0] and the port argv[1], as an early Windows client did.
	NoName bool
}

// Dialer returns a link.Dialer that starts the process each time. The context
// bounds the wait for the engine to connect.
func Dialer(s Spec) link.Dialer {
	return func(ctx context.Context) (link.Conn, error) {
		c, err := Start(ctx, s)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}

// Conn is the connection to an engine that has connected: link.Conn,
// link.Process, link.Meter and link.Flusher.
type Conn struct {
	*link.Stream
	process *proc.Conn
	printed chan struct{} // the process's output has ended
	once    sync.Once
	err     error
}

var (
	_ link.Conn    = (*Conn)(nil)
	_ link.Process = (*Conn)(nil)
	_ link.Meter   = (*Conn)(nil)
)

// Start runs the process and waits for it to connect. Errors are for people.
func Start(ctx context.Context, s Spec) (*Conn, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp4", net.JoinHostPort(Address, "0"))
	if err != nil {
		return nil, fmt.Errorf("cannot listen for the engine: %w", err)
	}
	defer func() { _ = l.Close() }()
	at := l.Addr().(*net.TCPAddr)
	port := strconv.Itoa(at.Port)
	observe := together(s.Process.Options.Observe)
	p := s.Process
	p.Options.Observe = printing(observe)
	if p.Limits.NoNetwork {
		p.Limits.Port = at.Port // to which it must come
	}
	if s.NoName {
		p.Name, p.Args = Address, append([]string{port}, p.Args...)
	} else {
		p.Args = append(p.Args[:len(p.Args):len(p.Args)], Address, port)
	}
	process, err := proc.Start(ctx, p)
	if err != nil {
		return nil, err
	}
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		listen(process)
	}()
	peer, err := accept(ctx, l, process, printed)
	if err != nil {
		err = errors.Join(err, process.Close())
		<-printed
		return nil, err
	}
	o := s.Process.Options
	o.Observe = observe
	return &Conn{
		Stream:  link.NewStream(frame.NewReader(peer), frame.NewWriter(peer), peer.Close, o),
		process: process, printed: printed,
	}, nil
}

// together makes an observer safe for two connections at once.
func together(o link.Observer) link.Observer {
	if o == nil {
		return nil
	}
	var mu sync.Mutex
	return func(d link.Direction, at time.Time, line []byte) {
		mu.Lock()
		defer mu.Unlock()
		o(d, at, line)
	}
}

// printing shows what the process says on its standard output as printed.
func printing(o link.Observer) link.Observer {
	if o == nil {
		return nil
	}
	return func(d link.Direction, at time.Time, line []byte) {
		if d == link.Received {
			d = link.Printed
		}
		o(d, at, line)
	}
}

// listen reads what the process prints until it ends.
func listen(p *proc.Conn) {
	for {
		_, err := p.ReadLine(time.Time{})
		p.Flush()
		if err != nil {
			return
		}
	}
}

// accept waits for the engine, which may end before it comes.
func accept(ctx context.Context, l net.Listener, p *proc.Conn, printed <-chan struct{}) (net.Conn, error) {
	wait, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-wait.Done():
		case <-printed: // an engine may close its output and live on
			awaitExit(wait, p)
		}
		_ = l.Close()
	}()
	c, err := l.Accept()
	if err == nil {
		return c, nil
	}
	if exit, gone := p.Exited(); gone {
		return nil, fmt.Errorf("the engine ended (%s) before it connected to %s", exit, l.Addr())
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the engine has not connected to %s in time: %w", l.Addr(), ctx.Err())
	}
	return nil, fmt.Errorf("waiting for the engine to connect: %w", err)
}

// awaitExit returns when the process has ended or ctx has.
func awaitExit(ctx context.Context, p *proc.Conn) {
	t := time.NewTicker(poll)
	defer t.Stop()
	for {
		if _, gone := p.Exited(); gone {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// ReadLine implements link.Conn. When the connection ends it waits a moment for
// the news of the process's end, so that Exited and Stderr are complete.
func (c *Conn) ReadLine(deadline time.Time) ([]byte, error) {
	line, err := c.Stream.ReadLine(deadline)
	if errors.Is(err, io.EOF) {
		ctx, cancel := context.WithTimeout(context.Background(), lastWords)
		defer cancel()
		awaitExit(ctx, c.process)
	}
	return line, err
}

// Exited implements link.Process.
func (c *Conn) Exited() (link.Exit, bool) { return c.process.Exited() }

// Stderr implements link.Process.
func (c *Conn) Stderr() []string { return c.process.Stderr() }

// Flush implements link.Flusher, also for what the process said elsewhere.
func (c *Conn) Flush() {
	c.Stream.Flush()
	c.process.Flush()
}

// Started implements link.Process.
func (c *Conn) Started() time.Time { return c.process.Started() }

// Used implements link.Meter.
func (c *Conn) Used() (link.Used, bool) { return c.process.Used() }

// Limited implements link.Guarded.
func (c *Conn) Limited() string { return c.process.Limited() }

// Begin implements link.Meter.
func (c *Conn) Begin() (link.Used, bool) { return c.process.Begin() }

// Suspend implements link.Process.
func (c *Conn) Suspend() error { return c.process.Suspend() }

// Resume implements link.Process.
func (c *Conn) Resume() error { return c.process.Resume() }

// CloseAfter implements link.Process.
func (c *Conn) CloseAfter(d time.Duration) error {
	c.once.Do(func() { c.err = c.end(d) })
	return c.err
}

// Close implements link.Conn: the connection first, then the process.
func (c *Conn) Close() error { return c.CloseAfter(0) }

func (c *Conn) end(d time.Duration) error {
	var err error
	if d <= 0 {
		err = c.Stream.Close()
	}
	err = errors.Join(err, c.process.CloseAfter(d), c.Stream.Close())
	<-c.printed
	return err
}
