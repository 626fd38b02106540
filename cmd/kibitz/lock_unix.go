//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile keeps other processes from locking the file until it is closed or the
// process ends; it fails at once if another one has.
func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// folderLocks tells that lockFile keeps others out.
const folderLocks = true
