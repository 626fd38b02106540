//go:build unix

package process

import (
	"os"
	"os/signal"
	"syscall"
)

// OnUserSignals calls more for each SIGUSR1 and less for each SIGUSR2 until release is
// called.
func OnUserSignals(more, less func()) (release func()) {
	ch := make(chan os.Signal, 16)
	signal.Notify(ch, syscall.SIGUSR1, syscall.SIGUSR2)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-ch:
				if s == syscall.SIGUSR1 {
					more()
				} else {
					less()
				}
			case <-over:
				return
			}
		}
	}()
	return func() {
		signal.Stop(ch)
		close(over)
	}
}
