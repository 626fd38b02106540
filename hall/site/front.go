package site

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/live"
	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

func (h *roomPages) frontPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "front", "play", p.Words.Text("front.title")
	d := &pages.Front{Live: h.rooms != nil}
	list := h.wishes(ctx, r)
	for i, id := range h.pages.Kinds() {
		g, _ := h.pages.Game(id)
		d.Tiles = append(d.Tiles, pages.Tile{Game: g, Wish: list.AtOnce(id)})
		if i == 0 || len(list) > 0 && list[0].Game == id {
			d.Now = d.Tiles[i]
		}
	}
	if err := h.watched(ctx, p.Words, d); err != nil {
		return err
	}
	if h.rooms != nil {
		if err := h.seeks(ctx, p, d); err != nil {
			return err
		}
	}
	if h.puzzle != nil {
		var err error
		if d.Puzzle, err = h.puzzle(h.now(), p.Words.ID, styleOf(p.Look)); err != nil {
			return err
		}
	}
	if h.desk != nil {
		all, err := h.desk.List(ctx, &director.TournamentsQuery{State: []string{"entering", "playing", "paused"}, Limit: 3})
		if err != nil {
			return err
		}
		for _, t := range all {
			l := pages.TournamentLine{ID: t.ID, Name: t.Name, Game: t.Game, State: t.State, Created: since(t.Created)}
			// One whose state cannot be read is there without it, as the hall's other pages are.
			_ = h.desk.See(ctx, t.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) {
				l.Entrants = len(s.Entries)
				l.Over, l.All = s.Count()
			})
			d.Tournaments = append(d.Tournaments, l)
		}
	}
	p.Data, p.Inline = d, []string{"site.css", "front.css"}
	if d.Best != nil {
		p.Inline[1] = "frontlive.css"
	}
	return nil
}

// seeks finds who waits for an opponent, and whom the reader himself has asked.
func (h *roomPages) seeks(ctx context.Context, p *pages.Page, d *pages.Front) error {
	waiting, err := h.rooms.Waiting(ctx, mostWaiting)
	d.Waiting = roomLineModels(p.Words, waiting)
	if err != nil || p.Me == nil {
		return err
	}
	mine, err := h.rooms.Challenges(ctx, &lobby.ChallengesQuery{})
	for i := range mine {
		d.Asking = append(d.Asking, challengeModel(&mine[i]))
	}
	return err
}

// mostWaiting is how many of those who wait for an opponent the first page shows.
const mostWaiting = 3

// latestDays is how old a game may be that is shown where none runs.
const latestDays = 7

// watched finds the game to look at, and counts who plays. Where no game was played, one came with the
// program.
func (h *roomPages) watched(ctx context.Context, w *words.Catalogue, d *pages.Front) error {
	running, err := h.games.Find(ctx, &records.GamesQuery{State: []string{"running"}, Limit: 100})
	if err != nil {
		return err
	}
	people := map[int64]bool{}
	for i := range running.Games {
		for _, s := range running.Games[i].Seats {
			people[s.User] = s.User != 0
		}
	}
	d.Playing = len(running.Games)
	for _, is := range people {
		if is {
			d.People++
		}
	}
	best, err := h.best(ctx, w, running.Games)
	if err != nil || best != nil {
		d.Best = best
		return err
	}
	over, err := h.games.Find(ctx, &records.GamesQuery{State: []string{"over"}, Limit: 50, Latest: true})
	if err != nil {
		return err
	}
	// The best of the last days, or the last one.
	since := h.now().AddDate(0, 0, -latestDays)
	older := slices.IndexFunc(over.Games, func(g records.GameView) bool { return g.Begun == nil || g.Begun.Before(since) })
	if older >= 0 {
		over.Games = over.Games[:max(older, 1)]
	}
	if d.Best, err = h.best(ctx, w, over.Games); err == nil && d.Best == nil {
		d.Best, err = h.shipped.line(w)
	}
	return err
}

