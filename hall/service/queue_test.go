package service

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/hall/bus"
)

// TestNATSNeverThere: a NATS elsewhere is waited for, which is said at every try, and
// given up after a minute.
func TestNATSNeverThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		a := &Around{Tell: func(text string) { said = append(said, text) }, Drain: make(chan struct{})}
		began := time.Now()
		_, err := a.openBus(context.Background(), bus.Options{URL: "nats://127.0.0.1:1", Timeout: time.Second, Now: time.Now})
		if err == nil || !strings.HasPrefix(err.Error(), "no NATS within 1m0s: ") {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took != natsTime || len(said) < 30 || len(said) > 31 { // at the end either may be first
			t.Errorf("%d lines in %s, the last %q", len(said), took, said[len(said)-1])
		}
	})
}
