package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/hub"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// Replays answers with whole finished games, decision by decision. The server knows no
// rules: whoever does implements it.
type Replays interface {
	// Replay shows a finished game, given as a record in Kibitz's own format, as
	// everyone may see it once the game is over. Its errors are one line for people.
	Replay(ctx context.Context, record []byte) (*Replayed, error)
}

// Replayed is a finished game.
type Replayed struct {
	// Views are the boards after 0, 1, 2, … decisions.
	Views []*game.View
	Steps []ReplayStep
	// Clocks are the time controls of the seats.
	Clocks [2]string
	Date   string
	// Start is the text of the position that it begins from, empty for the initial one.
	Start string
}

// ReplayStep is a decision of a finished game.
type ReplayStep struct {
	By game.Seat
	// Text is in the journal's form, Name as the game writes it.
	Text, Name             string
	Used, Error            time.Duration
	Timed, Forced, Opening bool
	Refused                bool
	// Ended tells that it completed a turn.
	Ended   bool
	Info    *game.Info
	Comment string
}

// registerGamePages registers the game base and its games.
func (h *Hall) registerGamePages() {
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
	h.handle(Route{
		Method: "GET", Path: "/games/{id}/replay", ID: "game-replay", Summary: "a game for the script of its page",
		Need: auth.Look,
	}, http.HandlerFunc(h.serveReplay))
	h.registerPictures()
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
func (h *Hall) selection(ctx context.Context, s pages.Search) (Selection, error) {
	out := Selection{Game: s.Game, Player: s.Player, Opponent: s.Opponent, Reason: s.Reason, Opening: s.Opening, Rated: s.Rated, Mine: s.Mine}
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
			return out, badInput("a day is written as 2026-01-31")
		}
	}
	switch {
	case s.Position != "":
		if out.Position, err = strconv.ParseInt(s.Position, 10, 64); err != nil {
			return out, badInput("position: want the key of one")
		}
		out.HasPosition = true
	case strings.TrimSpace(s.Moves) != "":
		if s.Game == "" {
			return out, badInput("choose the game whose moves these are")
		}
		_, key, err := h.position(ctx, BoardWish{Spec: s.Game, Moves: strings.Fields(s.Moves)})
		if err != nil {
			return out, err
		}
		out.Position, out.HasPosition = key, true
	}
	return out, nil
}

func (h *Hall) gamesPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "games", "games", p.Words.Text("games.title")
	q := r.URL.Query()
	d := pages.Games{Search: searchOf(q)}
	sel, err := h.selection(ctx, d.Search)
	if err == nil {
		var list *body[gamesPage]
		list, err = h.findGames(ctx, &gamesQuery{
			Selection: sel, State: []string{"running", "parked", "over"}, Cursor: q.Get("cursor"),
			Limit: 50,
		})
		if err == nil {
			d.Games = lineModels(list.Body.Games)
			if list.Body.Next != "" {
				q.Set("cursor", list.Body.Next)
				d.Next = "/games?" + q.Encode()
			}
		}
	}
	if err != nil {
		problem := classify(err)
		if problem.Status >= http.StatusInternalServerError {
			return err
		}
		p.Fault, p.Detail, err = problem.Code, problem.Text, nil
	}
	p.Data = d
	return err
}

// gamePage shows a game; of one that is not over nothing but who plays.
func (h *Hall) gamePage(ctx context.Context, r *http.Request, p *pages.Page) error {
	var g store.Game
	if err := h.view(ctx, func(tx store.Tx) (err error) { g, err = h.mayRead(ctx, tx, r.PathValue("id")); return err }); err != nil {
		return err
	}
	shown := viewGame(&g)
	d := pages.Viewer{Game: lineModel(&shown)}
	p.Name, p.Nav, p.Title = "game", "games", shown.Seats[0].Name+" – "+shown.Seats[1].Name
	if shown.Seconds != nil {
		d.Seconds = *shown.Seconds
	}
	if d.Game.Over {
		re, err := h.replayed(ctx, g.ID)
		if unreadable(err) {
			p.Name, p.Data = "unreadable", d
			return nil
		}
		if err != nil {
			return err
		}
		d.Clocks, d.Plies, d.Turns = re.Clocks, len(re.Steps), turnModels(re)
		d.Ply = plyOf(r, d.Plies)
		d.Formats, d.Pixels = h.formatModels(g.Spec.ID()), true
	}
	p.Data = d
	return nil
}

// unreadable reports whether a record cannot be shown, though the game is over.
func unreadable(err error) bool {
	p := (*Problem)(nil)
	return errors.As(err, &p) && p.Code == errUnreadable.Code
}

