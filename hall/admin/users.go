// Package admin is what those see and do who run a hall: accounts, engines, workers and the
// log of what was done. It knows nothing of HTTP.
package admin

import (
	"context"
	"time"

	"kibitz/hall/store"
)

// Users are the accounts of a hall, as those see them who may.
type Users struct {
	Store store.Store
	// Now is the time as a store keeps it.
	Now func() time.Time
}

// UserView is what everyone may know of an account.
type UserView struct {
	ID      int64      `json:"id"`
	Name    string     `json:"name"`
	Kind    string     `json:"kind" enum:"person,guest,bot"`
	Role    string     `json:"role" enum:"player,bot,arbiter,admin"`
	Owner   string     `json:"owner,omitempty" doc:"name of a bot's owner"`
	Created *time.Time `json:"created,omitempty"`
	Subject string     `json:"subject,omitempty" doc:"what ratings and results are kept under"`
}

func viewUser(u store.User) UserView {
	v := UserView{ID: u.ID, Name: u.Name, Kind: string(u.Kind), Role: string(u.Role), Created: store.When(u.Created)}
	if u.Kind != store.Guest {
		v.Subject = store.UserSubject(u.ID)
	}
	return v
}

// UsersQuery asks for accounts in the order of their names.
type UsersQuery struct {
	Prefix string `query:"prefix" maxLength:"100" doc:"how the name begins, in any case"`
	Kind   string `query:"kind" enum:"person,guest,bot"`
	After  string `query:"after" maxLength:"100" doc:"continue behind this name"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"100"`
}

func (q UsersQuery) store() store.UserQuery {
	return store.UserQuery{Prefix: q.Prefix, Kind: store.UserKind(q.Kind), After: q.After, Limit: q.Limit}
}

// NamePath is a name in a path.
type NamePath struct {
	Name string `path:"name" maxLength:"100"`
}

// List returns the accounts that are not disabled.
func (x *Users) List(ctx context.Context, in *UsersQuery) ([]UserView, error) {
	list, err := store.Get(ctx, x.Store, store.Tx.Users, in.store())
	out := make([]UserView, 0, len(list))
	for _, u := range list {
		if !u.Disabled {
			out = append(out, viewUser(u))
		}
	}
	return out, err
}

// Named returns an account by its name.
func (x *Users) Named(ctx context.Context, in *NamePath) (UserView, error) {
	return store.Read(ctx, x.Store, func(tx store.Tx) (v UserView, err error) {
		u, err := tx.UserNamed(in.Name)
		if err != nil {
			return v, err
		}
		if v = viewUser(u); u.Owner != 0 {
			u, err = tx.User(u.Owner)
			v.Owner = u.Name
		}
		return v, err
	})
}

// AdminUser is what admins may know of an account: all but its secrets.
type AdminUser struct { //nolint:revive // its name in the description of the API
	UserView
	Disabled bool       `json:"disabled"`
	Seen     *time.Time `json:"seen,omitempty"`
	Failed   int        `json:"failed" doc:"wrong passwords in a row"`
	Locked   *time.Time `json:"lockedUntil,omitempty"`
}

// Full shows all of an account that an admin may see.
func (x *Users) Full(u store.User) AdminUser {
	v := AdminUser{UserView: viewUser(u), Disabled: u.Disabled, Seen: store.When(u.Seen), Failed: u.Failed}
	if u.LockedUntil.After(x.Now()) {
		v.Locked = store.When(u.LockedUntil)
	}
	return v
}

// All returns accounts with all but their secrets.
func (x *Users) All(ctx context.Context, in *UsersQuery) ([]AdminUser, error) {
	list, err := store.Get(ctx, x.Store, store.Tx.Users, in.store())
	out := make([]AdminUser, 0, len(list))
	for _, u := range list {
		out = append(out, x.Full(u))
	}
	return out, err
}
