package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

type tokenView struct {
	ID      int64      `json:"id"`
	Name    string     `json:"name"`
	Created *time.Time `json:"created,omitempty"`
	Used    *time.Time `json:"used,omitempty" doc:"to the minute"`
	Expires *time.Time `json:"expires,omitempty"`
	Token   string     `json:"token,omitempty" doc:"the token itself: shown this once"`
}

func viewToken(t store.Token, secret string) tokenView {
	return tokenView{t.ID, t.Name, store.When(t.Created), store.When(t.Used), store.When(t.Expires), secret}
}

type tokenWish struct {
	Name string `json:"name" maxLength:"60" doc:"for its owner to know it by"`
	Days int    `json:"days,omitempty" minimum:"0" maximum:"3650" doc:"how long it lasts; 0 until it is revoked"`
}

type newToken struct{ Body tokenWish }

// TokenPath is the number of a token in a path.
type TokenPath struct {
	ID int64 `path:"id"`
}

// BotPath is the number of a bot in a path.
type BotPath struct {
	Bot int64 `path:"bot"`
}

type botToken struct {
	BotPath
	TokenPath
}

type newBotToken struct {
	BotPath
	Body tokenWish
}

type botView struct {
	ID       int64      `json:"id"`
	Name     string     `json:"name"`
	Disabled bool       `json:"disabled,omitempty"`
	Created  *time.Time `json:"created,omitempty"`
	Token    *tokenView `json:"token,omitempty"`
}

type newBots struct {
	Body struct {
		Names     []string `json:"names" minItems:"1" maxItems:"100" doc:"all are made, or none"`
		TokenDays *int     `json:"tokenDays,omitempty" minimum:"0" maximum:"3650" doc:"if given, each bot gets a token that lasts so long, 0 until it is revoked"`
	}
}

const day = 24 * time.Hour

// tokens are the routes of tokens and bots.
type tokens struct{ auth *auth.Service }

func (h *tokens) register(a *API) {
	const tag, tokens, bots = "tokens and bots", accountPath + "/tokens", "/api/v1/bots"
	self := func(ctx context.Context) int64 { c, _ := auth.FromContext(ctx); return c.ID }
	add(a, router.Route{Method: "GET", Path: tokens, ID: "tokens", Tag: tag, Summary: "Tokens of the account", Need: auth.Secure},
		list(func(ctx context.Context) ([]tokenView, error) { return h.list(ctx, self(ctx)) }))
	add(a, router.Route{
		Method: "POST", Path: tokens, ID: "new-token", Tag: tag, Summary: "Make a token of the account", Need: auth.Secure,
		Creates: true, Status: http.StatusCreated,
		About: "The token is in the answer and nowhere else. It may do what the account may, but for what the account's safety hangs on.",
	}, answer(func(ctx context.Context, in *newToken) (tokenView, error) {
		return h.add(ctx, self(ctx), in.Body)
	}))
	add(a, router.Route{
		Method: "DELETE", Path: tokens + "/{id}", ID: "revoke-token", Tag: tag, Summary: "Revoke a token of the account",
		Need: auth.Secure, Status: http.StatusNoContent,
	}, done(func(ctx context.Context, in *TokenPath) error {
		return h.auth.RevokeToken(ctx, self(ctx), in.ID)
	}))
	add(a, router.Route{Method: "GET", Path: bots, ID: "bots", Tag: tag, Summary: "The account's bots", Need: auth.Bots}, list(h.bots))
	add(a, router.Route{
		Method: "POST", Path: bots, ID: "new-bots", Tag: tag, Summary: "Make bots, one or many", Need: auth.Bots, Creates: true,
		Status: http.StatusCreated, About: "An account may own a number of bots that the operator sets; disabled ones count.",
	}, answer(h.addBots))
	add(a, router.Route{
		Method: "DELETE", Path: bots + "/{bot}", ID: "disable-bot", Tag: tag,
		Summary: "End a bot: its tokens are gone, its name and games stay", Need: auth.Bots, Status: http.StatusNoContent,
	}, done(func(ctx context.Context, in *BotPath) error { return h.auth.DisableBot(ctx, in.Bot) }))
	add(a, router.Route{Method: "GET", Path: bots + "/{bot}/tokens", ID: "bot-tokens", Tag: tag, Summary: "Tokens of a bot", Need: auth.Bots},
		answer(func(ctx context.Context, in *BotPath) ([]tokenView, error) { return h.list(ctx, in.Bot) }))
	add(a, router.Route{
		Method: "POST", Path: bots + "/{bot}/tokens", ID: "new-bot-token", Tag: tag, Summary: "Make a token of a bot",
		Need: auth.Bots, Creates: true, Status: http.StatusCreated,
	}, answer(func(ctx context.Context, in *newBotToken) (tokenView, error) {
		return h.add(ctx, in.Bot, in.Body)
	}))
	add(a, router.Route{
		Method: "DELETE", Path: bots + "/{bot}/tokens/{id}", ID: "revoke-bot-token", Tag: tag, Summary: "Revoke a token of a bot",
		Need: auth.Bots, Status: http.StatusNoContent,
	}, done(func(ctx context.Context, in *botToken) error {
		return h.auth.RevokeToken(ctx, in.Bot, in.ID)
	}))
}

func (h *tokens) list(ctx context.Context, user int64) ([]tokenView, error) {
	list, err := h.auth.TokensOf(ctx, user)
	out := make([]tokenView, 0, len(list))
	for _, t := range list {
		out = append(out, viewToken(t, ""))
	}
	return out, err
}

func (h *tokens) add(ctx context.Context, user int64, in tokenWish) (tokenView, error) {
	secret, t, err := h.auth.AddToken(ctx, user, in.Name, time.Duration(in.Days)*day)
	return viewToken(t, secret), err
}

func (h *tokens) bots(ctx context.Context) ([]botView, error) {
	list, err := h.auth.BotsOf(ctx)
	out := make([]botView, 0, len(list))
	for _, u := range list {
		out = append(out, botView{ID: u.ID, Name: u.Name, Disabled: u.Disabled, Created: store.When(u.Created)})
	}
	return out, err
}

func (h *tokens) addBots(ctx context.Context, in *newBots) ([]botView, error) {
	list, err := h.auth.AddBots(ctx, in.Body.Names)
	if err != nil {
		return nil, problem.InputAt("#/names", err)
	}
	out := make([]botView, 0, len(list))
	for _, u := range list {
		v := botView{ID: u.ID, Name: u.Name, Created: store.When(u.Created)}
		if in.Body.TokenDays != nil {
			secret, t, err := h.auth.AddToken(ctx, u.ID, "first", time.Duration(*in.Body.TokenDays)*day)
			if err != nil {
				return nil, fmt.Errorf("the bots were made; the token of %s: %w", u.Name, err)
			}
			tv := viewToken(t, secret)
			v.Token = &tv
		}
		out = append(out, v)
	}
	return out, nil
}
