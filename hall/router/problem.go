package router

import (
	"context"
	"encoding/json"
	"net/http"

	"kibitz/hall/problem"
)

// Told is the problem of an error of a request, as its client is told of it.
func Told(ctx context.Context, err error) *problem.Details {
	instance := ""
	if id := RequestID(ctx); id != "" {
		instance = "urn:kibitz:request:" + id
	}
	return problem.Told(err, instance, Show(ctx, err))
}

// Show is what is wrong in the language of whoever asks, nothing to programs.
func Show(ctx context.Context, err error) problem.Shown {
	if i := infoOf(ctx); i != nil && i.show != nil {
		return i.show(err)
	}
	return problem.Shown{}
}

// SendProblem answers with a problem.
func (rt *Router) SendProblem(w http.ResponseWriter, r *http.Request, status int, code, text string) {
	rt.send(w, r, problem.New(status, code, text))
}

// SendError answers with the problem of an error.
func (rt *Router) SendError(w http.ResponseWriter, r *http.Request, err error) {
	if problem.Of(err).Status == http.StatusInternalServerError {
		rt.cfg.Log.ErrorContext(r.Context(), "request failed", "request", RequestID(r.Context()), "error", problem.OneLine(err))
	}
	rt.send(w, r, err)
}

func (rt *Router) send(w http.ResponseWriter, r *http.Request, err error) {
	if after := problem.Retry(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	p := problem.Of(err)
	if rt.errorFor != nil && rt.errorFor(w, r, err) {
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	// A client that has gone needs no answer.
	_ = json.NewEncoder(w).Encode(Told(r.Context(), err))
}
