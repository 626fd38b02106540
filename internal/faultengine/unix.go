//go:build unix

package main

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

var signals = map[string]syscall.Signal{
	"KILL": syscall.SIGKILL, "SEGV": syscall.SIGSEGV, "ABRT": syscall.SIGABRT, "TERM": syscall.SIGTERM, "QUIT": syscall.SIGQUIT,
}

// dieBy sends a signal to the own process, with its default effect.
func dieBy(name string) {
	sig := signals[name]
	asDefault(sig)
	_ = syscall.Kill(syscall.Getpid(), sig)
}

// stopSelf stops the own process. The signal may take effect in another thread, and
// later where the machine is busy: until then nothing else is done.
func stopSelf() {
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)
	time.Sleep(time.Second)
}

// liftCore allows core files as far as the process may.
func liftCore() {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &l) == nil {
		l.Cur = l.Max
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &l)
	}
}

// closeDescriptor closes at once, also while somebody reads.
func closeDescriptor(f *os.File) {
	_ = syscall.Close(map[*os.File]int{os.Stdin: 0, os.Stdout: 1, os.Stderr: 2}[f])
}

// ownSession lets a command begin a session.
func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// take takes memory from the system.
func take(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// writePID writes the own number without the help of the runtime's poller, which a
// child that closes all descriptors must not have.
func writePID(path string) {
	if path == "" {
		return
	}
	fd, err := syscall.Open(path, syscall.O_CREAT|syscall.O_WRONLY|syscall.O_TRUNC, 0o600)
	if err != nil {
		return
	}
	_, _ = syscall.Write(fd, []byte(strconv.Itoa(os.Getpid())))
	_ = syscall.Close(fd)
}
