package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/hub"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/journal"
)

type seatView struct {
	Name    string `json:"name"`
	User    int64  `json:"user,omitempty"`
	Engine  string `json:"engine,omitempty"`
	Subject string `json:"subject,omitempty"`
	Hash    string `json:"hash,omitempty" doc:"of the program of an engine, by its content, when the game is over"`
}

type resultView struct {
	Points [2]float64  `json:"points"`
	Board  *[2]float64 `json:"board,omitempty" doc:"the score on the board, where the game has one"`
	Reason string      `json:"reason"`
	Detail string      `json:"detail,omitempty"`
}

// gameView is what may be shown of a game: of one that is not over nothing but who
// plays what.
type gameView struct {
	ID         string        `json:"id"`
	Spec       string        `json:"spec"`
	Room       string        `json:"room,omitempty"`
	Tournament string        `json:"tournament,omitempty"`
	Index      int           `json:"index"`
	State      string        `json:"state" enum:"queued,running,parked,over,aborted"`
	Attempt    int           `json:"attempt"`
	Seats      [2]seatView   `json:"seats"`
	Rated      bool          `json:"rated"`
	Speed      string        `json:"speed,omitempty"`
	Opening    string        `json:"opening,omitempty"`
	Hidden     bool          `json:"hidden,omitempty" doc:"it has facts that not everyone may know while it runs"`
	Listed     bool          `json:"listed"`
	Created    *time.Time    `json:"created,omitempty"`
	Begun      *time.Time    `json:"begun,omitempty"`
	Ended      *time.Time    `json:"ended,omitempty"`
	Result     *resultView   `json:"result,omitempty"`
	Plies      int           `json:"plies,omitempty"`
	Seconds    *[2]float64   `json:"seconds,omitempty"`
	Ruled      bool          `json:"ruled,omitempty" doc:"a person has set another result"`
	Note       string        `json:"note,omitempty"`
	Waiting    string        `json:"waiting,omitempty" doc:"what a queued game lacks beside its turn, in words"`
	Before     int           `json:"before,omitempty" doc:"how many games come before a queued one"`
	Asks       []journal.Ask `json:"asks,omitempty" doc:"what the seats of a running game ask of each other"`
	Worker     string        `json:"worker,omitempty" doc:"the worker that played it, when it is over"`
}

// viewGame builds what is shown of a game.
func viewGame(g *store.Game) gameView {
	v := gameView{
		ID: g.ID, Spec: string(g.Spec), Room: g.Room, Tournament: g.Tournament, Index: g.Index, State: string(g.State), Attempt: g.Attempt,
		Rated: g.Rated, Speed: g.Speed, Opening: g.Opening, Hidden: g.Hidden, Listed: g.Listed, Created: when(g.Created), Begun: when(g.Begun),
	}
	for i, s := range g.Seats {
		v.Seats[i] = seatView{Name: s.Name, User: s.User, Engine: s.Engine, Subject: s.Subject()}
	}
	if g.State != store.Over && g.State != store.Aborted {
		return v
	}
	v.Ended, v.Plies, v.Ruled, v.Note = when(g.Ended), g.Plies, g.Ruled, g.Note
	var by struct { // of work, which has secrets too
		Host   string    `json:"host"`
		Hashes [2]string `json:"hashes"`
	}
	if err := json.Unmarshal(g.Job, &by); err == nil {
		v.Worker, v.Seats[0].Hash, v.Seats[1].Hash = by.Host, by.Hashes[0], by.Hashes[1]
	}
	if g.State == store.Over {
		seconds := g.Seconds
		v.Seconds = &seconds
		v.Result = &resultView{Points: g.Result.Points, Reason: string(g.Result.Reason), Detail: g.Result.Detail}
		if g.Result.HasBoard {
			board := g.Result.Board
			v.Result.Board = &board
		}
	}
	return v
}

