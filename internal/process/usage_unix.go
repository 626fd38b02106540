//go:build unix

package process

import (
	"runtime"
	"syscall"
	"time"
)

// Usage returns the processor time of this process without its children, and
// its largest resident size in bytes.
func Usage() (cpu time.Duration, peak int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	unit := int64(1024)
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Maxrss) * unit //nolint:unconvert // 32 bits wide on some systems
}
