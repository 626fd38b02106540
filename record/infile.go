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
