package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"kibitz/hall/auth"
	"kibitz/hall/store"
	"kibitz/hall/web"
	"kibitz/hall/web/pages"
)

// lookCookie keeps how a browser's owner wants pages.
const lookCookie = "look"

// fill fills in a page for its reader: name, title and data.
type fill func(ctx context.Context, r *http.Request, p *pages.Page) error

// order does what a form asks for, and returns where to go on.
type order func(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error)

// registerPages registers all pages: each fills a model with what the operations of
// the API answer to the same caller.
func (h *Hall) registerPages() {
	h.handle(Route{Method: "GET", Path: web.Prefix, ID: "assets", Summary: "scripts and styles", Need: auth.Look}, h.cfg.Pages.Assets())
	h.page("/{$}", auth.Look, "", h.lobbyPage)
	h.page("/settings", auth.Look, "", h.settingsPage)
	h.form("/look", auth.Look, h.setLook)
	h.form("/settings", auth.Look, h.setSettings)
	h.registerEnterPages()
	h.registerPeoplePages()
	h.registerGamePages()
	h.registerImportPage()
	h.registerSavedPages()
	h.registerAdminPages()
	h.registerTournamentPages()
	if h.cfg.Live != nil {
		h.registerRoomPages()
	}
	h.handle(Route{Path: "/", ID: "no-page", Summary: "everything else", Need: auth.Look},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.refuse(w, r, http.StatusNotFound, "no-route", "")
		}))
}

// page registers a page, or with the name of a template a part of one.
func (h *Hall) page(path string, need auth.Permission, part string, fn fill) {
	h.handle(Route{Method: "GET", Path: path, ID: pageID("page", path), Summary: "page", Need: need},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p := h.newPage(r)
			err := fn(r.Context(), r, p)
			var other *redirect
			switch {
			case errors.As(err, &other):
				http.Redirect(w, r, other.to, http.StatusSeeOther)
			case err != nil:
				h.refuseError(w, r, err)
			default:
				h.send(w, r, http.StatusOK, p, part)
			}
		}))
}

// form registers where a form is sent to.
func (h *Hall) form(path string, need auth.Permission, fn order) {
	h.handle(Route{Method: "POST", Path: path, ID: pageID("form", path), Summary: "form of a page", Need: need},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := r.ParseForm(); err != nil {
				h.refuse(w, r, http.StatusBadRequest, "input", oneLine(err))
				return
			}
			to, err := fn(r.Context(), w, r)
			if err != nil {
				h.refuseError(w, r, err)
				return
			}
			if to != "" {
				w.Header().Set("Cache-Control", "no-store")
				http.Redirect(w, r, to, http.StatusSeeOther)
			}
		}))
}

func pageID(kind, path string) string {
	return kind + strings.NewReplacer("/", "-", "{$}", "lobby", "{", "", "}", "").Replace(path)
}

// newPage is a page for whoever asks, still without content.
func (h *Hall) newPage(r *http.Request) *pages.Page {
	p := &pages.Page{
		Look: lookOf(r), Languages: h.cfg.Pages.Words().Languages(), Here: r.URL.RequestURI(), Address: h.ownAddress(r),
		Guests: !h.cfg.Options.NoGuests, Registration: string(h.cfg.Options.Registration),
	}
	p.Words = h.cfg.Pages.Words().Choose(p.Look.Language, r.Header.Get("Accept-Language"))
	if r.Method != http.MethodGet || r.URL.Path == "/login" { // whoever logs in comes back to neither
		p.Here = "/"
	}
	if c, known := auth.FromContext(r.Context()); known {
		me := &pages.Me{
			ID: c.ID, Name: c.Name, Kind: string(c.Kind), Role: string(c.Role), Guest: c.Kind == store.Guest,
			MustChange: c.MustChange, May: map[string]bool{},
		}
		for _, name := range auth.Granted(c).Names() {
			me.May[name] = true
		}
		p.Me = me
	}
	return p
}

