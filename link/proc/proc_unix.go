//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"kibitz/link"
	"kibitz/link/guard"
)

const (
	// orphanGrace is how long output may still come after the process itself has
	// ended while a child of it holds the pipe.
	orphanGrace = 250 * time.Millisecond
	// lastWords is how long the end of the output waits for the news of the
	// process's end and for the rest of its standard error: on a busy machine a process
	// that was killed by a signal takes its time to go.
	lastWords = time.Second
	// killLimit is how long a killed process may take to go.
	killLimit = 5 * time.Second
)

// Conn is the connection to a child process: link.Conn, link.Process,
// link.Flusher, link.Counter and link.Meter.
type Conn struct {
	*link.Polled
	cell    *guard.Cell
	pid     int
	grace   time.Duration
	started time.Time
	now     func() time.Time
	errs    *errput

	mu     sync.Mutex // guards what follows
	exit   *link.Exit
	usage  Usage
	gauge  gauge
	reaped bool
	ours   bool // we have asked it to end

	exited  chan struct{} // the process has ended
	closing chan struct{} // its group may be killed and it may be reaped
	gone    chan struct{} // it has been reaped
	errDone chan struct{}
	once    sync.Once
	err     error
}

var (
	_ link.Conn    = (*Conn)(nil)
	_ link.Process = (*Conn)(nil)
	_ link.Meter   = (*Conn)(nil)
)

// Start runs a process. ctx bounds only the start itself. Errors are for people.
func Start(ctx context.Context, s Spec) (*Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.Limits.Pinned = len(s.Processors) > 0
	cell, err := s.Supervisor.Cell(s.Limits)
	if err != nil {
		return nil, fmt.Errorf("cannot start %q: %w", s.Path, err)
	}
	c := &Conn{
		cell: cell, grace: s.Grace, started: s.Options.Now(), now: s.Options.Now,
		exited: make(chan struct{}), closing: make(chan struct{}), gone: make(chan struct{}), errDone: make(chan struct{}),
	}
	p, err := c.launch(&s)
	if err != nil {
		return nil, errors.Join(err, cell.Close())
	}
	if c.Polled, err = link.NewPolled(p.out, p.in, s.Options); err != nil {
		p.closeOurs()
		close(c.closing)
		c.signal(syscall.SIGKILL)
		<-c.gone
		return nil, errors.Join(err, cell.Close())
	}
	go func() {
		defer close(c.errDone)
		c.errs.collect()
	}()
	go c.watch()
	return c, nil
}

// births is held while a child's ends of pipes are open here: a process that another
// goroutine makes meanwhile would have them too until it executes its program, and what is
// written to an engine that has closed its input would seem to arrive.
var births sync.Mutex

func (c *Conn) launch(s *Spec) (*pipes, error) {
	births.Lock()
	defer births.Unlock()
	p, err := newPipes()
	if err != nil {
		return nil, fmt.Errorf("cannot start %q: %w", s.Path, err)
	}
	defer p.closeChild()
	if c.errs, err = newErrput(p.err, func(line []byte) { c.Note(link.Errput, line) }); err != nil {
		p.closeOurs()
		return nil, err
	}
	born := make(chan error)
	go c.keep(s, p, born)
	if err := <-born; err != nil {
		p.closeOurs()
		return nil, s.explain(err)
	}
	return p, nil
}

// pipes are the three pipes of a process: our ends and the child's.
type pipes struct {
	in, out, err *os.File
	child        []int
}

// newPipes makes the pipes. The child's ends block, as programs expect, and are never
// waited for here: the runtime's poller has ours alone.
func newPipes() (*pipes, error) {
	p := &pipes{}
	for i, ours := range []**os.File{&p.in, &p.out, &p.err} {
		read, write, err := pipe()
		if err != nil {
			p.closeOurs()
			p.closeChild()
			return nil, os.NewSyscallError("pipe", err)
		}
		own, child, name := read, write, "|0"
		if i == 0 {
			own, child, name = write, read, "|1"
		}
		p.child = append(p.child, child)
		if err := syscall.SetNonblock(own, true); err != nil {
			_ = syscall.Close(own)
			p.closeOurs()
			p.closeChild()
			return nil, os.NewSyscallError("fcntl", err)
		}
		*ours = os.NewFile(uintptr(own), name)
	}
	return p, nil
}

func (p *pipes) closeOurs() { closeAll(p.in, p.out, p.err) }

