// Package site is the pages of a hall for browsers, and the forms on them. Each page fills a
// model with what the services answer to its reader; hall/web/pages makes HTML of it.
package site

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/director"
	"kibitz/hall/learn"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/hall/web"
	"kibitz/hall/web/pages"
	"kibitz/report/board"
)

// lookCookie keeps how a browser's owner wants pages.
const lookCookie = "look"

// fill fills in a page for its reader: name, title and data.
type fill func(ctx context.Context, r *http.Request, p *pages.Page) error

// order does what a form asks for, and returns where to go on.
type order func(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error)

// Config is what the pages are made of. Without Rooms, with Running and Consoles, and
// without Tournaments the pages of those are absent. The rate is that of an operator's options.
type Config struct {
	Router *router.Router
	Pages  *pages.Pages
	Auth   *auth.Service
	Store  store.Store
	Now    func() time.Time
	Log    *slog.Logger
	// Secure tells that browsers reach the hall over TLS.
	Secure       bool
	Registration auth.Registration
	NoGuests     bool
	AddressRate  float64

	Users     *admin.Users
	Engines   *admin.Engines
	Audit     *admin.Audit
	Workers   *admin.Workers
	Positions *records.Positions
	Games     *records.Games
	Imports   *records.Imports

	Rooms       *lobby.Rooms
	Running     *lobby.Running
	Consoles    *lobby.Consoles
	Tournaments *director.Desk
	// Lessons plays what is taught; nil if nothing is.
	Lessons Teacher
}

// Site is what all pages have: how they are filled in, sent, and looked at.
type Site struct {
	router       *router.Router
	pages        *pages.Pages
	store        store.Store
	log          *slog.Logger
	now          func() time.Time
	secure       bool
	registration auth.Registration
	noGuests     bool
	packers      sync.Pool
	// own are the games that the reader of a page plays; nil where there are no rooms.
	own func(ctx context.Context, p *pages.Page, wait time.Duration) ([]pages.Own, error)
	// seeking are the rooms in which the reader waits for an opponent; they are told where a page looks again
	// and again for what came of it.
	seeking func(_ context.Context, _ *pages.Page, again bool) ([]pages.RoomLine, error)
	// asks are challenges that ask the reader by name.
	asks func(context.Context, *pages.Page) ([]pages.Challenge, error)
	// learn are the games that have pages with their rules.
	learn map[string]bool
	texts map[string]func() (*learn.Game, error)
	// puzzle is that of a day; nil where nothing is taught.
	puzzle func(day time.Time, language string, style board.Style) (*pages.Puzzle, error)
	// anchors tell how strong levels are against people.
	anchors anchors
}

