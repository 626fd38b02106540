package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/store"
	"kibitz/journal"
)

// heartbeat is the longest silence of a stream.
const heartbeat = play.Heartbeat

type seatInput struct {
	Game string `path:"game" maxLength:"100"`
	Body struct {
		Prompt int      `json:"prompt" minimum:"1" doc:"the number of the question"`
		Steps  []string `json:"steps" minItems:"1" maxItems:"200" doc:"decisions in the form of legal ones"`
	}
}

type seatAct struct {
	Game string `path:"game" maxLength:"100"`
	Body struct {
		Act string `json:"act" enum:"resign,draw,undo,accept,decline,abort,withdraw"`
		ID  string `json:"id,omitempty" maxLength:"64" doc:"names the act: the same one again has no effect and the same answer"`
		Ply *int   `json:"ply,omitempty" minimum:"0" maximum:"100000" doc:"undo: how many decisions stay; without it one's own latest turn is taken back, and what came after"`
		Ask int    `json:"ask,omitempty" minimum:"0" doc:"accept, decline: the number of what is asked"`
	}
}

// acted is what came of an act; one that is refused is a problem.
type acted struct {
	Effect string `json:"effect" enum:"done,asked" doc:"it has happened, or the opponent is asked"`
	Ask    int    `json:"ask,omitempty" doc:"the number of what the opponent is asked"`
}

// seatLook is the path of what is asked of a seat.
type seatLook struct {
	Game string `path:"game" maxLength:"100"`
}

func (h *Hall) registerStreams() {
	const tag = "live"
	one := "/api/v1/games/{game}"
	about := "Server-sent events, or lines of JSON for Accept: application/x-ndjson."
	h.handle(Route{
		Method: "GET", Path: one + "/events", ID: "game-events", Tag: tag, Summary: "A running game", Need: auth.Look, Time: -1,
		About: about,
	}, http.HandlerFunc(h.gameEvents))
	h.handle(Route{
		Method: "GET", Path: "/api/v1/games/events", ID: "games-events", Tag: tag, Summary: "Several running games", Need: auth.Look, Time: -1,
		About: about + " Up to 50 games: game=a&game=b. The id of an event is game:number.",
	}, http.HandlerFunc(h.gamesEvents))
	h.handle(Route{
		Method: "GET", Path: roomsPath + "/{room}/events", ID: "room-events", Tag: tag, Summary: "What happens in a room", Need: auth.Look,
		Time:  -1,
		About: about + " `beat=N` asks for an event `beat` every N seconds, 1 to 15, as a sign of life.",
	}, http.HandlerFunc(h.roomEvents))
	h.handle(Route{
		Method: "GET", Path: "/api/v1/lobby/events", ID: "lobby-events", Tag: tag, Summary: "Tells that the lobby has changed",
		Need: auth.Look, Time: -1, About: about,
	}, http.HandlerFunc(h.lobbyEvents))
	add(h, Route{
		Method: "POST", Path: one + "/moves", ID: "move", Tag: tag, Summary: "Answer the question of one's seat", Need: auth.Play,
		About: "Sent twice it has effect once.",
	}, func(ctx context.Context, in *seatInput) (*Nothing, error) {
		_, err := h.input(ctx, in.Game, bus.SeatInput{Prompt: in.Body.Prompt, Steps: in.Body.Steps})
		return nil, err
	})
	add(h, Route{
		Method: "POST", Path: one + "/acts", ID: "act", Tag: tag, Summary: "Resign, offer, ask, accept, decline", Need: auth.Play,
		About: "At any time of a running game, on either turn. What is asked stands until the opponent answers it or moves.",
	}, h.act)
	add(h, Route{
		Method: "GET", Path: one + "/seat", ID: "seat-state", Tag: tag, Summary: "What is asked of one's seat", Need: auth.Play,
		About: "The question that waits, and what both seats ask of each other: the latest event \"seat\" of the stream.",
	}, func(ctx context.Context, in *seatLook) (*body[bus.SeatState], error) {
		raw, err := h.input(ctx, in.Game, bus.SeatInput{Look: true})
		if err != nil {
			return nil, err
		}
		var s bus.SeatState
		if len(raw) > 0 {
			err = json.Unmarshal(raw, &s)
		}
		return reply(s), err
	})
}

