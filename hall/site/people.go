package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"kibitz/game/look"
	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// peoplePages are players and engines.
type peoplePages struct {
	*Site
	games    *records.Games
	engines  *admin.Engines
	consoles *lobby.Consoles
}

func (h *peoplePages) register() {
	h.page("/players", auth.Look, "", h.playersPage)
	h.page("/players/{name}", auth.Look, "", h.playerPage)
	h.page("/engines", auth.Look, "", h.enginesPage)
	h.page("/engines/{name}", auth.Look, "", h.enginePage)
	h.router.Handle(router.Route{
		Method: "GET", Path: "/accounts/{id}", ID: "account-page", Summary: "to the page of an account", Need: auth.Look,
	},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			u, err := store.Get(r.Context(), h.store, store.Tx.User, pathNumber(r, "id"))
			if err != nil {
				h.router.SendError(w, r, err)
				return
			}
			http.Redirect(w, r, "/players/"+url.PathEscape(u.Name), http.StatusSeeOther)
		}))
}

func (h *peoplePages) playersPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "players", "players", p.Words.Text("players.title")
	q := r.URL.Query()
	if name := q.Get("name"); name != "" {
		p.Fault = "not-found"
		u, err := store.Get(ctx, h.store, store.Tx.UserNamed, name)
		if err == nil {
			return &redirect{"/players/" + url.PathEscape(u.Name)}
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	d := pages.Players{Game: h.pages.Kinds()[0], Speed: "blitz"}
	if slices.Contains(h.pages.Kinds(), q.Get("game")) {
		d.Game = q.Get("game")
	}
	if slices.Contains(pages.Speeds(), q.Get("speed")) {
		d.Speed = q.Get("speed")
	}
	list, err := store.Read(ctx, h.store, func(tx store.Tx) ([]store.Rating, error) { return tx.Leaders(d.Game, d.Speed, 110, 100) })
	if err != nil {
		return err
	}
	d.Best = ratingModels(p.Words, records.ViewRatings(list))
	p.Data = d
	return nil
}

func (h *peoplePages) playerPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	var u store.User
	var owner string
	err := h.store.View(ctx, func(tx store.Tx) (err error) {
		if u, err = tx.UserNamed(r.PathValue("name")); err != nil || u.Owner == 0 {
			return err
		}
		o, err := tx.User(u.Owner)
		owner = o.Name
		return err
	})
	if err != nil {
		return err
	}
	d := pages.Player{Name: u.Name, Kind: string(u.Kind), Role: string(u.Role), Owner: owner, Created: u.Created}
	p.Name, p.Nav, p.Title = "player", "players", u.Name
	err = h.profile(ctx, p.Words, store.UserSubject(u.ID), &d)
	if h.own != nil && (p.Me != nil || p.Guests) && (p.Me == nil || p.Me.ID != u.ID) && (u.Kind == store.Person || u.Kind == store.Guest) {
		d.Ask = h.pages.Kinds()[0]
		if len(d.Kinds) > 0 && slices.Contains(h.pages.Kinds(), d.Kinds[0].Key) {
			d.Ask = d.Kinds[0].Key
		}
	}
	p.Data = d
	return err
}

// profile fills in what is known of a subject's results.
func (h *peoplePages) profile(ctx context.Context, w *words.Catalogue, subject string, d *pages.Player) error {
	return h.store.View(ctx, func(tx store.Tx) error {
		list, err := tx.RatingsOf(subject)
		if err != nil {
			return err
		}
		d.Ratings, d.Curves = ratingModels(w, records.ViewRatings(list)), nil
		for _, r := range list {
			points, err := tx.History(store.RatingKey{Subject: subject, Game: r.Game, Speed: r.Speed})
			if err != nil {
				return err
			}
			c := pages.Curve{Game: r.Game, Speed: r.Speed}
			for _, x := range points {
				c.Points = append(c.Points, pages.CurvePoint{At: x.At, Value: x.Value, Deviation: x.Deviation})
			}
			if len(c.Points) > 1 {
				d.Curves = append(d.Curves, c)
			}
		}
		q, err := h.games.Query(ctx, tx, records.Selection{Subject: subject})
		if err != nil {
			return err
		}
		q.Limit = 20
		if d.Opponents, err = tallies(tx, w, q, store.ByOpponent); err != nil {
			return err
		}
		if d.Kinds, err = tallies(tx, w, q, store.ByGame); err != nil {
			return err
		}
		q.States = []store.GameState{store.Over}
		page, err := tx.FindGames(q)
		d.Recent = nil
		for i := range page.Games {
			v := records.ViewGame(&page.Games[i])
			d.Recent = append(d.Recent, lineModel(w, &v))
		}
		return err
	})
}

func tallies(tx store.Games, w *words.Catalogue, q store.GameQuery, by store.TallyBy) ([]pages.Tally, error) {
	list, err := tx.Tally(q, by)
	var out []pages.Tally
	for _, t := range list {
		out = append(out, pages.Tally{Key: pages.Called(w, t.Key), Wins: t.Wins, Draws: t.Draws, Losses: t.Loses})
	}
	return out, err
}

func (h *peoplePages) enginesPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "engines", "engines", p.Words.Text("engines.title")
	list, err := h.engines.Offered(ctx)
	if err != nil {
		return err
	}
	about := h.engines.About(ctx)
	var out pages.Engines
	for _, e := range list {
		out.List = append(out.List, pages.Engine{Name: e.Name, Games: e.Games, Enabled: true, About: about[e.Name]})
	}
	out.Own, err = h.ownGames(ctx, p)
	p.Data = out
	return err
}

// enginePage is that of an engine of the hall, or of a level of the built-in ones.
func (h *peoplePages) enginePage(ctx context.Context, r *http.Request, p *pages.Page) error {
	d := pages.Player{Name: r.PathValue("name"), Live: h.own != nil}
	subject, known := "engine/"+d.Name, true
	if d.Level = lobby.BuiltIn(d.Name); d.Level > 0 {
		d.Search = look.LevelName(d.Level)
		d.Games, d.Name = h.pages.Kinds(), pages.Called(p.Words, d.Search)
	} else {
		known = false
		list, err := h.engines.Offered(ctx)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(list, func(e store.Engine) bool { return e.Name == d.Name }); i >= 0 {
			d.Games, d.About, known = list[i].Games, h.engines.About(ctx)[d.Name], true
		}
	}
	p.Name, p.Nav, p.Title = "engine", "engines", d.Name
	err := h.profile(ctx, p.Words, subject, &d)
	if err == nil && !known && len(d.Recent) == 0 && len(d.Ratings) == 0 { // one that is gone has left games
		err = fmt.Errorf("engine: %w", store.ErrNotFound)
	}
	p.Data = d
	return err
}
