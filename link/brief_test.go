//go:build unix

package link_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"kibitz/link"
)

// quick returns a connection that has seen its peer answer at once, so that its
// next read waits in the kernel.
func quick(t *testing.T) (c *link.Polled, to *os.File) {
	t.Helper()
	c, to, _ = polled(t, link.Options{Direct: true})
	for i := range 20 {
		want := fmt.Sprint("line ", i)
		if _, err := to.WriteString(want + "\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := c.ReadLine(time.Time{}); err != nil || string(line) != want {
			t.Fatalf("read %q, %v instead of %q", line, err, want)
		}
	}
	return c, to
}

// A read that waits in the kernel keeps what Conn promises: deadlines shorter and
// longer than the wait, interrupts, the end of the input.
func TestDirect(t *testing.T) {
	for _, d := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 30 * time.Millisecond, 400 * time.Millisecond} {
		c, to := quick(t)
		began := time.Now()
		if _, err := c.ReadLine(began.Add(d)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after %v: %v", d, err)
		}
		if took := time.Since(began); took < d || took > d+10*time.Second {
			t.Errorf("a deadline of %v came after %v", d, took)
		}
		if _, err := to.WriteString("late\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := c.ReadLine(time.Now().Add(time.Minute)); err != nil || string(line) != "late" {
			t.Errorf("read %q, %v after a deadline", line, err)
		}
	}
	c, to := quick(t)
	for _, after := range []time.Duration{time.Millisecond, 30 * time.Millisecond, 200 * time.Millisecond} {
		stop := time.AfterFunc(after, c.Interrupt)
		if _, err := c.ReadLine(time.Now().Add(time.Minute)); !errors.Is(err, link.ErrInterrupted) {
			t.Errorf("interrupted after %v: %v", after, err)
		}
		stop.Stop()
	}
	end := time.AfterFunc(2*time.Millisecond, func() { _ = to.Close() })
	defer end.Stop()
	if _, err := c.ReadLine(time.Time{}); !errors.Is(err, io.EOF) {
		t.Errorf("at the end of the input: %v", err)
	}
}

// A connection that waits in the kernel can be closed, and a peer that is quick, slow
// and quick again is read all the while.
func TestDirectClose(t *testing.T) {
	for _, after := range []time.Duration{0, 2 * time.Millisecond, 30 * time.Millisecond} {
		c, to := quick(t)
		for i := range 40 {
			if i%20 == 10 {
				time.AfterFunc(25*time.Millisecond, func() { _, _ = to.WriteString("line\n") })
			} else if _, err := to.WriteString("line\n"); err != nil {
				t.Fatal(err)
			}
			if line, err := c.ReadLine(time.Now().Add(time.Minute)); err != nil || string(line) != "line" {
				t.Fatalf("line %d: read %q, %v", i, line, err)
			}
		}
		stop := time.AfterFunc(after, func() { _ = c.Close() })
		if _, err := c.ReadLine(time.Time{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("closed after %v: %v", after, err)
		}
		stop.Stop()
		if err := c.Close(); err != nil {
			t.Errorf("closed twice: %v", err)
		}
	}
}
