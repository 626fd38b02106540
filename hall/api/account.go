package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

// accountView is what an account may know of itself.
type accountView struct {
	ID                 int64           `json:"id"`
	Name               string          `json:"name"`
	Kind               string          `json:"kind" enum:"person,guest,bot"`
	Role               string          `json:"role" enum:"player,bot,arbiter,admin"`
	May                []string        `json:"may" doc:"what the caller may do, with this session or token"`
	MustChangePassword bool            `json:"mustChangePassword,omitempty" doc:"the password was set by an admin and must be changed before anything else"`
	Token              bool            `json:"token,omitempty" doc:"the caller came with a token"`
	Created            *time.Time      `json:"created,omitempty"`
	Settings           json.RawMessage `json:"settings,omitempty" doc:"an object of the pages' preferences"`
}

func callerView(c auth.Caller) accountView {
	return accountView{
		ID: c.ID, Name: c.Name, Kind: string(c.Kind), Role: string(c.Role),
		May: auth.Granted(c).Names(), MustChangePassword: c.MustChange, Token: c.Token,
	}
}

type credentials struct {
	Body struct {
		Name     string `json:"name" maxLength:"100"`
		Password string `json:"password" doc:"at least 8 characters"`
	}
}

type registration struct {
	Body struct {
		Name       string `json:"name" maxLength:"100" doc:"2 to 24 letters, digits, and . - _ within"`
		Password   string `json:"password" doc:"at least 8 characters"`
		Invitation string `json:"invitation,omitempty" maxLength:"100" doc:"where the hall wants one"`
	}
}

type nameChange struct {
	Body struct {
		Name string `json:"name" maxLength:"100" doc:"2 to 24 letters, digits, and . - _ within"`
	}
}

type passwordChange struct {
	Body struct {
		Old string `json:"old"`
		New string `json:"new" doc:"at least 8 characters"`
	}
}

type settingsBody struct{ Body map[string]any }

const accountPath = "/api/v1/account"

// accounts are the routes of the caller's own account.
type accounts struct {
	auth  *auth.Service
	store store.Store
}

func (h *accounts) register(a *API) {
	const tag = "account"
	add(a, router.Route{
		Method: "GET", Path: accountPath, ID: "account", Tag: tag, Summary: "The caller's account", Need: auth.Self,
	}, list(h.get))
	add(a, router.Route{
		Method: "POST", Path: accountPath + "/register", ID: "register", Tag: tag, Summary: "Make an account and log in",
		Need: auth.Enter, Status: http.StatusCreated,
	}, answer(func(ctx context.Context, in *registration) (accountView, error) {
		c, err := h.auth.Register(ctx, in.Body.Name, in.Body.Password, in.Body.Invitation)
		return callerView(c), err
	}))
	add(a, router.Route{
		Method: "POST", Path: accountPath + "/login", ID: "login", Tag: tag, Summary: "Log in", Need: auth.Enter,
		About: "Sets the cookie of a session. After five wrong passwords in a row no password of the account counts for 30 seconds, and " +
			"twice as long after each further one, up to an hour; after twenty failures the same holds for the address. A wrong name and a " +
			"wrong password are answered alike.",
	}, answer(func(ctx context.Context, in *credentials) (accountView, error) {
		c, err := h.auth.Login(ctx, in.Body.Name, in.Body.Password)
		return callerView(c), err
	}))
	add(a, router.Route{
		Method: "POST", Path: accountPath + "/guest", ID: "guest", Tag: tag, Summary: "Become a guest", Need: auth.Enter,
		Status: http.StatusCreated, About: "A guest plays unrated and becomes an account with claim, keeping its games.",
	}, list(func(ctx context.Context) (accountView, error) {
		c, err := h.auth.BecomeGuest(ctx)
		return callerView(c), err
	}))
	add(a, router.Route{
		Method: "POST", Path: accountPath + "/claim", ID: "claim", Tag: tag, Summary: "Make the guest an account",
		Need: auth.Self | auth.Enter,
	}, answer(func(ctx context.Context, in *registration) (accountView, error) {
		c, err := h.auth.Claim(ctx, in.Body.Name, in.Body.Password, in.Body.Invitation)
		return callerView(c), err
	}))
	add(a, router.Route{
		Method: "PUT", Path: accountPath + "/name", ID: "rename", Tag: tag, Summary: "Give the guest another name",
		Need: auth.Self | auth.Enter, About: "Games that have begun keep the name they began with.",
	}, answer(func(ctx context.Context, in *nameChange) (accountView, error) {
		c, err := h.auth.Rename(ctx, in.Body.Name)
		return callerView(c), err
	}))
	add(a, router.Route{
		Method: "POST", Path: accountPath + "/logout", ID: "logout", Tag: tag, Summary: "Log out", Need: auth.Self,
		Status: http.StatusNoContent,
	}, act(h.auth.Logout))
	add(a, router.Route{
		Method: "POST", Path: accountPath + "/password", ID: "change-password", Tag: tag, Summary: "Change the password",
		Need: auth.Self, Status: http.StatusNoContent, About: "Ends all other sessions of the account. Tokens stay: revoke them one by one.",
	}, done(func(ctx context.Context, in *passwordChange) error {
		return problem.InputAt("#/new", h.auth.ChangePassword(ctx, in.Body.Old, in.Body.New))
	}))
	add(a, router.Route{
		Method: "POST", Path: accountPath + "/end-other-sessions", ID: "end-other-sessions", Tag: tag,
		Summary: "End all other sessions", Need: auth.Secure, Status: http.StatusNoContent,
	}, act(h.auth.EndOthers))
	add(a, router.Route{
		Method: "PUT", Path: accountPath + "/settings", ID: "settings", Tag: tag, Summary: "Keep preferences", Need: auth.Keep,
		Body: 16 << 10, Status: http.StatusNoContent,
	}, done(h.settings))
}

func (h *accounts) get(ctx context.Context) (accountView, error) {
	c, _ := auth.FromContext(ctx)
	v := callerView(c)
	u, err := store.Get(ctx, h.store, store.Tx.User, c.ID)
	v.Created, v.Settings = store.When(u.Created), u.Settings
	return v, err
}

func (h *accounts) settings(ctx context.Context, in *settingsBody) error {
	c, _ := auth.FromContext(ctx)
	b, err := json.Marshal(in.Body)
	if err != nil {
		return err
	}
	return h.store.Update(ctx, func(tx store.Tx) error {
		u, err := tx.User(c.ID)
		if err != nil {
			return err
		}
		u.Settings = b
		return tx.SetUser(&u)
	})
}
