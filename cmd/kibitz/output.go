package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// output is stdout with a memory: what could not be written must not look like
// success.
type output struct {
	io.Writer
	err error
}

// Write keeps the first error.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// failed returns why something was not written, nil if all was. A reader that
// went away has seen what it wanted.
func (o *output) failed() error {
	if errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return o.err
}

// bare returns the writer beneath, for those who must know what it is.
func bare(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.Writer
	}
	return w
}

// writeWhole writes a file so that it is there whole or not at all; what is no
// ordinary file is written directly.
func writeWhole(name string, data []byte) error { return writeWholeAs(name, data, 0o644) }

// writeWholeAs is writeWhole with the permissions of a new file.
func writeWholeAs(name string, data []byte, perm fs.FileMode) error {
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

// surviveClosedOutput makes a reader of stdout that goes away an error of the next
// write instead of the end of the program, until release is called. Children are
// not concerned.
func surviveClosedOutput() (release func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGPIPE)
	return func() { signal.Stop(ch) }
}

// readIfThere reads a file; one that is not there is empty.
func readIfThere(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
