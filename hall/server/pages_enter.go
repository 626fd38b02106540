package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"kibitz/hall/auth"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// registerEnterPages registers what has to do with one's own account.
func (h *Hall) registerEnterPages() {
	h.page("/login", auth.Look, "", func(_ context.Context, r *http.Request, p *pages.Page) error {
		p.Name, p.Nav, p.Title, p.Data = "login", "login", p.Words.Text("nav.login"), back(r.URL.Query().Get("to"))
		return nil
	})
	h.page("/register", auth.Look, "", func(_ context.Context, _ *http.Request, p *pages.Page) error {
		p.Name, p.Nav, p.Title = "register", "login", p.Words.Text("login.register")
		return nil
	})
	h.form("/login", auth.Enter, h.loginForm)
	h.form("/register", auth.Enter, h.registerForm)
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
	h.form("/account/password", auth.Self, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/account", h.auth.ChangePassword(ctx, r.PostForm.Get("old"), r.PostForm.Get("new"))
	})
	h.form("/account/end-sessions", auth.Secure, func(ctx context.Context, _ http.ResponseWriter, _ *http.Request) (string, error) {
		return "/account", h.auth.EndOthers(ctx)
	})
	h.form("/account/tokens", auth.Secure, func(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
		c, _ := auth.FromContext(ctx)
		return "", h.tokenForm(w, r, c.ID, "/account")
	})
	h.form("/account/tokens/{id}/revoke", auth.Secure, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		c, _ := auth.FromContext(ctx)
		return "/account", h.auth.RevokeToken(ctx, c.ID, pathNumber(r, "id"))
	})
	h.page("/bots", auth.Bots, "", h.botsPage)
	h.form("/bots", auth.Bots, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		in := &newBots{}
		in.Body.Names = strings.Fields(r.PostForm.Get("names"))
		_, err := h.makeBots(ctx, in)
		return "/bots", err
	})
	h.form("/bots/{bot}/disable", auth.Bots, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/bots", h.auth.DisableBot(ctx, pathNumber(r, "bot"))
	})
	h.form("/bots/{bot}/tokens", auth.Bots, func(_ context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
		return "", h.tokenForm(w, r, pathNumber(r, "bot"), "/bots")
	})
	h.form("/bots/{bot}/tokens/{id}/revoke", auth.Bots, func(ctx context.Context, _ http.ResponseWriter, r *http.Request) (string, error) {
		return "/bots", h.auth.RevokeToken(ctx, pathNumber(r, "bot"), pathNumber(r, "id"))
	})
}

// pathNumber is a number in a path; what is none is nobody's.
func pathNumber(r *http.Request, name string) int64 {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// formNumber is a number in a form, 0 for what is none.
func formNumber(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.PostForm.Get(name))
	if err != nil {
		return 0
	}
	return n
}

// again shows a form once more with what was wrong.
func (h *Hall) again(w http.ResponseWriter, r *http.Request, err error, fn fill) (string, error) {
	p := h.newPage(r)
	problem := classify(err)
	if problem.Status >= http.StatusInternalServerError {
		return "", err
	}
	p.Fault, p.Detail, p.Faults = problem.Code, problem.Text, fieldFaults(err)
	if problem.Code == "login" {
		p.Detail = ""
	}
	if err := fn(r.Context(), r, p); err != nil {
		return "", err
	}
	h.send(w, r, problem.Status, p, "")
	return "", nil
}

func (h *Hall) loginForm(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	to := back(r.PostForm.Get("to"))
	c, err := h.auth.Login(ctx, r.PostForm.Get("name"), r.PostForm.Get("password"))
	if err != nil {
		return h.again(w, r, err, func(_ context.Context, _ *http.Request, p *pages.Page) error {
			p.Name, p.Nav, p.Title, p.Data = "login", "login", p.Words.Text("nav.login"), to
			return nil
		})
	}
	h.recallLook(ctx, w, c.ID)
	if c.MustChange {
		to = "/account"
	}
	return to, nil
}

func (h *Hall) registerForm(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	form := r.PostForm
	make := h.auth.Register
	if c, known := auth.FromContext(ctx); known && c.Kind == store.Guest {
		make = h.auth.Claim
	}
	_, err := make(ctx, form.Get("name"), form.Get("password"), form.Get("invitation"))
	if err != nil {
		return h.again(w, r, err, func(_ context.Context, _ *http.Request, p *pages.Page) error {
			p.Name, p.Nav, p.Title = "register", "login", p.Words.Text("login.register")
			return nil
		})
	}
	return "/", h.rememberLook(ctx, lookOf(r))
}

func (h *Hall) accountPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "account", "account", p.Me.Name
	c, _ := auth.FromContext(ctx)
	var a pages.Account
	var err error
	if a.Saved, err = h.savedModels(ctx); err != nil {
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
func (h *Hall) tokenForm(w http.ResponseWriter, r *http.Request, user int64, back string) error {
	days := formNumber(r, "days")
	if days < 0 || days > 3650 {
		return badInput("days: 0 to 3650")
	}
	t, err := h.makeToken(r.Context(), user, tokenWish{Name: r.PostForm.Get("name"), Days: days})
	if err != nil {
		return err
	}
	h.showSecret(w, r, pages.Secret{What: "token", List: []pages.Shown{{Name: t.Body.Name, Text: t.Body.Token}}, Back: back})
	return nil
}

// showSecret shows what is shown once.
func (h *Hall) showSecret(w http.ResponseWriter, r *http.Request, s pages.Secret) {
	p := h.newPage(r)
	p.Name, p.Title, p.Data = "secret", p.Words.Text("secret."+s.What), s
	h.send(w, r, http.StatusOK, p, "")
}

func (h *Hall) botsPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
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
