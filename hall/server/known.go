package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"kibitz/hall/auth"
)

// knownEvery is how often a stream asks whether its caller's session or token is still
// good.
const knownEvery = time.Minute

// errUnknown ends the streams of a caller who is nobody any more.
var errUnknown = errors.New("the session or the token has ended")

// stillKey is the place of a function that tells whether the caller of a request is
// still who he was.
type stillKey struct{}

// withStill keeps for streams how to ask for the caller again.
func (h *Hall) withStill(r *http.Request, was auth.Caller) *http.Request {
	head := r.Header.Get("Authorization")
	still := func(ctx context.Context) bool {
		c, known, err := h.auth.Again(ctx, head)
		if err != nil && !errors.Is(err, auth.ErrLogin) {
			return true // a database that does not answer ends nothing
		}
		return known && err == nil && c.ID == was.ID && auth.Granted(c) == auth.Granted(was)
	}
	return r.WithContext(context.WithValue(r.Context(), stillKey{}, still))
}

// whileKnown returns a context that ends with errUnknown when the session or the token of
// a request is good no more, or its account may do other things than before. Whoever is
// nobody is looked at by nobody.
func (h *Hall) whileKnown(r *http.Request) (ctx context.Context, stop func()) {
	still, ok := r.Context().Value(stillKey{}).(func(context.Context) bool)
	if !ok {
		return r.Context(), func() {}
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	var mu sync.Mutex
	var timer *time.Timer
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(h.knownEvery, func() {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ctx.Err() != nil:
		case !still(ctx) && ctx.Err() == nil:
			cancel(errUnknown)
		default:
			timer.Reset(h.knownEvery)
		}
	})
	return ctx, func() {
		cancel(nil)
		timer.Stop()
	}
}
