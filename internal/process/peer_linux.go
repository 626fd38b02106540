package process

import (
	"net"

	"golang.org/x/sys/unix"
)

// Peer returns the process at the other end of a socket.
func Peer(conn net.Conn) (pid int, ok bool) {
	c, isUnix := conn.(*net.UnixConn)
	if !isUnix {
		return 0, false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false
	}
	var cred *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) { cred, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err != nil || failed != nil {
		return 0, false
	}
	return int(cred.Pid), true
}
