// Package halldir is the folder of a hall, which one process has at a time, and the database
// in it.
package halldir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kibitz/hall/store"
	"kibitz/hall/store/postgres"
	"kibitz/hall/store/sqlite"
	"kibitz/internal/filelock"
	"kibitz/internal/wholefile"
)

// Folder is the folder of a hall, which one process has at a time.
type Folder struct {
	// Dir is where it is, Worker the identifier of this process as a worker: that of the
	// folder, and a word of its own.
	Dir, Worker string

	lock *os.File
	id   string
	// newWord makes words that nobody can guess.
	newWord func() string
}

// ownersOnly is the mode of files that nobody but their owner may read.
const ownersOnly = 0o600

// Error is what is wrong with a folder.
type Error struct {
	Dir string
	Err error
}

func (e *Error) Error() string { return e.Dir + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Open takes a folder, which is made if there is none. Words that it needs are made by
// newWord, which nobody can guess.
func Open(dir string, newWord func() string) (f *Folder, err error) {
	if err := private(dir); err != nil {
		return nil, err
	}
	f = &Folder{Dir: dir, newWord: newWord}
	if f.lock, err = os.OpenFile(filepath.Join(dir, "hall.lock"), os.O_CREATE|os.O_RDWR, ownersOnly); err != nil {
		return nil, &Error{dir, err}
	}
	if err := filelock.Lock(f.lock); err != nil {
		return nil, errors.Join(&Error{dir, errors.New("another hall runs in that folder; give each one a folder of its own")}, f.lock.Close())
	}
	word, err := f.Word("hall.id")
	if err != nil {
		return nil, errors.Join(err, f.lock.Close())
	}
	// A copy of the folder, here or on another machine, is another one.
	path, _ := filepath.Abs(dir)
	host, _ := os.Hostname()
	sum := sha256.Sum256([]byte(word + "\x00" + host + "\x00" + path))
	f.id = hex.EncodeToString(sum[:10])
	f.Worker = f.workers() + newWord()
	return f, nil
}

// private makes the folder of a hall, or closes one to everybody but its owner.
func private(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(dir); err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(dir, info.Mode().Perm()&0o700)
		}
	}
	if err != nil {
		return &Error{dir, err}
	}
	return nil
}

// Word returns what a file of the folder says, which is made once.
func (f *Folder) Word(name string) (string, error) {
	file := filepath.Join(f.Dir, name)
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if word := strings.TrimSpace(string(data)); word != "" { // else the disk was full when it was to be made
		return word, nil
	}
	word := f.newWord()
	return word, wholefile.WriteAs(file, []byte(word+"\n"), ownersOnly)
}

// Gone reports that a worker was one of an earlier process in this folder, which must
// have ended, as one process has the folder at a time.
func (f *Folder) Gone(worker string) bool {
	return filelock.Works && worker != f.Worker && strings.HasPrefix(worker, f.workers())
}

// workers begins the identifiers of all processes in the folder as workers.
func (f *Folder) workers() string { return "hall-" + f.id + "_" }

// Close lets another process have the folder.
func (f *Folder) Close() error { return filelock.Release(f.lock) }

// DatabaseFile is the database in the folder of a hall.
const DatabaseFile = "hall.db"

// Database says where the database of a hall is: in its folder, or in a PostgreSQL at an
// address.
type Database struct{ Dir, URL string }

// Claim is postgres.Claim; a database in a folder goes with the folder.
func (d Database) Claim(ctx context.Context, alone bool) (ok bool, release func() error, err error) {
	if d.URL == "" {
		return true, func() error { return nil }, nil
	}
	return postgres.Claim(ctx, d.URL, alone)
}

// Open opens the database; one in a folder is made only if it may be, and where none may
// be made none is changed either.
func (d Database) Open(ctx context.Context, create bool) (store.Store, error) {
	file := filepath.Join(d.Dir, DatabaseFile)
	switch {
	case create && d.URL != "":
		return postgres.Open(ctx, d.URL)
	case d.URL != "":
		return postgres.OpenAsIs(ctx, d.URL)
	case create:
		if err := private(d.Dir); err != nil {
			return nil, err
		}
		return sqlite.Open(ctx, file)
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{d.Dir, errors.New("there is no hall in that folder: it has no " + DatabaseFile)}
	}
	return sqlite.OpenAsIs(ctx, file)
}