// best is the game of a list whose players have the highest ratings in sum, one that hides
// nothing before one that does.
func (h *roomPages) best(ctx context.Context, w *words.Catalogue, list []records.GameView) (*pages.GameLine, error) {
	var found *records.GameView
	most, open := -1.0, false
	err := h.store.View(ctx, func(tx store.Tx) error {
		for i := range list {
			g := &list[i]
			sum := 0.0
			for _, s := range g.Seats {
				rating, err := h.strength(tx, g, s)
				if err != nil {
					return err
				}
				sum += rating
			}
			if found == nil || !g.Hidden && !open || g.Hidden != open && sum > most {
				found, most, open = g, sum, !g.Hidden
			}
		}
		return nil
	})
	if err != nil || found == nil {
		return nil, err
	}
	l := lineModel(w, found)
	return &l, nil
}

// strength is a seat's rating in its game, that of a level of the built-in engine by its
// ladder.
func (h *Site) strength(tx store.Tx, g *records.GameView, s records.SeatView) (float64, error) {
	id, _, _ := strings.Cut(g.Spec, ":")
	if n := lobby.BuiltIn(s.Engine); n > 0 {
		if game, ok := h.pages.Game(id); ok && n <= len(game.Levels) {
			anchor, err := h.anchor(tx, &game)
			if err != nil {
				return 0, err
			}
			return float64(pages.Elo(game.Levels[n-1], anchor)), nil
		}
	}
	if s.Subject == "" {
		return 0, nil
	}
	ratings, err := tx.RatingsOf(s.Subject)
	if err != nil {
		return 0, err
	}
	for _, r := range ratings {
		if r.Game == id && r.Speed == g.Speed {
			return r.Value, nil
		}
	}
	return 0, nil
}

// watchPage is what is played, with ways to all else that can be looked at.
func (h *roomPages) watchPage(ctx context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "watch", "watch", p.Words.Text("nav.watch")
	d := pages.Watch{Live: h.rooms != nil}
	find := func(state string, n int) ([]pages.GameLine, error) {
		list, err := h.games.Find(ctx, &records.GamesQuery{State: []string{state}, Limit: n})
		return lineModels(p.Words, list.Games), err
	}
	var err error
	if d.Recent, err = find("over", 10); err == nil && d.Live {
		d.Playing, err = find("running", 20)
	}
	p.Data = d
	return err
}

// roomsPage are the rooms with a free place, and the form of a new one.
func (h *roomPages) roomsPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "rooms", "play", p.Words.Text("rooms.title")
	d := pages.Rooms{Chosen: r.URL.Query().Get("saved")}
	var err error
	if d.Saved, err = savedModels(ctx, h.positions); err != nil {
		return err
	}
	d.Kind = h.pages.Kinds()[0]
	if list := h.wishes(ctx, r); len(list) > 0 {
		d.Kind = list[0].Game
	}
	if p.Me != nil {
		mine, err := h.rooms.Challenges(ctx, &lobby.ChallengesQuery{})
		if err != nil {
			return err
		}
		for i := range mine {
			d.Mine = append(d.Mine, challengeModel(&mine[i]))
		}
	}
	d.Waiting, d.Rooms, err = h.openRooms(ctx, p)
	p.Data = d
	return err
}

// mostListedWaiting is how many of them the page of rooms shows.
const mostListedWaiting = 50

// openRooms are rooms in which somebody else waits for whoever comes, and those with a free place in
// which people arrange what they play.
func (h *roomPages) openRooms(ctx context.Context, p *pages.Page) (waiting, free []pages.RoomLine, err error) {
	rooms, err := h.rooms.List(ctx, &lobby.RoomsQuery{Limit: 100})
	for i := range rooms {
		l := roomLineModel(p.Words, &rooms[i])
		switch {
		case !l.Free || l.Phase != string(room.Waiting):
		case !l.Auto:
			free = append(free, l)
		case l.Waits && len(waiting) < mostListedWaiting && (p.Me == nil || l.Host != p.Me.Name):
			waiting = append(waiting, l)
		}
	}
	return waiting, free, err
}

// turnTime is how long a page waits to know whose turn it is in a game of its reader.
const turnTime = 150 * time.Millisecond

