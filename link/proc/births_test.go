//go:build unix

package proc_test

import (
	"context"
	"errors"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
)

// An engine that has closed its input is told nothing more, also while others are started:
// none of them holds the other end.
func TestClosedInputAmongBirths(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	var wg sync.WaitGroup
	for range 24 {
		wg.Go(func() {
			for range 3 {
				c, err := proc.Start(context.Background(), proc.Spec{Path: shell, Args: []string{"-c", "exec <&-; echo closed; exec sleep 60"}, Options: link.Options{Now: time.Now}})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := c.ReadLine(time.Now().Add(2 * time.Minute)); err != nil {
					t.Error(err)
				}
				if err := c.Write([]byte("next\n")); !errors.Is(err, syscall.EPIPE) {
					t.Errorf("what nobody reads is written: %v", err)
				}
				_ = c.Close()
			}
		})
	}
	wg.Wait()
}
