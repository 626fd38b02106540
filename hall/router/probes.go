package router

import (
	"net/http"
	"strings"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
)

// RegisterProbes registers what those ask who run the hall: whether it lives, whether it can
// take work, and its figures.
func (rt *Router) RegisterProbes() {
	rt.Handle(Route{Method: "GET", Path: "/healthz", ID: "healthz", Summary: "the process lives", Need: auth.Look},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			plain(w, http.StatusOK, "ok")
		}))
	rt.Handle(Route{
		Method: "GET", Path: "/readyz", ID: "readyz", Summary: "database and queue take writes", Need: auth.Look,
		Time: 5 * time.Second,
	}, http.HandlerFunc(rt.ready))
	// Who may is more than a role: see serveMetrics.
	rt.Handle(Route{Method: "GET", Path: "/metrics", ID: "metrics", Summary: "figures for Prometheus", Need: auth.Look}, rt.serveMetrics())
}

// ready says what is away and what to do about it, a line for each.
func (rt *Router) ready(w http.ResponseWriter, r *http.Request) {
	away := rt.cfg.Health.Ready(r.Context())
	if len(away) == 0 {
		plain(w, http.StatusOK, "ok")
		return
	}
	var lines []string
	for _, a := range away {
		lines = append(lines, a.Text())
	}
	w.Header().Set("Retry-After", problem.RetryAfter)
	plain(w, http.StatusServiceUnavailable, strings.Join(lines, "\n"))
}

// plain answers with a line of text.
func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(line + "\n")) // a client that has gone needs no answer
}
