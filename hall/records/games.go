// Package records is what callers of a hall see of the games that it keeps: search, records
// in any format, import and export, ratings, and positions that accounts keep. It knows
// neither HTTP nor rules: whoever knows rules is handed to it.
package records

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/journal"
)

// GamesConfig is what Games are made of. Views, Converter, Replays, Queue and Asks may be nil.
type GamesConfig struct {
	Store     store.Store
	Auth      *auth.Service
	Views     Views
	Converter Converter
	Replays   Replays
	// Unpack decodes records as the store has them.
	Unpack *zstd.Decoder
	// Now is the time as a store keeps it.
	Now func() time.Time
	Log *slog.Logger
	// Queue knows for what games wait that no worker has begun, Asks what the seats of a
	// running game ask of each other, as far as the caller may know it.
	Queue Queue
	Asks  func(ctx context.Context, id string) []journal.Ask
}

// Queue knows for what games wait that no worker has begun.
type Queue interface {
	// Waits says in words what a game lacks beside its turn, Before how many games come
	// before it; place is the kind of place that it needs, empty if that is not known.
	Waits(id string) string
	Before(id, place string) int
}

// Games are those that the hall keeps, as callers may see them.
type Games struct{ cfg GamesConfig }

// NewGames returns Games.
func NewGames(c GamesConfig) *Games { return &Games{c} }

// SeatView is who has a seat.
type SeatView struct {
	Name    string `json:"name"`
	User    int64  `json:"user,omitempty"`
	Engine  string `json:"engine,omitempty"`
	Subject string `json:"subject,omitempty"`
	Hash    string `json:"hash,omitempty" doc:"of the program of an engine, by its content, when the game is over"`
	Hints   int    `json:"hints,omitempty" doc:"how many hints a person was given, when the game is over"`
}

// ResultView is how a game ended.
type ResultView struct {
	Points [2]float64  `json:"points"`
	Board  *[2]float64 `json:"board,omitempty" doc:"the score on the board, where the game has one"`
	Reason string      `json:"reason"`
	Detail string      `json:"detail,omitempty"`
}

// ViewResult shows a result.
func ViewResult(r game.Result) *ResultView {
	v := &ResultView{Points: r.Points, Reason: string(r.Reason), Detail: r.Detail}
	if r.HasBoard {
		v.Board = &r.Board
	}
	return v
}

// GameView is what may be shown of a game: of one that is not over nothing but who
// plays what.
type GameView struct {
	ID         string        `json:"id"`
	Spec       string        `json:"spec"`
	Room       string        `json:"room,omitempty"`
	Tournament string        `json:"tournament,omitempty"`
	Index      int           `json:"index"`
	State      string        `json:"state" enum:"queued,running,parked,over,aborted"`
	Attempt    int           `json:"attempt"`
	Seats      [2]SeatView   `json:"seats"`
	Rated      bool          `json:"rated"`
	Speed      string        `json:"speed,omitempty"`
	Opening    string        `json:"opening,omitempty"`
	Hidden     bool          `json:"hidden,omitempty" doc:"it has facts that not everyone may know while it runs"`
	Listed     bool          `json:"listed"`
	Created    *time.Time    `json:"created,omitempty"`
	Begun      *time.Time    `json:"begun,omitempty"`
	Ended      *time.Time    `json:"ended,omitempty"`
	Result     *ResultView   `json:"result,omitempty"`
	Plies      int           `json:"plies,omitempty"`
	Seconds    *[2]float64   `json:"seconds,omitempty"`
	Ruled      bool          `json:"ruled,omitempty" doc:"a person has set another result, or annulled the game: then nobody has points, and the note says why"`
	Note       string        `json:"note,omitempty"`
	Waiting    string        `json:"waiting,omitempty" doc:"what a queued game lacks beside its turn, in words"`
	Before     int           `json:"before,omitempty" doc:"how many games come before a queued one"`
	Asks       []journal.Ask `json:"asks,omitempty" doc:"what the seats of a running game ask of each other"`
	Worker     string        `json:"worker,omitempty" doc:"the worker that played it, when it is over"`
}

