package site

import (
	"context"
	"net/http"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// accountPages are what has to do with one's own account.
type accountPages struct {
	*Site
	auth      *auth.Service
	positions *records.Positions
}

func (h *accountPages) register() {
	h.page("/login", auth.Look, "", h.loginPage)
	h.page("/register", auth.Look, "", h.registerPage)
	h.formOn("/login", auth.Enter, h.loginPage, h.loginForm)
	h.formOn("/register", auth.Enter, h.registerPage, h.registerForm)
	h.form("/guest", auth.Enter, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		if _, known := auth.FromContext(ctx); known {
			return back(r.PostForm.Get("to")), nil
		}
		_, err := h.auth.BecomeGuest(ctx)
		return back(r.PostForm.Get("to")), err
	})
	h.form("/logout", auth.Self, func(ctx context.Context, _ http.ResponseWriter, _ *http.Request) (string, error) {
		return "/", h.auth.Logout(ctx)
	})
	h.page("/account", auth.Self, "", h.accountPage)
	h.formOn("/account/password", auth.Self, h.accountPage, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		err := h.auth.ChangePassword(ctx, r.PostForm.Get("old"), r.PostForm.Get("new"))
		return "/account", problem.InputAt("#/new", err)
	})
	h.formOn("/account/name", auth.Self|auth.Enter, h.accountPage, h.nameForm)
	h.form("/account/end-sessions", auth.Secure, func(ctx context.Context, _ http.ResponseWriter, _ *http.Request) (string, error) {
		return "/account", h.auth.EndOthers(ctx)
	})
	h.formOn("/account/tokens", auth.Secure, h.accountPage, func(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
		c, _ := auth.FromContext(ctx)
		return "", h.tokenForm(w, r, c.ID, "/account")
	})
	h.form("/account/tokens/{id}/revoke", auth.Secure, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		c, _ := auth.FromContext(ctx)
		return "/account", h.auth.RevokeToken(ctx, c.ID, pathNumber(r, "id"))
	})
	h.page("/bots", auth.Bots, "", h.botsPage)
	h.formOn("/bots", auth.Bots, h.botsPage, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		_, err := h.auth.AddBots(ctx, strings.Fields(r.PostForm.Get("names")))
		return "/bots", problem.InputAt("#/names", err)
	})
	h.form("/bots/{bot}/disable", auth.Bots, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/bots", h.auth.DisableBot(ctx, pathNumber(r, "bot"))
	})
	h.formOn("/bots/{bot}/tokens", auth.Bots, h.botsPage, func(_ context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
		return "", h.tokenForm(w, r, pathNumber(r, "bot"), "/bots")
	})
	h.form("/bots/{bot}/tokens/{id}/revoke", auth.Bots, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/bots", h.auth.RevokeToken(ctx, pathNumber(r, "bot"), pathNumber(r, "id"))
	})
}

func (h *accountPages) loginPage(_ context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title, p.Data = "login", "login", p.Words.Text("nav.login"), backOf(r)
	return nil
}

// nameForm gives a guest another name.
func (h *accountPages) nameForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	_, err := h.auth.Rename(ctx, r.PostForm.Get("name"))
	return back(r.PostForm.Get("to")), err
}

// backOf is where a form of a page leads, as its address or the form that was sent says.
func backOf(r *http.Request) string {
	if r.Method == http.MethodPost {
		return back(r.PostForm.Get("to"))
	}
	return back(r.URL.Query().Get("to"))
}

func (h *accountPages) loginForm(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	c, err := h.auth.Login(ctx, r.PostForm.Get("name"), r.PostForm.Get("password"))
	if err != nil {
		return "", err
	}
	h.recallLook(ctx, w, r, c.ID)
	if c.MustChange {
		return "/account", nil
	}
	return back(r.PostForm.Get("to")), nil
}

func (h *accountPages) registerPage(_ context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "register", "login", p.Words.Text("login.register")
	return nil
}

func (h *accountPages) registerForm(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
	form := r.PostForm
	make := h.auth.Register
	if c, known := auth.FromContext(ctx); known && c.Kind == store.Guest {
		make = h.auth.Claim
	}
	if _, err := make(ctx, form.Get("name"), form.Get("password"), form.Get("invitation")); err != nil {
		return "", err
	}
	_ = h.rememberLook(ctx, lookOf(r)) // the account is made, and its owner logged in, also without
	return "/", nil
}

func (h *accountPages) accountPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "account", "account", p.Me.Name
	c, _ := auth.FromContext(ctx)
	a := pages.Account{Back: backOf(r)}
	var err error
	if a.Saved, err = savedModels(ctx, h.positions); err != nil {
		return err
	}
	if c.Can(auth.Secure) {
		list, err := h.auth.TokensOf(ctx, c.ID)
		if err != nil {
			return err
		}
		a.Tokens = tokenModels(list)
	}
	p.Data = a
	return nil
}

func tokenModels(list []store.Token) []pages.Token {
	var out []pages.Token
	for _, t := range list {
		out = append(out, pages.Token{ID: t.ID, Name: t.Name, Created: t.Created, Used: t.Used, Expires: t.Expires})
	}
	return out
}

// tokenForm makes a token and shows it, this once.
func (h *accountPages) tokenForm(w http.ResponseWriter, r *http.Request, user int64, back string) error {
	days := formNumber(r, "days")
	if days < 0 || days > 3650 {
		return problem.At("#/days", problem.Input("days: 0 to 3650").Because(game.WhyRange, "0 – 3650"))
	}
	secret, t, err := h.auth.AddToken(r.Context(), user, r.PostForm.Get("name"), time.Duration(days)*24*time.Hour)
	if err != nil {
		return err
	}
	h.showSecret(w, r, pages.Secret{What: "token", List: []pages.Shown{{Name: t.Name, Text: secret}}, Back: back})
	return nil
}

func (h *accountPages) botsPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "bots", "account", p.Words.Text("account.bots")
	list, err := h.auth.BotsOf(ctx)
	if err != nil {
		return err
	}
	var out []pages.Bot
	for _, u := range list {
		b := pages.Bot{ID: u.ID, Name: u.Name, Disabled: u.Disabled, Created: u.Created}
		if !u.Disabled {
			tokens, err := h.auth.TokensOf(ctx, u.ID)
			if err != nil {
				return err
			}
			b.Tokens = tokenModels(tokens)
		}
		out = append(out, b)
	}
	p.Data = out
	return nil
}
