package tournament

import (
	"errors"
	"fmt"
	"strconv"

	"kibitz/game"
)

// OrderError is why an order cannot be followed.
type OrderError struct {
	Kind OrderKind
	// About is the part of the order that it is about, empty if it is about no one part.
	About Part
	// why is the same as a code.
	why    game.Why
	format string
	args   []any
}

// Part is a part of an order.
type Part string

// The parts that errors are about.
const (
	PartEngine    Part = "engine"
	PartOpponent  Part = "opponent"
	PartGame      Part = "game"
	PartGames     Part = "games"
	PartOpening   Part = "opening"
	PartByes      Part = "byes"
	PartRemaining Part = "remaining"
	PartPoints    Part = "points"
)

// place is the place of an engine in the plan, from 0.
type place int

func (p place) String() string { return "engine " + strconv.Itoa(int(p)+1) }

func refuse(about Part, why game.Why, format string, args ...any) error {
	return &OrderError{About: about, why: why, format: format, args: args}
}

// Error tells engines by their numbers, from 1.
func (e *OrderError) Error() string { return string(e.Kind) + ": " + fmt.Sprintf(e.format, e.args...) }

// Named is why an order cannot be followed as a code, about the first engine that it is about, with the
// text of its error in which the names of the first engines stand in place of their numbers.
func Named(err error, engines int, name func(engine int) string) game.Why {
	var e *OrderError
	if !errors.As(err, &e) {
		return game.Why{Text: err.Error()}
	}
	why := e.why
	named := OrderError{Kind: e.Kind, format: e.format, args: make([]any, len(e.args))}
	for i, x := range e.args {
		if p, ok := x.(place); ok && p >= 0 && int(p) < engines {
			x = name(int(p))
			if why.Name == "" {
				why.Name = name(int(p))
			}
		}
		named.args[i] = x
	}
	why.Text = named.Error()
	return why
}
