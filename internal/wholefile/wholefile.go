// Package wholefile writes files that are there whole or not at all, and tells folders from other files.
package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write writes a file so that it is there whole or not at all; what is no
// ordinary file is written directly.
func Write(name string, data []byte) error { return WriteAs(name, data, 0o644) }

// WriteAs is Write with the permissions of a new file.
func WriteAs(name string, data []byte, perm fs.FileMode) error {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		return os.WriteFile(name, data, perm)
	}
	tmp := name + ".part"
	err := os.WriteFile(tmp, data, perm)
	if err == nil {
		err = os.Rename(tmp, name)
	}
	if err != nil {
		os.Remove(tmp) //nolint:errcheck // the first error is the one to tell
	}
	return of(name, err)
}

// of makes an error of the file that is written first one of the file that was asked for.
func of(name string, err error) error {
	name = filepath.Clean(name)
	if at, ok := errors.AsType[*fs.PathError](err); ok && strings.HasPrefix(filepath.Clean(at.Path), name+".part") {
		return &fs.PathError{Op: at.Op, Path: name, Err: at.Err}
	}
	return err
}

// Through lets a file appear when all of it is on the disk, for its owner alone;
// what is no regular file, a device or a pipe, is written to as it is.
func Through(name string, write func(io.Writer) error) (err error) {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".part*") // 0600
	if err != nil {
		return of(name, err)
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name()) //nolint:errcheck // the first error is the one to tell
	}
	return of(name, err)
}

// IsFolder reports whether a path leads to a folder.
func IsFolder(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}
