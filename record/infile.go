package record

import (
	"errors"
	"fmt"
)

// InFile puts the file's name into errors that know their line.
func InFile(name string, err error) error {
	return each(err, func(err error) error {
		if at, ok := errors.AsType[*Error](err); ok {
			e := *at
			e.File = name
			return &e
		}
		return fmt.Errorf("%s: %w", name, err)
	})
}

// Below returns an error of a part of a file as one of the file, in which so many lines
// stand before it.
func Below(err error, lines int) error {
	return each(err, func(err error) error {
		if at, ok := errors.AsType[*Error](err); ok && at.Line > 0 {
			e := *at
			e.Line += lines
			return &e
		}
		return err
	})
}

// each changes an error, or each of several that are joined.
func each(err error, change func(error) error) error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return change(err)
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, each(e, change))
	}
	return errors.Join(out...)
}