// ViewGame builds what is shown of a game.
func ViewGame(g *store.Game) GameView {
	v := GameView{
		ID: g.ID, Spec: string(g.Spec), Room: g.Room, Tournament: g.Tournament, Index: g.Index, State: string(g.State), Attempt: g.Attempt,
		Rated: g.Rated, Speed: g.Speed, Opening: g.Opening, Hidden: g.Hidden, Listed: g.Listed,
		Created: store.When(g.Created), Begun: store.When(g.Begun),
	}
	for i, s := range g.Seats {
		v.Seats[i] = SeatView{Name: s.Name, User: s.User, Engine: s.Engine, Subject: s.Subject()}
	}
	if g.State != store.Over && g.State != store.Aborted {
		return v
	}
	v.Ended, v.Plies, v.Ruled, v.Note = store.When(g.Ended), g.Plies, g.Ruled, g.Note
	var by struct { // of work, which has secrets too
		Host   string    `json:"host"`
		Hashes [2]string `json:"hashes"`
		Hints  [2]int    `json:"hints"`
	}
	if err := json.Unmarshal(g.Job, &by); err == nil {
		v.Worker, v.Seats[0].Hash, v.Seats[1].Hash = by.Host, by.Hashes[0], by.Hashes[1]
		v.Seats[0].Hints, v.Seats[1].Hints = by.Hints[0], by.Hints[1]
	}
	if g.State == store.Over {
		seconds := g.Seconds
		v.Seconds = &seconds
		v.Result = ViewResult(g.Result)
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

// GamesQuery is a search.
type GamesQuery struct {
	Selection
	State  []string `query:"state" enum:"queued,running,parked,over,aborted" doc:"any of these, with commas between them"`
	Cursor string   `query:"cursor" maxLength:"200" doc:"next of the page before"`
	Limit  int      `query:"limit" minimum:"1" maximum:"500" default:"100"`
	// Latest is that of the store, for pages of the hall.
	Latest bool
}

// GamesPage is what a search finds.
type GamesPage struct {
	Games []GameView `json:"games"`
	Next  string     `json:"next,omitempty" doc:"cursor of the next page"`
}

// GamePath is an identifier in a path.
type GamePath struct {
	ID string `path:"id" maxLength:"80"`
}

// Query turns a selection into one of the store that selects nothing that the caller
// may not see.
func (gs *Games) Query(ctx context.Context, tx store.Tx, in Selection) (store.GameQuery, error) {
	c, known := auth.FromContext(ctx)
	q := store.GameQuery{
		Room: in.Room, Tournament: in.Tournament, Game: in.Game, Spec: game.Spec(in.Spec), Player: in.Player, Opponent: in.Opponent,
		Subject: in.Subject, Seat: in.Seat, Outcome: in.Outcome, Reason: game.Reason(in.Reason), From: in.From, To: in.To,
		Opening: in.Opening, Position: in.Position, HasPosition: in.HasPosition || in.Position != 0, Rated: in.Rated, Listed: true,
	}
	if in.Mine {
		if !known {
			return q, problem.At("#/mine", problem.Input("mine: nobody is logged in"))
		}
		if in.Subject != "" && in.Subject != store.UserSubject(c.ID) {
			return q, problem.At("#/subject", problem.Input("mine and the subject of another exclude each other"))
		}
		q.Subject, q.Listed = store.UserSubject(c.ID), false
		return q, nil
	}
	if c.Can(auth.Direct) {
		q.Listed = false
	} else if in.Room != "" && known && inRoom(tx, in.Room, c) || in.Tournament != "" && auth.Made(tx, in.Tournament, c.ID) {
		q.Listed = false
	}
	return q, nil
}

// inRoom reports whether the caller belongs to a room whose games he may search. Those
// who look on with a delay search them no more than others: they have the room's own
// list, which knows what is news for them.
func inRoom(tx store.Rooms, id string, c auth.Caller) bool {
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

// MayRead returns the game if the caller may see that it exists. Of one whose end is not
// yet news for him, because his room has a delay, he sees what he saw before.
func (gs *Games) MayRead(ctx context.Context, tx store.Tx, id string) (store.Game, error) {
	g, err := tx.Game(id)
	if err != nil || g.Listed {
		return g, err
	}
	c, known := auth.FromContext(ctx)
	if known && (c.Can(auth.Direct) || g.Seats[0].User == c.ID || g.Seats[1].User == c.ID) {
		return g, nil
	}
	if g.Room != "" {
		return gs.roomGame(ctx, tx, &g)
	}
	if known && g.Tournament != "" && auth.Made(tx, g.Tournament, c.ID) {
		return g, nil
	}
	return store.Game{}, fmt.Errorf("game: %w", store.ErrNotFound)
}

// roomGame is MayRead for the game of a room, asked for by somebody who does not play it.
func (gs *Games) roomGame(ctx context.Context, tx store.Rooms, g *store.Game) (store.Game, error) {
	_, s, err := lobby.RoomOf(tx, g.Room, lobby.ActorOf(ctx))
	if err != nil {
		return store.Game{}, err
	}
	c, known := auth.FromContext(ctx)
	belongs := known && (s.Host == c.ID || s.PlaceOf(c.ID) >= 0 || s.Inside(c.ID) || slices.Contains(s.Invited, c.ID))
	if !belongs && (s.Settings.Access != room.Listed || s.Settings.Delay == 0) {
		return store.Game{}, fmt.Errorf("game: %w", store.ErrNotFound)
	}
	if g.State == store.Over && gs.cfg.Now().Before(g.Ended.Add(s.Settings.Delay)) {
		g.State = store.Running
	}
	return *g, nil
}

// Get returns a game.
func (gs *Games) Get(ctx context.Context, in *GamePath) (GameView, error) {
	g, err := store.Read(ctx, gs.cfg.Store, func(tx store.Tx) (store.Game, error) { return gs.MayRead(ctx, tx, in.ID) })
	v := ViewGame(&g)
	if g.State == store.Queued && gs.cfg.Queue != nil {
		v.Waiting, v.Before = gs.cfg.Queue.Waits(g.ID), gs.cfg.Queue.Before(g.ID, "")
	}
	if err == nil && gs.cfg.Asks != nil {
		v.Asks = gs.cfg.Asks(ctx, v.ID)
	}
	return v, err
}

// Find searches.
func (gs *Games) Find(ctx context.Context, in *GamesQuery) (GamesPage, error) {
	out := GamesPage{Games: []GameView{}}
	err := gs.cfg.Store.View(ctx, func(tx store.Tx) error {
		q, err := gs.Query(ctx, tx, in.Selection)
		if err != nil {
			return err
		}
		for _, s := range in.State {
			q.States = append(q.States, store.GameState(s))
		}
		q.Cursor, q.Limit, q.Latest = in.Cursor, in.Limit, in.Latest
		page, err := tx.FindGames(q)
		out.Games, out.Next = out.Games[:0], page.Next
		for i := range page.Games {
			out.Games = append(out.Games, ViewGame(&page.Games[i]))
		}
		return problem.InputAt("#/cursor", err)
	})
	return out, err
}

// Finished returns a game that is over and that the caller may see, with its record, which has
// the result that counts; ErrAborted tells that there will never be one.
func (gs *Games) Finished(ctx context.Context, id string) (store.Game, []byte, error) {
	var g store.Game
	var packed []byte
	err := gs.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		if g, err = gs.MayRead(ctx, tx, id); err != nil {
			return err
		}
		switch g.State {
		case store.Over:
		case store.Aborted:
			return ErrAborted
		default:
			return problem.New(http.StatusConflict, "not-over", "the game is not over: its record and its boards can be had when it is")
		}
		if packed, err = tx.Record(id); errors.Is(err, store.ErrNotFound) {
			err = nil // it has lost it
		}
		return err
	})
	if err != nil {
		return g, nil, err
	}
	record, err := gs.record(ctx, &g, packed)
	if err != nil {
		gs.cfg.Log.WarnContext(ctx, "a record cannot be read", "game", id, "error", problem.OneLine(err))
		return g, nil, ErrUnreadable
	}
	return g, record, nil
}

// ErrAborted is said of a game that was ended before it was over and of which no worker has sent what was
// played.
var ErrAborted = problem.New(http.StatusConflict, "aborted",
	"the game was ended early, and its moves are not kept; what it counts, if it is of a tournament, stands there")

// ErrUnreadable is said of a game whose record is damaged: its result stands.
var ErrUnreadable = problem.New(http.StatusUnprocessableEntity, "unreadable", "the record of this game cannot be read")

// record is the record of a game with the result that counts, and that it was ruled.
func (gs *Games) record(ctx context.Context, g *store.Game, packed []byte) ([]byte, error) {
	record, err := gs.unpacked(packed)
	if err != nil || !g.Ruled || gs.cfg.Converter == nil {
		return record, err
	}
	return gs.cfg.Converter.Rule(ctx, record, g.Result, g.Note)
}

// unpacked is a record as it was before it was compressed: an object of JSON, whatever it
// says.
func (gs *Games) unpacked(packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return nil, errors.New("there is none")
	}
	record, err := gs.cfg.Unpack.DecodeAll(packed, nil)
	if err == nil && (!json.Valid(record) || bytes.TrimLeft(record, " \t\r\n")[0] != '{') {
		err = errors.New("it is no object of JSON")
	}
	return record, err
}

