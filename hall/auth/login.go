package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kibitz/hall/store"
)

// Login opens a session for an account. Wrong names and wrong passwords, locked and
// disabled accounts are answered alike, after the same work. From a place where the
// account has logged in lately its password counts while it is locked, too: else anybody
// could keep its owner out.
func (s *Service) Login(ctx context.Context, name, password string) (Caller, error) {
	from := Address(ctx)
	if d := s.addresses.Locked(from, s.Now()); d > 0 {
		return Caller{}, &Wait{For: d}
	}
	if len(password) > MaxPassword || len(name) > 4*MaxName {
		return Caller{}, ErrLogin
	}
	u, err := store.Get(ctx, s.Store, store.Tx.UserNamed, name)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Caller{}, err
	}
	known := err == nil
	hash, _ := unmark(u.Password, s.Now())
	ok, old, err := s.hasher.Check(ctx, hash, password)
	if err != nil {
		return Caller{}, err
	}
	good := ok && known && !u.Disabled && u.Kind == store.Person
	if good && s.Now().Before(u.LockedUntil) {
		if good, err = s.knownPlace(ctx, &u, from); err != nil {
			return Caller{}, err
		}
	}
	if !good {
		s.addresses.Fail(from, s.Now())
		return Caller{}, s.failed(ctx, u.ID, name, from)
	}
	fresh := ""
	if old && !strings.HasPrefix(u.Password, onceMark) {
		if fresh, err = s.hasher.Hash(ctx, password); err != nil {
			return Caller{}, err
		}
	}
	return s.enter(ctx, func(tx store.Tx) (store.User, error) { return s.entered(tx, u, fresh, from) })
}

// failed counts a failure, and answers.
func (s *Service) failed(ctx context.Context, id int64, name, from string) error {
	err := s.Store.Update(ctx, func(tx store.Tx) error {
		detail := ""
		if id != 0 {
			u, err := tx.User(id)
			if err != nil {
				return err
			}
			// A failure while nothing counts does not prolong the wait: else anybody
			// could keep somebody out for ever.
			if now := s.now(); !now.Before(u.LockedUntil) {
				u.Failed++
				if d := lockTime(u.Failed, lockAfter); d > 0 {
					u.LockedUntil = now.Add(d)
					detail = fmt.Sprintf("locked for %s after %d failures", d, u.Failed)
				}
				if err := tx.SetUser(&u); err != nil {
					return err
				}
			}
		}
		return s.note(tx, 0, from, "login-failed", clip(name), detail)
	})
	if err != nil {
		return err
	}
	return ErrLogin
}

// clip makes a name that somebody typed fit for the audit log: people type passwords
// where names belong, so what is no name is not kept.
func clip(name string) string {
	if CheckName(name) != nil && name != "admin" {
		return "(not a name)"
	}
	return name
}

// entered writes down a login; fresh replaces the hash if it is not empty.
func (s *Service) entered(tx store.Tx, was store.User, fresh, from string) (store.User, error) {
	u, err := tx.User(was.ID)
	if err != nil {
		return u, err
	}
	if u.Password != was.Password || u.Disabled {
		return u, ErrLogin // changed since it was checked
	}
	if fresh != "" {
		u.Password = fresh
	}
	u.Seen = s.now()
	if !u.Seen.Before(u.LockedUntil) { // else it stays locked for those who guess elsewhere
		u.Failed, u.LockedUntil = 0, noTime
	}
	if err := tx.SetUser(&u); err != nil {
		return u, err
	}
	return u, s.note(tx, u.ID, from, "login", u.Name, "")
}

// Logout ends the session of the request.
func (s *Service) Logout(ctx context.Context) error {
	if c, ok := FromContext(ctx); ok {
		if c.Token {
			return fmt.Errorf("a token has no session: revoke it instead: %w", ErrForbidden)
		}
		err := s.Store.Update(ctx, func(tx store.Tx) error { return s.Note(ctx, tx, "logout", c.Name, "") })
		if err != nil {
			return err
		}
	}
	return s.sessions.Destroy(ctx)
}

// EndOthers ends all sessions of the caller but the one of the request.
func (s *Service) EndOthers(ctx context.Context) error {
	c, ok := FromContext(ctx)
	if !ok {
		return ErrForbidden
	}
	return s.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.RemoveSessionsOf(c.ID, hashSession(s.sessions.Token(ctx))); err != nil {
			return err
		}
		return s.Note(ctx, tx, "sessions-ended", c.Name, "all others")
	})
}
