package bus

import (
	"testing"
	"time"
)

// TestWay tells how much longer beats are under way than usual, whatever the clocks at both
// ends say.
func TestWay(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := &way{began: start, heard: start}
	const apart = 7 * time.Hour // what lies between the zeros of the clocks
	late := func(at, took, stood time.Duration) time.Duration {
		return w.late(start.Add(at+took), at+apart-stood)
	}
	for n, c := range []struct{ at, took, stood, want time.Duration }{
		{0, 40 * time.Millisecond, 0, 0},
		{time.Second, 10 * time.Millisecond, 0, 0},
		{2 * time.Second, 60 * time.Millisecond, 0, 0},
		{3 * time.Second, 3 * time.Second, 0, 3 * time.Second}, // the way is slow
		{4 * time.Second, 10 * time.Second, 0, 10 * time.Second},
		{20 * time.Second, 10 * time.Millisecond, 0, 0},
		{30 * time.Second, 10 * time.Millisecond, 10 * time.Second, 10 * time.Second}, // the hall's clock stood
		{300 * time.Second, 10 * time.Millisecond, 10 * time.Second, 0},
	} {
		if got := late(c.at, c.took, c.stood); got < c.want-time.Second || got > c.want+100*time.Millisecond {
			t.Errorf("%d: %s late, want %s", n, got, c.want)
		}
	}
}
