package server

import (
	"context"
	"net/http"
	"time"

	"kibitz/server/auth"
)

func (h *Hall) registerHealth() {
	h.handle(Route{Method: "GET", Path: "/healthz", ID: "healthz", Summary: "the process lives", Need: auth.Look}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		plain(w, http.StatusOK, "ok")
	}))
	h.handle(Route{Method: "GET", Path: "/readyz", ID: "readyz", Summary: "database and bus answer", Need: auth.Look, Time: 5 * time.Second}, http.HandlerFunc(h.ready))
	// Who may is more than a role: see serveMetrics.
	h.handle(Route{Method: "GET", Path: "/metrics", ID: "metrics", Summary: "figures for Prometheus", Need: auth.Look}, h.serveMetrics())
}

func (h *Hall) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	if err := h.cfg.Store.Check(ctx); err != nil {
		h.cfg.Log.WarnContext(ctx, "not ready", "part", "database", "error", oneLine(err))
		plain(w, http.StatusServiceUnavailable, "database does not answer")
		return
	}
	if h.cfg.Bus != nil {
		if err := h.cfg.Bus.Check(ctx); err != nil {
			h.cfg.Log.WarnContext(ctx, "not ready", "part", "bus", "error", oneLine(err))
			plain(w, http.StatusServiceUnavailable, "bus does not answer")
			return
		}
	}
	plain(w, http.StatusOK, "ok")
}

// plain answers with a line of text.
func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(line + "\n")) // a client that has gone needs no answer
}
