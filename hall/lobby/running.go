package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/journal"
)

// SeatBus brings to workers what people decide, and to people what is asked of them.
type SeatBus interface {
	AskSeatInput(ctx context.Context, in bus.SeatInput) (bus.Reply, error)
	SubscribeSeatState(id string, seat game.Seat, fn func(bus.SeatState)) (*bus.Subscription, error)
}

// Running are games that are played: what callers may see of them, and do in them.
type Running struct {
	Store store.Store
	Hub   *hub.Hub
	Bus   SeatBus
	// Health knows whether the queue is away; nil for never.
	Health *health.Monitor
	Link   *Link
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
}

// SeatInput is what somebody decides on a turn.
type SeatInput struct {
	Game string `path:"game" maxLength:"100"`
	Body struct {
		Prompt int      `json:"prompt" minimum:"1" doc:"the number of the question"`
		Steps  []string `json:"steps" minItems:"1" maxItems:"200" doc:"decisions in the form of legal ones"`
		// For makes it safe to send an answer late, and again.
		For *bus.Position `json:"for,omitempty" doc:"attempt and ply of the question: the answer is played there once, or else refused as seat-overtaken, also after the game was taken up elsewhere"`
	}
}

// SeatAct is what somebody does beside moves.
type SeatAct struct {
	Game string `path:"game" maxLength:"100"`
	Body struct {
		Act   string `json:"act" enum:"resign,draw,undo,pause,resume,accept,decline,abort,withdraw,hint,judge,now,limit"`
		ID    string `json:"id,omitempty" maxLength:"64" doc:"names the act: the same one again has no effect and the same answer"`
		Ply   *int   `json:"ply,omitempty" minimum:"0" maximum:"100000" doc:"undo: how many decisions stay; without it one's own latest turn is taken back, and what came after"`
		Ask   int    `json:"ask,omitempty" minimum:"0" doc:"accept, decline: the number of what is asked"`
		Limit int    `json:"limit,omitempty" minimum:"0" maximum:"3600000" doc:"limit: how long the engine may think in a turn, in milliseconds; 0 is none any more"`
		Lines int    `json:"lines,omitempty" minimum:"0" maximum:"50" doc:"hint: how many of the best decisions are listed; 0: each hint tells a little more"`
	}
}

// Acted is what came of an act; one that is refused is a problem.
type Acted struct {
	Effect string `json:"effect" enum:"done,asked" doc:"it has happened, or the opponent is asked"`
	Ask    int    `json:"ask,omitempty" doc:"the number of what the opponent is asked"`
}

// SeatLook is the path of what is asked of a seat.
type SeatLook struct {
	Game string `path:"game" maxLength:"100"`
}

// Move answers the question of the caller's seat.
func (run *Running) Move(ctx context.Context, in *SeatInput) error {
	_, err := run.input(ctx, in.Game, bus.SeatInput{Prompt: in.Body.Prompt, Steps: in.Body.Steps, For: in.Body.For})
	return err
}

// State is what is asked of the caller's seat.
func (run *Running) State(ctx context.Context, in *SeatLook) (*bus.SeatState, error) {
	raw, err := run.input(ctx, in.Game, bus.SeatInput{Look: true})
	if err != nil {
		return nil, err
	}
	var s bus.SeatState
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &s)
	}
	return &s, err
}

// Sign tells that the owner of a seat is there, who has no stream that says so.
func (run *Running) Sign(ctx context.Context, id string) error {
	_, err := run.input(ctx, id, bus.SeatInput{Presence: "present"})
	return err
}

// Act does what is no move.
func (run *Running) Act(ctx context.Context, in *SeatAct) (*Acted, error) {
	b := &in.Body
	if b.ID == "" { // the bus may bring it twice
		b.ID = "hall " + store.NewID(run.Random, 8)
	}
	raw, err := run.input(ctx, in.Game, bus.SeatInput{Act: b.Act, ID: b.ID, Ply: b.Ply, Ask: b.Ask, Limit: b.Limit, Lines: b.Lines})
	if err != nil {
		return nil, err
	}
	out := Acted{Effect: "done"}
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &out)
	}
	return &out, err
}

// Watched is a game as a caller may look at it.
type Watched struct {
	store.Game
	// To is as whom the caller looks, Delay how much later he is told.
	To    game.Audience
	Delay time.Duration
	Meta  hub.Meta
	// lines and open are those of the room while the game was handed out.
	lines, open bool
	// engines tells whose seat is an engine's, wherever that runs.
	engines [2]bool
	// asks tells that both seats can be asked something.
	asks bool
}

// Look finds out what a caller may see of a running game: the owner of a seat what the
// seat may, everybody else what the public may, and of games that are not listed
// nothing unless the room lets him in.
func (run *Running) Look(ctx context.Context, id string) (Watched, error) {
	by := ActorOf(ctx)
	var l Watched
	err := run.Store.View(ctx, func(tx store.Tx) (err error) {
		if l.Game, err = tx.Game(id); err != nil {
			return err
		}
		l.To = game.Public
		for i, s := range l.Seats {
			if by.ID != 0 && s.User == by.ID && l.To == game.Public {
				l.To = game.Audience(i)
			}
		}
		l.Meta = hub.Meta{Spec: string(l.Spec), Names: [2]string{l.Seats[0].Name, l.Seats[1].Name}, Rated: l.Rated}
		if l.Room == "" {
			if !l.Listed && l.To == game.Public && !by.Arbiter && (l.Tournament == "" || !auth.Made(tx, l.Tournament, by.ID)) {
				return store.ErrNotFound
			}
			return nil
		}
		_, s, err := RoomOf(tx, l.Room, by)
		if err != nil && (!errors.Is(err, store.ErrNotFound) || l.To == game.Public) {
			return err
		}
		l.Delay, l.Meta.Lines = s.Settings.Delay, s.Settings.Lines && !l.Hidden
		l.Meta.Open = s.Settings.Open
		if w, err := play.WorkOf(&l.Game); err == nil { // an engine's owner agreed to what held then
			l.lines, l.open = w.Play.Lines, w.Play.Open
			l.asks = true
			for i := range w.Play.Seats {
				kind := w.Play.Seats[i].Kind
				l.engines[i] = kind != bus.PersonSeat
				l.asks = l.asks && (kind == bus.PersonSeat || kind == bus.RemoteSeat)
			}
		}
		return nil
	})
	l.Job = nil
	return l, err
}

