package sqlstore

import (
	"fmt"

	"kibitz/hall/store"
)

func notFound(what string, name any) error { return named(what, name, store.ErrNotFound) }
func taken(what string, name any) error    { return named(what, name, store.ErrTaken) }
func conflict(what string, name any) error { return named(what, name, store.ErrConflict) }

func named(what string, name any, err error) error {
	if s, ok := name.(string); ok {
		return fmt.Errorf("%s %q: %w", what, s, err)
	}
	return fmt.Errorf("%s %v: %w", what, name, err)
}

// or returns err, and other if it is nil.
func or(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// found returns what was read, or why there is nothing.
func found[T any](v T, ok bool, err error, what string, name any) (T, error) {
	if err != nil || !ok {
		var zero T
		return zero, or(err, notFound(what, name))
	}
	return v, nil
}

// one reports ErrNotFound if no row was changed.
func one(n int64, err error, what string, name any) error {
	if err == nil && n == 0 {
		err = notFound(what, name)
	}
	return err
}
