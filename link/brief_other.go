//go:build unix && !linux

package link

import (
	"syscall"
	"time"
)

// brief leaves all waiting to the runtime.
type brief struct{}

func (*brief) init(bool, controller, func() bool) {}

func (*brief) get(_ []byte, _, _ time.Time) int { return 0 }

func (*brief) waits() bool { return false }

func (*brief) kick() {}

// reading returns how Polled reads from r.
func reading(r File, _ bool) (input, controller, error) {
	raw, err := r.SyscallConn()
	return r, raw, err
}

func readNow(fd int, p []byte) (int, error)  { return syscall.Read(fd, p) }
func writeNow(fd int, p []byte) (int, error) { return syscall.Write(fd, p) }
