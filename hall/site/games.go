package site

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// gamePages are the game base and its games.
type gamePages struct {
	*Site
	games     *records.Games
	positions *records.Positions
	engines   *admin.Engines
	consoles  *lobby.Consoles
}

func (h *gamePages) register() {
	h.page("/games", auth.Look, "", h.gamesPage)
	h.page("/games/{id}", auth.Look, "", h.gamePage)
	h.page("/analysis", auth.Look, "", h.analysisPage)
	h.page("/embed/{id}", auth.Look, "", func(ctx context.Context, r *http.Request, p *pages.Page) error {
		err := h.gamePage(ctx, r, p)
		if p.Name == "game" {
			p.Name = "embed"
		}
		return err
	})
	h.router.Handle(router.Route{
		Method: "GET", Path: "/games/{id}/replay", ID: "game-replay", Summary: "a game for the script of its page",
		Need: auth.Look,
	}, http.HandlerFunc(h.serveReplay))
	h.router.Handle(router.Route{
		Method: "GET", Path: "/games/{id}/log/{seat}", ID: "game-log", Summary: "what an engine printed, as text", Need: auth.Look,
	}, http.HandlerFunc(h.serveLog))
}

// searchOf reads a search as a form sends it.
func searchOf(q url.Values) pages.Search {
	return pages.Search{
		Game: q.Get("game"), Player: q.Get("player"), Opponent: q.Get("opponent"), Outcome: q.Get("outcome"), Reason: q.Get("reason"),
		Opening: q.Get("opening"), From: q.Get("from"), To: q.Get("to"), Position: q.Get("position"), Moves: q.Get("moves"),
		Rated: q.Get("rated") == "true", Mine: q.Get("mine") == "true",
	}
}

// selection makes of a search what the API selects by.
func (h *gamePages) selection(ctx context.Context, s pages.Search) (records.Selection, error) {
	out := records.Selection{
		Game: s.Game, Player: s.Player, Opponent: s.Opponent, Reason: s.Reason, Opening: s.Opening,
		Rated: s.Rated, Mine: s.Mine,
	}
	if slices.Contains([]string{"win", "draw", "loss"}, s.Outcome) {
		out.Outcome = s.Outcome
	}
	var err error
	for _, x := range []struct {
		text string
		to   *time.Time
	}{{s.From, &out.From}, {s.To, &out.To}} {
		if x.text == "" {
			continue
		}
		if *x.to, err = time.Parse(time.DateOnly, x.text); err != nil {
			return out, problem.Input("a day is written as 2026-01-31")
		}
	}
	switch {
	case s.Position != "":
		if out.Position, err = strconv.ParseInt(s.Position, 10, 64); err != nil {
			return out, problem.Input("position: want the key of one")
		}
		out.HasPosition = true
	case strings.TrimSpace(s.Moves) != "":
		if s.Game == "" {
			return out, problem.Input("choose the game whose moves these are")
		}
		_, key, err := h.positions.Check(ctx, records.BoardWish{Spec: s.Game, Moves: strings.Fields(s.Moves)})
		if err != nil {
			return out, err
		}
		out.Position, out.HasPosition = key, true
	}
	return out, nil
}

func (h *gamePages) gamesPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "games", "games", p.Words.Text("games.title")
	q := r.URL.Query()
	d := pages.Games{Search: searchOf(q)}
	sel, err := h.selection(ctx, d.Search)
	if err == nil {
		var list records.GamesPage
		list, err = h.games.Find(ctx, &records.GamesQuery{
			Selection: sel, State: shownStates(), Cursor: q.Get("cursor"),
			Limit: 50,
		})
		if err == nil {
			d.Games = lineModels(p.Words, list.Games)
			if list.Next != "" {
				q.Set("cursor", list.Next)
				d.Next = "/games?" + q.Encode()
			}
		}
	}
	if err == nil && len(d.Games) == 0 && q.Get("cursor") == "" {
		err = h.widen(ctx, p.Words, q, &d)
	}
	if err != nil {
		problem := problem.Of(err)
		if problem.Status >= http.StatusInternalServerError {
			return err
		}
		p.Fault, p.Refusal, err = problem.Code, shown(p.Words, err, ofForm).Said, nil
	}
	p.Data = d
	return err
}

// conditions are what games may be searched by, in the order of the form: fields, and the texts that
// call them.
func conditions() [][2]string {
	return [][2]string{
		{"game", "games.game"},
		{"player", "games.player"},
		{"opponent", "games.opponent"},
		{"outcome", "games.result"},
		{"reason", "games.reason"},
		{"opening", "games.opening"},
		{"from", "games.from"},
		{"to", "games.to"},
		{"moves", "games.moves"},
		{"position", "games.moves"},
		{"rated", "room.rated"},
		{"mine", "games.mine"},
	}
}

