package main

import (
	"bytes"
	"syscall"
	"testing"
	"testing/synctest"
)

// A signal that comes before it is known which command runs does what it means to that one:
// a command that plays no games ends, another one lets its games end.
func TestEarlyInterrupt(t *testing.T) {
	for _, tc := range []struct {
		command        []string
		status         int
		drained, waits bool
	}{
		{[]string{"version"}, 130, false, false},
		{[]string{"resume", "/nowhere"}, 0, true, true}, // which comes to nothing
	} {
		t.Run(tc.command[0], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				status, waits := 0, make(chan bool, 1)
				drain := make(chan struct{})
				a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, chosen: make(chan struct{}), quit: func(n int) { status = n }}
				a.onNotice(func(string) {})
				go func() { waits <- a.interrupted(syscall.SIGINT, drain) }()
				synctest.Wait()
				if len(waits) > 0 {
					t.Error("it does not wait for the command")
				}
				execute(a, more(), tc.command)
				waited, drained := <-waits, false
				select {
				case <-drain:
					drained = true
				default:
				}
				if status != tc.status || drained != tc.drained || waited != tc.waits {
					t.Errorf("ends with %d, drains: %t, goes on: %t", status, drained, waited)
				}
			})
		})
	}
}