// turnModels are the moves of a game that is over, one entry for each turn.
func turnModels(re *Replayed) []pages.Turn {
	var out []pages.Turn
	ended := true
	for i := range re.Steps {
		s := &re.Steps[i]
		if ended {
			out = append(out, pages.Turn{Number: len(out) + 1, Seat: -1, Opening: s.Opening})
		}
		t := &out[len(out)-1]
		if s.By.IsPlayer() {
			t.Seat = int(s.By)
		}
		t.Used += s.Used.Seconds()
		t.Steps = append(t.Steps, pages.Step{Ply: i + 1, Name: s.Name, Pass: s.Text == "-", Refused: s.Refused})
		ended = s.Ended
	}
	return out
}

// analysts are the engines that the hall offers for a game.
func (h *Hall) analysts(ctx context.Context, kind string) (pages.Asks, error) {
	var out pages.Asks
	engines, err := h.offered(ctx)
	for _, e := range engines {
		if len(e.Games) == 0 || slices.Contains(e.Games, kind) {
			out.Engines = append(out.Engines, e.Name)
		}
	}
	return out, err
}

// analysisPage is a board without a record.
func (h *Hall) analysisPage(ctx context.Context, r *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "analysis", "games", p.Words.Text("analysis.board")
	q := r.URL.Query()
	d := pages.Board{Spec: q.Get("game"), Position: q.Get("position"), Moves: strings.ReplaceAll(q.Get("moves"), "_", " ")}
	p.Data = d
	if d.Spec == "" {
		return nil
	}
	wish := BoardWish{Spec: d.Spec, Position: d.Position, Moves: strings.Fields(d.Moves)}
	_, _, err := h.position(ctx, wish)
	if err == nil {
		d.Asks, err = h.analysts(ctx, game.Spec(d.Spec).ID())
	}
	if err != nil {
		problem := classify(err)
		if problem.Status >= http.StatusInternalServerError {
			return err
		}
		p.Fault, p.Detail, d = problem.Code, problem.Text, pages.Board{}
	}
	p.Data = d
	return nil
}

// plyOf is the ply that an address names, the last one if it names none.
func plyOf(r *http.Request, plies int) int {
	n, err := strconv.Atoi(r.URL.Query().Get("ply"))
	if err != nil {
		return plies
	}
	return min(max(n, 0), plies)
}

func (h *Hall) formatModels(game string) []pages.Format {
	if h.cfg.Converter == nil {
		return []pages.Format{{ID: ownFormat, Title: "Kibitz"}}
	}
	var out []pages.Format
	for _, f := range h.cfg.Converter.Formats() {
		if f.Writes && (len(f.Games) == 0 || slices.Contains(f.Games, game)) {
			out = append(out, pages.Format{ID: f.ID, Title: f.Title})
		}
	}
	return out
}

// replayed plays a finished game that the caller may see.
func (h *Hall) replayed(ctx context.Context, id string) (*Replayed, error) {
	if h.cfg.Replays == nil {
		return nil, errAbsent
	}
	_, record, err := h.finished(ctx, id)
	if err != nil {
		return nil, err
	}
	re, err := h.cfg.Replays.Replay(ctx, record)
	if err != nil {
		h.cfg.Log.WarnContext(ctx, "a record cannot be replayed", "game", id, "error", oneLine(err))
		return nil, errUnreadable
	}
	return re, nil
}

// replayView is a game for the script of its page. Times are in milliseconds.
type replayView struct {
	Spec     string       `json:"spec"`
	Position string       `json:"position,omitempty"` // that it begins from
	Names    [2]string    `json:"names"`
	Controls [2]string    `json:"controls"`
	Views    []*hub.View  `json:"views"`
	Steps    []replayStep `json:"steps"`
	Result   *hub.Result  `json:"result,omitempty"`
}

type replayStep struct {
	hub.Entry
	Name    string    `json:"name"`
	Said    *hub.Said `json:"said,omitempty"`
	Comment string    `json:"comment,omitempty"`
}

func stepView(s *ReplayStep) replayStep {
	x := replayStep{Entry: hub.Entry{
		By: s.By.String(), Steps: []string{s.Text}, Refused: s.Refused, Forced: s.Forced, Opening: s.Opening, Ended: s.Ended,
		Used: s.Used.Milliseconds(), Error: s.Error.Milliseconds(),
	}, Name: s.Name, Comment: s.Comment}
	if s.Info != nil {
		x.Said = hub.SaidOf(s.Info)
	}
	return x
}

func (h *Hall) serveReplay(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	var g store.Game
	re, err := h.replayed(r.Context(), id)
	if err == nil {
		err = h.view(r.Context(), func(tx store.Tx) (err error) { g, err = h.mayRead(r.Context(), tx, id); return err })
	}
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	v := replayView{
		Spec: string(g.Spec), Position: re.Start, Names: [2]string{g.Seats[0].Name, g.Seats[1].Name}, Controls: re.Clocks,
		Result: hub.ResultOf(g.Result), Steps: []replayStep{},
	}
	for _, x := range re.Views {
		v.Views = append(v.Views, hub.ViewOf(x))
	}
	for i := range re.Steps {
		v.Steps = append(v.Steps, stepView(&re.Steps[i]))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	h.writeBody(w, r, http.StatusOK, jsonOf(v))
}
