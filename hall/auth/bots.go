package auth

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kibitz/hall/store"
)

// maxTokenLife bounds how long a token may be asked to last.
const maxTokenLife = 10 * 365 * 24 * time.Hour

// AddBots makes bots of the caller, all or none.
func (s *Service) AddBots(ctx context.Context, names []string) ([]store.User, error) {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Bots) {
		return nil, ErrForbidden
	}
	for _, name := range names {
		if err := CheckName(name); err != nil {
			return nil, fmt.Errorf("%w: bot: %w", ErrInput, err)
		}
	}
	var out []store.User
	err := s.Store.Update(ctx, func(tx store.Tx) error {
		out = nil
		if _, err := alone(tx, c.ID); err != nil {
			return err
		}
		have, err := botsOf(tx, c.ID)
		if err != nil {
			return err
		}
		if len(have)+len(names) > s.Bots {
			return fmt.Errorf("%d bots more than the %d there are: %w than %d of an account", len(names), len(have), ErrQuota, s.Bots)
		}
		for _, name := range names {
			u := store.User{Name: name, Kind: store.Bot, Role: store.BotRole, Owner: c.ID, Created: s.now()}
			if err := unlike(tx, name, 0); err != nil {
				return err
			}
			if err := tx.AddUser(&u); err != nil {
				return taken(name, err)
			}
			if err := claim(tx, &u); err != nil {
				return err
			}
			if err := s.Note(ctx, tx, "bot-created", u.Name, ""); err != nil {
				return err
			}
			out = append(out, u)
		}
		return nil
	})
	return out, err
}

// alone returns an account after writing it: of transactions that do so at once only one is kept, and the
// others are tried again. What one decides by rows that it does not write is then still so.
func alone(tx store.Accounts, id int64) (store.User, error) {
	u, err := tx.User(id)
	if err == nil {
		err = tx.SetUser(&u)
	}
	return u, err
}

func botsOf(tx store.Accounts, owner int64) ([]store.User, error) {
	return tx.Users(store.UserQuery{Kind: store.Bot, Owner: owner, Limit: 10_000})
}

// BotsOf returns the bots of the caller.
func (s *Service) BotsOf(ctx context.Context) ([]store.User, error) {
	c, ok := FromContext(ctx)
	if !ok || !c.Can(Bots) {
		return nil, ErrForbidden
	}
	return store.Read(ctx, s.Store, func(tx store.Tx) ([]store.User, error) { return botsOf(tx, c.ID) })
}

// mayHold returns the account whose tokens the caller wants to touch: its own, or
// that of a bot of its own; to others it does not exist.
func mayHold(tx store.Accounts, c Caller, user int64) (store.User, error) {
	u, err := tx.User(user)
	if err != nil {
		return u, err
	}
	switch {
	case u.ID == c.ID && u.Kind == store.Person:
		if !c.Can(Secure) {
			return u, fmt.Errorf("a token cannot touch the tokens of its own account: %w", ErrForbidden)
		}
		return u, nil
	case u.Kind == store.Bot && u.Owner == c.ID && c.Can(Bots):
		return u, nil
	default:
		return u, fmt.Errorf("bot: %w", store.ErrNotFound)
	}
}

