//go:build !unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"kibitz/link"
)

// Conn is the connection to a child process, here without groups, suspension or
// anything else that only Unix systems have.
type Conn struct {
	*link.Stream
	cmd     *exec.Cmd
	started time.Time
	errs    ring
	exited  chan struct{}
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
	if len(s.Processors) > 0 {
		return nil, s.explain(errors.New("this system cannot bind a process to processors"))
	}
	cmd := exec.Command(s.Path, s.Args...)
	cmd.Args[0], cmd.Dir, cmd.Env = s.Name, s.Dir, s.Env
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, s.explain(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, s.explain(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		return nil, s.explain(err)
	}
	if err := cmd.Start(); err != nil {
		return nil, s.explain(err)
	}
	c := &Conn{cmd: cmd, started: s.Options.Now(), exited: make(chan struct{})}
	c.Stream = link.NewStream(out, in, out.Close, s.Options)
	go func() {
		c.errs.collect(errs, func(line []byte) { c.Note(link.Errput, line) })
		_ = cmd.Wait()
		close(c.exited)
	}()
	return c, nil
}

// PID returns the number of the process.
func (c *Conn) PID() int { return c.cmd.Process.Pid }

// Exited implements link.Process.
func (c *Conn) Exited() (link.Exit, bool) {
	select {
	case <-c.exited:
		e := link.Exit{Code: c.cmd.ProcessState.ExitCode()}
		e.Note = (&Spec{Path: c.cmd.Path, Args: c.cmd.Args[1:]}).ending(e, 0, false).note(e)
		return e, true
	default:
		return link.Exit{}, false
	}
}

// Usage returns what the process consumed, once it has ended.
func (c *Conn) Usage() (Usage, bool) {
	if _, ok := c.Exited(); !ok {
		return Usage{}, false
	}
	st := c.cmd.ProcessState
	return Usage{User: st.UserTime(), System: st.SystemTime()}, true
}

// Stderr implements link.Process.
func (c *Conn) Stderr() []string { return c.errs.all() }

// Started implements link.Process.
func (c *Conn) Started() time.Time { return c.started }

// Limited implements link.Guarded: nothing is limited here.
func (c *Conn) Limited() string { return "" }

// Suspend implements link.Process; it is not possible here.
func (c *Conn) Suspend() error { return fmt.Errorf("suspending a process: %w", os.ErrInvalid) }

// Resume implements link.Process; it is not possible here.
func (c *Conn) Resume() error { return fmt.Errorf("resuming a process: %w", os.ErrInvalid) }

// CloseAfter implements link.Process.
func (c *Conn) CloseAfter(d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c.exited:
	case <-t.C:
	}
	return c.Close()
}

// Close kills the process and waits for its end.
func (c *Conn) Close() error {
	c.once.Do(func() {
		_ = c.cmd.Process.Kill()
		<-c.exited
		c.err = c.Stream.Close()
	})
	return c.err
}

// collect reads in to its end, keeps the latest lines and shows each to note. A
// flood is slowed, so that it cannot take a processor away from the games.
func (r *ring) collect(in io.Reader, note func(line []byte)) {
	s := link.NewSplitter(link.Limits{Line: ringLine})
	taken := 0
	for {
		n, err := in.Read(s.Space())
		s.Commit(n)
		for {
			line, ok := s.Next()
			if !ok {
				break
			}
			r.add(line)
			note(line)
		}
		if err != nil {
			if rest := s.Rest(); len(rest) > 0 {
				r.add(rest)
				note(rest)
			}
			return
		}
		if taken += n; taken > errPiece {
			taken = 0
			time.Sleep(errRest)
		}
	}
}
