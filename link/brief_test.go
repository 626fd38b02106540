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
	for _, d := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 30 * time.Millisecond} {
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
	for _, after := range []time.Duration{time.Millisecond, 30 * time.Millisecond} {
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
