package link

import (
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// unwatched is the reading end of a pipe that the runtime watches only while a
// reader waits through it. A watched descriptor costs more with every line of a
// quick peer: the kernel notes it for the runtime, too, and wakes one of its idle
// threads, which finds nothing to do.
type unwatched struct {
	fd int
	// block is a descriptor of the pipe on which reads block, -1 if there is none.
	block int

	// alive is held for reading while fd is used, for writing while it is closed.
	alive  sync.RWMutex
	closed bool

	mu       sync.Mutex // guards what follows
	watched  *os.File   // a second descriptor of the pipe, nil while nobody waits
	over     bool       // closed: nobody may wait any more
	deadline time.Time
}

// unwatch takes over a pipe, whose own descriptor is closed. It returns nil for
// anything else.
func unwatch(f File) *unwatched {
	pipe, ok := f.(*os.File)
	if !ok {
		return nil
	}
	u := &unwatched{}
	raw, err := pipe.SyscallConn()
	if err != nil {
		return nil
	}
	if e := raw.Control(func(fd uintptr) { u.fd, err = another(fd) }); e != nil || err != nil {
		return nil
	}
	_ = pipe.Close()
	if u.block = -1; allowKicks() {
		u.block = reopen(u.fd)
	}
	return u
}

// reopen opens a pipe once more, so that reads on the new descriptor block although
// those on fd do not; -1 if that is not possible.
func reopen(fd int) int {
	block, err := unix.Open("/proc/self/fd/"+strconv.Itoa(fd), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1
	}
	flags, err := unix.FcntlInt(uintptr(block), unix.F_GETFL, 0)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(block), unix.F_SETFL, flags&^unix.O_NONBLOCK)
	}
	if err != nil {
		_ = unix.Close(block)
		return -1
	}
	return block
}

// another returns a second descriptor of what fd has open.
func another(fd uintptr) (int, error) { return unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }

// Control calls do with the descriptor, which is not closed meanwhile.
func (u *unwatched) Control(do func(fd uintptr)) error {
	u.alive.RLock()
	defer u.alive.RUnlock()
	if u.closed {
		return os.ErrClosed
	}
	do(uintptr(u.fd))
	return nil
}

// hold reads into b and blocks until something comes or b is kicked.
func (u *unwatched) hold(b *brief) error {
	u.alive.RLock()
	defer u.alive.RUnlock()
	if u.closed {
		return os.ErrClosed
	}
	b.n, b.err = b.read(u.block, b.buf)
	return nil
}

// Read waits through the runtime.
func (u *unwatched) Read(p []byte) (int, error) {
	f, err := u.watch()
	if err != nil {
		return 0, err
	}
	return f.Read(p)
}

// watch lets the runtime watch the pipe.
func (u *unwatched) watch() (*os.File, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		return nil, os.ErrClosed
	}
	if u.watched == nil {
		fd, err := another(uintptr(u.fd))
		if err != nil {
			return nil, err
		}
		u.watched = os.NewFile(uintptr(fd), "engine")
		return u.watched, u.watched.SetReadDeadline(u.deadline)
	}
	return u.watched, nil
}

// relax ends the watching. Only the reader may call it.
func (u *unwatched) relax() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.watched != nil {
		_ = u.watched.Close()
		u.watched = nil
	}
}

// SetReadDeadline implements File for Read, as it is and as it may come.
func (u *unwatched) SetReadDeadline(t time.Time) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.deadline = t
	if u.watched != nil {
		return u.watched.SetReadDeadline(t)
	}
	return nil
}

// Close closes the pipe. A running Control or hold is waited for.
func (u *unwatched) Close() error {
	u.mu.Lock()
	over := u.over
	u.over = true
	if u.watched != nil {
		_ = u.watched.Close()
		u.watched = nil
	}
	u.mu.Unlock()
	if over {
		return os.ErrClosed
	}
	u.alive.Lock()
	defer u.alive.Unlock()
	u.closed = true
	if u.block >= 0 {
		_ = unix.Close(u.block)
	}
	return unix.Close(u.fd)
}
