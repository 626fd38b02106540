package link

import (
	"errors"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// briefWait is how long a brief wait lasts at most. It is longer than the
	// tick of any usual kernel: a shorter one makes each wait program the timer
	// of the processor, which costs more than all the rest of a move, most of all
	// in a virtual machine.
	briefWait = 10 * time.Millisecond
	// firstReads of a connection are left to the runtime: a process that is being
	// started is not quick.
	firstReads = 2
	// relaxAfter is after how many brief waits in a row, all answered, the runtime
	// need not watch the input any more.
	relaxAfter = 8
)

// reading returns how Polled reads from r: with direct a pipe is watched by the
// runtime only while that is needed.
func reading(r File, direct bool) (input, controller, error) {
	if direct {
		if u := unwatch(r); u != nil {
			return u, u, nil
		}
	}
	raw, err := r.SyscallConn()
	return r, raw, err
}

// brief reads what a quick peer answers without parking the goroutine: by one call
// that blocks or, near a deadline, one that waits and one that reads, where the
// runtime needs three and a round through its scheduler. For a peer that takes longer it stops trying, and looks ever less
// often whether that has changed.
type brief struct {
	attempt
	blocking
	on   bool
	from controller
	pipe *unwatched // that is from, nil if it is watched
	fds  [1]unix.PollFd
	span unix.Timespec
	skip uint8 // so many reads are left to the runtime
	next uint8 // and so many after the next failure
	run  uint8 // so many in a row were answered, up to relaxAfter
}

func (b *brief) init(on bool, from controller, roused func() bool) {
	b.on, b.from, b.roused, b.skip, b.do = on, from, roused, firstReads, b.once
	b.pipe, _ = from.(*unwatched)
}

func (b *brief) once(fd uintptr) {
	b.fds[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	n, err := unix.Ppoll(b.fds[:], &b.span, nil)
	if n > 0 {
		b.n, b.err = retry(readNow, fd, b.buf)
		return
	}
	if b.err = err; err == nil || errors.Is(err, syscall.EINTR) {
		b.err = syscall.EAGAIN
	}
}

// get returns how many bytes it put into buf, 0 if the runtime has to wait for them
// or to tell what is wrong.
func (b *brief) get(buf []byte, now, deadline time.Time) int {
	if !b.on {
		return 0
	}
	if b.skip > 0 {
		b.skip--
		b.reads = 0
		return 0
	}
	var err error
	b.buf, b.n, b.err = buf, 0, nil
	left := deadline.Sub(now)
	if b.pipe != nil && b.pipe.block >= 0 && (left >= blockLeast || deadline.IsZero()) {
		err = b.pipe.hold(b)
	} else {
		b.span = unix.Timespec{Nsec: int64(briefWait)} // the call leaves there what was not used
		if !deadline.IsZero() {
			b.span.Nsec = int64(max(0, min(briefWait, left)))
		}
		err = b.from.Control(b.do)
	}
	b.buf = nil
	if err == nil && b.n > 0 {
		b.next = 0
		if b.run < relaxAfter {
			b.answered()
		}
		return b.n
	}
	b.skip = b.next
	b.next = b.next<<1 | 1
	b.run = 0
	return 0
}

// answered counts a brief wait that brought something.
func (b *brief) answered() {
	if b.run++; b.run == relaxAfter && b.pipe != nil {
		b.pipe.relax()
	}
}

// readNow and writeNow are the system calls for descriptors that never make the
// caller wait. The scheduler is not told of them: that costs a good part of what
// they do.
func readNow(fd int, p []byte) (int, error)  { return now(unix.SYS_READ, fd, p) }
func writeNow(fd int, p []byte) (int, error) { return now(unix.SYS_WRITE, fd, p) }

func now(call uintptr, fd int, p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, _, e := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}
