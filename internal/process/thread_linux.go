package process

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime ties the goroutine to its thread and returns a function that unties it
// and says how much processor time the thread has used since.
func ThreadTime() func() time.Duration {
	runtime.LockOSThread()
	began := threadUsage()
	return func() time.Duration {
		defer runtime.UnlockOSThread()
		return threadUsage() - began
	}
}

func threadUsage() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
