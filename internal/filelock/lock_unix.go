//go:build unix

// Package filelock locks files against other processes.
package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Lock keeps other processes from locking the file until it is closed or the
// process ends; it fails at once if another one has.
func Lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// Release lets others lock the file, and closes it. A program that is just being started still
// has all open files of who starts it: without this it would keep the lock for a moment.
func Release(f *os.File) error {
	return errors.Join(unix.Flock(int(f.Fd()), unix.LOCK_UN), f.Close())
}

// Works tells that Lock keeps others out.
const Works = true
