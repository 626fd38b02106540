package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// hallFolder is the folder of a hall, which one process has at a time.
type hallFolder struct {
	dir  string
	lock *os.File
	// id is that of the folder, mine that of this process as a worker, one of a hall's: the
	// id, and a word of its own.
	id, mine string
}

// openHallFolder takes a folder, which is made if there is none.
func openHallFolder(dir string) (f *hallFolder, err error) {
	if err := privateFolder(dir); err != nil {
		return nil, err
	}
	f = &hallFolder{dir: dir}
	if f.lock, err = os.OpenFile(filepath.Join(dir, "hall.lock"), os.O_CREATE|os.O_RDWR, ownersOnly); err != nil {
		return nil, fmt.Errorf("--data: %w", err)
	}
	if err := lockFile(f.lock); err != nil {
		return nil, errors.Join(fmt.Errorf("--data %s: another hall runs in that folder; give each one a folder of its own", dir), f.lock.Close())
	}
	word, err := f.word("hall.id")
	if err != nil {
		return nil, errors.Join(err, f.lock.Close())
	}
	// A copy of the folder, here or on another machine, is another one.
	path, _ := filepath.Abs(dir)
	host, _ := os.Hostname()
	sum := sha256.Sum256([]byte(word + "\x00" + host + "\x00" + path))
	f.id = hex.EncodeToString(sum[:10])
	f.mine = f.workers() + rand.Text()
	return f, nil
}

// privateFolder makes the folder of a hall, or closes one to everybody but its owner.
func privateFolder(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(dir); err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(dir, info.Mode().Perm()&0o700)
		}
	}
	if err != nil {
		return fmt.Errorf("--data: %w", err)
	}
	return nil
}

// word returns what a file of the folder says, which is made once.
func (f *hallFolder) word(name string) (string, error) {
	file := filepath.Join(f.dir, name)
	if data, err := os.ReadFile(file); err == nil {
		return strings.TrimSpace(string(data)), nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	word := rand.Text()
	return word, os.WriteFile(file, []byte(word+"\n"), ownersOnly)
}

// gone reports that a worker was one of an earlier process in this folder, which must
// have ended, as one process has the folder at a time.
func (f *hallFolder) gone(worker string) bool {
	return folderLocks && worker != f.mine && strings.HasPrefix(worker, f.workers())
}

// workers begins the identifiers of all processes in the folder as workers.
func (f *hallFolder) workers() string { return "hall-" + f.id + "_" }

// Close lets another process have the folder.
func (f *hallFolder) Close() error { return f.lock.Close() }
