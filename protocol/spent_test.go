package protocol_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// meterConn is a connection to a process that can be asked, or cannot.
type meterConn struct {
	link.Conn
	used  link.Used
	known bool
}

func (c *meterConn) Used() (link.Used, bool)  { return c.used, c.known }
func (c *meterConn) Begin() (link.Used, bool) { c.used.Peak = 0; return c.used, c.known }
func (c *meterConn) Close() error             { c.used.CPU += time.Second; return nil }
func (c *meterConn) Write([]byte) error       { return nil }

// A wire adds up the processes that it has had, and asks each for the last time when
// it has ended.
func TestWireUsed(t *testing.T) {
	var w protocol.Wire
	want := func(cpu time.Duration, peak int64) {
		t.Helper()
		if u, ok := w.Used(); !ok || u != (player.Used{CPU: cpu, Peak: peak}) {
			t.Errorf("%+v %v, want %v %d", u, ok, cpu, peak)
		}
	}
	want(0, 0)
	w.Attach(&meterConn{used: link.Used{CPU: 5 * time.Second, Peak: 300}, known: true})
	want(5*time.Second, 300)
	if err := w.Kill(); err != nil {
		t.Fatal(err)
	}
	want(6*time.Second, 300)
	second := &meterConn{used: link.Used{CPU: 2 * time.Second, Peak: 100}, known: true}
	w.Attach(second)
	want(8*time.Second, 300)
	w.Begin()
	second.used.Peak = 40
	want(8*time.Second, 40)
	if err := w.Quit(nil, 0); err != nil {
		t.Fatal(err)
	}
	want(9*time.Second, 40)
	w.Attach(&meterConn{})
	if _, ok := w.Used(); ok {
		t.Error("a process that cannot be asked is known")
	}
	w.Detach()
	w.Attach(&meterConn{known: true})
	if _, ok := w.Used(); ok {
		t.Error("the sum with one that could not be asked is known")
	}
}

// A connection that is no process has used nothing that could be told.
func TestWireUsedNoProcess(t *testing.T) {
	var w protocol.Wire
	near, far := link.Pipe()
	w.Attach(near)
	if _, ok := w.Used(); ok {
		t.Error("a pipe has used something")
	}
	w.Begin()
	if err := w.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.Used(); ok {
		t.Error("a pipe that has ended has used something")
	}
	_ = far.Close()
}

// guardedConn is a connection to a process that has ended under limits.
type guardedConn struct {
	link.Conn
	link.Process
	exit  link.Exit
	limit string
}

func (c *guardedConn) Exited() (link.Exit, bool) { return c.exit, true }
func (c *guardedConn) Stderr() []string          { return []string{"oops"} }
func (c *guardedConn) Limited() string           { return c.limit }

// Who ended by running into a limit has lost by that; who was only slow has not, but
// the limit is told.
func TestFailedLimited(t *testing.T) {
	const limit = "used 512 MB of memory; its limit is 350 MB"
	exit := link.Exit{Code: -1, Signal: "killed", Note: "why"}
	for _, k := range []struct {
		limit    string
		err      error
		reason   game.Reason
		detail   string
		evidence []string
	}{
		{limit, io.EOF, game.ByResource, limit + ", waiting", []string{"oops", "signal: killed, why", "limit: " + limit}},
		{"", io.EOF, game.ByCrash, `the engine ended (signal: killed, why), waiting; its last words: "oops"`, []string{"oops", "signal: killed, why"}},
		{limit, syscall.EPIPE, game.ByResource, limit + ", waiting", []string{"oops", "signal: killed, why", "limit: " + limit}},
		{limit, os.ErrDeadlineExceeded, game.ByTime, "no answer in time, waiting", []string{"oops", "signal: killed, why", "limit: " + limit}},
		{limit, context.Canceled, game.ByAbort, "stopped, waiting", []string{"oops", "signal: killed, why", "limit: " + limit}},
	} {
		f := protocol.Failed(&guardedConn{exit: exit, limit: k.limit}, k.err, game.ByTime, "waiting")
		if f.Reason != k.reason || f.Detail != k.detail || !slices.Equal(f.Evidence, k.evidence) {
			t.Errorf("%q, %v: %s, %q, %q", k.limit, k.err, f.Reason, f.Detail, f.Evidence)
		}
	}
}

// A live process that no longer reads has closed its input.
func TestFailedClosedInput(t *testing.T) {
	near, _ := link.Pipe()
	f := protocol.Failed(near, fmt.Errorf("writing: %w", syscall.EPIPE), game.ByTime, "sending the turn")
	if f.Reason != game.ByCrash || f.Detail != "the engine closed its input, sending the turn" {
		t.Errorf("%s, %q", f.Reason, f.Detail)
	}
}
