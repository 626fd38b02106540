package router

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"kibitz/hall/auth"
)

// metrics are what /metrics shows, in a registry of the hall's own.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	active   prometheus.Gauge
	panics   prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kibitz_http_request_seconds", Help: "How long requests took, streams included.",
			Buckets: []float64{.001, .005, .02, .1, .5, 2, 10, 60},
		}, []string{"route", "status"}),
		active: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "kibitz_http_requests_active",
			Help: "Requests being answered, streams included.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "kibitz_http_panics_total",
			Help: "Requests that ended in a fault of the program.",
		}),
	}
	m.registry.MustRegister(m.requests, m.active, m.panics, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) seen(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status/100)+"xx").Observe(took.Seconds())
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
	show := promhttp.HandlerFor(rt.metrics.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _ := auth.FromContext(r.Context())
		token, _ := r.Context().Value(metricsKey{}).(bool)
		if !token && !c.Can(auth.Inspect) && !local(r) {
			rt.SendProblem(w, r, http.StatusForbidden, "forbidden", "metrics are for admins, for this machine, and for whoever has the token")
			return
		}
		show.ServeHTTP(w, r)
	})
}
