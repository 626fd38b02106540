package site

import (
	"testing"
	"time"
)

// A clock says hours as the one of the page with scripts does.
func TestPlainTime(t *testing.T) {
	for left, want := range map[time.Duration]string{
		-time.Second: "0:00", 100 * time.Millisecond: "0:01", 59*time.Minute + 59*time.Second: "59:59", time.Hour: "1:00:00",
		2*time.Hour - time.Second: "1:59:59", 30 * time.Hour: "30:00:00",
	} {
		if got := plainTime(left); got != want {
			t.Errorf("%v is %s, want %s", left, got, want)
		}
	}
}
