package protocol_test

import (
	"testing"
	"time"

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

func (c *meterConn) Used() (link.Used, bool) { return c.used, c.known }
func (c *meterConn) ResetPeak()              { c.used.Peak = 0 }
func (c *meterConn) Close() error            { c.used.CPU += time.Second; return nil }
func (c *meterConn) Write([]byte) error      { return nil }

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
	w.ResetPeak()
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
	w.ResetPeak()
	if err := w.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.Used(); ok {
		t.Error("a pipe that has ended has used something")
	}
	_ = far.Close()
}
