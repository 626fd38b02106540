package auth

import (
	"context"
	"fmt"

	"kibitz/hall/store"
)

// atMachine is the place that the audit log names for what is done at the hall's own
// machine, by whoever may write its database.
const atMachine = "the hall's machine"

// SetPasswordHere gives an account a password, a drawn one if it is empty, lets it count
// and ends all sessions of the account. It asks nobody who calls: it is for the hall's own
// machine.
func (s *Service) SetPasswordHere(ctx context.Context, name, password string) (set string, err error) {
	hash := ""
	if password == "" {
		password, hash, err = drawnPassword(ctx, s.Random, s.hasher)
	} else if err = CheckPassword(password, name); err == nil { // the name is there, also one that nobody could take
		hash, err = s.hasher.Hash(ctx, password)
	}
	if err != nil {
		return "", err
	}
	return password, s.here(ctx, name, "password-reset", func(tx store.Tx, u *store.User) error {
		if u.Kind != store.Person {
			return fmt.Errorf("%w: %s has no password: only people have", ErrInput, u.Name)
		}
		u.Password = hash
		return tx.RemoveSessionsOf(u.ID, nil)
	})
}

// UnlockHere lets the password of an account count again, at the hall's own machine.
func (s *Service) UnlockHere(ctx context.Context, name string) error {
	return s.here(ctx, name, "account-unlocked", func(store.Tx, *store.User) error { return nil })
}

// here changes an account, which is unlocked by that.
func (s *Service) here(ctx context.Context, name, action string, change func(store.Tx, *store.User) error) error {
	return s.Store.Update(ctx, func(tx store.Tx) error {
		u, err := tx.UserNamed(name)
		if err != nil {
			return err
		}
		if err := change(tx, &u); err != nil {
			return err
		}
		u.Failed, u.LockedUntil = 0, noTime
		if err := tx.SetUser(&u); err != nil {
			return err
		}
		return s.note(tx, 0, atMachine, action, u.Name, "")
	})
}

// knownFor is how long a place is known after a login from there, in days.
const knownFor = 90

// knownPlace reports whether an account has logged in from a place lately. Somebody else's
// failures do not keep its owner out there.
func (s *Service) knownPlace(ctx context.Context, u *store.User, from string) (known bool, err error) {
	if u.ID == 0 || from == "" {
		return false, nil
	}
	oldest := s.now().AddDate(0, 0, -knownFor)
	list, err := store.Get(ctx, s.Store, store.Tx.Audit, store.AuditQuery{Actor: u.ID, Action: "login", Limit: 200})
	for i := range list {
		known = known || list[i].From == from && list[i].At.After(oldest)
	}
	return known, err
}
