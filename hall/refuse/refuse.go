// Package refuse holds the kinds of errors with which rooms and tournaments refuse a
// command.
package refuse

import (
	"errors"
	"fmt"

	"kibitz/game"
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

// Refusal is an error of one of the kinds.
type Refusal struct {
	Kind error
	// Place is where the one value stands that it is about: "clocks/1", a JSON pointer without its
	// first slash; empty if it is about no one value.
	Place string
	// Text says what is wrong and what would be right.
	Text string
	// Why is the same as a code, where pages have words of their own for it.
	Why game.Why
}

func (e *Refusal) Error() string { return e.Kind.Error() + ": " + e.Text }

// Unwrap returns Kind.
func (e *Refusal) Unwrap() error { return e.Kind }

// Because gives a refusal that is new its code, with what game.Because is told.
func (e *Refusal) Because(code game.WhyCode, about ...any) *Refusal {
	e.Why = game.Because(code, about...)
	return e
}

// At gives a refusal that is new the place of the value that it is about.
func (e *Refusal) At(place string) *Refusal {
	e.Place = place
	return e
}

// Forbidden returns an error of the kind ErrForbidden.
func Forbidden(format string, args ...any) *Refusal { return of(ErrForbidden, format, args) }

// Value returns an error of the kind ErrInvalid about a value at a place.
func Value(place, format string, args ...any) *Refusal {
	e := of(ErrInvalid, format, args)
	e.Place = place
	return e
}

// Phase returns an error of the kind ErrPhase.
func Phase(format string, args ...any) *Refusal { return of(ErrPhase, format, args) }

// Invalid returns an error of the kind ErrInvalid.
func Invalid(format string, args ...any) *Refusal { return of(ErrInvalid, format, args) }

func of(kind error, format string, args []any) *Refusal {
	return &Refusal{Kind: kind, Text: fmt.Sprintf(format, args...)}
}
