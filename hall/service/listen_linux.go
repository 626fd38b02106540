package service

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitSilence ends connections whose other end is silent for too long; those that a listener takes
// are as it is.
func limitSilence(_, _ string, c syscall.RawConn) error {
	var fault error
	err := c.Control(func(fd uintptr) {
		fault = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
	})
	return errors.Join(err, fault)
}
