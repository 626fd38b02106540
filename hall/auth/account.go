package auth

import (
	"context"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kibitz/hall/store"
)

// noTime is what a store keeps as none.
var noTime time.Time

// Register makes an account and opens a session for it. invitation is used up where
// registration wants one.
func (s *Service) Register(ctx context.Context, name, password, invitation string) (Caller, error) {
	if s.Registration == Closed {
		return Caller{}, errClosed()
	}
	hash, err := s.newPassword(ctx, name, password)
	if err != nil {
		return Caller{}, err
	}
	return s.enter(ctx, func(tx store.Tx) (store.User, error) {
		u := store.User{Name: name, Kind: store.Person, Role: store.PlayerRole, Password: hash, Created: s.now(), Seen: s.now()}
		if s.Registration == Invited {
			if err := useInvitation(tx, invitation, s.now()); err != nil {
				return u, err
			}
		}
		if err := unlike(tx, name, 0); err != nil {
			return u, err
		}
		if err := tx.AddUser(&u); err != nil {
			return u, taken(name, err)
		}
		if err := claim(tx, &u); err != nil {
			return u, err
		}
		return u, s.note(tx, u.ID, Address(ctx), "account-created", u.Name, "")
	})
}

// newPassword checks a name with its password and returns the hash.
func (s *Service) newPassword(ctx context.Context, name, password string) (string, error) {
	if err := CheckName(name); err != nil {
		return "", fmt.Errorf("%w: %w", ErrInput, err)
	}
	if err := CheckPassword(password, name); err != nil {
		return "", fmt.Errorf("%w: %w", ErrInput, err)
	}
	return s.hasher.Hash(ctx, password)
}

func taken(name string, err error) error {
	if errors.Is(err, store.ErrTaken) {
		return fmt.Errorf("name %q: it is %w already", name, store.ErrTaken)
	}
	return err
}

// errClosed is why nobody registers.
func errClosed() error {
	return fmt.Errorf("%w: %w", faulty("", "registration", "registration is closed here: ask an admin for an account"), ErrForbidden)
}

func useInvitation(tx store.Accounts, invitation string, now time.Time) error {
	refused := fmt.Errorf("%w: %w", faulty("invitation", "invitation", "invitation: it is not known, was used, or has ended"), ErrForbidden)
	if !strings.HasPrefix(invitation, invitePrefix) {
		return refused
	}
	t, err := tx.TokenHashed(HashToken(invitation))
	if errors.Is(err, store.ErrNotFound) {
		return refused
	}
	if err != nil {
		return err
	}
	if t.Name != inviteName || !now.Before(t.Expires) {
		return refused
	}
	return tx.RemoveToken(t.ID)
}

// Invite returns an invitation, good for one account within a week.
func (s *Service) Invite(ctx context.Context) (string, time.Time, error) {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Administer) {
		return "", noTime, ErrForbidden
	}
	code, err := newSecret(s.Random, invitePrefix)
	if err != nil {
		return "", noTime, err
	}
	t := store.Token{User: c.ID, Name: inviteName, Hash: HashToken(code), Created: s.now(), Expires: s.now().Add(7 * 24 * time.Hour)}
	err = s.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.AddToken(&t); err != nil {
			return err
		}
		return s.Note(ctx, tx, "invited", "", "")
	})
	return code, t.Expires, err
}

// noGuests is what is said to who is nobody where nobody may come as a guest.
const noGuests = "this hall takes no guests: log in, or send a token"

// ErrNoGuests is an ErrLogin of who is nobody and would have become a guest elsewhere.
var ErrNoGuests error = loginError(noGuests)

// BecomeGuest makes a guest and opens a session for it.
func (s *Service) BecomeGuest(ctx context.Context) (Caller, error) {
	if s.NoGuests {
		return Caller{}, fmt.Errorf("%s: %w", noGuests, ErrForbidden)
	}
	if c, ok := FromContext(ctx); ok {
		return c, nil
	}
	b := make([]byte, 5)
	if _, err := io.ReadFull(s.Random, b); err != nil {
		return Caller{}, err
	}
	name := "guest-" + strings.ToLower(base32.StdEncoding.EncodeToString(b))
	return s.enter(ctx, func(tx store.Tx) (store.User, error) {
		u := store.User{Name: name, Kind: store.Guest, Role: store.PlayerRole, Created: s.now(), Seen: s.now()}
		err := tx.AddUser(&u)
		return u, err
	})
}

