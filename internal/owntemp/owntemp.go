// Package owntemp gives a process a temporary folder of its own, and removes those of processes
// that ended without removing theirs.
package owntemp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kibitz/internal/filelock"
)

const (
	// Prefix begins the name of the folder in which a worker or a hall keeps what is
	// gone with it: programs that were unpacked, copies of engines' folders, what engines
	// write into their temporary folders.
	Prefix = "kibitz-own-"
	// lockName is locked as long as the owner lives.
	lockName = "owner.lock"
	// Young is how old a folder without a lock must be to count as left behind: its
	// owner may be about to lock it.
	Young = time.Hour
)

// Make makes the temporary folder of this process, and removes those of processes that
// ended without removing theirs. Set makes it what os.TempDir returns; where that must not
// change it is nil, and none is made. done removes the folder.
func Make(now time.Time, set func(dir string) error) (done func() error, err error) {
	if set == nil || !filelock.Works {
		return func() error { return nil }, nil
	}
	base := os.TempDir()
	RemoveDead(base, now)
	dir, lock, err := locked(base)
	if err != nil {
		return nil, err
	}
	if err := set(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir), lock.Close())
	}
	return func() error { return errors.Join(set(base), os.RemoveAll(dir), lock.Close()) }, nil
}

// tries is how many folders are made until one is locked.
const tries = 100

// locked makes a folder and locks it. Another process that looks for those of the dead may have
// the lock first, and removes the folder: then it makes another one.
func locked(base string) (dir string, lock *os.File, err error) {
	for range tries {
		if dir, err = os.MkdirTemp(base, Prefix); err != nil {
			return "", nil, err
		}
		if lock, err = os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600); err == nil {
			if err = filelock.Lock(lock); err == nil {
				_, err = os.Stat(lock.Name())
			}
			if err == nil {
				return dir, lock, nil
			}
			err = errors.Join(fmt.Errorf("%s: %w", lock.Name(), err), lock.Close())
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return "", nil, err
}

// RemoveDead removes the temporary folders of processes that are no more. What it cannot
// remove is another user's, or the next one removes it.
func RemoveDead(base string, now time.Time) {
	list, err := filepath.Glob(filepath.Join(base, Prefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range list {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
		if errors.Is(err, os.ErrNotExist) {
			if info, err := os.Stat(dir); err == nil && now.Sub(info.ModTime()) > Young {
				_ = os.RemoveAll(dir)
			}
			continue
		}
		if err != nil {
			continue
		}
		if filelock.Lock(lock) == nil { // nobody has it
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}
