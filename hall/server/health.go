package server

import (
	"net/http"
	"strings"
	"time"

	"kibitz/hall/auth"
)

func (h *Hall) registerHealth() {
	h.handle(Route{Method: "GET", Path: "/healthz", ID: "healthz", Summary: "the process lives", Need: auth.Look},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			plain(w, http.StatusOK, "ok")
		}))
	h.handle(Route{
		Method: "GET", Path: "/readyz", ID: "readyz", Summary: "database and queue take writes", Need: auth.Look,
		Time: 5 * time.Second,
	}, http.HandlerFunc(h.ready))
	// Who may is more than a role: see serveMetrics.
	h.handle(Route{Method: "GET", Path: "/metrics", ID: "metrics", Summary: "figures for Prometheus", Need: auth.Look}, h.serveMetrics())
}

// ready says what is away and what to do about it, a line for each.
func (h *Hall) ready(w http.ResponseWriter, r *http.Request) {
	away := h.cfg.Health.Ready(r.Context())
	if len(away) == 0 {
		plain(w, http.StatusOK, "ok")
		return
	}
	var lines []string
	for _, a := range away {
		lines = append(lines, a.Text())
	}
	w.Header().Set("Retry-After", retryAfter)
	plain(w, http.StatusServiceUnavailable, strings.Join(lines, "\n"))
}

// plain answers with a line of text.
func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(line + "\n")) // a client that has gone needs no answer
}
