package router

import (
	"context"
	"encoding/json"
	"net/http"

	"kibitz/hall/problem"
)

// Instance names a request in its problem.
func Instance(ctx context.Context) string {
	if id := RequestID(ctx); id != "" {
		return "urn:kibitz:request:" + id
	}
	return ""
}

// SendProblem answers with a problem.
func (rt *Router) SendProblem(w http.ResponseWriter, r *http.Request, status int, code, text string) {
	rt.send(w, r, problem.New(status, code, text))
}

func (rt *Router) send(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	if p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", problem.RetryAfter)
	}
	if rt.errorFor != nil && rt.errorFor(w, r, p) {
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	m := problem.Details{
		Type: problem.Type(p.Code), Title: http.StatusText(p.Status), Status: p.Status, Detail: p.Text,
		Instance: Instance(r.Context()),
	}
	// A client that has gone needs no answer.
	_ = json.NewEncoder(w).Encode(&m)
}

// SendError answers with the problem of an error.
func (rt *Router) SendError(w http.ResponseWriter, r *http.Request, err error) {
	p := problem.Of(err)
	if after := problem.Retry(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	if p.Status == http.StatusInternalServerError {
		rt.cfg.Log.ErrorContext(r.Context(), "request failed", "request", RequestID(r.Context()), "error", problem.OneLine(err))
	}
	rt.send(w, r, &p)
}