// widen says what a search that has found nothing was for, and finds the one condition without which
// it finds something.
func (h *gamePages) widen(ctx context.Context, w *words.Catalogue, q url.Values, d *pages.Games) error {
	var sought []string
	for _, c := range conditions() {
		value := q.Get(c[0])
		if value == "" {
			continue
		}
		say := w.Text(c[1])
		is := func(value string) { say = w.Text("games.is", "what", say, "value", value) }
		switch c[0] {
		case "game":
			is(pages.GameName(w, value))
		case "outcome":
			is(w.Text("outcome." + value))
		case "player", "opponent", "opening", "from", "to", "moves":
			is(value)
		}
		sought = append(sought, say)
		if d.Wider != "" {
			continue
		}
		wider := maps.Clone(q)
		wider.Del(c[0])
		if c[0] == "game" { // moves and positions are those of a game
			wider.Del("moves")
			wider.Del("position")
		}
		search := searchOf(wider)
		if !search.Any() { // it would be all games
			continue
		}
		sel, err := h.selection(ctx, search)
		if err != nil {
			return err
		}
		list, err := h.games.Find(ctx, &records.GamesQuery{Selection: sel, State: shownStates(), Limit: 1})
		if err != nil {
			return err
		}
		if len(list.Games) > 0 {
			d.Wider, d.Without = "/games?"+wider.Encode(), say
		}
	}
	d.Sought = strings.Join(sought, ", ")
	return nil
}

// shownStates are the states of games that lists show.
func shownStates() []string { return []string{"running", "parked", "over"} }

// gamePage shows a game; of one that is not over nothing but who plays.
func (h *gamePages) gamePage(ctx context.Context, r *http.Request, p *pages.Page) error {
	g, err := store.Read(ctx, h.store, func(tx store.Tx) (store.Game, error) { return h.games.MayRead(ctx, tx, r.PathValue("id")) })
	if err != nil {
		return err
	}
	shown := records.ViewGame(&g)
	d := pages.Viewer{Game: lineModel(p.Words, &shown), Mine: -1}
	if c, known := auth.FromContext(ctx); known {
		d.Mine = slices.IndexFunc(g.Seats[:], func(s store.Seat) bool { return s.Engine == "" && s.User == c.ID })
	}
	p.Name, p.Nav, p.Title = "game", "games", d.Game.Names[0]+" – "+d.Game.Names[1]
	if shown.Seconds != nil {
		d.Seconds = *shown.Seconds
	}
	if g.State == store.Aborted {
		p.Name, p.Data = "aborted", d
		return nil
	}
	if d.Game.Over {
		re, err := h.games.Replayed(ctx, g.ID)
		if records.Unreadable(err) {
			p.Name, p.Data = "unreadable", d
			return nil
		}
		if err != nil {
			return err
		}
		p.Picture = p.Address + "/games/" + g.ID + "/picture.png"
		d.Clocks, d.Plies, d.Turns = re.Clocks, len(re.Steps), turnModels(re)
		d.Ply = plyOf(r, d.Plies)
		d.Formats, d.Pixels = h.formatModels(g.Spec.ID()), true
		d.Consoles = h.consoleLinks(ctx, p.Words, g.ID)
		d.Proof = proofOf(&d)
		if d.Reviewed, err = h.reviewed(ctx, g.ID); err != nil {
			return err
		}
	}
	p.Data = d
	return h.explain(p, d.Kind())
}

