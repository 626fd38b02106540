package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// registerPeoplePages registers players and engines.
func (h *Hall) registerPeoplePages() {
	h.page("/players", auth.Look, "", h.playersPage)
	h.page("/players/{name}", auth.Look, "", h.playerPage)
	h.page("/engines", auth.Look, "", h.enginesPage)
	h.page("/engines/{name}", auth.Look, "", h.enginePage)
	h.handle(Route{Method: "GET", Path: "/accounts/{id}", ID: "account-page", Summary: "to the page of an account", Need: auth.Look},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var u store.User
			if err := h.view(r.Context(), func(tx store.Tx) (err error) { u, err = tx.User(pathNumber(r, "id")); return err }); err != nil {
				h.refuseError(w, r, err)
				return
			}
			http.Redirect(w, r, "/players/"+url.PathEscape(u.Name), http.StatusSeeOther)
		}))
}

// since is a time that may be absent.
func since(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// linkOfSeat is the page of who had a seat.
func linkOfSeat(s seatView) string {
	switch {
	case s.Engine != "" && s.User == 0:
		return "/engines/" + url.PathEscape(s.Engine)
	case s.User != 0:
		return "/accounts/" + strconv.FormatInt(s.User, 10)
	}
	return ""
}

// subjectLink is the page of what a rating belongs to.
func subjectLink(subject string) string {
	var id int64
	if n, err := fmt.Sscanf(subject, "user/%d", &id); err == nil && n == 1 {
		return "/accounts/" + strconv.FormatInt(id, 10)
	}
	if name, ok := cutEngine(subject); ok {
		return "/engines/" + url.PathEscape(name)
	}
	return ""
}

func cutEngine(subject string) (string, bool) {
	const head = "engine/"
	if len(subject) > len(head) && subject[:len(head)] == head {
		return subject[len(head):], true
	}
	return "", false
}

// lineModel is a game in a list, of what the API says about it.
func lineModel(g *gameView) pages.GameLine {
	l := pages.GameLine{
		ID: g.ID, Spec: g.Spec, State: g.State, Plies: g.Plies, Opening: g.Opening, Rated: g.Rated, Room: g.Room, Tournament: g.Tournament,
		Begun: since(g.Begun), Ended: since(g.Ended), Ruled: g.Ruled, Note: g.Note, Worker: g.Worker,
		Hashes: [2]string{g.Seats[0].Hash, g.Seats[1].Hash},
	}
	if l.Begun.IsZero() {
		l.Begun = since(g.Created)
	}
	for i, s := range g.Seats {
		l.Names[i], l.Links[i] = s.Name, linkOfSeat(s)
	}
	if g.Result == nil {
		return l
	}
	l.Over, l.Points, l.Board, l.Reason, l.Detail = true, g.Result.Points, g.Result.Board, g.Result.Reason, g.Result.Detail
	switch p := g.Result.Points; {
	case p[0] > p[1]:
		l.Won[0] = true
	case p[1] > p[0]:
		l.Won[1] = true
	default:
		l.Draw = p[0] > 0
	}
	return l
}

func lineModels(list []gameView) []pages.GameLine {
	var out []pages.GameLine
	for i := range list {
		out = append(out, lineModel(&list[i]))
	}
	return out
}

func ratingModels(list []ratingView) []pages.Rating {
	var out []pages.Rating
	for i, r := range list {
		out = append(out, pages.Rating{
			Rank: i + 1, Name: r.Name, Link: subjectLink(r.Subject), Game: r.Game, Speed: r.Speed, Value: r.Value, Deviation: r.Deviation,
			Games: r.Games, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses,
		})
	}
	return out
}

func (h *Hall) playersPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "players", "players", p.Words.Text("players.title")
	q := r.URL.Query()
	if name := q.Get("name"); name != "" {
		p.Fault = "not-found"
		err := h.view(ctx, func(tx store.Tx) error {
			u, err := tx.UserNamed(name)
			if err == nil {
				p.Fault, p.Data = "", "/players/"+url.PathEscape(u.Name)
			}
			return err
		})
		if to, ok := p.Data.(string); ok {
			return &redirect{to}
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	d := pages.Players{Game: h.cfg.Pages.Kinds()[0], Speed: "blitz"}
	if slices.Contains(h.cfg.Pages.Kinds(), q.Get("game")) {
		d.Game = q.Get("game")
	}
	if slices.Contains(pages.Speeds(), q.Get("speed")) {
		d.Speed = q.Get("speed")
	}
	var list []store.Rating
	if err := h.view(ctx, func(tx store.Tx) (err error) { list, err = tx.Leaders(d.Game, d.Speed, 110, 100); return err }); err != nil {
		return err
	}
	d.Best = ratingModels(viewRatings(list))
	p.Data = d
	return nil
}

func (h *Hall) playerPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	var u store.User
	var owner string
	err := h.view(ctx, func(tx store.Tx) (err error) {
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
	err = h.profile(ctx, store.UserSubject(u.ID), &d)
	p.Data = d
	return err
}

// profile fills in what is known of a subject's results.
func (h *Hall) profile(ctx context.Context, subject string, d *pages.Player) error {
	return h.view(ctx, func(tx store.Tx) error {
		list, err := tx.RatingsOf(subject)
		if err != nil {
			return err
		}
		d.Ratings, d.Curves = ratingModels(viewRatings(list)), nil
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
		q, err := h.query(ctx, tx, Selection{Subject: subject})
		if err != nil {
			return err
		}
		q.Limit = 20
		if d.Opponents, err = tallies(tx, q, store.ByOpponent); err != nil {
			return err
		}
		if d.Kinds, err = tallies(tx, q, store.ByGame); err != nil {
			return err
		}
		q.States = []store.GameState{store.Over}
		page, err := tx.FindGames(q)
		d.Recent = nil
		for i := range page.Games {
			v := viewGame(&page.Games[i])
			d.Recent = append(d.Recent, lineModel(&v))
		}
		return err
	})
}

func tallies(tx store.Tx, q store.GameQuery, by store.TallyBy) ([]pages.Tally, error) {
	list, err := tx.Tally(q, by)
	var out []pages.Tally
	for _, t := range list {
		out = append(out, pages.Tally{Key: t.Key, Wins: t.Wins, Draws: t.Draws, Losses: t.Loses})
	}
	return out, err
}

// offered are the engines that the hall offers.
func (h *Hall) offered(ctx context.Context) ([]store.Engine, error) {
	var out []store.Engine
	err := h.view(ctx, func(tx store.Tx) error {
		list, err := tx.Engines()
		out = slices.DeleteFunc(list, func(e store.Engine) bool { return !e.Enabled })
		return err
	})
	return out, err
}

func (h *Hall) enginesPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "engines", "engines", p.Words.Text("engines.title")
	list, err := h.offered(ctx)
	var out []pages.Engine
	for _, e := range list {
		out = append(out, pages.Engine{Name: e.Name, Games: e.Games, Enabled: true})
	}
	p.Data = out
	return err
}

// enginePage is that of an engine of the hall, or of a level of the built-in ones.
func (h *Hall) enginePage(ctx context.Context, r *http.Request, p *pages.Page) error {
	d := pages.Player{Name: r.PathValue("name")}
	subject, known := "engine/"+d.Name, true
	var level int
	if n, err := fmt.Sscanf(d.Name, "bot=%d", &level); err == nil && n == 1 && d.Name == fmt.Sprintf("bot=%d", level) && level >= 1 &&
		level <= 9 {
		d.Games, d.Name = h.cfg.Pages.Kinds(), p.Words.Text("room.level", "n", level)
	} else {
		known = false
		list, err := h.offered(ctx)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(list, func(e store.Engine) bool { return e.Name == d.Name }); i >= 0 {
			d.Games, known = list[i].Games, true
		}
	}
	p.Name, p.Nav, p.Title = "engine", "engines", d.Name
	err := h.profile(ctx, subject, &d)
	if err == nil && !known && len(d.Recent) == 0 && len(d.Ratings) == 0 { // one that is gone has left games
		err = fmt.Errorf("engine: %w", store.ErrNotFound)
	}
	p.Data = d
	return err
}