// ownAddress is where the browser found the hall.
func (h *Hall) ownAddress(r *http.Request) string {
	if h.cfg.Secure {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// send writes a page, or a part of one. A page that answers to a form which was not
// taken has in it what was sent.
func (h *Hall) send(w http.ResponseWriter, r *http.Request, status int, p *pages.Page, part string) {
	var b bytes.Buffer
	if part == "" {
		part = "layout"
	}
	if err := h.cfg.Pages.Part(&b, p, part); err != nil {
		h.cfg.Log.ErrorContext(r.Context(), "page", "request", requestID(r.Context()), "page", p.Name, "error", oneLine(err))
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Cache-Control", "no-store") // what a page says depends on who asks
	head.Set("Content-Language", p.Words.ID)
	body := b.Bytes()
	if r.Method == http.MethodPost && p.Fault != "" {
		body = refill(body, r.URL.Path, r.PostForm, p.Detail, p.Faults)
	}
	h.writeBody(w, r, status, body)
}

// wantsPage reports whether a request comes from a person in front of a browser, who is
// told of errors by a page.
func (h *Hall) wantsPage(r *http.Request) bool {
	return h.cfg.Pages != nil && !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, web.Prefix) &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// errorPage says what was wrong.
func (h *Hall) errorPage(w http.ResponseWriter, r *http.Request, status int, code, text string) {
	p := h.newPage(r)
	p.Name, p.Title, p.Fault, p.Detail = "error", p.Words.Text("error.title"), strings.TrimPrefix(code, "seat-"), text
	switch code {
	case "no-route", "not-found", "login", "fault":
		p.Detail = ""
	}
	e := pages.Error{Status: status, Request: requestID(r.Context())}
	if code == "away" {
		p.Title, p.Fault, p.Detail, e.Away = p.Words.Text("error.away"), "", "", true
		if r.Method == http.MethodGet {
			e.Renews = retryAfter
		}
	}
	if id, ok := strings.CutPrefix(r.URL.Path, "/rooms/"); ok && code == "not-found" && p.Me != nil {
		e.Room, _, _ = strings.Cut(id, "/")
	}
	p.Data = e
	h.send(w, r, status, p, "")
}

// lookOf reads how the browser's owner wants pages.
func lookOf(r *http.Request) pages.Look {
	c, err := r.Cookie(lookCookie)
	if err != nil {
		return pages.Look{}
	}
	text, err := url.QueryUnescape(c.Value)
	if err != nil {
		return pages.Look{}
	}
	return pages.ParseLook(text)
}

func (h *Hall) keepLook(w http.ResponseWriter, l pages.Look) {
	http.SetCookie(w, &http.Cookie{
		Name: lookCookie, Value: url.QueryEscape(l.String()), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true,
		Secure: h.cfg.Secure, SameSite: http.SameSiteLaxMode,
	})
}

// back is where a form wants to go on: a path of this hall, else the lobby.
func back(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") ||
		strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}

// redirect is no error: it tells that a page is elsewhere.
type redirect struct{ to string }

func (r *redirect) Error() string { return "see " + r.to }

// setLook changes language or theme alone.
func (h *Hall) setLook(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	l, form := lookOf(r), pages.LookOf(r.PostForm)
	if r.PostForm.Has("lang") {
		l.Language = form.Language
	}
	if r.PostForm.Has("theme") {
		l.Theme = form.Theme
	}
	h.keepLook(w, l)
	return back(r.PostForm.Get("to")), h.rememberLook(ctx, l)
}

func (h *Hall) settingsPage(_ context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "settings", "settings", p.Words.Text("nav.settings")
	return nil
}

func (h *Hall) setSettings(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	l := pages.LookOf(r.PostForm)
	h.keepLook(w, l)
	return "/settings", h.rememberLook(ctx, l)
}

// rememberLook keeps a look with the account, for its other browsers.
func (h *Hall) rememberLook(ctx context.Context, l pages.Look) error {
	c, known := auth.FromContext(ctx)
	if !known || !c.Can(auth.Keep) {
		return nil
	}
	return h.update(ctx, func(tx store.Tx) error {
		u, err := tx.User(c.ID)
		if err != nil {
			return err
		}
		all := map[string]any{}
		if len(u.Settings) > 0 && json.Unmarshal(u.Settings, &all) != nil {
			all = map[string]any{}
		}
		all["look"] = l.String()
		if u.Settings, err = json.Marshal(all); err != nil {
			return err
		}
		return tx.SetUser(&u)
	})
}

// recallLook gives a browser the look that its owner's account has.
func (h *Hall) recallLook(ctx context.Context, w http.ResponseWriter, id int64) {
	var all struct {
		Look string `json:"look"`
	}
	err := h.view(ctx, func(tx store.Tx) error {
		u, err := tx.User(id)
		if err == nil && len(u.Settings) > 0 {
			err = json.Unmarshal(u.Settings, &all)
		}
		return err
	})
	if err == nil && all.Look != "" {
		h.keepLook(w, pages.ParseLook(all.Look))
	}
}