// New registers all pages: each fills a model with what the operations of the API answer
// to the same caller.
func New(c Config) *Site {
	h := &Site{
		router: c.Router, pages: c.Pages, store: c.Store, log: c.Log, now: c.Now, secure: c.Secure, registration: c.Registration,
		noGuests: c.NoGuests,
	}
	c.Router.ShowErrors(h.errorPage, h.said)
	c.Router.Handle(router.Route{
		Method: "GET", Path: web.Prefix, ID: "assets", Summary: "scripts and styles", Need: auth.Look,
	}, h.pages.Assets())
	shipped := newShipped(h, c.Games)
	rooms := &roomPages{
		Site: h, games: c.Games, positions: c.Positions, engines: c.Engines, rooms: c.Rooms, running: c.Running,
		desk: c.Tournaments, consoles: c.Consoles, shipped: shipped,
	}
	h.page("/{$}", auth.Look, "", rooms.frontPage)
	h.page("/watch", auth.Look, "", rooms.watchPage)
	c.Router.Handle(router.Route{
		Method: "GET", Path: "/manifest.webmanifest", ID: "manifest", Summary: "what a browser keeps of the hall", Need: auth.Look,
	}, http.HandlerFunc(h.manifest))
	h.page("/settings", auth.Look, "", h.settingsPage)
	h.form("/look", auth.Look, h.setLook)
	h.form("/settings", auth.Look, h.setSettings)
	(&accountPages{h, c.Auth, c.Positions}).register()
	(&peoplePages{h, c.Games, c.Engines, c.Consoles}).register()
	games := &gamePages{h, c.Games, c.Positions, c.Engines, c.Consoles}
	games.register()
	shipped.register()
	(&pictures{h, c.Games, c.Positions, router.NewLimiter(c.AddressRate/50, 0.4, 30), make(chan struct{}, 2)}).register()
	(&importPages{h, c.Imports, c.Games}).register()
	(&savedPages{h, c.Positions, c.Games, c.Rooms, c.Running, games.gamePage, rooms.wholeRoomPage}).register()
	(&adminPages{h, c.Auth, c.Users, c.Engines, c.Workers, c.Audit}).register()
	(&tournamentPages{h, c.Tournaments, c.Engines}).register()
	if c.Lessons != nil {
		lessons := newLearnPages(h, c.Lessons, c.Rooms != nil)
		lessons.register()
		h.learn, h.texts, h.puzzle = lessons.games(), lessons.texts, lessons.ofDay
	}
	if c.Rooms != nil {
		h.own, h.seeking, h.asks = rooms.own, rooms.seeking, rooms.asks
		rooms.register()
		(&challengePages{rooms}).register()
	}
	c.Router.Handle(router.Route{Path: "/", ID: "no-page", Summary: "everything else", Need: auth.Look},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.router.SendProblem(w, r, http.StatusNotFound, "no-route", "")
		}))
	return h
}

// page registers a page, or with the name of a template a part of one.
func (h *Site) page(path string, need auth.Permission, part string, fn fill) {
	h.router.Handle(router.Route{Method: "GET", Path: path, ID: pageID("page", path), Summary: "page", Need: need, Secret: isSecret(path)},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p := h.newPage(r)
			err := fn(r.Context(), r, p)
			if err == nil && (part == "" || part == "own") && h.own != nil {
				wait := turnTime
				if part == "own" { // nobody waits for what else is on a page
					wait = answerTime
				}
				p.Own, err = h.own(r.Context(), p, wait)
				if err == nil && (!p.Busy() || p.Name == "front") { // which lists them beside one's games
					p.Seeking, err = h.seeking(r.Context(), p, part == "own")
				}
				if err == nil {
					p.Asks, err = h.asks(r.Context(), p)
				}
			}
			var other *redirect
			switch {
			case errors.As(err, &other):
				http.Redirect(w, r, other.to, http.StatusSeeOther)
			case err != nil:
				h.router.SendError(w, r, err)
			default:
				h.send(w, r, http.StatusOK, p, part)
			}
		}))
}

// form registers where a form of presses alone is sent to; one that is not taken is answered
// by a page of its own.
func (h *Site) form(path string, need auth.Permission, fn order) { h.formOn(path, need, nil, fn) }

// formOn registers where a form of a page is sent to; one that is not taken comes back on that
// page.
func (h *Site) formOn(path string, need auth.Permission, page fill, fn order) {
	h.router.Handle(router.Route{
		Method: "POST", Path: path, ID: pageID("form", path), Summary: "form of a page", Need: need, Secret: isSecret(path),
	},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := r.ParseForm(); err != nil {
				h.router.SendProblem(w, r, http.StatusBadRequest, "input", problem.OneLine(err))
				return
			}
			to, err := fn(r.Context(), w, r)
			if errors.Is(err, auth.ErrNoGuests) && h.wantsPage(r) {
				to, err = "/login?to="+url.QueryEscape(cameFrom(r)), nil
			}
			if err != nil && page != nil && h.wantsPage(r) {
				err = h.again(w, r, err, page)
			}
			if err != nil {
				h.router.SendError(w, r, err)
				return
			}
			if to != "" {
				w.Header().Set("Cache-Control", "no-store")
				http.Redirect(w, r, to, http.StatusSeeOther)
			}
		}))
}

// isSecret reports whether an address is for whoever was given it.
func isSecret(path string) bool { return strings.HasPrefix(path, secretPath) }

func pageID(kind, path string) string {
	return kind + strings.NewReplacer("/", "-", "{$}", "front", "{", "", "}", "").Replace(path)
}

