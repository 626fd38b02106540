package proc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func setOf(processors []int) (set unix.CPUSet) {
	for _, n := range processors {
		set.Set(n)
	}
	return set
}

// Bind binds the calling thread, and so what it starts, to processors until restore
// is called. The thread must be locked.
func Bind(processors []int) (restore func() error, err error) {
	if len(processors) == 0 {
		return func() error { return nil }, nil
	}
	var before unix.CPUSet
	want := setOf(processors)
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, fmt.Errorf("asking for the processors: %w", err)
	}
	if err := unix.SchedSetaffinity(0, &want); err != nil {
		return nil, fmt.Errorf("binding to processors %v: %w", processors, err)
	}
	return func() error { return unix.SchedSetaffinity(0, &before) }, nil
}
