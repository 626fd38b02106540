package api

import (
	"context"
	"net/http"
	"time"

	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

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

// administration is the routes of those who run the hall, and those of accounts and engines
// for everyone.
type administration struct {
	auth    *auth.Service
	users   *admin.Users
	engines *admin.Engines
	workers *admin.Workers
	audit   *admin.Audit
}

func (h *administration) register(a *API) {
	const tag, users, engines = "administration", "/api/v1/admin/users", "/api/v1/admin/engines"
	add(a, router.Route{
		Method: "GET", Path: users, ID: "admin-users", Tag: tag, Summary: "Accounts with all but their secrets", Need: auth.Inspect,
	}, answer(h.users.All))
	add(a, router.Route{
		Method: "PATCH", Path: users + "/{id}", ID: "change-user", Tag: tag, Summary: "Change role or state of an account",
		Need: auth.Administer,
	}, answer(h.changeUser))
	add(a, router.Route{
		Method: "POST", Path: users + "/{id}/reset-password", ID: "reset-password", Tag: tag,
		Summary: "Give an account a one-time password", Need: auth.Administer,
	}, answer(func(ctx context.Context, in *IDPath) (onePassword, error) {
		p, err := h.auth.ResetPassword(ctx, in.ID)
		return onePassword{p}, err
	}))
	add(a, router.Route{
		Method: "POST", Path: users + "/{id}/unlock", ID: "unlock-user", Tag: tag, Summary: "Let passwords of an account count again",
		Need: auth.Administer, Status: http.StatusNoContent,
	}, done(func(ctx context.Context, in *IDPath) error { return h.auth.Unlock(ctx, in.ID) }))
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/admin/invitations", ID: "invite", Tag: tag,
		Summary: "Make an invitation, good for one account within a week", Need: auth.Administer, Creates: true, Status: http.StatusCreated,
	}, list(func(ctx context.Context) (invitation, error) {
		code, until, err := h.auth.Invite(ctx)
		return invitation{code, store.When(until)}, err
	}))
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/admin/audit", ID: "audit", Tag: tag, Summary: "The audit log, newest first",
		Need: auth.Inspect,
	}, answer(h.audit.Log))
	registerWorkers(a, h.workers)
	add(a, router.Route{
		Method: "GET", Path: engines, ID: "admin-engines", Tag: tag, Summary: "The hall's engines, in full", Need: auth.Inspect,
	}, list(h.engines.All))
	add(a, router.Route{
		Method: "PUT", Path: engines + "/{name}", ID: "set-engine", Tag: tag, Summary: "Add or change an engine",
		Need: auth.Administer, Status: http.StatusNoContent,
	}, done(h.engines.Set))
	add(a, router.Route{
		Method: "DELETE", Path: engines + "/{name}", ID: "remove-engine", Tag: tag, Summary: "Remove an engine",
		Need: auth.Administer, Status: http.StatusNoContent,
	}, done(h.engines.Remove))
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/engines", ID: "engines", Tag: "engines", Summary: "Engines that the hall offers",
		Need: auth.Look,
	}, list(h.engines.List))
}

func (h *administration) changeUser(ctx context.Context, in *accountChange) (admin.AdminUser, error) {
	u, err := h.auth.SetAccount(ctx, in.ID, (*store.Role)(in.Body.Role), in.Body.Disabled)
	return h.users.Full(u), err
}

func registerUsers(a *API, users *admin.Users) {
	const tag = "users"
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/users", ID: "users", Tag: tag, Summary: "Accounts by name", Need: auth.Roster,
	}, answer(users.List))
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/users/{name}", ID: "user", Tag: tag, Summary: "An account", Need: auth.Look,
	}, answer(users.Named))
}

// registerWorkers registers what admins see of workers and do about them.
func registerWorkers(a *API, workers *admin.Workers) {
	const tag, tokens = "administration", "/api/v1/admin/worker-tokens"
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/admin/workers", ID: "workers", Tag: tag, Summary: "The registry of workers",
		Need: auth.Inspect,
	}, list(workers.Registry))
	add(a, router.Route{
		Method: "GET", Path: tokens, ID: "worker-tokens", Tag: tag, Summary: "Tokens of workers on other machines",
		Need: auth.Inspect,
	}, list(workers.Tokens))
	add(a, router.Route{
		Method: "POST", Path: tokens, ID: "new-worker-token", Tag: tag, Summary: "Make a token for a worker on another machine",
		Need: auth.Administer, Creates: true, Status: http.StatusCreated, About: "The token is in the answer and nowhere else: the worker " +
			"takes it from a file (--token-file). What a worker says of games counts only under its own name.",
	}, answer(workers.NewToken))
	add(a, router.Route{
		Method: "DELETE", Path: tokens + "/{name}", ID: "revoke-worker-token", Tag: tag, Summary: "Revoke the token of a worker",
		Need: auth.Administer, Status: http.StatusNoContent, About: "The worker is cut off; its games are begun again elsewhere.",
	}, done(workers.Revoke))
}
