package auth

import (
	"context"
	"fmt"

	"kibitz/hall/store"
)

// SetAccount changes the role of an account and whether it is disabled; nil leaves
// as it is. A disabled account loses its sessions and tokens. There is always an
// admin: nobody takes the role from himself or disables himself, and of two who do it to each
// other one comes first.
func (s *Service) SetAccount(ctx context.Context, id int64, role *store.Role, disabled *bool) (store.User, error) {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Administer) {
		return store.User{}, ErrForbidden
	}
	if id == c.ID {
		return store.User{}, fmt.Errorf("%w: %w", faulty("", "ownrole", "one's own role and state are for another admin"), ErrForbidden)
	}
	var u store.User
	err := s.Store.Update(ctx, func(tx store.Tx) (err error) {
		me, err := alone(tx, c.ID)
		if err == nil && (me.Disabled || me.Role != store.AdminRole) {
			err = ErrForbidden
		}
		if err != nil {
			return err
		}
		if u, err = tx.User(id); err != nil {
			return err
		}
		if role != nil && *role != u.Role {
			if err := roleFits(*role, u.Kind); err != nil {
				return err
			}
			was := u.Role
			u.Role = *role
			if err := tx.SetUser(&u); err != nil {
				return err
			}
			if err := s.Note(ctx, tx, "role-changed", u.Name, fmt.Sprintf("from %s to %s", was, u.Role)); err != nil {
				return err
			}
		}
		if disabled != nil && *disabled != u.Disabled {
			if err := s.disable(ctx, tx, u, *disabled); err != nil {
				return err
			}
			u.Disabled = *disabled
		}
		return nil
	})
	return u, err
}

func roleFits(role store.Role, kind store.UserKind) error {
	switch role {
	case store.PlayerRole, store.ArbiterRole, store.AdminRole:
		if kind == store.Person || role == store.PlayerRole && kind == store.Guest {
			return nil
		}
	case store.BotRole:
		if kind == store.Bot {
			return nil
		}
	default:
		return fmt.Errorf("%w: %w", ErrInput, faulty("role", "", "role %q: want player, arbiter or admin", role))
	}
	return fmt.Errorf("%w: %w", ErrInput, faulty("role", "", "role %s is not for a %s", role, kind))
}

// Unlock lets the password of an account count again.
func (s *Service) Unlock(ctx context.Context, id int64) error {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Administer) {
		return ErrForbidden
	}
	return s.Store.Update(ctx, func(tx store.Tx) error {
		u, err := tx.User(id)
		if err != nil {
			return err
		}
		u.Failed, u.LockedUntil = 0, noTime
		if err := tx.SetUser(&u); err != nil {
			return err
		}
		return s.Note(ctx, tx, "account-unlocked", u.Name, "")
	})
}
