package problem

import (
	"errors"
	"strings"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/refuse"
)

// Fault is what is wrong with one value of a request: an entry of a problem's errors, as in
// section 3 of RFC 9457.
type Fault struct {
	// Pointer is a JSON pointer (RFC 6901) to the value, as a fragment: "#/engines/1"; the query is an object of its parameters.
	Pointer string `json:"pointer,omitempty" doc:"JSON pointer to what is wrong in the body or in the query; empty if it is in neither"`
	Detail  string `json:"detail" doc:"what is wrong with it and what would be right"`
	// Why is the same as a code, where pages have words of their own for it.
	Why game.Why `json:"-"`
}

// Field is the field of the body that the fault is in: "engines".
func (f *Fault) Field() string {
	field, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "#/"), "/")
	return field
}

// FormError is a form whose values cannot be meant.
type FormError struct {
	Faults []Fault
	// Err is what its reader said.
	Err error
}

func (e *FormError) Error() string {
	out := make([]string, len(e.Faults))
	for i := range e.Faults {
		out[i] = e.Faults[i].Detail
	}
	return strings.Join(out, "; ")
}

// Unwrap returns Err.
func (e *FormError) Unwrap() []error { return []error{e.Err} }

// Escaped is a name as it stands in a pointer (RFC 6901, 3).
func Escaped(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// At makes an error one of the value at a pointer of a form ("#/engines/1"), unless it
// says itself where it belongs.
func At(pointer string, err error) error {
	if _, ok := errors.AsType[*FormError](err); ok {
		return err
	}
	return &FormError{[]Fault{{pointer, OneLine(err), whyOf(err)}}, err}
}

// Together makes the errors of several values one.
func Together(list []error) error {
	if len(list) == 1 {
		return list[0]
	}
	var faults []Fault
	texts := make([]string, len(list))
	for i, err := range list {
		faults, texts[i] = append(faults, Faults(err)...), OneLine(err)
	}
	wrong := Input(strings.Join(texts, "; ")).with(whyOf(list[0]))
	if len(faults) == 0 {
		return wrong
	}
	return &FormError{faults, wrong}
}

// InputAt is At for an error of what was sent; others stay as they are.
func InputAt(pointer string, err error) error {
	if err == nil || of(err).Code != "input" {
		return err
	}
	return At(pointer, err)
}

// whyOf is the code of what is wrong, the zero one if there is none.
func whyOf(err error) game.Why {
	var problem *Problem
	var name *auth.Fault
	var refusal *refuse.Refusal
	var option *game.OptionError
	switch {
	case errors.As(err, &problem):
		return problem.Why
	case errors.As(err, &name) && name.Why.Code != "":
		return name.Why
	case errors.As(err, &refusal):
		return refusal.Why
	case errors.As(err, &option):
		return option.Why()
	}
	return game.Why{}
}

// Faults are the values that an error is about, none if it is about something else.
func Faults(err error) []Fault {
	if form, ok := errors.AsType[*FormError](err); ok {
		return form.Faults
	}
	if value, ok := errors.AsType[*auth.Fault](err); ok && value.Field != "" {
		return []Fault{{"#/" + value.Field, value.Error(), whyOf(err)}}
	}
	return nil
}
