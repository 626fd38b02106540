package guard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// first makes the first process of the engine's own numbers and lets it mount their
// /proc: with its end all others of them end. It is a sister of this process, executes
// nothing and does nothing else. The kernel takes ended orphans off the process table
// for it.
func first(proc string) (int, error) {
	at, err := unix.BytePtrFromString(proc)
	if err != nil {
		return 0, err
	}
	kind, err := unix.BytePtrFromString("proc")
	if err != nil {
		return 0, err
	}
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return 0, err
	}
	s := sister{kind: kind, at: at, ignore: sigaction{handler: sigIgn}, tell: uintptr(ends[1])}
	all, old := uint64(math.MaxUint64), uint64(0)
	if _, _, no := unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_BLOCK, uintptr(unsafe.Pointer(&all)), uintptr(unsafe.Pointer(&old)), 8,
		0, 0); no != 0 {
		return 0, no
	}
	pid, no := s.idle()
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&old)), 0, 8, 0, 0)
	_ = unix.Close(ends[1])
	defer func() { _ = unix.Close(ends[0]) }()
	if no != 0 {
		return 0, fmt.Errorf("the first process cannot be made: %w", no)
	}
	var said [8]byte
	switch n, err := unix.Read(ends[0], said[:]); {
	case err != nil || n != len(said):
		err = errors.New("the first process has ended")
		return int(pid), err
	default:
		if no := syscall.Errno(binary.NativeEndian.Uint64(said[:])); no != 0 {
			return int(pid), fmt.Errorf("/proc cannot be mounted: %w", no)
		}
	}
	return int(pid), nil
}

// sister is all that the first process has.
type sister struct {
	kind, at *byte // of file system, and where it is mounted
	ignore   sigaction
	tell     uintptr
	errno    uint64
}

// sigaction is what the kernel takes; the machines that have a filter agree on its size.
type sigaction struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

const sigIgn = 1

// idle forks without executing anything. The child has one thread and no runtime: no
// function that may grow its stack, allocate or be preempted.
//
//go:nosplit
//go:norace
func (s *sister) idle() (uintptr, syscall.Errno) {
	pid, _, no := syscall.RawSyscall6(unix.SYS_CLONE, unix.CLONE_PARENT, 0, 0, 0, 0, 0)
	if no != 0 || pid != 0 {
		return pid, no
	}
	_, _, _ = syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0, 0)
	_, _, _ = syscall.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGCHLD), uintptr(unsafe.Pointer(&s.ignore)), 0, 8, 0, 0)
	_, _, no = syscall.RawSyscall6(unix.SYS_MOUNT, uintptr(unsafe.Pointer(s.kind)), uintptr(unsafe.Pointer(s.at)),
		uintptr(unsafe.Pointer(s.kind)), unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, 0, 0)
	s.errno = uint64(no)
	// The engine's pipes are closed before it begins: none of its ends stays open here.
	_, _, _ = syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, 0, s.tell-1, 0, 0, 0, 0)
	_, _, _ = syscall.RawSyscall6(unix.SYS_CLOSE_RANGE, s.tell+1, math.MaxUint32, 0, 0, 0, 0)
	_, _, _ = syscall.RawSyscall6(unix.SYS_WRITE, s.tell, uintptr(unsafe.Pointer(&s.errno)), 8, 0, 0, 0)
	_, _, _ = syscall.RawSyscall6(unix.SYS_CLOSE, s.tell, 0, 0, 0, 0, 0)
	for {
		_, _, _ = syscall.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}
