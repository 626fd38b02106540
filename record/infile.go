package record

import (
	"errors"
	"fmt"
)

// InFile puts the file's name into errors that know their line.
func InFile(name string, err error) error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		var out []error
		for _, e := range joined.Unwrap() {
			out = append(out, InFile(name, e))
		}
		return errors.Join(out...)
	}
	var at *Error
	if errors.As(err, &at) {
		e := *at
		e.File = name
		return &e
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Below returns an error of a part of a file as one of the file, in which so many lines
// stand before it.
func Below(err error, lines int) error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		var out []error
		for _, e := range joined.Unwrap() {
			out = append(out, Below(e, lines))
		}
		return errors.Join(out...)
	}
	var at *Error
	if errors.As(err, &at) && at.Line > 0 {
		e := *at
		e.Line += lines
		return &e
	}
	return err
}
