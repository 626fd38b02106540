package router

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"kibitz/hall/auth"
)

// counts are what /metrics shows, in a set of the hall's own: how long requests took, streams
// included, how many are being answered, and how many ended in a fault of the program.
type counts struct {
	set    *metrics.Set
	active *metrics.Gauge
	panics *metrics.Counter
}

func newCounts() *counts {
	s := metrics.NewSet()
	return &counts{set: s, active: s.NewGauge("kibitz_http_requests_active", nil), panics: s.NewCounter("kibitz_http_panics_total")}
}

func (m *counts) seen(route string, status int, took time.Duration) {
	name := fmt.Sprintf(`kibitz_http_request_seconds{route=%q,status="%dxx"}`, route, status/100)
	m.set.GetOrCreatePrometheusHistogramExt(name, []float64{.001, .005, .02, .1, .5, 2, 10, 60}).Update(took.Seconds())
}

type metricsKey struct{}

// metricsToken reports whether a request for metrics brings the token for them.
func (rt *Router) metricsToken(r *http.Request, authorization string) bool {
	want := rt.cfg.MetricsToken
	if want == "" || r.URL.Path != "/metrics" {
		return false
	}
	got, ok := strings.CutPrefix(authorization, "Bearer ")
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	return ok && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// local reports whether a request was made on this machine by somebody who meant this
// machine: not passed on by a proxy, and not by a browser that another site's name
// brought here.
func local(r *http.Request) bool {
	if !parseAddress(r.RemoteAddr).IsLoopback() {
		return false
	}
	for _, head := range []string{
		"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via", "Origin",
		"Referer",
	} {
		if r.Header.Get(head) != "" {
			return false
		}
	}
	host := r.Host
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && a.IsLoopback()
}

func (rt *Router) serveMetrics() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := auth.FromContext(r.Context())
		token, _ := r.Context().Value(metricsKey{}).(bool)
		if !token && !c.Can(auth.Inspect) && !local(r) {
			rt.SendProblem(w, r, http.StatusForbidden, "forbidden", "metrics are for admins, for this machine, and for whoever has the token")
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		rt.metrics.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
}