func (p *pipes) closeChild() {
	for _, fd := range p.child {
		_ = syscall.Close(fd)
	}
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// keep starts the process and stays with it until it is reaped. It never leaves
// its thread, because the signal at the parent's death is tied to the thread that
// made the child.
func (c *Conn) keep(s *Spec, p *pipes, born chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	files := make([]uintptr, len(p.child))
	for i, fd := range p.child {
		files[i] = uintptr(fd)
	}
	restore, err := Bind(s.Processors)
	if err != nil {
		born <- err
		return
	}
	attr := &syscall.ProcAttr{Dir: s.Dir, Env: s.Env, Files: files, Sys: sysAttr()}
	argv := append([]string{s.Name}, s.Args...)
	c.pid, err = c.cell.Launch(s.Path, argv, attr)
	_ = restore() // it was allowed before
	born <- err
	if err != nil {
		return
	}
	before := starved()
	exit, usage := awaitExit(c.pid)
	c.cell.Ended(usage.User + usage.System)
	d := s.ending(exit, before, c.cell.Reached() != "")
	c.mu.Lock()
	d.ours = c.ours
	exit.Note = d.note(exit)
	c.lastSched()
	c.exit, c.usage = &exit, usage
	c.mu.Unlock()
	close(c.exited)
	<-c.closing
	c.mu.Lock()
	_ = syscall.Kill(-c.pid, syscall.SIGKILL)
	c.reaped = true
	reap(c.pid)
	c.cell.Reaped()
	c.mu.Unlock()
	close(c.gone)
}

// watch ends the reading of a process that has ended while another one keeps its
// output open.
func (c *Conn) watch() {
	select {
	case <-c.closing:
		return
	case <-c.exited:
	}
	t := time.NewTimer(orphanGrace)
	defer t.Stop()
	select {
	case <-c.closing:
	case <-t.C:
		c.HangUp()
	}
}

// signal sends a signal to the whole group, unless it is gone.
func (c *Conn) signal(sig syscall.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reaped {
		_ = syscall.Kill(-c.pid, sig)
	}
}

// ReadLine implements link.Conn. When the output ends it waits a moment for the
// news of the process's end, so that Exited and Stderr are complete.
func (c *Conn) ReadLine(deadline time.Time) ([]byte, error) {
	line, err := c.Polled.ReadLine(deadline)
	if errors.Is(err, io.EOF) {
		c.awaitNews()
	}
	return line, err
}

// Write implements link.Conn. When nobody reads any more it waits as ReadLine does.
func (c *Conn) Write(p []byte) error {
	err := c.Polled.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		c.awaitNews()
	}
	return err
}

func (c *Conn) awaitNews() {
	t := time.NewTimer(lastWords)
	defer t.Stop()
	for _, news := range []chan struct{}{c.exited, c.errDone} {
		select {
		case <-news:
		case <-t.C:
			return
		}
	}
}

// PID returns the number of the process, which is also that of its group.
func (c *Conn) PID() int { return c.pid }

// Exited implements link.Process.
func (c *Conn) Exited() (link.Exit, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exit == nil {
		return link.Exit{}, false
	}
	return *c.exit, true
}

// Usage returns what the process consumed, once it has ended.
func (c *Conn) Usage() (Usage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.usage, c.exit != nil
}

// Stderr implements link.Process: at most the latest 200 lines.
func (c *Conn) Stderr() []string {
	c.errs.catchUp()
	return c.errs.all()
}

// Flush implements link.Flusher, also for what was said on the standard error.
func (c *Conn) Flush() {
	c.errs.catchUp()
	c.Polled.Flush()
}

// Started implements link.Process.
func (c *Conn) Started() time.Time { return c.started }

// Limited implements link.Guarded.
func (c *Conn) Limited() string { return c.cell.Reached() }

// Suspend implements link.Process.
func (c *Conn) Suspend() error { return c.control(syscall.SIGSTOP) }

// Resume implements link.Process.
func (c *Conn) Resume() error { return c.control(syscall.SIGCONT) }

func (c *Conn) control(sig syscall.Signal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exit != nil {
		return os.ErrProcessDone
	}
	return syscall.Kill(-c.pid, sig)
}

// CloseAfter implements link.Process. Until then the output is drained and the
// input stays open.
func (c *Conn) CloseAfter(d time.Duration) error {
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-c.exited:
		case <-t.C:
		}
	}
	return c.Close()
}

// Close ends the process and its group: it asks, waits for the grace, kills, and
// reaps. When it returns nil, none of the group runs.
func (c *Conn) Close() error {
	c.once.Do(func() { c.err = c.end() })
	return c.err
}

func (c *Conn) end() error {
	if !c.hasExited(0) {
		c.lastReading()
		c.mu.Lock()
		c.ours = true
		c.mu.Unlock()
		c.signal(syscall.SIGTERM)
		c.signal(syscall.SIGCONT)
		if !c.hasExited(c.grace) {
			c.signal(syscall.SIGKILL)
		}
	}
	dead := c.hasExited(killLimit)
	close(c.closing)
	var left error
	if dead {
		<-c.gone
		c.Used() // before the cell takes the figures with it
		left = c.cell.Close()
	}
	c.errs.catchUp()
	err := errors.Join(c.Polled.Close(), left)
	_ = c.errs.file.Close()
	c.mu.Lock()
	c.gauge.close()
	c.mu.Unlock()
	<-c.errDone
	if !dead {
		return fmt.Errorf("process %d does not end although it was killed", c.pid)
	}
	return err
}

// hasExited waits up to d for the process to end.
func (c *Conn) hasExited(d time.Duration) bool {
	if d <= 0 {
		select {
		case <-c.exited:
			return true
		default:
			return false
		}
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c.exited:
		return true
	case <-t.C:
		return false
	}
}
