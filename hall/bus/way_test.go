package bus

import (
	"testing"
	"time"
)

// TestLongest is what has waited longest at any hall, but for one that is not heard any more.
func TestLongest(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ways := map[string]*way{
		"idle": {heard: now}, "slow": {heard: now.Add(-time.Second), waits: 4 * time.Second},
		"quick": {heard: now, waits: time.Second}, "gone": {heard: now.Add(-waitsKept), waits: time.Minute},
	}
	if got := longest(ways, now); got != 5*time.Second {
		t.Errorf("%s, want 5s", got)
	}
	delete(ways, "slow")
	if got := longest(ways, now); got != time.Second {
		t.Errorf("%s, want 1s", got)
	}
}

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
