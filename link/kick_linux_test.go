package link

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A kick ends a read whichever thread is in it: the one that was asked for last, another one, or one where
// the one that was asked for has gone.
func TestKick(t *testing.T) {
	if !allowKicks() {
		t.Skip("no signal interrupts a read here")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	fd := int(r.Fd()) // from here on it blocks
	for name, tid := range map[string]func(own int) int{
		"the thread":        func(own int) int { return own },
		"another one":       func(int) int { return os.Getpid() },
		"one that has gone": func(int) int { return 1 << 22 },
	} {
		b := blocking{roused: func() bool { return false }}
		done := make(chan error, 1)
		go func() {
			runtime.LockOSThread() // and goes with this goroutine
			b.reads = 1
			b.tid.Store(int32(tid(unix.Gettid())))
			_, err := b.read(fd, make([]byte, 1))
			done <- err
		}()
		for !b.waits() && len(done) == 0 { // a signal of the case before may be late
			runtime.Gosched()
		}
		go b.kick()
		select {
		case err := <-done:
			if !errors.Is(err, unix.EINTR) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: the read goes on", name)
		}
	}
}