// reviewed reports whether there is a review of a game.
func (h *gamePages) reviewed(ctx context.Context, id string) (bool, error) {
	err := h.store.View(ctx, func(tx store.Tx) error { _, err := tx.Review(id); return err })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// proofOf is the seat of an engine that lost by a fault, if the reader may see what it printed.
func proofOf(d *pages.Viewer) int {
	if why := game.Reason(d.Game.Reason); !why.Forfeit() || why == game.ByDisconnect {
		return -1
	}
	for _, c := range d.Consoles {
		if d.Game.Won[1-c.Seat] {
			return c.Seat
		}
	}
	return -1
}

// turnModels are the moves of a game that is over, one entry for each turn.
// boxes are those that are closed on a board of dots.
func boxes(v *game.View) int {
	if v.Shape != game.Dots {
		return 0
	}
	return int(v.Score[0] + v.Score[1])
}

func turnModels(re *records.Replayed) []pages.Turn {
	var out []pages.Turn
	ended := true
	for i := range re.Steps {
		s := &re.Steps[i]
		if ended {
			out = append(out, pages.Turn{Number: len(out) + 1, Seat: -1, Opening: s.Opening, Forced: s.Forced})
		}
		t := &out[len(out)-1]
		if s.By.IsPlayer() {
			t.Seat = int(s.By)
		}
		t.Forced = t.Forced && s.Forced
		t.Used += s.Used.Seconds()
		t.Steps = append(t.Steps, pages.Step{Ply: i + 1, Name: s.Name, Pass: s.Text == "-", Refused: s.Refused})
		t.Gained += boxes(re.Views[i+1]) - boxes(re.Views[i])
		ended = s.Ended
	}
	return out
}

// analysisPage is a board without a record.
func (h *gamePages) analysisPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "analysis", "analysis", p.Words.Text("analysis.board")
	q := r.URL.Query()
	d := pages.Board{Spec: q.Get("game"), Position: q.Get("position"), Moves: strings.ReplaceAll(q.Get("moves"), "_", " ")}
	p.Data = d
	if d.Spec == "" {
		return nil
	}
	wish := records.BoardWish{Spec: d.Spec, Position: d.Position, Moves: strings.Fields(d.Moves)}
	_, _, err := h.positions.Check(ctx, wish)
	if err == nil {
		d.Formats = h.formatModels(d.Kind())
		d.Engines, err = h.engines.Playing(ctx, game.Spec(d.Spec).ID())
	}
	if err != nil {
		problem := problem.Of(err)
		if problem.Status >= http.StatusInternalServerError {
			return err
		}
		p.Fault, p.Refusal, d = problem.Code, shown(p.Words, err, ofForm).Said, pages.Board{}
	}
	p.Data = d
	return h.explain(p, d.Kind())
}

// plyOf is the ply that an address names, the last one if it names none.
func plyOf(r *http.Request, plies int) int {
	n, err := strconv.Atoi(r.URL.Query().Get("ply"))
	if err != nil {
		return plies
	}
	return min(max(n, 0), plies)
}

func (h *gamePages) formatModels(game string) []pages.Format {
	list, err := h.games.Formats()
	if err != nil {
		return []pages.Format{{ID: records.OwnFormat, Title: "Kibitz"}}
	}
	var out []pages.Format
	for _, f := range list {
		if f.Writes && (len(f.Games) == 0 || slices.Contains(f.Games, game)) {
			out = append(out, pages.Format{ID: f.ID, Title: f.Title, Variations: f.Variations})
		}
	}
	return out
}

// short are the names on the bars of a game.
func (h *Site) short(r *http.Request, g *store.Game) (out [2]string) {
	w := h.newPage(r).Words
	for i, s := range g.Seats {
		out[i] = pages.Short(w, s.Name)
	}
	return out
}

// replayView is a game for the script of its page. Times are in milliseconds.
type replayView struct {
	Spec     string               `json:"spec"`
	Position string               `json:"position,omitempty"` // that it begins from
	Names    [2]string            `json:"names"`
	Engines  [2]string            `json:"engines"` // what those in the seats called themselves
	Controls [2]string            `json:"controls"`
	Views    []*wire.View         `json:"views"`
	Steps    []records.ReplayStep `json:"steps"`
	Result   *live.Result         `json:"result,omitempty"`
}

func (h *gamePages) serveReplay(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	var g store.Game
	re, err := h.games.Replayed(r.Context(), id)
	if err == nil {
		err = h.store.View(r.Context(), func(tx store.Tx) (err error) { g, err = h.games.MayRead(r.Context(), tx, id); return err })
	}
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	h.sendReplay(w, r, &replayView{Spec: string(g.Spec), Names: h.short(r, &g), Result: hub.ResultOf(g.Result)}, re)
}

// sendReplay answers with a game that was replayed.
func (h *Site) sendReplay(w http.ResponseWriter, r *http.Request, v *replayView, re *records.Replayed) {
	v.Position, v.Engines, v.Controls, v.Steps = re.Start, re.Engines, re.Clocks, []records.ReplayStep{}
	for _, x := range re.Views {
		v.Views = append(v.Views, wire.Of(x))
	}
	for i := range re.Steps {
		v.Steps = append(v.Steps, records.StepOf(&re.Steps[i]))
	}
	data, err := json.Marshal(v)
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	h.writeBody(w, r, http.StatusOK, data)
}
