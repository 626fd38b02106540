package proc_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link"
	"kibitz/link/proc"
)

// A process is bound to its processors, and what Kibitz starts afterwards is not.
func TestProcessors(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	last := -1
	for n := range len(all) * 64 {
		if all.IsSet(n) {
			last = n
		}
	}
	start := func(processors ...int) *proc.Conn {
		c, err := proc.Start(t.Context(), proc.Spec{Path: engine, Processors: processors, Options: link.Options{Now: time.Now}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, bound := range []bool{true, false, true, false} {
		var c *proc.Conn
		want := all
		if bound {
			c = start(last)
			want = unix.CPUSet{}
			want.Set(last)
		} else {
			c = start()
		}
		var got unix.CPUSet
		if err := unix.SchedGetaffinity(c.PID(), &got); err != nil {
			t.Error(err)
		}
		if got != want {
			t.Errorf("bound %v: the process may run on %v instead of %v", bound, got, want)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := proc.Start(t.Context(), proc.Spec{Path: engine, Processors: []int{1000}, Options: link.Options{Now: time.Now}}); err == nil {
		t.Error("a process was bound to a processor that there is not")
	}
}
