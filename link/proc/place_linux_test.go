package proc_test

import (
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link"
	"kibitz/link/proc"
)

// A process of one thread is bound while it runs, moved, and freed; one with children, or
// that somebody else has bound, is left alone.
func TestPlace(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	var list []int
	for n := range len(all) * 64 {
		if all.IsSet(n) {
			list = append(list, n)
		}
	}
	first, last := list[0], list[len(list)-1]
	cat, err := exec.LookPath("cat") // of one thread
	if err != nil {
		t.Skip(err)
	}
	begin := func() *proc.Conn {
		c, err := proc.Start(t.Context(), proc.Spec{Path: cat, Options: link.Options{Now: time.Now}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	c := begin()
	for _, k := range []struct{ place, want []int }{{[]int{last}, []int{last}}, {[]int{first}, []int{first}}, {nil, list}, {[]int{last}, []int{last}}} {
		if c.Place(k.place, list) != (k.place != nil) {
			t.Errorf("Place(%v)", k.place)
		}
		var got, want unix.CPUSet
		for _, n := range k.want {
			want.Set(n)
		}
		if err := unix.SchedGetaffinity(c.PID(), &got); err != nil || got != want {
			t.Errorf("Place(%v): %v, %v", k.place, got, err)
		}
	}
	if err := c.Close(); err != nil || c.Place(list[:1], list) {
		t.Errorf("one that has ended is bound, %v", err)
	}
	if len(list) > 1 {
		var one unix.CPUSet
		one.Set(first)
		c = begin()
		if err := unix.SchedSetaffinity(c.PID(), &one); err != nil || c.Place([]int{last}, list) {
			t.Errorf("what somebody else has bound is bound anew, %v", err)
		}
	}
	c = startSpender(t)
	tell(t, c, "burn 20")
	if c.Place([]int{last}, list) { // in Go, of several threads
		t.Error("an engine of several threads is bound")
	}
}