// Selection is the part of a query that searches, statistics and exports share.
type Selection struct {
	Game        string    `query:"game" maxLength:"60" doc:"identifier of a game without options"`
	Spec        string    `query:"spec" maxLength:"200" doc:"whole specification"`
	Room        string    `query:"room" maxLength:"60"`
	Tournament  string    `query:"tournament" maxLength:"60"`
	Player      string    `query:"player" maxLength:"100" doc:"a name in any seat"`
	Opponent    string    `query:"opponent" maxLength:"100" doc:"the name in the other seat"`
	Subject     string    `query:"subject" maxLength:"100" doc:"user/ID or engine/NAME"`
	Seat        int       `query:"seat" minimum:"0" maximum:"2" doc:"1 or 2: restricts player and subject"`
	Outcome     string    `query:"outcome" enum:"win,draw,loss" doc:"from the view of player or subject, else of the first seat"`
	Reason      string    `query:"reason" maxLength:"60"`
	From        time.Time `query:"from" doc:"begun at this time or later"`
	To          time.Time `query:"to" doc:"begun before this time"`
	Opening     string    `query:"opening" maxLength:"200" doc:"part of the opening's name"`
	Position    int64     `query:"position" doc:"key of a position that the game went through, as POST /api/v1/boards tells it"`
	HasPosition bool      `query:"hasPosition" doc:"heed position although it is 0"`
	Rated       bool      `query:"rated" doc:"rated games alone"`
	Mine        bool      `query:"mine" doc:"the caller's own games, listed or not"`
}

type gamesQuery struct {
	Selection
	State  []string `query:"state" enum:"queued,running,parked,over,aborted" doc:"any of these"`
	Cursor string   `query:"cursor" maxLength:"200" doc:"next of the page before"`
	Limit  int      `query:"limit" minimum:"1" maximum:"500" default:"100"`
}

type gamesPage struct {
	Games []gameView `json:"games"`
	Next  string     `json:"next,omitempty" doc:"cursor of the next page"`
}

// GamePath is an identifier in a path.
type GamePath struct {
	ID string `path:"id" maxLength:"80"`
}

// query turns a selection into one of the store that selects nothing that the caller
// may not see.
func (h *Hall) query(ctx context.Context, tx store.Tx, in Selection) (store.GameQuery, error) {
	c, known := auth.FromContext(ctx)
	q := store.GameQuery{
		Room: in.Room, Tournament: in.Tournament, Game: in.Game, Spec: game.Spec(in.Spec), Player: in.Player, Opponent: in.Opponent,
		Subject: in.Subject, Seat: in.Seat, Outcome: in.Outcome, Reason: game.Reason(in.Reason), From: in.From, To: in.To,
		Opening: in.Opening, Position: in.Position, HasPosition: in.HasPosition || in.Position != 0, Rated: in.Rated, Listed: true,
	}
	if in.Mine {
		if !known {
			return q, badInput("mine: nobody is logged in")
		}
		if in.Subject != "" && in.Subject != store.UserSubject(c.ID) {
			return q, badInput("mine and the subject of another exclude each other")
		}
		q.Subject, q.Listed = store.UserSubject(c.ID), false
		return q, nil
	}
	if c.Can(auth.Direct) {
		q.Listed = false
	} else if in.Room != "" && known && h.inRoom(tx, in.Room, c) || in.Tournament != "" && madeTournament(tx, in.Tournament, c.ID) {
		q.Listed = false
	}
	return q, nil
}

// inRoom reports whether the caller belongs to a room whose games he may search. Those
// who look on with a delay search them no more than others: they have the room's own
// list, which knows what is news for them.
func (h *Hall) inRoom(tx store.Tx, id string, c auth.Caller) bool {
	r, err := tx.Room(id)
	if err != nil {
		return false
	}
	s, err := room.Parse(r.State)
	if err != nil || s.Settings.Delay > 0 && s.PlaceOf(c.ID) < 0 {
		return false
	}
	return r.Owner == c.ID || s.Host == c.ID || s.Places[0].User == c.ID || s.Places[1].User == c.ID ||
		slices.Contains(s.Invited, c.ID) || slices.ContainsFunc(s.People, func(p room.Person) bool { return p.ID == c.ID })
}

// madeTournament reports whether an account has made a tournament.
func madeTournament(tx store.Tx, id string, user int64) bool {
	t, err := tx.Tournament(id)
	return err == nil && user != 0 && t.Owner == user
}

