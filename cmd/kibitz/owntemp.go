package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kibitz/internal/filelock"
	"kibitz/run/folder"
)

const (
	// tempPrefix begins the name of the folder in which a worker or a hall keeps what is
	// gone with it: programs that were unpacked, copies of engines' folders, what engines
	// write into their temporary folders.
	tempPrefix = "kibitz-own-"
	// tempLock is locked as long as the owner lives.
	tempLock = "owner.lock"
	// tempYoung is how old a folder without a lock must be to count as left behind: its
	// owner may be about to lock it.
	tempYoung = time.Hour
)

// ownTemp makes the temporary folder of this process, and removes those of processes that
// ended without removing theirs. done removes it.
func ownTemp(a *app) (done func() error, err error) {
	if a.setTemp == nil || !filelock.Works {
		return func() error { return nil }, nil
	}
	base := os.TempDir()
	removeDead(base, a.now())
	dir, err := os.MkdirTemp(base, tempPrefix)
	if err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, tempLock), os.O_CREATE|os.O_RDWR, folder.OwnersOnly)
	if err == nil {
		if err = filelock.Lock(lock); err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", lock.Name(), err), lock.Close())
		}
	}
	if err == nil {
		err = a.setTemp(dir)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return func() error { return errors.Join(a.setTemp(base), os.RemoveAll(dir), lock.Close()) }, nil
}

// removeDead removes the temporary folders of processes that are no more. What it cannot
// remove is another user's, or the next one removes it.
func removeDead(base string, now time.Time) {
	list, err := filepath.Glob(filepath.Join(base, tempPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range list {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, tempLock), os.O_RDWR, 0)
		if errors.Is(err, os.ErrNotExist) {
			if info, err := os.Stat(dir); err == nil && now.Sub(info.ModTime()) > tempYoung {
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
