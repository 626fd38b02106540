package link

import (
	"errors"
	"syscall"
	"time"

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
)

// brief reads what a quick peer answers without parking the goroutine: one call
// that waits and one that reads, where the runtime needs three and a round through
// its scheduler. For a peer that takes longer it stops trying, and looks ever less
// often whether that has changed.
type brief struct {
	attempt
	on   bool
	fds  [1]unix.PollFd
	span unix.Timespec
	skip uint8 // so many reads are left to the runtime
	next uint8 // and so many after the next failure
}

func (b *brief) init(on bool) { b.on, b.skip, b.do = on, firstReads, b.once }

func (b *brief) once(fd uintptr) {
	b.fds[0] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	n, err := unix.Ppoll(b.fds[:], &b.span, nil)
	if n > 0 {
		b.n, b.err = retry(syscall.Read, fd, b.buf)
		return
	}
	if b.err = err; err == nil || errors.Is(err, syscall.EINTR) {
		b.err = syscall.EAGAIN
	}
}

// read returns how many bytes it put into buf, 0 if the runtime has to wait for
// them or to tell what is wrong.
func (b *brief) read(from syscall.RawConn, buf []byte, deadline time.Time) int {
	if !b.on {
		return 0
	}
	if b.skip > 0 {
		b.skip--
		return 0
	}
	span := briefWait
	if !deadline.IsZero() {
		span = max(0, min(span, time.Until(deadline)))
	}
	b.span = unix.NsecToTimespec(int64(span)) // the call leaves there what was not used
	b.buf, b.n, b.err = buf, 0, nil
	err := from.Control(b.do)
	b.buf = nil
	if err == nil && b.n > 0 {
		b.next = 0
		return b.n
	}
	b.skip = b.next
	b.next = b.next<<1 | 1
	return 0
}