// mayRead returns the game if the caller may see that it exists. Of one whose end is not
// yet news for him, because his room has a delay, he sees what he saw before.
func (h *Hall) mayRead(ctx context.Context, tx store.Tx, id string) (store.Game, error) {
	g, err := tx.Game(id)
	if err != nil || g.Listed {
		return g, err
	}
	c, known := auth.FromContext(ctx)
	if known && (c.Can(auth.Direct) || g.Seats[0].User == c.ID || g.Seats[1].User == c.ID) {
		return g, nil
	}
	if g.Room != "" {
		return h.roomGame(ctx, tx, &g)
	}
	if known && g.Tournament != "" && madeTournament(tx, g.Tournament, c.ID) {
		return g, nil
	}
	return store.Game{}, fmt.Errorf("game: %w", store.ErrNotFound)
}

// roomGame is mayRead for the game of a room, asked for by somebody who does not play it.
func (h *Hall) roomGame(ctx context.Context, tx store.Tx, g *store.Game) (store.Game, error) {
	_, s, err := roomOf(tx, g.Room, actorOf(ctx))
	if err != nil {
		return store.Game{}, err
	}
	c, known := auth.FromContext(ctx)
	belongs := known && (s.Host == c.ID || s.PlaceOf(c.ID) >= 0 || s.Inside(c.ID) || slices.Contains(s.Invited, c.ID))
	if !belongs && (s.Settings.Access != room.Listed || s.Settings.Delay == 0) {
		return store.Game{}, fmt.Errorf("game: %w", store.ErrNotFound)
	}
	if g.State == store.Over && h.now().Before(g.Ended.Add(s.Settings.Delay)) {
		g.State = store.Running
	}
	return *g, nil
}

func (h *Hall) registerGames() {
	const tag, games = "games", "/api/v1/games"
	add(h, Route{
		Method: "GET", Path: games, ID: "games", Tag: tag, Summary: "Search games, those added last first", Need: auth.Look,
		About: "Games that are not listed are found by those of their room, by whoever made their tournament and by arbiters, and by their " +
			"players with mine.",
	}, h.findGames)
	add(h, Route{Method: "GET", Path: games + "/{id}", ID: "game", Tag: tag, Summary: "A game", Need: auth.Look},
		func(ctx context.Context, in *GamePath) (*body[gameView], error) {
			var v gameView
			err := h.view(ctx, func(tx store.Tx) error {
				g, err := h.mayRead(ctx, tx, in.ID)
				v = viewGame(&g)
				if g.State == store.Queued && h.cfg.Live != nil {
					v.Waiting, v.Before = h.cfg.Live.Dispatcher.Waits(g.ID), h.cfg.Live.Dispatcher.Before(g.ID, "")
				}
				return err
			})
			if err == nil {
				v.Asks = h.asks(ctx, v.ID)
			}
			return reply(v), err
		})
	add(h, Route{
		Method: "GET", Path: games + "/{id}/record", ID: "record", Tag: tag, Summary: "The record of a game that is over",
		Need: auth.Look,
	}, h.getRecord)
	add(h, Route{
		Method: "GET", Path: games + "/{id}/view", ID: "view", Tag: tag, Summary: "The board of a game that is over, at a ply",
		Need: auth.Look, About: "The answer is the board in the form of the live streams.",
	}, h.getView)
	add(h, Route{
		Method: "DELETE", Path: games + "/{id}", ID: "remove-game", Tag: tag,
		Summary: "Remove a game that is over or aborted, with its record", Need: auth.Administer, Status: http.StatusNoContent,
	}, func(ctx context.Context, in *GamePath) (*Nothing, error) {
		return nil, h.update(ctx, func(tx store.Tx) error {
			if err := tx.RemoveGame(in.ID); err != nil {
				return err
			}
			return h.auth.Note(ctx, tx, "game-removed", in.ID, "")
		})
	})
	add(h, Route{Method: "GET", Path: "/api/v1/formats", ID: "formats", Tag: tag, Summary: "Formats of records", Need: auth.Look},
		func(context.Context, *Nothing) (*body[[]Format], error) {
			if h.cfg.Converter == nil {
				return nil, errAbsent
			}
			return reply(h.cfg.Converter.Formats()), nil
		})
}

func (h *Hall) findGames(ctx context.Context, in *gamesQuery) (*body[gamesPage], error) {
	out := gamesPage{Games: []gameView{}}
	err := h.view(ctx, func(tx store.Tx) error {
		q, err := h.query(ctx, tx, in.Selection)
		if err != nil {
			return err
		}
		for _, s := range in.State {
			q.States = append(q.States, store.GameState(s))
		}
		q.Cursor, q.Limit = in.Cursor, in.Limit
		page, err := tx.FindGames(q)
		out.Games, out.Next = out.Games[:0], page.Next
		for i := range page.Games {
			out.Games = append(out.Games, viewGame(&page.Games[i]))
		}
		return err
	})
	return reply(out), err
}

