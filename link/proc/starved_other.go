//go:build !linux

package proc

// starved returns 0: this system does not count whom it kills for want of memory.
func starved() int64 { return 0 }
