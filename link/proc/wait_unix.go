//go:build unix && !linux

package proc

import (
	"errors"
	"syscall"
	"time"

	"kibitz/link"
)

// sysAttr makes the child the leader of a session without a terminal, and so of a
// group.
func sysAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// awaitExit waits for the end of a child. Without a wait that leaves the child in
// place it is reaped here; the kernel keeps the number of its group while any
// member lives.
func awaitExit(pid int) (link.Exit, Usage) {
	var ws syscall.WaitStatus
	var ru syscall.Rusage
	for {
		_, err := syscall.Wait4(pid, &ws, 0, &ru)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return link.Exit{Code: -1, Signal: "unknown: " + err.Error()}, Usage{}
		}
		return exitOf(ws), Usage{User: time.Duration(ru.Utime.Nano()), System: time.Duration(ru.Stime.Nano())}
	}
}

// reap has nothing left to do.
func reap(int) {}

// exitOf turns a wait status into an Exit.
func exitOf(ws syscall.WaitStatus) link.Exit {
	if ws.Signaled() {
		return link.Exit{Code: -1, Signal: ws.Signal().String()}
	}
	return link.Exit{Code: ws.ExitStatus()}
}

// pipe makes a pipe that no other child gets.
func pipe() (read, write int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		return 0, 0, err
	}
	syscall.CloseOnExec(p[0])
	syscall.CloseOnExec(p[1])
	return p[0], p[1], nil
}
