package run

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kibitz/run/engines"
	"kibitz/tournament"
)

// Error is a setting that cannot be meant.
type Error struct {
	// Path is a JSON pointer to the setting: "/points", "/engine/1/tc".
	Path string
	// Got is the value, empty where Want tells it; Want says what is wrong with it and
	// what would be right.
	Got, Want string
	// Cause is the error that it was made of, nil for none.
	Cause error
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error is what somebody reads who gave flags.
func (e *Error) Error() string { return e.text("--") }

// InFile is what somebody reads who wrote a file, beside the line and the column.
func (e *Error) InFile() string { return e.text("") }

func (e *Error) text(mark string) string {
	key := e.Key()
	switch {
	case key == "engine" || key == "each" || key == "": // Want quotes the words
		return e.Want
	case e.Got == "":
		return mark + key + ": " + e.Want
	}
	return mark + key + " " + e.Got + ": " + e.Want
}

// list are several errors, in one line.
type list []error

func (l list) Error() string {
	out := make([]string, len(l))
	for i, err := range l {
		out[i] = err.Error()
	}
	return strings.Join(out, "; ")
}

func (l list) Unwrap() []error { return l }

// join makes several errors one, nil if there is none.
func join(errs ...error) error {
	var out list
	for _, err := range errs {
		var more list
		switch {
		case err == nil:
		case errors.As(err, &more):
			out = append(out, more...)
		default:
			out = append(out, err)
		}
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return out
}

// Key is the setting without what lies below it.
func (e *Error) Key() string {
	key, _, _ := strings.Cut(strings.TrimPrefix(e.Path, "/"), "/")
	return key
}

// FaultAt makes an error one of the setting at a path.
func FaultAt(path string, err error) error {
	if err == nil {
		return nil
	}
	var own *Error
	var words *engines.Error
	var plan *tournament.Fault
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &words):
		if words.Each {
			path = "/each"
		}
		if words.Key != "" {
			path += "/" + words.Key
		}
		return &Error{Path: path, Want: words.Error(), Cause: words}
	case errors.As(err, &plan):
		return &Error{Path: "/" + plan.Setting, Got: plan.Got, Want: plan.Want, Cause: plan}
	}
	return &Error{Path: path, Want: err.Error(), Cause: err}
}

// Faults are the settings that an error is about, in their order; none if it is about
// something else.
func Faults(err error) (out []*Error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			out = append(out, Faults(e)...)
		}
		return out
	}
	var own *Error
	var words *engines.Error
	var plan *tournament.Fault
	if errors.As(err, &own) || errors.As(err, &words) || errors.As(err, &plan) {
		errors.As(FaultAt("", err), &own)
		out = append(out, own)
	}
	return out
}

// EngineFault makes an error of an engine, counted from 0, one of its settings.
func EngineFault(engine int, err error) error {
	var words *engines.Error
	if !errors.As(err, &words) {
		return err
	}
	return FaultAt("/engine/"+strconv.Itoa(engine), words)
}

// BadOutcome is the error of a run that was played, or that the machine did not let play:
// nothing is wrong with what was asked for.
type BadOutcome struct{ Text string }

func (e *BadOutcome) Error() string { return e.Text }

func bad(format string, args ...any) error { return &BadOutcome{fmt.Sprintf(format, args...)} }