// Rename gives the guest that calls a name of its own choice. Games that have begun keep the one they began with.
func (s *Service) Rename(ctx context.Context, name string) (Caller, error) {
	c, ok := FromContext(ctx)
	if !ok || c.Kind != store.Guest || c.Token {
		return Caller{}, fmt.Errorf("%w: %w", faulty("", "guestname", "only a guest takes another name"), ErrForbidden)
	}
	if err := CheckName(name); err != nil {
		return Caller{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	var u store.User
	err := s.Store.Update(ctx, func(tx store.Tx) (err error) {
		u, _, err = rename(tx, c.ID, name, func(*store.User) {})
		return err
	})
	return callerOf(u, false, s.Now()), err
}

// rename gives the account of a guest another name, and changes what set does besides.
func rename(tx store.Accounts, id int64, name string, set func(*store.User)) (u store.User, was string, err error) {
	if u, err = tx.User(id); err != nil {
		return u, "", err
	}
	if u.Kind != store.Guest {
		return u, "", fmt.Errorf("%w: %w", faulty("", "guestname", "only a guest takes another name"), ErrForbidden)
	}
	if err := unlike(tx, name, u.ID); err != nil {
		return u, "", err
	}
	was, u.Name = u.Name, name
	set(&u)
	if err := tx.SetUser(&u); err != nil {
		return u, was, taken(name, err)
	}
	return u, was, claim(tx, &u)
}

// Claim makes the guest that calls an account, which keeps its ID and its games.
func (s *Service) Claim(ctx context.Context, name, password, invitation string) (Caller, error) {
	c, ok := FromContext(ctx)
	if !ok || c.Kind != store.Guest || c.Token {
		return Caller{}, fmt.Errorf("only a guest becomes an account: %w", ErrForbidden)
	}
	if s.Registration == Closed {
		return Caller{}, errClosed()
	}
	hash, err := s.newPassword(ctx, name, password)
	if err != nil {
		return Caller{}, err
	}
	return s.enter(ctx, func(tx store.Tx) (u store.User, err error) {
		if s.Registration == Invited {
			if err := useInvitation(tx, invitation, s.now()); err != nil {
				return u, err
			}
		}
		var was string
		u, was, err = rename(tx, c.ID, name, func(u *store.User) { u.Kind, u.Password, u.Seen = store.Person, hash, s.now() })
		if err != nil {
			return u, err
		}
		if err := tx.RemoveSessionsOf(u.ID, nil); err != nil {
			return u, err
		}
		return u, s.Note(ctx, tx, "account-created", u.Name, "was "+was)
	})
}

// ChangePassword wants the old password, ends all other sessions of the account, and
// gives its own a new token.
func (s *Service) ChangePassword(ctx context.Context, old, fresh string) error {
	c, ok := FromContext(ctx)
	if !ok || c.Token || c.Kind != store.Person {
		return ErrForbidden
	}
	if d := s.addresses.Locked(Address(ctx), s.Now()); d > 0 {
		return &Wait{For: d}
	}
	if err := CheckPassword(fresh, c.Name); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if old == fresh {
		return fmt.Errorf("%w: %w", ErrInput, faulty("password", PasswordSame, "password: want another one than before"))
	}
	u, err := s.verify(ctx, c.ID, old)
	if err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, fresh)
	if err != nil {
		return err
	}
	_, err = s.enter(ctx, func(tx store.Tx) (store.User, error) { return s.setPassword(ctx, tx, u, hash) })
	return err
}

// verify checks the password of an account that is logged in.
func (s *Service) verify(ctx context.Context, id int64, password string) (store.User, error) {
	u, err := store.Get(ctx, s.Store, store.Tx.User, id)
	if err != nil {
		return u, err
	}
	hash, _ := unmark(u.Password, s.Now())
	ok, _, err := s.hasher.Check(ctx, hash, password)
	if err != nil {
		return u, err
	}
	if !ok { // a lock is for those who have no session
		s.addresses.Fail(Address(ctx), s.Now())
		return u, s.failed(ctx, u.ID, u.Name, Address(ctx))
	}
	return u, nil
}

func (s *Service) setPassword(ctx context.Context, tx store.Tx, was store.User, hash string) (store.User, error) {
	u, err := tx.User(was.ID)
	if err != nil {
		return u, err
	}
	if u.Password != was.Password {
		return u, fmt.Errorf("password: %w", store.ErrConflict)
	}
	u.Password, u.Failed, u.LockedUntil = hash, 0, noTime
	if err := tx.SetUser(&u); err != nil {
		return u, err
	}
	if err := tx.RemoveSessionsOf(u.ID, nil); err != nil {
		return u, err
	}
	return u, s.Note(ctx, tx, "password-changed", u.Name, "")
}

// onceLife is how long a one-time password is good.
const onceLife = 72 * time.Hour

// drawnPassword returns a password of 120 random bits, and its hash.
func drawnPassword(ctx context.Context, random io.Reader, h *Hasher) (password, hash string, err error) {
	b := make([]byte, 15)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", "", err
	}
	password = base64.RawURLEncoding.EncodeToString(b)
	hash, err = h.Hash(ctx, password)
	return password, hash, err
}

// ResetPassword gives an account a one-time password, which it returns; all sessions
// of the account end, and nothing may be done before it has been changed.
func (s *Service) ResetPassword(ctx context.Context, id int64) (string, error) {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Administer) {
		return "", ErrForbidden
	}
	password, hash, err := drawnPassword(ctx, s.Random, s.hasher)
	if err != nil {
		return "", err
	}
	err = s.Store.Update(ctx, func(tx store.Tx) error {
		u, err := tx.User(id)
		if err != nil {
			return err
		}
		if u.Kind != store.Person {
			return fmt.Errorf("%w: %s has no password: only people have", ErrInput, u.Name)
		}
		u.Password, u.Failed, u.LockedUntil = markOnce(hash, s.Now().Add(onceLife)), 0, noTime
		if err := tx.SetUser(&u); err != nil {
			return err
		}
		if err := tx.RemoveSessionsOf(u.ID, nil); err != nil {
			return err
		}
		return s.Note(ctx, tx, "password-reset", u.Name, "")
	})
	return password, err
}
