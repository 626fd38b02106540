package site

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"kibitz/game/look"
	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// playCookie keeps how a browser's owner has played each game.
const playCookie = "play"

// playPages are the options of a game, and the press that plays.
type playPages struct{ *roomPages }

func (h *playPages) register() {
	h.page("/play/{game}", auth.Look, "", h.sheetPage)
	h.page("/play/{game}/sheet", auth.Look, "sheet", h.sheetPage)
	h.page("/play/clock", auth.Look, "clockread", func(_ context.Context, r *http.Request, p *pages.Page) error {
		p.Name, p.Data = "play", pages.Understood(p.Words, r.URL.Query().Get("text"))
		return nil
	})
	h.formOn("/play", auth.Look, h.sheetPage, h.playForm)
}

// wishes are how the reader has played: his browser knows, else his account.
func (h *Site) wishes(ctx context.Context, r *http.Request) pages.Wishes {
	if c, err := r.Cookie(playCookie); err == nil {
		if text, err := url.QueryUnescape(c.Value); err == nil {
			return pages.ParseWishes(text, h.pages.Game)
		}
	}
	c, known := auth.FromContext(ctx)
	if !known || !c.Can(auth.Keep) {
		return nil
	}
	var kept struct {
		Play string `json:"play"`
	}
	err := h.store.View(ctx, func(tx store.Tx) error {
		u, err := tx.User(c.ID)
		if err == nil && len(u.Settings) > 0 {
			err = json.Unmarshal(u.Settings, &kept)
		}
		return err
	})
	if err != nil {
		return nil // what was played last is a convenience
	}
	return pages.ParseWishes(kept.Play, h.pages.Game)
}

// rememberWishes keeps them in the browser, and with the account.
func (h *Site) rememberWishes(ctx context.Context, w http.ResponseWriter, list pages.Wishes) error {
	http.SetCookie(w, &http.Cookie{
		Name: playCookie, Value: url.QueryEscape(list.String()), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true,
		Secure: h.secure, SameSite: http.SameSiteLaxMode,
	})
	return h.keepSetting(ctx, "play", list.String())
}

// sheetPage are the options of a game.
func (h *playPages) sheetPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	id := r.PathValue("game")
	if id == "" {
		id = r.PostForm.Get("game") // of a form that was not taken
	}
	g, ok := h.pages.Game(id)
	if !ok {
		return store.ErrNotFound
	}
	p.Name, p.Nav, p.Title = "play", "play", pages.GameName(p.Words, g.ID)
	d := pages.Sheet{Game: g, Wish: pages.WishOf(r.URL.Query(), h.wishes(ctx, r).Of(g.ID), g.Choices)}
	if r.Method == http.MethodPost {
		d.Wish = pages.WishOf(r.PostForm, pages.Usual(g.ID), g.Choices)
	} else if with := r.URL.Query().Get("with"); with == pages.WithFriend || with == pages.Anybody {
		d.Wish.With, d.Wish.Clock = with, pages.UsualClock(with)
		if with == pages.Anybody {
			d.Wish.Colour = "random"
		}
	}
	if d.To = r.FormValue("to"); d.To != "" && r.Method == http.MethodGet {
		d.Wish.With, d.Wish.Clock = pages.WithFriend, pages.UsualClock(pages.WithFriend)
	}
	err := h.store.View(ctx, func(tx store.Tx) (err error) {
		d.Anchor, err = h.anchor(tx, &g)
		return err
	})
	if err != nil {
		return err
	}
	if d.Tips, err = h.tips(g.ID, p.Words.ID); err != nil {
		return err
	}
	if d.Engines, err = h.engines.Playing(ctx, g.ID); err != nil {
		return err
	}
	saved, err := savedModels(ctx, h.positions)
	for _, s := range saved {
		if kind, _, _ := strings.Cut(s.Spec, ":"); kind == g.ID {
			d.Saved = append(d.Saved, s)
		}
	}
	p.Data = d
	return err
}

// playForm is a game in one press: with the options of the form, or as the game was played
// last.
func (h *playPages) playForm(ctx context.Context, w http.ResponseWriter, r *http.Request) (string, error) {
	id, options, given := strings.Cut(r.PostForm.Get("game"), ":")
	g, ok := h.pages.Game(id)
	if !ok {
		return "", problem.At("#/game", problem.Input("game: the hall does not have it"))
	}
	list := h.wishes(ctx, r)
	wish, meanwhile := list.Of(g.ID), r.PostForm.Has("meanwhile")
	switch {
	case meanwhile:
		wish = pages.Usual(g.ID)
	case !r.PostForm.Has("sheet"):
		wish = list.AtOnce(g.ID)
	}
	wish = pages.WishOf(r.PostForm, wish, g.Choices)
	if given { // the same once more
		wish.Options = map[string]string{}
		for o := range strings.SplitSeq(options, ",") {
			key, value, _ := strings.Cut(o, "=")
			wish.Options[key] = value
		}
	}
	if r.PostForm.Has("level") && !r.PostForm.Has("sheet") { // a level alone is whom to play with
		wish.With, wish.Engine = pages.WithEngine, ""
	}
	place, err := h.begin(ctx, &g, &wish, r.PostForm.Get("own"), r.PostForm.Get("to"))
	if err != nil {
		return "", err
	}
	if meanwhile || r.PostForm.Get("to") != "" || wish.With == pages.Anybody && !r.PostForm.Has("sheet") {
		return place, nil // that is for once
	}
	return place, h.rememberWishes(ctx, w, list.With(wish))
}

// begin plays what was wished, and returns where.
func (h *playPages) begin(ctx context.Context, g *look.Game, wish *pages.Wish, own, to string) (string, error) {
	if wish.Clock == pages.OwnClock {
		clock, ok := pages.ReadClock(own)
		if !ok {
			return "", problem.At("#/own", problem.Input("Write the clock as minutes + seconds a move, for example 5+3."))
		}
		wish.Clock = clock
	}
	pause := float64(wish.Pause)
	games := wish.Games
	if wish.Pairs {
		games = max(games, 2)
	}
	wishes := lobby.Wishes{
		Game: g.ID, Colour: wish.Colour, Clock: wish.Clock, Options: wish.Options, Rated: wish.Rated, NoUndo: !wish.Undo, NoDraw: !wish.Draw,
		Listed: wish.Listed || wish.With == pages.Anybody, Lines: wish.Lines, Games: games, Pairs: wish.Pairs, Pause: &pause, Saved: wish.Saved,
	}
	ctx, err := h.router.ComeIn(ctx)
	if err != nil {
		return "", err
	}
	if wish.With == pages.WithFriend {
		v, err := h.rooms.Challenge(ctx, &lobby.NewChallenge{Body: lobby.ChallengeWish{Wishes: wishes, To: to}})
		if err != nil {
			return "", err
		}
		return v.Page, nil
	}
	in := lobby.QuickSettings{Wishes: wishes, With: wish.Engine}
	switch {
	case wish.With == pages.Anybody:
		in.With = lobby.Anybody
	case wish.With == pages.WithEngines:
		in.With = lobby.Engines
	case in.With == "":
		in.With = fmt.Sprintf("bot=%d", wish.Level)
	}
	out, err := h.rooms.Play(ctx, &lobby.QuickGame{Body: in})
	if err != nil {
		return "", err
	}
	return out.Page, nil
}
