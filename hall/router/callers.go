package router

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

// ErrUnknown ends the streams of a caller who is nobody any more.
var ErrUnknown = errors.New("the session or the token has ended")

// callers ask again whether those are still known for whom streams go on.
type callers struct {
	auth  *auth.Service
	every time.Duration
}

// stillKey is the place of a function that tells whether the caller of a request is
// still who he was.
type stillKey struct{}

// keep keeps for streams how to ask for the caller again.
func (k *callers) keep(r *http.Request, was auth.Caller) *http.Request {
	head := r.Header.Get("Authorization")
	still := func(ctx context.Context) bool {
		c, known, err := k.auth.Again(ctx, head)
		if err != nil && !errors.Is(err, auth.ErrLogin) {
			return true // a database that does not answer ends nothing
		}
		return known && err == nil && c.ID == was.ID && auth.Granted(c) == auth.Granted(was)
	}
	return r.WithContext(context.WithValue(r.Context(), stillKey{}, still))
}

// while returns a context that ends with ErrUnknown when the session or the token of
// a request is good no more, or its account may do other things than before. Whoever is
// nobody is looked at by nobody.
func (k *callers) while(r *http.Request) (ctx context.Context, stop func()) {
	still, ok := r.Context().Value(stillKey{}).(func(context.Context) bool)
	if !ok {
		return r.Context(), func() {}
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	var mu sync.Mutex
	var timer *time.Timer
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(k.every, func() {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ctx.Err() != nil:
		case !still(ctx) && ctx.Err() == nil:
			cancel(ErrUnknown)
		default:
			timer.Reset(k.every)
		}
	})
	return ctx, func() {
		cancel(nil)
		timer.Stop()
	}
}