// newPage is a page for whoever asks, still without content.
func (h *Site) newPage(r *http.Request) *pages.Page {
	p := &pages.Page{
		Look: lookOf(r), Languages: h.pages.Words().Languages(), Here: r.URL.RequestURI(), Address: h.ownAddress(r),
		Guests: !h.noGuests, Registration: string(h.registration), Learn: h.learn,
		Secret: isSecret(r.URL.Path),
	}
	p.Words = h.pages.Words().Choose(p.Look.Language, r.Header.Get("Accept-Language"))
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
func (h *Site) ownAddress(r *http.Request) string {
	if h.secure {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// send writes a page, or a part of one. A page that answers to a form which was not
// taken has in it what was sent.
func (h *Site) send(w http.ResponseWriter, r *http.Request, status int, p *pages.Page, part string) {
	var b bytes.Buffer
	part = cmp.Or(part, "layout")
	if err := h.pages.Part(&b, p, part); err != nil {
		h.log.ErrorContext(r.Context(), "page", "request", router.RequestID(r.Context()), "page", p.Name, "error", problem.OneLine(err))
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Cache-Control", "no-store") // what a page says depends on who asks
	head.Set("Content-Language", p.Words.ID)
	body := b.Bytes()
	if r.Method == http.MethodPost && len(p.Faults) > 0 {
		body = refill(body, r.URL.Path, r.PostForm, p.Faults)
	}
	h.allow(head, p.Inline)
	for _, m := range styleLink.FindAllSubmatch(body[:max(0, bytes.Index(body, []byte("</head>")))], -1) {
		if len(m[1]) == 0 { // for browsers without scripts
			continue
		}
		head.Add("Link", "<"+string(m[1])+">; rel=preload; as=style")
	}
	h.writeBody(w, r, status, body)
}

// allow lets styles stand within a page: these texts, and no other.
func (h *Site) allow(head http.Header, styles []string) {
	own := "style-src 'self'"
	for _, name := range styles {
		own += " " + h.pages.Assets().Source(name)
	}
	const policy = "Content-Security-Policy"
	head.Set(policy, strings.Replace(head.Get(policy), "style-src 'self'", own, 1))
}

// styleLink finds the styles of a page. They are named in its header too: a page is drawn when
// they have come, and on a slow line its header is there long before its text. What stands in
// noscript is found first, as no style.
var styleLink = regexp.MustCompile(`(?s:<noscript>.*?</noscript>)|<link rel="stylesheet" href="([^"]+)">`)

// wantsPage reports whether a request comes from a person in front of a browser, who is
// told of errors by a page.
func (h *Site) wantsPage(r *http.Request) bool {
	return !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, web.Prefix) &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// errorPage says what was wrong, if a person asks.
func (h *Site) errorPage(w http.ResponseWriter, r *http.Request, err error) bool {
	if !h.wantsPage(r) {
		return false
	}
	p := h.newPage(r)
	x := problemOf(err)
	status, code := x.Status, x.Code
	e := pages.Error{Status: status, Request: router.RequestID(r.Context())}
	p.Name = "error"
	what := code
	if kind, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/"); code == "not-found" && p.Words.Has("problem.no-"+kind) {
		what = "no-" + kind
	}
	p.Title, e.Next = pages.ProblemText(p.Words, what)
	if next := pages.WhenAgain(p.Words, w.Header().Get("Retry-After")); status == http.StatusTooManyRequests && next != "" {
		e.Next = next
	}
	if f := firstFault(p.Words, err, ofForm); f.English {
		e.Detail = f.Text
	} else if isKind(code) && f.Text != "" {
		e.Next = f.Text
	}
	if most, err := strconv.ParseInt(w.Header().Get(problem.Most), 10, 64); err == nil {
		e.Next += " " + p.Words.Text("error.most", "size", pages.Bytes(p.Words, most))
	}
	if code == "away" {
		p.Title, e.Away = p.Words.Text("error.away"), true
		if r.Method == http.MethodGet {
			e.Renews = problem.RetryAfter
		}
	}
	wrong := r.PostForm.Get("do") == "enter" // a code that opens nothing is typed once more
	if id, ok := strings.CutPrefix(r.URL.Path, "/rooms/"); ok && (wrong || code == "not-found") && p.Me != nil {
		e.Room, _, _ = strings.Cut(id, "/")
	}
	if wrong {
		p.Title = p.Words.Text("form.check", "title", p.Title)
		p.Faults = []pages.FieldFault{{Field: "code", Text: p.Words.Text("field.code")}}
	}
	p.Data = e
	h.send(w, r, status, p, "")
	return true
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

func (h *Site) keepLook(w http.ResponseWriter, l pages.Look) {
	http.SetCookie(w, &http.Cookie{
		Name: lookCookie, Value: url.QueryEscape(l.String()), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true,
		Secure: h.secure, SameSite: http.SameSiteLaxMode,
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

// cameFrom is the page of the hall on which a form was sent.
func cameFrom(r *http.Request) string {
	from, err := url.Parse(r.Referer())
	if err != nil {
		return "/"
	}
	return back(from.RequestURI())
}

// redirect is no error: it tells that a page is elsewhere.
type redirect struct{ to string }

func (r *redirect) Error() string { return "see " + r.to }

// setLook changes what a form names alone.
func (h *Site) setLook(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	l, form := lookOf(r), pages.LookOf(r.PostForm)
	if r.PostForm.Has("lang") {
		l.Language = form.Language
	}
	if r.PostForm.Has("theme") {
		l.Theme = form.Theme
	}
	if r.PostForm.Has("targets") {
		l.Targets = form.Targets
	}
	if r.PostForm.Has("size") {
		l.Size = form.Size
	}
	for name, on := range map[string]*bool{"nosounds": &l.NoSounds, "numbers": &l.Numbers, "notimes": &l.NoTimes, "learning": &l.Learning} {
		if r.PostForm.Has(name) {
			*on = r.PostForm.Get(name) == "1"
		}
	}
	h.keepLook(w, l)
	return back(r.PostForm.Get("to")), h.rememberLook(ctx, l)
}

func (h *Site) settingsPage(_ context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "settings", "settings", p.Words.Text("nav.settings")
	return nil
}

func (h *Site) setSettings(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	l := pages.LookOf(r.PostForm)
	l.Muted = lookOf(r).Muted // which is no field of the form
	h.keepLook(w, l)
	return "/settings", h.rememberLook(ctx, l)
}

// rememberLook keeps a look with the account, for its other browsers; how a move is made is each device's own.
func (h *Site) rememberLook(ctx context.Context, l pages.Look) error {
	l.Moves = ""
	return h.keepSetting(ctx, "look", l.String())
}

// keepSetting keeps a setting of pages with the account, if whoever calls may keep any.
func (h *Site) keepSetting(ctx context.Context, name, value string) error {
	c, known := auth.FromContext(ctx)
	if !known || !c.Can(auth.Keep) {
		return nil
	}
	return h.store.Update(ctx, func(tx store.Tx) error {
		u, err := tx.User(c.ID)
		if err != nil {
			return err
		}
		all := map[string]any{}
		if len(u.Settings) > 0 && json.Unmarshal(u.Settings, &all) != nil {
			all = map[string]any{}
		}
		if all[name] == value {
			return nil
		}
		all[name] = value
		if u.Settings, err = json.Marshal(all); err != nil {
			return err
		}
		return tx.SetUser(&u)
	})
}

// recallLook gives a browser the look that its owner's account has.
func (h *Site) recallLook(ctx context.Context, w http.ResponseWriter, r *http.Request, id int64) {
	var all struct {
		Look string `json:"look"`
	}
	err := h.store.View(ctx, func(tx store.Tx) error {
		u, err := tx.User(id)
		if err == nil && len(u.Settings) > 0 {
			err = json.Unmarshal(u.Settings, &all)
		}
		return err
	})
	if err == nil && all.Look != "" {
		l := pages.ParseLook(all.Look)
		l.Moves = lookOf(r).Moves
		h.keepLook(w, l)
	}
}