// finished returns a game that is over and that the caller may see, with its record.
func (h *Hall) finished(ctx context.Context, id string) (store.Game, []byte, error) {
	var g store.Game
	var packed []byte
	err := h.view(ctx, func(tx store.Tx) (err error) {
		if g, err = h.mayRead(ctx, tx, id); err != nil {
			return err
		}
		if g.State != store.Over {
			return &Problem{http.StatusConflict, "not-over", "the game is not over: its record and its boards can be had when it is"}
		}
		if packed, err = tx.Record(id); errors.Is(err, store.ErrNotFound) {
			err = nil // it has lost it
		}
		return err
	})
	if err != nil {
		return g, nil, err
	}
	record, err := h.unpacked(packed)
	if err != nil {
		h.cfg.Log.WarnContext(ctx, "a record cannot be read", "game", id, "error", oneLine(err))
		return g, nil, errUnreadable
	}
	return g, record, nil
}

// errUnreadable is said of a game whose record is damaged: its result stands.
var errUnreadable = &Problem{http.StatusUnprocessableEntity, "unreadable", "the record of this game cannot be read"}

// unpacked is a record as it was before it was compressed: an object of JSON, whatever it
// says.
func (h *Hall) unpacked(packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return nil, errors.New("there is none")
	}
	record, err := h.unpack.DecodeAll(packed, nil)
	if err == nil && (!json.Valid(record) || bytes.TrimLeft(record, " \t\r\n")[0] != '{') {
		err = errors.New("it is no object of JSON")
	}
	return record, err
}

type recordQuery struct {
	GamePath
	Format string `query:"format" maxLength:"40" doc:"of GET /api/v1/formats; Kibitz's own if it is not given"`
}

type fileAnswer struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body []byte
}

func (h *Hall) getRecord(ctx context.Context, in *recordQuery) (*fileAnswer, error) {
	g, record, err := h.finished(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	data, ext, err := h.convert(ctx, record, in.Format)
	if err != nil {
		return nil, err
	}
	kind := "application/octet-stream"
	if in.Format == "" || in.Format == ownFormat {
		kind = "application/json"
	}
	return &fileAnswer{kind, attachment(g.ID + ext), data}, nil
}

func attachment(name string) string {
	return `attachment; filename="` + url.PathEscape(name) + `"`
}

// ownFormat is the identifier of Kibitz's own format.
const ownFormat = "json"

// writes returns the extension of a format that can be written here.
func (h *Hall) writes(format string) (string, error) {
	if format == "" || format == ownFormat {
		return ".json", nil
	}
	if h.cfg.Converter == nil {
		return "", errAbsent
	}
	list := h.cfg.Converter.Formats()
	i := slices.IndexFunc(list, func(f Format) bool { return f.ID == format && f.Writes })
	if i < 0 {
		return "", badInput(fmt.Sprintf("format %q cannot be written: see /api/v1/formats", format))
	}
	return list[i].Ext, nil
}

// convert returns a record in a format, and the format's extension.
func (h *Hall) convert(ctx context.Context, record []byte, format string) ([]byte, string, error) {
	ext, err := h.writes(format)
	if err != nil || format == "" || format == ownFormat {
		return record, ext, err
	}
	data, err := h.cfg.Converter.Convert(ctx, record, format)
	if err != nil {
		return nil, "", badInput(oneLine(err))
	}
	return data, ext, nil
}

type viewQuery struct {
	GamePath
	Ply int `query:"ply" minimum:"0" maximum:"100000" doc:"after so many decisions"`
}

func (h *Hall) getView(ctx context.Context, in *viewQuery) (*body[*hub.View], error) {
	if h.cfg.Views == nil {
		return nil, errAbsent
	}
	_, record, err := h.finished(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	v, err := h.cfg.Views.View(ctx, record, in.Ply)
	if err != nil {
		return nil, badInput(oneLine(err))
	}
	return reply(hub.ViewOf(v)), nil
}
