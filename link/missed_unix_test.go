//go:build unix

package link

import (
	"testing"
	"time"
)

// Who overslept an hour does not give a peer an hour: it cannot have missed more than
// was left of its time when the wait began.
func TestMissed(t *testing.T) {
	for _, tt := range []struct{ late, wait, want time.Duration }{
		{20 * time.Millisecond, 5 * time.Second, 20 * time.Millisecond},
		{5 * time.Second, 5 * time.Second, 5 * time.Second},
		{time.Hour, 5 * time.Second, 5 * time.Second},
		{time.Hour, 10 * time.Millisecond, 10 * time.Millisecond},
	} {
		if got := missed(tt.late, tt.wait); got != tt.want {
			t.Errorf("%v late after a wait of %v: %v, want %v", tt.late, tt.wait, got, tt.want)
		}
	}
}