// input passes on what the owner of a seat decides, and returns what the worker says to
// that.
func (run *Running) input(ctx context.Context, id string, in bus.SeatInput) (json.RawMessage, error) {
	l, err := run.Look(ctx, id)
	if err != nil {
		return nil, err
	}
	if l.To == game.Public {
		return nil, problem.New(http.StatusForbidden, "forbidden", "only who has a seat in the game may do that")
	}
	if ended(l.State) {
		return afterEnd(&l.Game, game.Seat(l.To), in.Act)
	}
	in.Game, in.Seat = id, game.Seat(l.To)
	in.Passed = func() time.Duration { return health.Passed(ctx) }
	r, err := run.askSeat(ctx, in)
	if err != nil {
		if l, again := run.Look(ctx, id); again == nil && ended(l.State) { // meanwhile
			return afterEnd(&l.Game, in.Seat, in.Act)
		}
		return nil, err
	}
	if r.Error == "" && r.Code == "" {
		return r.Data, nil
	}
	status := http.StatusConflict
	if r.Code == "not-legal" {
		status = http.StatusUnprocessableEntity
	}
	p := problem.New(status, "seat-"+r.Code, r.Error)
	p.Why = r.Why
	return nil, p
}

// errGameOver is said to whoever acts in a game that has ended.
var errGameOver = &problem.Problem{
	Status: http.StatusConflict, Code: "over", Text: "the game is over", Why: game.Why{Code: "over"}, // player.NoGame
}

// afterEnd answers an act in a game that has ended. What ended it, a resignation or the
// acceptance of a draw or an abort, is done, also if its first answer was lost.
func afterEnd(g *store.Game, seat game.Seat, act string) (json.RawMessage, error) {
	reason := g.Result.Reason
	if act == "resign" && reason == game.ByResign && g.Result.Winner() == seat.Other() ||
		act == "accept" && (reason == game.ByAgreement || reason == game.ByAbort) {
		return json.Marshal(bus.Acted{Effect: "done"})
	}
	return nil, errGameOver
}

// ended reports whether nothing can be done in a game any more.
func ended(s store.GameState) bool { return s == store.Over || s == store.Aborted }

// inputTime is how long a worker may take for what a person decides, awayTime if the queue
// between is away.
const inputTime, awayTime = 4 * time.Second, time.Second

// askSeat brings what a person decides to the worker, and says why if it cannot.
func (run *Running) askSeat(ctx context.Context, in bus.SeatInput) (bus.Reply, error) {
	limited, stop := context.WithTimeout(ctx, inputTime)
	defer stop()
	within, cancel := run.Health.Within(limited, health.Queue, awayTime)
	defer cancel()
	r, err := run.Bus.AskSeatInput(within, in)
	if err == nil {
		return r, nil
	}
	run.Log.DebugContext(ctx, "no worker answered", "game", in.Game, "error", problem.OneLine(err))
	switch cause := health.Cause(within, err); {
	case errors.Is(cause, health.ErrAway):
		return r, cause
	case errors.Is(err, bus.ErrNobody):
		return r, problem.New(http.StatusServiceUnavailable, "no-worker", "nobody plays the game at present: try again in a moment")
	default:
		return r, problem.New(http.StatusServiceUnavailable, "no-answer", "who referees the game did not answer in time: send it again")
	}
}

// asksTime is how long it may take to find out what is asked in a game that nobody watches.
const asksTime = time.Second

// Asks is what the seats of a running game ask of each other, as far as the caller knows it
// from its stream: where spectators are told late, late.
func (run *Running) Asks(ctx context.Context, id string) []journal.Ask {
	l, err := run.Look(ctx, id)
	if err != nil || !l.asks || l.State != store.Running {
		return nil
	}
	limit := asksTime
	if l.Delay > 0 {
		limit = 0 // it may be long until there is something that he may know
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s, err := run.Hub.Now(ctx, l.Key(), l.Meta)
	if err != nil {
		run.Log.DebugContext(ctx, "what is asked in a game is not known", "game", id, "error", problem.OneLine(err))
	}
	return s.Asks
}

// Key is the stream of a game that its caller may watch.
func (l *Watched) Key() hub.Key { return hub.Key{Game: l.ID, To: l.To, Delay: l.Delay} }

// boardWait is how long a board is waited for.
const boardWait = 5 * time.Second

// Board is a running game as the caller sees it now, with the game itself.
func (run *Running) Board(ctx context.Context, id string) (live.State, Watched, error) {
	l, err := run.Look(ctx, id)
	if err != nil {
		return live.State{}, l, err
	}
	ctx, stop := context.WithTimeout(ctx, boardWait)
	defer stop()
	s, err := run.Hub.Now(ctx, l.Key(), l.Meta)
	if err != nil {
		err = problem.New(http.StatusConflict, "not-now", "there is no board to be seen at present").Because("noboard")
	}
	return s, l, err
}
