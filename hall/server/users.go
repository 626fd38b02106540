package server

import (
	"context"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/store"
)

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
	v := UserView{ID: u.ID, Name: u.Name, Kind: string(u.Kind), Role: string(u.Role), Created: when(u.Created)}
	if u.Kind != store.Guest {
		v.Subject = store.UserSubject(u.ID)
	}
	return v
}

type usersQuery struct {
	Prefix string `query:"prefix" maxLength:"100" doc:"how the name begins, in any case"`
	Kind   string `query:"kind" enum:"person,guest,bot"`
	After  string `query:"after" maxLength:"100" doc:"continue behind this name"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"100"`
}

func (q usersQuery) store() store.UserQuery {
	return store.UserQuery{Prefix: q.Prefix, Kind: store.UserKind(q.Kind), After: q.After, Limit: q.Limit}
}

type namePath struct {
	Name string `path:"name" maxLength:"100"`
}

func (h *Hall) registerUsers() {
	const tag = "users"
	add(h, Route{Method: "GET", Path: "/api/v1/users", ID: "users", Tag: tag, Summary: "Accounts by name", Need: auth.Roster},
		func(ctx context.Context, in *usersQuery) (*body[[]UserView], error) {
			out := []UserView{}
			err := h.view(ctx, func(tx store.Tx) error {
				list, err := tx.Users(in.store())
				out = out[:0]
				for _, u := range list {
					if !u.Disabled {
						out = append(out, viewUser(u))
					}
				}
				return err
			})
			return reply(out), err
		})
	add(h, Route{Method: "GET", Path: "/api/v1/users/{name}", ID: "user", Tag: tag, Summary: "An account", Need: auth.Look},
		func(ctx context.Context, in *namePath) (*body[UserView], error) {
			var v UserView
			err := h.view(ctx, func(tx store.Tx) error {
				u, err := tx.UserNamed(in.Name)
				if err != nil {
					return err
				}
				v = viewUser(u)
				if u.Owner != 0 {
					owner, err := tx.User(u.Owner)
					if err != nil {
						return err
					}
					v.Owner = owner.Name
				}
				return nil
			})
			return reply(v), err
		})
}
