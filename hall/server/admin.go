package server

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/play"
	"kibitz/hall/store"
)

// adminUser is what admins may know of an account: all but its secrets.
type adminUser struct {
	UserView
	Disabled bool       `json:"disabled"`
	Seen     *time.Time `json:"seen,omitempty"`
	Failed   int        `json:"failed" doc:"wrong passwords in a row"`
	Locked   *time.Time `json:"lockedUntil,omitempty"`
}

// IDPath is the number of an account in a path.
type IDPath struct {
	ID int64 `path:"id"`
}

type accountChange struct {
	IDPath
	Body struct {
		Role     *string `json:"role,omitempty" enum:"player,arbiter,admin"`
		Disabled *bool   `json:"disabled,omitempty" doc:"a disabled account loses its sessions and tokens"`
	}
}

type onePassword struct {
	Password string `json:"password" doc:"good for 72 hours, and for nothing but choosing another"`
}

type invitation struct {
	Invitation string     `json:"invitation"`
	Expires    *time.Time `json:"expires"`
}

type auditQuery struct {
	Actor   int64  `query:"actor"`
	Subject string `query:"subject" maxLength:"200"`
	Action  string `query:"action" maxLength:"60"`
	Before  int64  `query:"before" doc:"continue below this number"`
	Limit   int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

type auditEntry struct {
	ID      int64      `json:"id"`
	At      *time.Time `json:"at"`
	Actor   int64      `json:"actor" doc:"0 for the hall itself"`
	Action  string     `json:"action"`
	Subject string     `json:"subject"`
	Detail  string     `json:"detail,omitempty"`
	From    string     `json:"from,omitempty"`
}

// EngineView is what everyone may know of an engine.
type EngineView struct {
	Name    string   `json:"name"`
	Games   []string `json:"games" maxItems:"100"`
	Enabled bool     `json:"enabled"`
}

// adminEngine adds what only admins may know.
type adminEngine struct {
	EngineView
	Spec  string     `json:"spec,omitempty" maxLength:"1000" doc:"a remark for administrators: workers run what stands in their own files"`
	Hash  string     `json:"hash,omitempty" maxLength:"128" doc:"of the executable, as workers compute it; empty for any"`
	Added *time.Time `json:"added,omitempty"`
}

type engineChange struct {
	Name string `path:"name" maxLength:"60"`
	Body struct {
		Games   []string `json:"games" maxItems:"100"`
		Enabled bool     `json:"enabled"`
		Spec    string   `json:"spec,omitempty" maxLength:"1000" doc:"a remark for administrators: workers run what stands in their own files"`
		Hash    string   `json:"hash,omitempty" maxLength:"128"`
	}
}

func (h *Hall) registerAdmin() {
	const tag, users, engines = "administration", "/api/v1/admin/users", "/api/v1/admin/engines"
	add(h, Route{Method: "GET", Path: users, ID: "admin-users", Tag: tag, Summary: "Accounts with all but their secrets", Need: auth.Inspect},
		h.adminUsers)
	add(h, Route{
		Method: "PATCH", Path: users + "/{id}", ID: "change-user", Tag: tag, Summary: "Change role or state of an account",
		Need: auth.Administer,
	}, h.changeUser)
	add(h, Route{
		Method: "POST", Path: users + "/{id}/reset-password", ID: "reset-password", Tag: tag,
		Summary: "Give an account a one-time password", Need: auth.Administer,
	}, func(ctx context.Context, in *IDPath) (*body[onePassword], error) {
		p, err := h.auth.ResetPassword(ctx, in.ID)
		return reply(onePassword{p}), err
	})
	add(h, Route{
		Method: "POST", Path: users + "/{id}/unlock", ID: "unlock-user", Tag: tag, Summary: "Let passwords of an account count again",
		Need: auth.Administer, Status: http.StatusNoContent,
	}, func(ctx context.Context, in *IDPath) (*Nothing, error) { return nil, h.auth.Unlock(ctx, in.ID) })
	add(h, Route{
		Method: "POST", Path: "/api/v1/admin/invitations", ID: "invite", Tag: tag,
		Summary: "Make an invitation, good for one account within a week", Need: auth.Administer, Creates: true, Status: http.StatusCreated,
	}, func(ctx context.Context, _ *Nothing) (*body[invitation], error) {
		code, until, err := h.auth.Invite(ctx)
		return reply(invitation{code, when(until)}), err
	})
	add(h, Route{
		Method: "GET", Path: "/api/v1/admin/audit", ID: "audit", Tag: tag, Summary: "The audit log, newest first",
		Need: auth.Inspect,
	}, h.auditLog)
	h.registerWorkers()
	add(h, Route{Method: "GET", Path: engines, ID: "admin-engines", Tag: tag, Summary: "The hall's engines, in full", Need: auth.Inspect},
		h.adminEngines)
	add(h, Route{
		Method: "PUT", Path: engines + "/{name}", ID: "set-engine", Tag: tag, Summary: "Add or change an engine",
		Need: auth.Administer, Status: http.StatusNoContent,
	}, h.setEngine)
	add(h, Route{
		Method: "DELETE", Path: engines + "/{name}", ID: "remove-engine", Tag: tag, Summary: "Remove an engine",
		Need: auth.Administer, Status: http.StatusNoContent,
	}, h.removeEngine)
	add(h, Route{
		Method: "GET", Path: "/api/v1/engines", ID: "engines", Tag: "engines", Summary: "Engines that the hall offers",
		Need: auth.Look,
	}, func(ctx context.Context, _ *Nothing) (*body[[]EngineView], error) {
		out := []EngineView{}
		err := h.view(ctx, func(tx store.Tx) error {
			list, err := tx.Engines()
			out = out[:0]
			for _, e := range list {
				if e.Enabled {
					out = append(out, EngineView{e.Name, e.Games, true})
				}
			}
			return err
		})
		return reply(out), err
	})
}

func (h *Hall) fullUser(u store.User) adminUser {
	v := adminUser{UserView: viewUser(u), Disabled: u.Disabled, Seen: when(u.Seen), Failed: u.Failed}
	if u.LockedUntil.After(h.now()) {
		v.Locked = when(u.LockedUntil)
	}
	return v
}

func (h *Hall) adminUsers(ctx context.Context, in *usersQuery) (*body[[]adminUser], error) {
	out := []adminUser{}
	err := h.view(ctx, func(tx store.Tx) error {
		list, err := tx.Users(in.store())
		out = out[:0]
		for _, u := range list {
			out = append(out, h.fullUser(u))
		}
		return err
	})
	return reply(out), err
}

func (h *Hall) changeUser(ctx context.Context, in *accountChange) (*body[adminUser], error) {
	u, err := h.auth.SetAccount(ctx, in.ID, (*store.Role)(in.Body.Role), in.Body.Disabled)
	return reply(h.fullUser(u)), err
}

func (h *Hall) auditLog(ctx context.Context, in *auditQuery) (*body[[]auditEntry], error) {
	out := []auditEntry{}
	err := h.view(ctx, func(tx store.Tx) error {
		list, err := tx.Audit(store.AuditQuery{Actor: in.Actor, Subject: in.Subject, Action: in.Action, Before: in.Before, Limit: in.Limit})
		out = out[:0]
		for _, e := range list {
			out = append(out, auditEntry{e.ID, when(e.At), e.Actor, e.Action, e.Subject, e.Detail, e.From})
		}
		return err
	})
	return reply(out), err
}

func (h *Hall) adminEngines(ctx context.Context, _ *Nothing) (*body[[]adminEngine], error) {
	out := []adminEngine{}
	err := h.view(ctx, func(tx store.Tx) error {
		list, err := tx.Engines()
		out = out[:0]
		for _, e := range list {
			out = append(out, adminEngine{EngineView{e.Name, e.Games, e.Enabled}, e.Spec, e.Hash, when(e.Added)})
		}
		return err
	})
	return reply(out), err
}

func (h *Hall) setEngine(ctx context.Context, in *engineChange) (*Nothing, error) {
	if ok, err := regexp.MatchString(play.EngineName, in.Name); err != nil || !ok {
		return nil, badInput("name of an engine: want up to 60 letters, digits, dots, hyphens and underscores")
	}
	e := store.Engine{Name: in.Name, Spec: in.Body.Spec, Hash: in.Body.Hash, Games: in.Body.Games, Enabled: in.Body.Enabled, Added: h.now()}
	return nil, h.update(ctx, func(tx store.Tx) error {
		if err := tx.SetEngine(&e); err != nil {
			return err
		}
		return h.auth.Note(ctx, tx, "engine-set", e.Name, "")
	})
}

func (h *Hall) removeEngine(ctx context.Context, in *namePath) (*Nothing, error) {
	return nil, h.update(ctx, func(tx store.Tx) error {
		if _, err := tx.Engine(in.Name); err != nil {
			return err
		}
		if err := tx.RemoveEngine(in.Name); err != nil {
			return err
		}
		return h.auth.Note(ctx, tx, "engine-removed", in.Name, "")
	})
}
