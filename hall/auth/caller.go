// Package auth knows who is calling: accounts, passwords, sessions, tokens.
//
// A Caller is found once per request, from the cookie of a session or from a bearer
// token, and travels in the request's context. What it may do stands in one table
// (Granted). Whoever is not known has no Caller.
package auth

import (
	"context"
	"time"

	"kibitz/hall/store"
)

// Caller is the account that a request comes from.
type Caller struct {
	ID   int64
	Name string
	Kind store.UserKind
	Role store.Role
	// Token tells that it came with a bearer token, not with a session.
	Token bool
	// Until is when the token ends, zero if it does not: nothing that is made with it
	// lasts longer.
	Until time.Time
	// Owner is the account that a bot belongs to, 0 for none.
	Owner int64
	// MustChange tells that the password is one that an admin set: nothing may be
	// done before it is changed.
	MustChange bool
}

// Can reports whether the caller may do all of what.
func (c Caller) Can(what Permission) bool { return Granted(c)&what == what }

type callerKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// FromContext returns the caller, and false if nobody is known.
func FromContext(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	return c, ok
}
