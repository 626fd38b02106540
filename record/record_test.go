package record_test

import (
	"math"
	"testing"
	"time"

	"kibitz/record"
)

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
