package proc

import (
	"errors"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"kibitz/link"
)

// sysAttr makes the child the leader of a session, and so of a group, and lets it die
// with its parent. In a session of its own it has no terminal, and nothing of it can
// join Kibitz's group.
func sysAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// childInfo is the part of siginfo_t that waitid fills in: three words, then a
// union that is aligned like a pointer.
type childInfo struct {
	signo, errno, code int32
	child              struct {
		_      [0]uintptr
		pid    int32
		uid    uint32
		status int32
	}
}

// The values of si_code for an ended child.
const (
	cldExited = 1
)

// awaitExit waits for the end of a child and leaves it to be reaped, so that its
// number and its group's stay taken.
func awaitExit(pid int) (link.Exit, Usage) {
	var info unix.Siginfo
	var ru unix.Rusage
	for {
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, &ru)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return link.Exit{Code: -1, Signal: "unknown: " + err.Error()}, Usage{}
		}
		break
	}
	ci := (*childInfo)(unsafe.Pointer(&info))
	exit := link.Exit{Code: int(ci.child.status)}
	if ci.code != cldExited {
		exit = link.Exit{Code: -1, Signal: syscall.Signal(ci.child.status).String()}
	}
	return exit, Usage{
		User:   time.Duration(ru.Utime.Nano()),
		System: time.Duration(ru.Stime.Nano()),
		MaxRSS: ru.Maxrss << 10,
	}
}

// reap takes the ended child off the process table.
func reap(pid int) {
	for {
		if _, err := syscall.Wait4(pid, nil, 0, nil); !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// pipe makes a pipe that no other child gets.
func pipe() (read, write int, err error) {
	var p [2]int
	err = unix.Pipe2(p[:], unix.O_CLOEXEC)
	return p[0], p[1], err
}