// own are the games that the reader plays, the one that waits for him first. Whose turn it is in those of
// which that is not known within wait is left out.
func (h *roomPages) own(ctx context.Context, p *pages.Page, wait time.Duration) (list []pages.Own, err error) {
	c, known := auth.FromContext(ctx)
	if !known {
		return nil, nil
	}
	page, err := store.Get(ctx, h.store, store.Tx.FindGames, store.GameQuery{
		Subject: store.UserSubject(c.ID), States: []store.GameState{store.Running, store.Parked}, Limit: lobby.MostAtOnce,
	})
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, wait)
	defer stop()
	list = make([]pages.Own, 0, len(page.Games))
	var looks sync.WaitGroup
	for i := range page.Games {
		g := &page.Games[i]
		if g.Room == "" || p.Here == plainAt(g.Room) { // which is that game
			continue
		}
		seat := 0
		if g.Seats[1].User == c.ID && g.Seats[1].Engine == "" {
			seat = 1
		}
		list = append(list, pages.Own{
			Page: "/rooms/" + g.Room, Spec: string(g.Spec), Name: pages.Short(p.Words, g.Seats[1-seat].Name),
			Aside: !g.Rated && g.Seats[1-seat].User == 0 || g.State == store.Parked,
		})
		own := &list[len(list)-1]
		if g.State == store.Parked {
			own.Turn = "paused"
			continue
		}
		looks.Go(func() { // one that is not known keeps no other waiting
			if l, err := h.running.Look(ctx, g.ID); err == nil {
				if s, err := h.running.Hub.Now(ctx, l.Key(), l.Meta); err == nil {
					own.Turn = turnOf(&s)
				}
			}
		})
	}
	looks.Wait()
	rank := map[string]int{"yours": -1, "paused": 1}
	slices.SortStableFunc(list, func(a, b pages.Own) int { return rank[a.Turn] - rank[b.Turn] })
	return list, nil
}

// seeking are the rooms in which the reader waits for an opponent, but for that of the page.
func (h *roomPages) seeking(ctx context.Context, p *pages.Page, again bool) ([]pages.RoomLine, error) {
	list, err := h.rooms.Seeking(ctx)
	if again && len(list) > 0 {
		for i := 0; err == nil && i < len(list); i++ {
			_, err = h.rooms.Apply(ctx, list[i].ID, lobby.ActorOf(ctx), room.Elsewhere{})
		}
		if err == nil {
			list, err = h.rooms.Seeking(ctx)
		}
	}
	list = slices.DeleteFunc(list, func(l lobby.RoomLine) bool { return p.Here == plainAt(l.ID) })
	out := roomLineModels(p.Words, list)
	for i := range out {
		out[i].Seconds, out[i].Other = int(h.now().Sub(list[i].Created).Seconds()), out[i].Players[0]
		if p.Me != nil && out[i].Other == p.Me.Name {
			out[i].Other = out[i].Players[1]
		}
	}
	return out, err
}

// turnOf says whose turn it is in a game that somebody plays himself.
func turnOf(s *live.State) string {
	switch {
	case s.View == nil || s.Result != nil:
		return ""
	case string(s.View.Seat) == string(s.For):
		return "yours"
	}
	return "theirs"
}

// manifest is what a browser keeps of the hall that is put on a screen of its own.
func (h *Site) manifest(w http.ResponseWriter, r *http.Request) {
	words := h.newPage(r).Words
	data, err := json.Marshal(map[string]any{
		"name": "Kibitz", "short_name": "Kibitz", "description": words.Text("front.about"), "lang": words.ID, "start_url": "/",
		"display": "minimal-ui", "background_color": "#faf8f4", "theme_color": "#0b5d4f",
		"icons": []map[string]string{{"src": pages.Icon, "sizes": "any", "type": "image/svg+xml"}},
	})
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Set("Cache-Control", "no-store") // it is in the reader's language
	h.writeBody(w, r, http.StatusOK, data)
}

// ownPart is the strip of a page anew.
func (h *roomPages) ownPart(_ context.Context, _ *http.Request, p *pages.Page) error {
	p.Name = "error" // any page has the part
	return nil
}
