package tournament

import (
	"errors"
	"fmt"
	"strconv"
)

// OrderError is why an order cannot be followed that is about engines.
type OrderError struct {
	Kind   OrderKind
	format string
	args   []any
}

// place is the place of an engine in the plan, from 0.
type place int

func (p place) String() string { return "engine " + strconv.Itoa(int(p)+1) }

func refuse(format string, args ...any) error { return &OrderError{format: format, args: args} }

// Error tells engines by their numbers, from 1.
func (e *OrderError) Error() string { return string(e.Kind) + ": " + fmt.Sprintf(e.format, e.args...) }

// Named is the text of an error of an order with the names of the first engines in place
// of their numbers.
func Named(err error, engines int, name func(engine int) string) string {
	var e *OrderError
	if !errors.As(err, &e) {
		return err.Error()
	}
	named := OrderError{Kind: e.Kind, format: e.format, args: make([]any, len(e.args))}
	for i, x := range e.args {
		if p, ok := x.(place); ok && p >= 0 && int(p) < engines {
			x = name(int(p))
		}
		named.args[i] = x
	}
	return named.Error()
}
