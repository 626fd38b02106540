package proc_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
)

// What a process waited at last is known when it has ended, whether it ran again or not,
// in its first thread or in another one: one that could always have run has run or waited
// all the time.
func TestWaitAtTheEnd(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	start := func(s proc.Spec) *proc.Conn {
		s.Processors, s.Options = []int{0}, link.Options{Now: time.Now}
		c, err := proc.Start(t.Context(), s)
		if err != nil {
			t.Skip(err) // no processor 0
		}
		if _, err := c.ReadLine(time.Time{}); err != nil {
			t.Fatal(err)
		}
		return c
	}
	loop := proc.Spec{Path: sh, Args: []string{"-c", "echo here; while :; do :; done"}}
	for range 8 {
		c := start(loop)
		defer c.Close()
	}
	for name, s := range map[string]proc.Spec{
		"first thread": loop, "another thread": {Path: os.Args[0], Env: append(os.Environ(), spenderKey+"=loop")},
	} {
		t.Run(name, func(t *testing.T) {
			const tries, enough = 12, 10 // a machine that holds all of us up counts that as nothing
			var told []string
			for good := 0; len(told) <= tries-enough; {
				c := start(s)
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
					if good++; good == enough {
						return
					}
					continue
				}
				told = append(told, fmt.Sprintf("%s of %s", got, took))
			}
			t.Errorf("it ran or waited for %s", strings.Join(told, ", "))
		})
	}
}
