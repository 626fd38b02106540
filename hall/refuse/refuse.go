// Package refuse holds the kinds of errors with which rooms and tournaments refuse a
// command.
package refuse

import (
	"errors"
	"fmt"
)

// Kinds that callers tell apart; what is wrong stands in the errors that wrap them.
var (
	// ErrForbidden: not for this account.
	ErrForbidden = errors.New("not allowed")
	// ErrPhase: not now.
	ErrPhase = errors.New("not now")
	// ErrInvalid: never, in this form.
	ErrInvalid = errors.New("not valid")
)

// Forbidden returns an error of the kind ErrForbidden.
func Forbidden(format string, args ...any) error { return of(ErrForbidden, format, args) }

// ValueError is a refusal of the kind ErrInvalid that is about one value of what was sent.
type ValueError struct {
	// Place is where the value stands: "clocks/1", a JSON pointer without its first slash.
	Place string
	// Detail says what is wrong and what would be right.
	Detail string
}

func (e *ValueError) Error() string { return ErrInvalid.Error() + ": " + e.Detail }

// Unwrap returns ErrInvalid.
func (*ValueError) Unwrap() error { return ErrInvalid }

// Value returns an error of the kind ErrInvalid about a value at a place.
func Value(place, format string, args ...any) error {
	return &ValueError{place, fmt.Sprintf(format, args...)}
}

// Phase returns an error of the kind ErrPhase.
func Phase(format string, args ...any) error { return of(ErrPhase, format, args) }

// Invalid returns an error of the kind ErrInvalid.
func Invalid(format string, args ...any) error { return of(ErrInvalid, format, args) }

func of(kind error, format string, args []any) error {
	return fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))
}
