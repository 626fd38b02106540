package sqlstore

import (
	"time"

	"kibitz/hall/store"
)

// accounts is store.Accounts: users, the tokens of programs, and the audit log.
type accounts struct{ *tx }

func userCols(u *store.User) []col {
	return []col{
		{"id", &u.ID},
		{"name", &u.Name},
		{"kind", &u.Kind},
		{"role", &u.Role},
		{"password", &u.Password},
		{"owner", &u.Owner},
		{"created", &u.Created},
		{"seen", &u.Seen},
		{"disabled", &u.Disabled},
		{"failed", &u.Failed},
		{"locked_until", &u.LockedUntil},
		{"settings", &u.Settings},
	}
}

// userSet is what may change of an account.
func userSet(u *store.User) []col {
	return append(without(userCols(u), "id", "created"), col{"name_key", fold(u.Name)})
}

func (x accounts) AddUser(u *store.User) error {
	if ok, err := x.has("SELECT 1 FROM users WHERE name_key = ?", fold(u.Name)); err != nil || ok {
		return or(err, taken("user", u.Name))
	}
	return x.number(&u.ID, "users", "id", append(userSet(u), col{"created", u.Created})...)
}

func (x accounts) User(id int64) (store.User, error) {
	return get(x.tx, "user", id, userCols, "FROM users WHERE id = ?", id)
}

func (x accounts) UserNamed(name string) (store.User, error) {
	return get(x.tx, "user", name, userCols, "FROM users WHERE name_key = ?", fold(name))
}

func (x accounts) SetUser(u *store.User) error {
	if ok, err := x.has("SELECT 1 FROM users WHERE name_key = ? AND id <> ?", fold(u.Name), u.ID); err != nil || ok {
		return or(err, taken("user", u.Name))
	}
	n, err := x.update("users", userSet(u), "id = ?", u.ID)
	return one(n, err, "user", u.ID)
}

func (x accounts) Users(q store.UserQuery) ([]store.User, error) {
	var w where
	if q.Prefix != "" {
		prefix := fold(q.Prefix)
		w.add("name_key >= ?", prefix)
		if above := next(prefix); above != "" {
			w.add("name_key < ?", above)
		}
	}
	given(&w, "kind = ?", q.Kind)
	given(&w, "owner = ? AND owner <> 0", q.Owner)
	if q.After != "" {
		w.add("name_key > ?", fold(q.After))
	}
	return rows(x.tx, userCols, "FROM users"+w.String()+" ORDER BY name_key LIMIT ?", append(w.args, limit(q.Limit))...)
}

func (x accounts) SetLook(user int64, look string) error {
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
	if err != nil || n == 0 {
		return or(err, taken("look", look))
	}
	return nil
}

func (x accounts) UserLooking(look string) (store.User, error) {
	return get(x.tx, "user", look, userCols, "FROM users WHERE id = (SELECT user_id FROM name_looks WHERE look = ?)", fold(look))
}

func (x accounts) Unlooked(after int64, most int) ([]store.User, error) {
	return rows(x.tx, userCols, `FROM users WHERE id > ? AND kind <> ? AND NOT EXISTS (SELECT 1 FROM name_looks WHERE user_id = users.id)
		ORDER BY id LIMIT ?`, after, store.Guest, most)
}

func tokenCols(t *store.Token) []col {
	return []col{
		{"id", &t.ID},
		{"user_id", &t.User},
		{"name", &t.Name},
		{"hash", &t.Hash},
		{"created", &t.Created},
		{"used", &t.Used},
		{"expires", &t.Expires},
	}
}

func (x accounts) AddToken(t *store.Token) error {
	if err := x.wantUser(t.User); err != nil {
		return err
	}
	if ok, err := x.has("SELECT 1 FROM tokens WHERE hash = ?", t.Hash); err != nil || ok {
		return or(err, taken("token", t.Name))
	}
	return x.number(&t.ID, "tokens", "id", without(tokenCols(t), "id")...)
}

// wantUser reports ErrNotFound unless there is such an account.
func (x *tx) wantUser(id int64) error {
	if ok, err := x.has("SELECT 1 FROM users WHERE id = ?", id); err != nil || !ok {
		return or(err, notFound("user", id))
	}
	return nil
}

func (x accounts) TokenHashed(hash []byte) (store.Token, error) {
	return get(x.tx, "token", "with that hash", tokenCols, "FROM tokens WHERE hash = ?", hash)
}

func (x accounts) Tokens(user int64) ([]store.Token, error) {
	return rows(x.tx, tokenCols, "FROM tokens WHERE user_id = ? ORDER BY id", user)
}

func (x accounts) TouchToken(id int64, used time.Time) error {
	n, err := x.exec("UPDATE tokens SET used = ? WHERE id = ?", used, id)
	return one(n, err, "token", id)
}

func (x accounts) RemoveToken(id int64) error {
	n, err := x.exec("DELETE FROM tokens WHERE id = ?", id)
	return one(n, err, "token", id)
}

func entryCols(e *store.Entry) []col {
	return []col{
		{"id", &e.ID},
		{"at", &e.At},
		{"actor", &e.Actor},
		{"action", (*ident)(&e.Action)},
		{"subject", (*ident)(&e.Subject)},
		{"detail", &e.Detail},
		{"origin", &e.From},
	}
}

func (x accounts) AddEntry(e *store.Entry) error {
	return x.number(&e.ID, "audit", "id", without(entryCols(e), "id")...)
}

func (x accounts) Audit(q store.AuditQuery) ([]store.Entry, error) {
	var w where
	given(&w, "actor = ?", q.Actor)
	given(&w, "subject = ?", q.Subject)
	given(&w, "action = ?", q.Action)
	given(&w, "id < ?", q.Before)
	return rows(x.tx, entryCols, "FROM audit"+w.String()+" ORDER BY id DESC LIMIT ?", append(w.args, limit(q.Limit))...)
}
