package record_test

import (
	"math"
	"testing"
	"time"

	"kibitz/record"
)

// Whoever calls himself otherwise than his seat is called has both names.
func TestFullNames(t *testing.T) {
	for _, tt := range []struct{ names, engines, want [2]string }{
		{[2]string{"A", "B"}, [2]string{}, [2]string{"A", "B"}},
		{[2]string{"A", "B"}, [2]string{"Own 1", "B"}, [2]string{"A (Own 1)", "B"}},
		{[2]string{"", "B"}, [2]string{"Own 1", ""}, [2]string{"first (Own 1)", "B"}},
	} {
		if got := (&record.Game{Names: tt.names, Engines: tt.engines}).FullNames(); got != tt.want {
			t.Errorf("%q as %q: %q, want %q", tt.engines, tt.names, got, tt.want)
		}
	}
}

func TestMillis(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		want time.Duration
	}{
		{0, 0},
		{1500, 1500 * time.Millisecond},
		{-1, 0},
		{math.MinInt64, 0},
		{30888888888888, 100_000 * time.Hour},
		{math.MaxInt64, 100_000 * time.Hour},
	} {
		if got := record.Millis(tt.n); got != tt.want {
			t.Errorf("Millis(%d) = %s, want %s", tt.n, got, tt.want)
		}
	}
}
