// Package wholefile writes files that are there whole or not at all.
package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
		var at *fs.PathError
		if errors.As(err, &at) && at.Path == tmp {
			err = &fs.PathError{Op: at.Op, Path: filepath.Clean(name), Err: at.Err}
		}
	}
	return err
}
