package paced

import (
	"testing"
	"testing/synctest"
	"time"
)

// Beats are regular whatever is done between them, and one that was missed is not made
// up for.
func TestBeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		b := &Beat{Every: time.Second, Next: begun, Now: time.Now}
		for _, c := range []struct{ busy, at time.Duration }{
			{0, time.Second},
			{900 * time.Millisecond, 2 * time.Second},
			{0, 3 * time.Second},
			{2500 * time.Millisecond, 5500 * time.Millisecond},
			{0, 6500 * time.Millisecond},
		} {
			time.Sleep(c.busy)
			b.Wait(t.Context())
			if got := time.Since(begun); got != c.at {
				t.Errorf("a beat after %s, want %s", got, c.at)
			}
		}
	})
}