// act does what is no move.
func (h *Hall) act(ctx context.Context, in *seatAct) (*body[acted], error) {
	b := &in.Body
	if b.ID == "" { // the bus may bring it twice
		b.ID = "hall " + h.newID(8)
	}
	raw, err := h.input(ctx, in.Game, bus.SeatInput{Act: b.Act, ID: b.ID, Ply: b.Ply, Ask: b.Ask})
	if err != nil {
		return nil, err
	}
	out := acted{Effect: "done"}
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &out)
	}
	return reply(out), err
}

// liveGame is a game as a caller may look at it.
type liveGame struct {
	store.Game
	to    game.Audience
	delay time.Duration
	meta  hub.Meta
	// lines and open are those of the room while the game was handed out.
	lines, open bool
	// engines tells whose seat is an engine's, wherever that runs.
	engines [2]bool
	// asks tells that both seats can be asked something.
	asks bool
}

// look finds out what a caller may see of a running game: the owner of a seat what the
// seat may, everybody else what the public may, and of games that are not listed
// nothing unless the room lets him in.
func (h *Hall) look(ctx context.Context, id string) (liveGame, error) {
	by := actorOf(ctx)
	var l liveGame
	err := h.view(ctx, func(tx store.Tx) (err error) {
		if l.Game, err = tx.Game(id); err != nil {
			return err
		}
		l.to = game.Public
		for i, s := range l.Seats {
			if by.ID != 0 && s.User == by.ID && l.to == game.Public {
				l.to = game.Audience(i)
			}
		}
		l.meta = hub.Meta{Spec: string(l.Spec), Names: [2]string{l.Seats[0].Name, l.Seats[1].Name}, Rated: l.Rated}
		if l.Room == "" {
			if !l.Listed && l.to == game.Public && !by.Arbiter && (l.Tournament == "" || !madeTournament(tx, l.Tournament, by.ID)) {
				return store.ErrNotFound
			}
			return nil
		}
		_, s, err := roomOf(tx, l.Room, by)
		if err != nil && (!errors.Is(err, store.ErrNotFound) || l.to == game.Public) {
			return err
		}
		l.delay, l.meta.Lines = s.Settings.Delay, s.Settings.Lines && !l.Hidden
		l.meta.Open = s.Settings.Open
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
func (h *Hall) input(ctx context.Context, id string, in bus.SeatInput) (json.RawMessage, error) {
	l, err := h.look(ctx, id)
	if err != nil {
		return nil, err
	}
	if l.to == game.Public {
		return nil, &Problem{http.StatusForbidden, "forbidden", "only who has a seat in the game may do that"}
	}
	if ended(l.State) {
		return afterEnd(&l.Game, game.Seat(l.to), in.Act)
	}
	in.Game, in.Seat = id, game.Seat(l.to)
	r, err := h.askSeat(ctx, in)
	if err != nil {
		if l, again := h.look(ctx, id); again == nil && ended(l.State) { // meanwhile
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
	return nil, &Problem{status, "seat-" + r.Code, r.Error}
}

// errGameOver is said to whoever acts in a game that has ended.
var errGameOver = &Problem{http.StatusConflict, "over", "the game is over"}

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
func (h *Hall) askSeat(ctx context.Context, in bus.SeatInput) (bus.Reply, error) {
	limited, stop := context.WithTimeout(ctx, inputTime)
	defer stop()
	within, cancel := h.cfg.Health.Within(limited, health.Queue, awayTime)
	defer cancel()
	r, err := h.cfg.Live.Bus.AskSeatInput(within, in)
	if err == nil {
		return r, nil
	}
	h.cfg.Log.DebugContext(ctx, "no worker answered", "game", in.Game, "error", oneLine(err))
	switch cause := health.Cause(within, err); {
	case errors.Is(cause, health.ErrAway):
		return r, cause
	case errors.Is(err, bus.ErrNobody):
		return r, &Problem{http.StatusServiceUnavailable, "no-worker", "nobody plays the game at present: try again in a moment"}
	default:
		return r, &Problem{http.StatusServiceUnavailable, "no-answer", "who referees the game did not answer in time: send it again"}
	}
}

// asksTime is how long it may take to find out what is asked in a game that nobody watches.
const asksTime = time.Second

// asks is what the seats of a running game ask of each other, as far as the caller knows it
// from its stream: where spectators are told late, late.
func (h *Hall) asks(ctx context.Context, id string) []journal.Ask {
	if h.cfg.Live == nil {
		return nil
	}
	l, err := h.look(ctx, id)
	if err != nil || !l.asks || l.State != store.Running {
		return nil
	}
	limit := asksTime
	if l.delay > 0 {
		limit = 0 // it may be long until there is something that he may know
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s, err := h.cfg.Live.Hub.Now(ctx, hub.Key{Game: l.ID, To: l.to, Delay: l.delay}, l.meta)
	if err != nil {
		h.cfg.Log.DebugContext(ctx, "what is asked in a game is not known", "game", id, "error", oneLine(err))
	}
	return s.Asks
}

// stream writes events to a client that may be slow: one that does not take an event
// within the time of extend is cut off.
type stream struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	now   func() time.Time
	lines bool
	// until is the deadline that is set; fresh tells that something was sent since the
	// latest beat.
	until time.Time
	fresh bool
	// over tells that the end of a game was sent.
	over bool
}

func (h *Hall) newStream(w http.ResponseWriter, r *http.Request) *stream {
	s := &stream{
		w: w, rc: http.NewResponseController(w), now: h.cfg.Now,
		lines: strings.Contains(r.Header.Get("Accept"), "application/x-ndjson"),
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if s.lines {
		w.Header().Set("Content-Type", "application/x-ndjson")
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	bounded(r.Context())
	_ = s.rc.Flush() // the client knows that it is connected; an error comes again with the first event
	return s
}

// write gives the client its time and writes; flush sends.
func (s *stream) write(b []byte) error {
	if now := s.now(); s.until.Sub(now) < patience {
		s.until = now.Add(patience + patience/4)
		_ = s.rc.SetWriteDeadline(s.until) // recorders of tests have none
	}
	s.fresh = true
	_, err := s.w.Write(b)
	return err
}

// frame writes a frame of a game.
func (s *stream) frame(f *hub.Frame) error {
	s.over = f.Last
	if s.lines {
		return s.write(s.event(f.ID.String(), f.Kind, f.Data))
	}
	return s.write(f.Event)
}

// send writes an event and sends it; data is JSON without line breaks.
func (s *stream) send(id, kind string, data []byte) error {
	if err := s.write(s.event(id, kind, data)); err != nil {
		return err
	}
	return s.rc.Flush()
}

// event encodes an event.
func (s *stream) event(id, kind string, data []byte) []byte {
	var b []byte
	switch {
	case s.lines:
		b = append(b, `{"id":"`+id+`","event":"`+kind+`","data":`...)
		b = append(append(b, data...), "}\n"...)
	default:
		if id != "" {
			b = append(b, "id: "+id+"\n"...)
		}
		b = append(b, "event: "+kind+"\ndata: "...)
		b = append(append(b, data...), "\n\n"...)
	}
	return b
}

// beat shows that the connection lives, unless something else has since the last one.
func (s *stream) beat() error {
	if s.fresh {
		s.fresh = false
		return nil
	}
	text := ": \n\n"
	if s.lines {
		text = "\n"
	}
	err := s.write([]byte(text))
	s.fresh = false
	if err != nil {
		return err
	}
	return s.rc.Flush()
}

// gameEvents streams a game until it is over or the client goes.
func (h *Hall) gameEvents(w http.ResponseWriter, r *http.Request) {
	l, err := h.look(r.Context(), r.PathValue("game"))
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	key := hub.Key{Game: l.ID, To: l.to, Delay: l.delay}
	v, err := h.cfg.Live.Hub.Watch(key, l.meta, hub.ParseID(r.Header.Get("Last-Event-ID")))
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	defer v.Close()
	states, leave := h.attend(r.Context(), &l)
	s := h.newStream(w, r)
	defer func() { leave(s.over) }()
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	told := HallNews{}
	for {
		news, err := s.frames(v)
		if err != nil {
			return
		}
		stands, changed := h.hallNews()
		if stands.Away != told.Away {
			told = stands
			if s.send("", "hall", jsonOf(stands)) != nil {
				return
			}
		}
		select {
		case <-changed:
		case <-news:
		case x := <-states:
			err = s.send("", "seat", jsonOf(x))
		case <-tick.C:
			err = s.beat()
		case <-r.Context().Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// frames sends all frames that a viewer has not seen yet, together, and returns what to
// wait for; an error when the stream is over.
func (s *stream) frames(v *hub.Viewer) (<-chan struct{}, error) {
	for n := 0; ; n++ {
		f, news, err := v.Take()
		switch {
		case err != nil:
			_ = s.send("", "over", []byte("{}")) // a client that has gone needs no answer
			return nil, err
		case news == nil:
			if err := s.frame(&f); err != nil {
				return nil, err
			}
		case n == 0:
			return news, nil
		default:
			return news, s.rc.Flush()
		}
	}
}

func jsonOf(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil { // values of the API always have a form
		return []byte("{}")
	}
	return data
}
