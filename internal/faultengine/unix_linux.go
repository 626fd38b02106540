package main

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// asDefault gives a signal its default effect, which the runtime has changed.
func asDefault(sig syscall.Signal) {
	var none [8]uintptr // handler 0 is the default
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&none)), 0, 8, 0, 0)
}

// hide sleeps under another name with no descriptor open.
func hide(pidfile string) {
	ignoreTerm()
	writePID(pidfile)
	name := []byte("kworker/0:1\x00")
	_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
	_ = unix.CloseRange(0, ^uint(0), 0)
	for range 600 {
		one := unix.Timespec{Sec: 1}
		_ = unix.Nanosleep(&one, nil) // the runtime's own sleep would need a descriptor
	}
}
