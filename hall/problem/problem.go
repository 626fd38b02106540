// Package problem is the form that errors have for clients of a hall: problem details by
// RFC 9457, with a status, a code for programs, a line for people, and faults that point at
// values of the request.
package problem

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/health"
	"kibitz/hall/refuse"
	"kibitz/hall/store"
)

// RetryAfter is after how many seconds a client may try again what the hall could not do
// at the moment.
const RetryAfter = "2"

// Most is the head of an answer that says how many bytes a request may have, where it had more.
const Most = "Kibitz-Most"

// Type is the type of a problem (RFC 9457) that programs may branch on.
func Type(code string) string { return "urn:kibitz:problem:" + code }

// Details is a problem as it is sent.
type Details struct {
	Type     string   `json:"type,omitempty"`
	Title    string   `json:"title,omitempty"`
	Status   int      `json:"status,omitempty"`
	Detail   string   `json:"detail,omitempty"`
	Instance string   `json:"instance,omitempty"`
	Errors   []Fault  `json:"errors,omitempty"`
	Why      game.Why `json:"why,omitzero"`
	Shown
}

// Shown is what the scripts of pages show of a problem.
type Shown struct {
	// Said is what is wrong in the language of the request.
	Said string `json:"said,omitempty"`
	// Field is the field of the page's form that is wrong, empty if it is not one of them.
	Field string `json:"field,omitempty" doc:"the field of the page's form that is wrong, beside said"`
}

// Told is the problem of an error, named by the request that met it.
func Told(err error, instance string, shown Shown) *Details {
	p := of(err)
	return &Details{Type(p.Code), http.StatusText(p.Status), p.Status, p.Text, instance, Faults(err), p.Why, shown}
}

func (d *Details) Error() string { return d.Detail }

// GetStatus is the status with which it is sent.
func (d *Details) GetStatus() int { return d.Status }

// ContentType is that of a problem.
func (d *Details) ContentType(string) string { return "application/problem+json" }

// Problem is an error with a status and a code for programs.
type Problem struct {
	Status int
	// Code is a word: "not-found".
	Code string
	// Text is one line for people.
	Text string
	// Why is the same as a code, where pages have words of their own for it.
	Why game.Why
}

// New returns a problem.
func New(status int, code, text string) *Problem {
	return &Problem{Status: status, Code: code, Text: text}
}

func (p *Problem) Error() string { return p.Text }

// Because gives a problem that is new its code, with what game.Because is told.
func (p *Problem) Because(code game.WhyCode, about ...any) *Problem {
	return p.with(game.Because(code, about...))
}

func (p *Problem) with(why game.Why) *Problem {
	p.Why = why
	return p
}

// Input is the problem of something in a request that cannot be meant, in one line for
// people.
func Input(text string) *Problem {
	return New(http.StatusUnprocessableEntity, "input", text)
}

// ErrAbsent tells that this hall was built without a part.
var ErrAbsent = New(http.StatusNotImplemented, "absent", "this hall does not offer that")

// Of returns the problem of an error; status 500 is one that nobody foresaw,
// whose text is for the log alone.
func Of(err error) Problem { return *of(err) }

func of(err error) *Problem {
	var p *Problem
	var wait *auth.Wait
	var away *health.Away
	var form *FormError
	text := OneLine(err)
	switch {
	case errors.As(err, &away):
		return New(http.StatusServiceUnavailable, "away", health.ErrAway.Error()+": the "+away.Part+" "+away.Why+
			". Try again in a moment")
	case errors.As(err, &p):
		return p
	case errors.As(err, &form):
		return New(http.StatusUnprocessableEntity, "input", OneLine(form)).with(whyOf(form.Err))
	case errors.As(err, &wait) && wait.Often:
		return New(http.StatusTooManyRequests, "too-many", text)
	case errors.As(err, &wait):
		return New(http.StatusTooManyRequests, "locked", text)
	case errors.Is(err, auth.ErrLogin):
		return New(http.StatusUnauthorized, "login", text)
	case errors.Is(err, auth.ErrForbidden):
		return New(http.StatusForbidden, "forbidden", text).with(whyOf(err))
	case errors.Is(err, auth.ErrQuota):
		return New(http.StatusForbidden, "quota", text)
	case errors.Is(err, auth.ErrInput):
		return New(http.StatusUnprocessableEntity, "input", text).with(whyOf(err))
	case errors.Is(err, store.ErrInvalid):
		return New(http.StatusUnprocessableEntity, "input", text)
	case errors.Is(err, store.ErrNotFound):
		return New(http.StatusNotFound, "not-found", "there is no such thing, or it is not for this account")
	case errors.Is(err, store.ErrTaken):
		return New(http.StatusConflict, "taken", text)
	case errors.Is(err, store.ErrConflict):
		return New(http.StatusConflict, "conflict", "somebody else has changed it meanwhile: read it again")
	case errors.Is(err, auth.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return New(http.StatusServiceUnavailable, "busy", "the hall is busy: try again in a moment")
	default:
		return New(http.StatusInternalServerError, "fault", "the hall could not do that; the fault is in its log")
	}
}

// Retry is after how many seconds what an error has refused may be tried again, as the head
// Retry-After has it; empty if it is not a matter of time.
func Retry(err error) string {
	var wait *auth.Wait
	switch {
	case errors.As(err, &wait):
		return strconv.Itoa(wait.Seconds())
	case of(err).Status == http.StatusServiceUnavailable:
		return RetryAfter
	}
	return ""
}

// OneLine is the text of an error in one line.
func OneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// OfRefusal gives the refusals of rooms and tournaments their statuses, and those of one value its place.
func OfRefusal(err error) error { return OfRefusalAt("", err) }

// OfRefusalAt is OfRefusal for refusals that name no value; the one that they are about stands at a pointer.
func OfRefusalAt(pointer string, err error) error {
	var status int
	var code string
	switch {
	case errors.Is(err, refuse.ErrForbidden):
		status, code = http.StatusForbidden, "forbidden"
	case errors.Is(err, refuse.ErrPhase):
		status, code = http.StatusConflict, "not-now"
	case errors.Is(err, refuse.ErrInvalid):
		status, code = http.StatusUnprocessableEntity, "input"
	default:
		return err
	}
	p := New(status, code, OneLine(err)).with(whyOf(err))
	value, ok := errors.AsType[*refuse.Refusal](err)
	if ok && value.Place != "" {
		pointer = "#/" + value.Place
	}
	if !ok || pointer == "" {
		return p
	}
	return &FormError{[]Fault{{pointer, value.Text, value.Why}}, p}
}
