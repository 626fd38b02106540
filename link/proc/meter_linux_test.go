package proc_test

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
)

func startSpender(t *testing.T) *proc.Conn {
	t.Helper()
	return startSpenderAt(t, time.Now)
}

func startSpenderAt(t *testing.T, now func() time.Time) *proc.Conn {
	t.Helper()
	c, err := proc.Start(t.Context(), proc.Spec{
		Path: os.Args[0], Env: append(os.Environ(), spenderKey+"=1"), Options: link.Options{Now: now},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func tell(t *testing.T, c *proc.Conn, what string) {
	t.Helper()
	send(t, c, what+"\n")
	expect(t, c, "done")
}

func used(t *testing.T, c *proc.Conn) link.Used {
	t.Helper()
	u, ok := c.Used()
	if !ok {
		t.Fatal("nothing is known")
	}
	return u
}

// spent is the processor time of a spender and of the children that it has waited for, as it
// knows it itself.
func spent(t *testing.T, c *proc.Conn) time.Duration {
	t.Helper()
	send(t, c, "spent\n")
	line, err := c.ReadLine(time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	d, err := time.ParseDuration(string(line))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const mb = 1 << 20

// The processor time of a game is what lies between two readings; it holds that of
// children, and the end of the process loses none of it.
func TestMeterTime(t *testing.T) {
	c := startSpender(t)
	tell(t, c, "burn 1")
	began := used(t, c).CPU
	tell(t, c, "burn 150")
	own := used(t, c).CPU
	if d := own - began; d < 120*time.Millisecond || d > 300*time.Millisecond {
		t.Errorf("150 ms of work are read as %v", d)
	}
	before := spent(t, c)
	tell(t, c, "child 100")
	all, took := used(t, c).CPU, spent(t, c)-before // with what it took to start the child, which is much on some machines
	if d := all - own; took < 80*time.Millisecond || d < took-60*time.Millisecond || d > took+60*time.Millisecond {
		t.Errorf("a child's 100 ms are read as %v, and are %v with its start", d, took)
	}
	send(t, c, "exit\n")
	expectErr(t, c, time.Minute, io.EOF)
	if after := used(t, c).CPU; after < all || after > all+100*time.Millisecond {
		t.Errorf("%v before the end, %v after it", all, after)
	}
}

// A game that begins within a millisecond of the end of the last one begins with the same
// reading; its peak begins anew.
func TestMeterBegin(t *testing.T) {
	var late atomic.Int64
	began := time.Now()
	c := startSpenderAt(t, func() time.Time { return began.Add(time.Duration(late.Load())) })
	tell(t, c, "hold 200")
	end := used(t, c).CPU
	tell(t, c, "burn 50")
	late.Add(int64(time.Millisecond) - 1)
	if u, ok := c.Begin(); !ok || u.CPU != end || u.Peak != 0 {
		t.Errorf("right behind %v the game begins with %+v", end, u)
	}
	if u := used(t, c); u.CPU < end+40*time.Millisecond || u.Peak > 120*mb {
		t.Errorf("50 ms after %v: %v; peak %d MB", end, u.CPU, u.Peak/mb)
	}
	tell(t, c, "burn 50")
	late.Add(int64(time.Millisecond))
	if u, ok := c.Begin(); !ok || u.CPU < end+80*time.Millisecond {
		t.Errorf("a millisecond later, 100 ms after %v: %v", end, u.CPU)
	}
}

// The peak is that of the time since it was reset, also of what has been given back
// to the system, and of all processes of the group.
func TestMeterPeak(t *testing.T) {
	c := startSpender(t)
	tell(t, c, "hold 200")
	if p := used(t, c).Peak; p < 200*mb || p > 260*mb {
		t.Errorf("200 MB held and given back: peak %d MB", p/mb)
	}
	c.Begin()
	tell(t, c, "hold 50")
	if p := used(t, c).Peak; p < 50*mb || p > 120*mb {
		t.Errorf("50 MB after the reset: peak %d MB", p/mb)
	}
	tell(t, c, "with 100")
	time.Sleep(1100 * time.Millisecond) // a group is listed once a second
	if p := used(t, c).Peak; p < 150*mb || p > 260*mb {
		t.Errorf("a child of 100 MB beside: peak %d MB", p/mb)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if p := used(t, c).Peak; p < 150*mb || p > 260*mb {
		t.Errorf("after Close: peak %d MB", p/mb)
	}
}

// A process that dies by itself was read by nobody: what the kernel tells at its
// end counts, where it cannot be our own size.
func TestMeterDeath(t *testing.T) {
	for _, tt := range []struct {
		hold     int
		min, max int64
	}{{400, 400 * mb, 470 * mb}, {1, 0, 0}} {
		c := startSpender(t)
		tell(t, c, fmt.Sprintf("hold %d", tt.hold))
		send(t, c, "exit\n")
		expectErr(t, c, time.Minute, io.EOF)
		if p := used(t, c).Peak; p < tt.min || p > tt.max {
			t.Errorf("died after holding %d MB: peak %d MB", tt.hold, p/mb)
		}
	}
}

func BenchmarkMeter(b *testing.B) {
	c := start(b, link.Options{})
	for b.Loop() {
		c.Used()
	}
}

func BenchmarkBegin(b *testing.B) {
	c := start(b, link.Options{})
	for b.Loop() {
		c.Begin()
	}
}
