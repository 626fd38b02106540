package drain

import (
	"context"
	"testing"
	"testing/synctest"
)

func TestContext(t *testing.T) {
	for name, end := range map[string]func(drain chan struct{}, cancel func()){
		"drained":   func(drain chan struct{}, _ func()) { close(drain) },
		"cancelled": func(_ chan struct{}, cancel func()) { cancel() },
	} {
		synctest.Test(t, func(t *testing.T) {
			above, cancel := context.WithCancel(t.Context())
			defer cancel()
			drain := make(chan struct{})
			ctx, stop := Context(above, drain)
			defer stop()
			synctest.Wait()
			if ctx.Err() != nil {
				t.Errorf("%s: it has ended before", name)
			}
			end(drain, cancel)
			synctest.Wait()
			if ctx.Err() == nil {
				t.Errorf("%s: it goes on", name)
			}
		})
	}
}

// What is stopped before the channel is closed is not done, and no goroutine stays behind, which
// synctest would tell.
func TestDo(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ch, done := make(chan struct{}), false
			stop := Do(ch, func() { done = true })
			if stopped {
				stop()
				synctest.Wait()
			}
			close(ch)
			synctest.Wait()
			if done == stopped {
				t.Errorf("stopped %v, done %v", stopped, done)
			}
			stop()
		})
	}
}
