package proc_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
)

// What a process waited at last is known when it has ended, whether it ran again or not:
// one that could always have run has run or waited all the time.
func TestWaitAtTheEnd(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	const loop = "echo here; while :; do :; done"
	start := func() *proc.Conn {
		c, err := proc.Start(t.Context(), proc.Spec{Path: sh, Args: []string{"-c", loop}, Processors: []int{0}, Options: link.Options{Now: time.Now}})
		if err != nil {
			t.Skip(err) // no processor 0
		}
		if _, err := c.ReadLine(time.Time{}); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for range 8 {
		c := start()
		defer c.Close()
	}
	var told []string
	for range 5 { // a machine that holds all of us up counts that as nothing
		c := start()
		before, ok := c.Sched()
		if !ok {
			t.Skip("the kernel does not tell how long a thread waited")
		}
		began := time.Now()
		// A few milliseconds: shorter than the others keep the processor.
		time.Sleep(5 * time.Millisecond)
		took := time.Since(began)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		after, _ := c.Sched()
		got := after.Ran - before.Ran + after.Waited - before.Waited
		if got >= took {
			return
		}
		told = append(told, fmt.Sprintf("%s of %s", got, took))
	}
	t.Errorf("it ran or waited for %s", strings.Join(told, ", "))
}
