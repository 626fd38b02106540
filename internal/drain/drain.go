// Package drain ends what goes on when a channel is closed: the first interrupt closes that of a
// command.
package drain

import "context"

// Do calls f once ch is closed; stop ends the waiting.
func Do(ch <-chan struct{}, f func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-ch:
			f()
		case <-ctx.Done():
		}
	}()
	return cancel
}

// Context returns a context that ends once ch is closed, or with ctx.
func Context(ctx context.Context, ch <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := Do(ch, cancel)
	return ctx, func() { stop(); cancel() }
}
