package auth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"kibitz/hall/store"
)

// Keys of what a session holds.
const (
	sessionUser  = "user"
	sessionStamp = "stamp"
)

// How long a session lasts from login. It is not prolonged.
const sessionLife = 30 * 24 * time.Hour

// newManager returns the manager of sessions over a store, which finds, ends and sends them. The cookie is HttpOnly and
// SameSite=Lax; with secure it goes over TLS alone, and its name says so to browsers.
func newManager(st store.Store, now func() time.Time, secure bool) *scs.SessionManager {
	m := scs.New()
	m.Store = sessions{st, now}
	m.Codec = codec{}
	m.Lifetime = sessionLife
	m.Cookie.Name = "kibitz"
	if secure {
		m.Cookie.Name = "__Host-kibitz"
	}
	m.Cookie.Secure = secure
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Path = "/"
	return m
}

// content is a session as it is stored.
type content struct {
	Deadline time.Time `json:"deadline"`
	User     int64     `json:"user,omitempty"`
	// Stamp is of the password with which the session was opened.
	Stamp string `json:"stamp,omitempty"`
}

// codec turns the values of a session into JSON.
type codec struct{}

func (codec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	c := content{Deadline: deadline}
	c.User, _ = values[sessionUser].(int64)
	c.Stamp, _ = values[sessionStamp].(string)
	return json.Marshal(c)
}

func (codec) Decode(b []byte) (time.Time, map[string]any, error) {
	var c content
	if err := json.Unmarshal(b, &c); err != nil {
		return time.Time{}, nil, fmt.Errorf("stored session: %w", err)
	}
	values := map[string]any{}
	if c.User != 0 {
		values[sessionUser], values[sessionStamp] = c.User, c.Stamp
	}
	return c.Deadline, values, nil
}

// sessions keeps sessions in a store, under hashes of their tokens.
type sessions struct {
	store store.Store
	now   func() time.Time
}

func hashSession(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

func (s sessions) DeleteCtx(ctx context.Context, token string) error {
	return s.store.Update(ctx, func(tx store.Tx) error {
		err := tx.RemoveSession(hashSession(token))
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
}

func (s sessions) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	out, err := store.Read(ctx, s.store, func(tx store.Tx) ([]byte, error) { return tx.Session(hashSession(token), s.now()) })
	if errors.Is(err, store.ErrNotFound) {
		return nil, false, nil
	}
	return out, err == nil, err
}

// CommitCtx has nothing to keep: enter writes a session, and requests change none.
func (s sessions) CommitCtx(context.Context, string, []byte, time.Time) error {
	return errors.ErrUnsupported
}

// The methods without a context satisfy scs.Store; scs calls those above.
func (s sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

func (s sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

func (s sessions) Commit(token string, b []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, b, expiry)
}

type writerKey struct{}

// enter has fn change an account, and opens a session for it, in one transaction: there is neither without
// the other. The session has a new token, whatever the request came with: whoever knew the old one knows
// nothing. fn may be called again.
func (s *Service) enter(ctx context.Context, fn func(tx store.Tx) (store.User, error)) (Caller, error) {
	token, err := newSecret(s.Random, "")
	if err != nil {
		return Caller{}, err
	}
	var u store.User
	expires := s.now().Add(sessionLife)
	err = s.Store.Update(ctx, func(tx store.Tx) (err error) {
		if u, err = fn(tx); err != nil {
			return err
		}
		if err := tx.RemoveSession(hashSession(s.sessions.Token(ctx))); err != nil {
			return err
		}
		data, err := codec{}.Encode(expires, map[string]any{sessionUser: u.ID, sessionStamp: stamp(u)})
		if err != nil {
			return err
		}
		return tx.SetSession(hashSession(token), u.ID, data, expires)
	})
	if err != nil {
		return Caller{}, err
	}
	if w, ok := ctx.Value(writerKey{}).(http.ResponseWriter); ok {
		s.sessions.WriteSessionCookie(ctx, w, token, expires)
	}
	return callerOf(u, false, s.Now()), nil
}
