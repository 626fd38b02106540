package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kibitz/hall/auth"
	"kibitz/hall/health"
	"kibitz/hall/refuse"
	"kibitz/hall/store"
)

// retryAfter is after how many seconds a client may try again what the hall could not do
// at the moment.
const retryAfter = "2"

// problemType is the type of a problem (RFC 9457) that programs may branch on.
func problemType(code string) string { return "urn:kibitz:problem:" + code }

// Problem is an error with a status and a code for programs.
type Problem struct {
	Status int
	// Code is a word: "not-found".
	Code string
	// Text is one line for people.
	Text string
}

func (p *Problem) Error() string { return p.Text }

func badInput(text string) error {
	return &Problem{http.StatusUnprocessableEntity, "input", text}
}

// errAbsent tells that this hall was built without a part.
var errAbsent = &Problem{http.StatusNotImplemented, "absent", "this hall does not offer that"}

// classify returns the problem of an error; status 500 is one that nobody foresaw,
// whose text is for the log alone.
func classify(err error) Problem {
	var p *Problem
	var wait *auth.Wait
	var away *health.Away
	var form *FormError
	text := oneLine(err)
	switch {
	case errors.As(err, &away):
		return Problem{http.StatusServiceUnavailable, "away", health.ErrAway.Error() + ": the " + away.Part + " " + away.Why +
			". Try again in a moment"}
	case errors.As(err, &p):
		return *p
	case errors.As(err, &form):
		return Problem{http.StatusUnprocessableEntity, "input", oneLine(form)}
	case errors.As(err, &wait):
		return Problem{http.StatusTooManyRequests, "locked", text}
	case errors.Is(err, auth.ErrLogin):
		return Problem{http.StatusUnauthorized, "login", text}
	case errors.Is(err, auth.ErrForbidden):
		return Problem{http.StatusForbidden, "forbidden", text}
	case errors.Is(err, auth.ErrQuota):
		return Problem{http.StatusForbidden, "quota", text}
	case errors.Is(err, auth.ErrInput):
		return Problem{http.StatusUnprocessableEntity, "input", text}
	case errors.Is(err, store.ErrInvalid):
		return Problem{http.StatusUnprocessableEntity, "input", text}
	case errors.Is(err, store.ErrNotFound):
		return Problem{http.StatusNotFound, "not-found", "there is no such thing, or it is not for this account"}
	case errors.Is(err, store.ErrTaken):
		return Problem{http.StatusConflict, "taken", text}
	case errors.Is(err, store.ErrConflict):
		return Problem{http.StatusConflict, "conflict", "somebody else has changed it meanwhile: read it again"}
	case errors.Is(err, auth.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Problem{http.StatusServiceUnavailable, "busy", "the hall is busy: try again in a moment"}
	default:
		return Problem{http.StatusInternalServerError, "fault", "the hall could not do that; the fault is in its log"}
	}
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// problem turns an error of an operation into what its client is told.
func (h *Hall) problem(ctx context.Context, err error) error {
	var told huma.StatusError
	if errors.As(err, &told) {
		return told
	}
	p := classify(err)
	if p.Status == http.StatusInternalServerError {
		h.cfg.Log.ErrorContext(ctx, "request failed", "request", requestID(ctx), "error", oneLine(err))
	}
	m := &problemModel{huma.ErrorModel{
		Type: problemType(p.Code), Title: http.StatusText(p.Status), Status: p.Status, Detail: p.Text,
		Instance: instance(ctx),
	}, faultsOf(err)}
	var wait *auth.Wait
	head := http.Header{}
	switch {
	case errors.As(err, &wait):
		head.Set("Retry-After", strconv.Itoa(int(wait.For.Seconds())+1))
	case p.Status == http.StatusServiceUnavailable:
		head.Set("Retry-After", retryAfter)
	default:
		return m
	}
	return huma.ErrorWithHeaders(m, head)
}

func instance(ctx context.Context) string {
	if id := requestID(ctx); id != "" {
		return "urn:kibitz:request:" + id
	}
	return ""
}

// refuse answers with a problem outside of an operation.
func (h *Hall) refuse(w http.ResponseWriter, r *http.Request, status int, code, text string) {
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	if h.wantsPage(r) {
		h.errorPage(w, r, status, code, text)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	m := huma.ErrorModel{
		Type: problemType(code), Title: http.StatusText(status), Status: status, Detail: text,
		Instance: instance(r.Context()),
	}
	// A client that has gone needs no answer.
	_ = json.NewEncoder(w).Encode(&m)
}

// refuseError answers with the problem of an error outside of an operation.
func (h *Hall) refuseError(w http.ResponseWriter, r *http.Request, err error) {
	p := classify(err)
	if p.Status == http.StatusInternalServerError {
		h.cfg.Log.ErrorContext(r.Context(), "request failed", "request", requestID(r.Context()), "error", oneLine(err))
	}
	h.refuse(w, r, p.Status, p.Code, p.Text)
}

// refusal gives the refusals of rooms and tournaments their statuses.
func refusal(err error) error {
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
	return &Problem{status, code, oneLine(err)}
}