// RecordQuery asks for a record.
type RecordQuery struct {
	GamePath
	Format string `query:"format" maxLength:"40" doc:"of GET /api/v1/formats; Kibitz's own if it is not given"`
}

// File is a record in a format, as it is handed out.
type File struct {
	// Type is its media type.
	Type, Name string
	Data       []byte
}

// Record returns the record of a game that is over, in a format.
func (gs *Games) Record(ctx context.Context, in *RecordQuery) (File, error) {
	g, record, err := gs.Finished(ctx, in.ID)
	if err != nil {
		return File{}, err
	}
	data, ext, err := gs.Convert(ctx, record, in.Format)
	if err != nil {
		return File{}, err
	}
	return fileOf(g.ID+ext, in.Format, data), nil
}

// fileOf is a record in a format.
func fileOf(name, format string, data []byte) File {
	kind := "application/octet-stream"
	if format == "" || format == OwnFormat {
		kind = "application/json"
	}
	return File{kind, name, data}
}

// Remove removes a game that is over or aborted, with its record.
func (gs *Games) Remove(ctx context.Context, in *GamePath) error {
	return gs.cfg.Store.Update(ctx, func(tx store.Tx) error {
		if err := tx.RemoveGame(in.ID); err != nil {
			return err
		}
		return gs.cfg.Auth.Note(ctx, tx, "game-removed", in.ID, "")
	})
}

// ViewQuery asks for a board.
type ViewQuery struct {
	GamePath
	Ply int `query:"ply" minimum:"0" maximum:"100000" doc:"after so many decisions"`
}

// View returns the board of a game that is over, at a ply.
func (gs *Games) View(ctx context.Context, in *ViewQuery) (*wire.View, error) {
	if gs.cfg.Views == nil {
		return nil, problem.ErrAbsent
	}
	_, record, err := gs.Finished(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	v, err := gs.cfg.Views.View(ctx, record, in.Ply)
	if err != nil {
		return nil, problem.Input(problem.OneLine(err))
	}
	return wire.Of(v), nil
}
