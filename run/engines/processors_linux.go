package engines

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"kibitz/link/proc"
)

// AllowedProcessors returns the processors that Kibitz may use, one of each core
// before the second of any.
func AllowedProcessors() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	var list []int
	for n := range len(set) * 64 {
		if set.IsSet(n) {
			list = append(list, n)
		}
	}
	return spread(list, func(n int) string {
		b, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", n))
		if err != nil {
			return fmt.Sprint(n) // a core of its own
		}
		return strings.TrimSpace(string(b))
	}), nil
}

// Here returns the processor on which the caller runs, -1 if that is unknown.
func Here() int {
	var n uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&n)), 0, 0); e != 0 {
		return -1
	}
	return int(n)
}

// Thread is the number of the thread that runs the caller.
func Thread() int { return unix.Gettid() }

// Hold binds the calling goroutine to its thread, and that to processors, until free is
// called by it. A goroutine that ends before takes the thread with it.
func Hold(processors []int) (free func(), err error) {
	runtime.LockOSThread()
	restore, err := proc.Bind(processors)
	if err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return func() {
		if restore() == nil {
			runtime.UnlockOSThread()
		}
	}, nil
}
