//go:build !unix

package main

import (
	"os"
	"os/exec"
	"strconv"
	"time"
)

// refuse ends the program: this system has no such thing.
func refuse(what string) {
	tell("%s: this needs a Unix system", what)
	os.Exit(64)
}

// dieBy ends the own process; only KILL has something like it here.
func dieBy(name string) {
	if name != "KILL" && name != "ABRT" {
		refuse("dying by SIG" + name)
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
}

func stopSelf() { refuse("stopping itself") }

func liftCore() { refuse("core files") }

func closeDescriptor(f *os.File) { _ = f.Close() }

// ownSession: there are no sessions to leave, a child stays by itself.
func ownSession(*exec.Cmd) {}

func take(n int) ([]byte, error) { return make([]byte, n), nil }

func writePID(path string) {
	if path != "" {
		_ = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())), 0o600)
	}
}

// hide sleeps with the standard descriptors closed.
func hide(pidfile string) {
	writePID(pidfile)
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		_ = f.Close()
	}
	time.Sleep(childLife)
}