// AddToken makes a token of the caller's account or of a bot of his, and returns it:
// nothing shows it again. life is how long it lasts, 0 for ever; it lasts no longer than
// the token that the caller came with.
func (s *Service) AddToken(ctx context.Context, user int64, name string, life time.Duration) (string, store.Token, error) {
	c, ok := FromContext(ctx)
	if !ok {
		return "", store.Token{}, ErrForbidden
	}
	if err := checkTokenName(name); err != nil {
		return "", store.Token{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if life < 0 || life > maxTokenLife {
		return "", store.Token{}, fmt.Errorf("%w: %w", ErrInput, faulty("days", "", "life of a token: want up to ten years"))
	}
	secret, err := newSecret(s.Random, TokenPrefix)
	if err != nil {
		return "", store.Token{}, err
	}
	var t store.Token
	err = s.Store.Update(ctx, func(tx store.Tx) error {
		u, err := mayHold(tx, c, user)
		if err != nil {
			return err
		}
		if u, err = alone(tx, u.ID); err != nil {
			return err
		}
		have, err := tx.Tokens(user)
		if err != nil {
			return err
		}
		if have = visible(have); len(have) >= s.Tokens {
			return fmt.Errorf("token: %w than %d of an account", ErrQuota, s.Tokens)
		}
		t = store.Token{User: user, Name: name, Hash: HashToken(secret), Created: s.now()}
		if life > 0 {
			t.Expires = s.now().Add(life)
		}
		if !c.Until.IsZero() && (t.Expires.IsZero() || t.Expires.After(c.Until)) {
			t.Expires = c.Until // no token outlives the one that it was made with
		}
		if err := tx.AddToken(&t); err != nil {
			return err
		}
		return s.Note(ctx, tx, "token-created", u.Name, name)
	})
	if err != nil {
		return "", store.Token{}, err
	}
	return secret, t, nil
}

// checkTokenName wants a line that people can read.
func checkTokenName(name string) error {
	if n := utf8.RuneCountInString(name); n < 1 || n > 60 || !utf8.ValidString(name) || strings.HasPrefix(name, "!") {
		return faulty("name", "", "name of a token: want 1 to 60 characters, the first no exclamation mark")
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return faulty("name", "", "name of a token: %q cannot be shown", r)
		}
	}
	return nil
}

// visible leaves out invitations.
func visible(list []store.Token) []store.Token {
	out := make([]store.Token, 0, len(list))
	for _, t := range list {
		if t.Name != inviteName {
			out = append(out, t)
		}
	}
	return out
}

// TokensOf returns the tokens of the caller's account or of a bot of his.
func (s *Service) TokensOf(ctx context.Context, user int64) ([]store.Token, error) {
	c, ok := FromContext(ctx)
	if !ok {
		return nil, ErrForbidden
	}
	return store.Read(ctx, s.Store, func(tx store.Tx) ([]store.Token, error) {
		if _, err := mayHold(tx, c, user); err != nil {
			return nil, err
		}
		list, err := tx.Tokens(user)
		return visible(list), err
	})
}

// RevokeToken ends a token of the caller's account or of a bot of his.
func (s *Service) RevokeToken(ctx context.Context, user, id int64) error {
	c, ok := FromContext(ctx)
	if !ok {
		return ErrForbidden
	}
	return s.Store.Update(ctx, func(tx store.Tx) error {
		u, err := mayHold(tx, c, user)
		if err != nil {
			return err
		}
		list, err := tx.Tokens(user)
		if err != nil {
			return err
		}
		for _, t := range visible(list) {
			if t.ID == id {
				if err := tx.RemoveToken(id); err != nil {
					return err
				}
				return s.Note(ctx, tx, "token-revoked", u.Name, t.Name)
			}
		}
		return fmt.Errorf("token %d: %w", id, store.ErrNotFound)
	})
}

// DisableBot ends a bot of the caller for good: its tokens are gone, its name and its
// games stay. A disabled bot still counts, so that a quota cannot be walked around.
func (s *Service) DisableBot(ctx context.Context, id int64) error {
	c, ok := FromContext(ctx)
	if !ok {
		return ErrForbidden
	}
	return s.Store.Update(ctx, func(tx store.Tx) error {
		u, err := mayHold(tx, c, id)
		if err != nil {
			return err
		}
		if u.Kind != store.Bot {
			return fmt.Errorf("bot: %w", store.ErrNotFound)
		}
		return s.disable(ctx, tx, u, true)
	})
}

func (s *Service) disable(ctx context.Context, tx store.Tx, u store.User, off bool) error {
	u.Disabled = off
	action := "account-enabled"
	if off {
		action = "account-disabled"
	}
	if err := tx.SetUser(&u); err != nil {
		return err
	}
	if off {
		if err := tx.RemoveSessionsOf(u.ID, nil); err != nil {
			return err
		}
		list, err := tx.Tokens(u.ID)
		if err != nil {
			return err
		}
		for _, t := range list {
			if err := tx.RemoveToken(t.ID); err != nil {
				return err
			}
		}
	}
	return s.Note(ctx, tx, action, u.Name, "")
}
