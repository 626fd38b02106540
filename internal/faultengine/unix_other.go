//go:build unix && !linux

package main

import (
	"os/signal"
	"syscall"
	"time"
)

// asDefault gives a signal its default effect, as far as the runtime lets go of it.
func asDefault(sig syscall.Signal) { signal.Reset(sig) }

// hide sleeps with the standard descriptors closed.
func hide(pidfile string) {
	ignoreTerm()
	writePID(pidfile)
	for fd := range 3 {
		_ = syscall.Close(fd)
	}
	time.Sleep(childLife)
}
