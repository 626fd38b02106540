//go:build unix

package guard

import (
	"errors"
	"syscall"
	"time"
)

// busyTries is how often a start is tried while the file is still open for writing
// somewhere, with a pause between the tries.
const (
	busyTries = 20
	busyPause = 10 * time.Millisecond
)

func forkExec(path string, argv []string, attr *syscall.ProcAttr) (pid int, err error) {
	for range busyTries {
		if pid, err = syscall.ForkExec(path, argv, attr); !errors.Is(err, syscall.ETXTBSY) {
			break
		}
		time.Sleep(busyPause)
	}
	return pid, err
}
