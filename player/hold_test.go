package player

import (
	"testing"
	"time"
)

// TestLost adds up times that do not count, each moment once: what the hall had an answer for is
// often time in which it could certainly take none.
func TestLost(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	type lose = [2]int
	for name, c := range map[string]struct {
		lose []lose
		now  int
		want int
	}{
		"nothing":             {nil, 100, 0},
		"before the question": {[]lose{{-20, -10}}, 100, 0},
		"from before it":      {[]lose{{-20, 5}}, 100, 5},
		"apart":               {[]lose{{1, 5}, {10, 15}}, 100, 9},
		"overlapping":         {[]lose{{1, 5}, {3, 15}}, 100, 14},
		"within":              {[]lose{{1, 15}, {3, 5}}, 100, 14},
		"around several":      {[]lose{{2, 3}, {5, 6}, {1, 15}}, 100, 14},
		"the same":            {[]lose{{1, 15}, {1, 15}}, 100, 14},
	} {
		var h Hold
		h.Ask(at(0))
		for _, l := range c.lose {
			h.Lose(at(l[0]), at(l[1]))
		}
		if got := h.Lost(at(c.now)); got != time.Duration(c.want)*time.Second {
			t.Errorf("%s: %s is lost, want %d s", name, got, c.want)
		}
		if got := h.Until(at(200)); !got.Equal(at(200 + c.want)) {
			t.Errorf("%s: the deadline is %s", name, got.Sub(start))
		}
		h.Set(at(10), true)
		h.Lose(at(12), at(20))
		if got := h.Lost(at(20)) - h.Lost(at(10)); got != 10*time.Second {
			t.Errorf("%s: %s is lost while nothing can come, want 10 s", name, got)
		}
	}
}
