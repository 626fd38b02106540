package sqlstore

import (
	"bytes"
	"time"

	"kibitz/hall/store"
)

const userCols = "id, name, kind, role, password, owner, created, seen, disabled, failed, locked_until, settings"

func intoUser(u *store.User) []any {
	return []any{
		&u.ID, &u.Name, &u.Kind, &u.Role, &u.Password, &u.Owner, &u.Created, &u.Seen, &u.Disabled, &u.Failed, &u.LockedUntil,
		&u.Settings,
	}
}

// AddUser implements store.Accounts.
func (x *tx) AddUser(u *store.User) error {
	if ok, err := x.has("SELECT 1 FROM users WHERE name_key = ?", fold(u.Name)); err != nil || ok {
		return or(err, taken("user", u.Name))
	}
	_, err := x.row([]any{&u.ID}, `INSERT INTO users(name, name_key, kind, role, password, owner, created, seen, disabled, failed, locked_until, settings)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		u.Name, fold(u.Name), u.Kind, u.Role, u.Password, u.Owner, u.Created, u.Seen, u.Disabled, u.Failed, u.LockedUntil, u.Settings)
	return err
}

// User implements store.Accounts.
func (x *tx) User(id int64) (u store.User, err error) {
	ok, err := x.row(intoUser(&u), "SELECT "+userCols+" FROM users WHERE id = ?", id)
	return found(u, ok, err, "user", id)
}

// UserNamed implements store.Accounts.
func (x *tx) UserNamed(name string) (u store.User, err error) {
	ok, err := x.row(intoUser(&u), "SELECT "+userCols+" FROM users WHERE name_key = ?", fold(name))
	return found(u, ok, err, "user", name)
}

// SetUser implements store.Accounts.
func (x *tx) SetUser(u *store.User) error {
	if ok, err := x.has("SELECT 1 FROM users WHERE name_key = ? AND id <> ?", fold(u.Name), u.ID); err != nil || ok {
		return or(err, taken("user", u.Name))
	}
	n, err := x.exec(`UPDATE users SET name = ?, name_key = ?, kind = ?, role = ?, password = ?, owner = ?, seen = ?, disabled = ?, failed = ?,
		locked_until = ?, settings = ? WHERE id = ?`,
		u.Name, fold(u.Name), u.Kind, u.Role, u.Password, u.Owner, u.Seen, u.Disabled, u.Failed, u.LockedUntil, u.Settings, u.ID)
	return one(n, err, "user", u.ID)
}

// Users implements store.Accounts.
func (x *tx) Users(q store.UserQuery) ([]store.User, error) {
	var w where
	if q.Prefix != "" {
		prefix := fold(q.Prefix)
		w.add("name_key >= ?", prefix)
		if above := next(prefix); above != "" {
			w.add("name_key < ?", above)
		}
	}
	if q.Kind != "" {
		w.add("kind = ?", q.Kind)
	}
	if q.Owner != 0 {
		w.add("owner = ? AND owner <> 0", q.Owner)
	}
	if q.After != "" {
		w.add("name_key > ?", fold(q.After))
	}
	return rows(x, intoUser, "SELECT "+userCols+" FROM users"+w.String()+" ORDER BY name_key LIMIT ?", append(w.args, limit(q.Limit))...)
}

// SetLook implements store.Accounts.
func (x *tx) SetLook(user int64, look string) error {
	if err := x.wantUser(user); err != nil {
		return err
	}
	look = fold(look)
	if ok, err := x.has("SELECT 1 FROM name_looks WHERE look = ? AND user_id <> ?", look, user); err != nil || ok {
		return or(err, taken("look", look))
	}
	if _, err := x.exec("DELETE FROM name_looks WHERE user_id = ?", user); err != nil {
		return err
	}
	// One that is being added at this moment is waited for.
	n, err := x.exec("INSERT INTO name_looks(look, user_id) VALUES (?, ?) ON CONFLICT (look) DO NOTHING", look, user)
	if err == nil && n == 0 {
		return taken("look", look)
	}
	return err
}

// UserLooking implements store.Accounts.
func (x *tx) UserLooking(look string) (u store.User, err error) {
	ok, err := x.row(intoUser(&u), "SELECT "+userCols+" FROM users WHERE id = (SELECT user_id FROM name_looks WHERE look = ?)", fold(look))
	return found(u, ok, err, "user", look)
}

// Unlooked implements store.Accounts.
func (x *tx) Unlooked(after int64, most int) ([]store.User, error) {
	return rows(x, intoUser, "SELECT "+userCols+` FROM users WHERE id > ? AND kind <> ? AND NOT EXISTS (SELECT 1 FROM name_looks WHERE user_id = users.id)
		ORDER BY id LIMIT ?`, after, store.Guest, most)
}

const tokenCols = "id, user_id, name, hash, created, used, expires"

func intoToken(t *store.Token) []any {
	return []any{&t.ID, &t.User, &t.Name, &t.Hash, &t.Created, &t.Used, &t.Expires}
}

// AddToken implements store.Accounts.
func (x *tx) AddToken(t *store.Token) error {
	if err := x.wantUser(t.User); err != nil {
		return err
	}
	if ok, err := x.has("SELECT 1 FROM tokens WHERE hash = ?", t.Hash); err != nil || ok {
		return or(err, taken("token", t.Name))
	}
	_, err := x.row([]any{&t.ID}, "INSERT INTO tokens(user_id, name, hash, created, used, expires) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
		t.User, t.Name, t.Hash, t.Created, t.Used, t.Expires)
	return err
}

// wantUser reports ErrNotFound unless there is such an account.
func (x *tx) wantUser(id int64) error {
	if ok, err := x.has("SELECT 1 FROM users WHERE id = ?", id); err != nil || !ok {
		return or(err, notFound("user", id))
	}
	return nil
}

// TokenHashed implements store.Accounts.
func (x *tx) TokenHashed(hash []byte) (t store.Token, err error) {
	ok, err := x.row(intoToken(&t), "SELECT "+tokenCols+" FROM tokens WHERE hash = ?", hash)
	return found(t, ok, err, "token", "with that hash")
}

// Tokens implements store.Accounts.
func (x *tx) Tokens(user int64) ([]store.Token, error) {
	return rows(x, intoToken, "SELECT "+tokenCols+" FROM tokens WHERE user_id = ? ORDER BY id", user)
}

// TouchToken implements store.Accounts.
func (x *tx) TouchToken(id int64, used time.Time) error {
	n, err := x.exec("UPDATE tokens SET used = ? WHERE id = ?", used, id)
	return one(n, err, "token", id)
}

// RemoveToken implements store.Accounts.
func (x *tx) RemoveToken(id int64) error {
	n, err := x.exec("DELETE FROM tokens WHERE id = ?", id)
	return one(n, err, "token", id)
}

// AddEntry implements store.Accounts.
func (x *tx) AddEntry(e *store.Entry) error {
	_, err := x.row([]any{&e.ID}, "INSERT INTO audit(at, actor, action, subject, detail, origin) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
		e.At, e.Actor, ident(e.Action), ident(e.Subject), e.Detail, e.From)
	return err
}

// Audit implements store.Accounts.
func (x *tx) Audit(q store.AuditQuery) ([]store.Entry, error) {
	var w where
	if q.Actor != 0 {
		w.add("actor = ?", q.Actor)
	}
	if q.Subject != "" {
		w.add("subject = ?", q.Subject)
	}
	if q.Action != "" {
		w.add("action = ?", q.Action)
	}
	if q.Before != 0 {
		w.add("id < ?", q.Before)
	}
	return rows(x, func(e *store.Entry) []any {
		return []any{&e.ID, &e.At, &e.Actor, &e.Action, &e.Subject, &e.Detail, &e.From}
	}, "SELECT id, at, actor, action, subject, detail, origin FROM audit"+w.String()+" ORDER BY id DESC LIMIT ?",
		append(w.args, limit(q.Limit))...)
}

// SetSession implements store.Sessions.
func (x *tx) SetSession(hash []byte, user int64, data []byte, expires time.Time) error {
	_, err := x.exec(`INSERT INTO sessions(hash, user_id, data, expires) VALUES (?, ?, ?, ?)
		ON CONFLICT(hash) DO UPDATE SET user_id = excluded.user_id, data = excluded.data, expires = excluded.expires`, hash, user, data, expires)
	return err
}

// Session implements store.Sessions.
func (x *tx) Session(hash []byte, now time.Time) (data []byte, err error) {
	ok, err := x.row([]any{&data}, "SELECT data FROM sessions WHERE hash = ? AND expires > ?", hash, now)
	return found(data, ok, err, "session", "with that hash")
}

// RemoveSession implements store.Sessions.
func (x *tx) RemoveSession(hash []byte) error {
	_, err := x.exec("DELETE FROM sessions WHERE hash = ?", hash)
	return err
}

// RemoveSessionsOf implements store.Sessions.
func (x *tx) RemoveSessionsOf(user int64, keep []byte) error {
	_, err := x.exec("DELETE FROM sessions WHERE user_id = ? AND user_id <> 0 AND hash <> ?", user, bytes.Clone(keep))
	return err
}

// RemoveExpired implements store.Sessions.
func (x *tx) RemoveExpired(now time.Time) (int, error) {
	total := 0
	for _, step := range []struct {
		query string
		args  []any
	}{
		{"DELETE FROM sessions WHERE expires <= ?", []any{now}},
		{"DELETE FROM requests WHERE expires <= ?", []any{now}},
		{
			`DELETE FROM users WHERE kind = 'guest' AND seen < ? AND created < ?
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE user_id = users.id AND user_id <> 0)
			AND NOT EXISTS (SELECT 1 FROM rooms WHERE owner = users.id AND is_open = 1)
			AND NOT EXISTS (SELECT 1 FROM games WHERE subject1 = 'user/' || users.id AND subject1 <> '')
			AND NOT EXISTS (SELECT 1 FROM games WHERE subject2 = 'user/' || users.id AND subject2 <> '')`,
			[]any{now.Add(-store.GuestStay), now.Add(-store.GuestStay)},
		},
	} {
		n, err := x.exec(step.query, step.args...)
		if err != nil {
			return 0, err
		}
		total += int(n)
	}
	return total, nil
}

// or returns err, and other if it is nil.
func or(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// found returns what was read, or why there is nothing.
func found[T any](v T, ok bool, err error, what string, name any) (T, error) {
	var zero T
	switch {
	case err != nil:
		return zero, err
	case !ok:
		return zero, notFound(what, name)
	}
	return v, nil
}

// one reports ErrNotFound if no row was changed.
func one(n int64, err error, what string, name any) error {
	if err == nil && n == 0 {
		err = notFound(what, name)
	}
	return err
}
