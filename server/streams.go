package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"kibitz/bus"
	"kibitz/game"
	"kibitz/server/auth"
	"kibitz/server/hub"
	"kibitz/server/room"
	"kibitz/store"
)

// heartbeat is the longest silence of a stream.
const heartbeat = 15 * time.Second

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
		Act string `json:"act" enum:"resign,draw,undo,accept,decline,abort"`
	}
}

func (h *Hall) registerStreams() {
	const tag = "live"
	one := "/api/v1/games/{game}"
	about := "Server-sent events, or lines of JSON for Accept: application/x-ndjson."
	h.handle(Route{Method: "GET", Path: one + "/events", ID: "game-events", Tag: tag, Summary: "A running game", Need: auth.Look, Time: -1, About: about}, http.HandlerFunc(h.gameEvents))
	h.handle(Route{Method: "GET", Path: roomsPath + "/{room}/events", ID: "room-events", Tag: tag, Summary: "What happens in a room", Need: auth.Look, Time: -1, About: about}, http.HandlerFunc(h.roomEvents))
	h.handle(Route{Method: "GET", Path: "/api/v1/lobby/events", ID: "lobby-events", Tag: tag, Summary: "Tells that the lobby has changed", Need: auth.Look, Time: -1, About: about}, http.HandlerFunc(h.lobbyEvents))
	add(h, Route{Method: "POST", Path: one + "/moves", ID: "move", Tag: tag, Summary: "Answer the question of one's seat", Need: auth.Play, About: "Sent twice it has effect once."},
		func(ctx context.Context, in *seatInput) (*Nothing, error) {
			return h.input(ctx, in.Game, bus.SeatInput{Prompt: in.Body.Prompt, Steps: in.Body.Steps})
		})
	add(h, Route{Method: "POST", Path: one + "/acts", ID: "act", Tag: tag, Summary: "Resign, offer, ask, accept, decline", Need: auth.Play},
		func(ctx context.Context, in *seatAct) (*Nothing, error) {
			return h.input(ctx, in.Game, bus.SeatInput{Act: in.Body.Act})
		})
}

// liveGame is a game as a caller may look at it.
type liveGame struct {
	store.Game
	to    game.Audience
	delay time.Duration
	meta  hub.Meta
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
			if !l.Listed && l.to == game.Public && !by.Arbiter {
				return store.ErrNotFound
			}
			return nil
		}
		_, s, err := roomOf(tx, l.Room, by)
		if err != nil && (!errors.Is(err, store.ErrNotFound) || l.to == game.Public) {
			return err
		}
		l.delay, l.meta.Lines = s.Settings.Delay, s.Settings.Lines && !l.Hidden
		return nil
	})
	l.Job = nil
	return l, err
}

// input passes on what the owner of a seat decides.
func (h *Hall) input(ctx context.Context, id string, in bus.SeatInput) (*Nothing, error) {
	l, err := h.look(ctx, id)
	if err != nil {
		return nil, err
	}
	if l.to == game.Public {
		return nil, &Problem{http.StatusForbidden, "forbidden", "only who has a seat in the game may do that"}
	}
	in.Game, in.Seat = id, game.Seat(l.to)
	r, err := h.cfg.Live.Bus.AskSeatInput(ctx, in)
	if err != nil {
		h.cfg.Log.DebugContext(ctx, "no worker answered", "game", id, "error", oneLine(err))
		return nil, &Problem{http.StatusServiceUnavailable, "no-worker", "nobody plays the game at present: try again in a moment"}
	}
	if r.Error == "" && r.Code == "" {
		return nil, nil
	}
	status := http.StatusConflict
	if r.Code == "not-legal" {
		status = http.StatusUnprocessableEntity
	}
	return nil, &Problem{status, "seat-" + r.Code, r.Error}
}

// stream writes events to a client that may be slow: one that does not take an event
// within the time of extend is cut off.
type stream struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	now   func() time.Time
	lines bool
}

func (h *Hall) newStream(w http.ResponseWriter, r *http.Request) *stream {
	s := &stream{w: w, rc: http.NewResponseController(w), now: h.cfg.Now, lines: strings.Contains(r.Header.Get("Accept"), "application/x-ndjson")}
	w.Header().Set("Content-Type", "text/event-stream")
	if s.lines {
		w.Header().Set("Content-Type", "application/x-ndjson")
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	_ = s.rc.Flush() // the client knows that it is connected; an error comes again with the first event
	return s
}

// send writes an event; data is JSON without line breaks.
func (s *stream) send(id, kind string, data []byte) error {
	extend(s.w, s.now())
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
	if _, err := s.w.Write(b); err != nil {
		return err
	}
	return s.rc.Flush()
}

// beat shows that the connection lives.
func (s *stream) beat() error {
	extend(s.w, s.now())
	text := ": \n\n"
	if s.lines {
		text = "\n"
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
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
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	states, leave := h.attend(ctx, &l)
	defer leave()
	frames := make(chan hub.Frame)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			f, err := v.Next(ctx)
			if err != nil {
				return
			}
			select {
			case frames <- f:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() { cancel(); <-ended }()
	s := h.newStream(w, r)
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for err == nil {
		select {
		case f := <-frames:
			err = s.send(f.ID.String(), f.Kind, f.Data)
		case x := <-states:
			err = s.send("", "seat", jsonOf(x))
		case <-tick.C:
			if h.ended(ctx, &l) {
				_ = s.send("", "over", []byte("{}")) // a client that has gone needs no answer
				return
			}
			err = s.beat()
		case <-ended:
			_ = s.send("", "over", []byte("{}")) // a client that has gone needs no answer
			return
		case <-ctx.Done():
			return
		}
	}
}

// ended reports whether nothing comes any more: the game is over, for those with a
// delay too. What came of it is asked for elsewhere.
func (h *Hall) ended(ctx context.Context, l *liveGame) bool {
	over := false
	err := h.view(ctx, func(tx store.Tx) error {
		g, err := tx.Game(l.ID)
		wait := time.Duration(0)
		if l.to == game.Public {
			wait = l.delay
		}
		over = g.State == store.Aborted || g.State == store.Over && !h.now().Before(g.Ended.Add(wait+heartbeat))
		return err
	})
	return err == nil && over
}

// attend tells a person's seat that its owner is here, and passes on what is asked of
// it, the latest alone.
func (h *Hall) attend(ctx context.Context, l *liveGame) (<-chan bus.SeatState, func()) {
	if l.to == game.Public || l.Seats[l.to].Engine != "" {
		return nil, func() {}
	}
	seat := game.Seat(l.to)
	states := make(chan bus.SeatState, 1)
	sub, err := h.cfg.Live.Bus.SubscribeSeatState(l.ID, seat, func(x bus.SeatState) {
		select { // the latest replaces one that nobody has taken; only this function sends
		case <-states:
		default:
		}
		states <- x
	})
	if err != nil {
		h.cfg.Log.WarnContext(ctx, "the questions of a seat are not heard", "game", l.ID, "error", oneLine(err))
		return nil, func() {}
	}
	say := func(word string) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), heartbeat)
		defer cancel()
		if _, err := h.cfg.Live.Bus.AskSeatInput(ctx, bus.SeatInput{Game: l.ID, Seat: seat, Presence: word}); err != nil {
			h.cfg.Log.DebugContext(ctx, "presence was not told", "game", l.ID, "error", oneLine(err))
		}
	}
	done := make(chan struct{})
	go func() { defer close(done); say("present") }()
	return states, func() {
		sub.Close()
		<-done
		say("gone")
	}
}

func jsonOf(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil { // values of the API always have a form
		return []byte("{}")
	}
	return data
}

// roomEvents sends the room as the caller may see it, again after each change, and
// tells the room that the caller is here.
func (h *Hall) roomEvents(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("room")
	look := func(ctx context.Context) ([]byte, error) {
		out, err := h.getRoom(ctx, &roomPath{Room: id})
		if err != nil {
			return nil, err
		}
		return jsonOf(out.Body), nil
	}
	here := func(ctx context.Context, on bool) {
		by := actorOf(ctx)
		if by.ID == 0 {
			return
		}
		if _, err := h.applyRoom(ctx, id, by, room.Presence{Here: on}); err != nil {
			h.cfg.Log.DebugContext(ctx, "presence was not kept", "room", id, "error", oneLine(err))
		}
	}
	h.topicEvents(w, r, "room."+id, look, here)
}

// lobbyEvents tells that the list of rooms is to be asked for again.
func (h *Hall) lobbyEvents(w http.ResponseWriter, r *http.Request) {
	h.topicEvents(w, r, "lobby", func(context.Context) ([]byte, error) { return []byte("{}"), nil }, func(context.Context, bool) {})
}

// topicEvents sends what look returns, at once and after each change of a topic, at
// most four times a second.
func (h *Hall) topicEvents(w http.ResponseWriter, r *http.Request, topic string, look func(context.Context) ([]byte, error), here func(context.Context, bool)) {
	ctx := r.Context()
	last, err := look(ctx)
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	news := make(chan struct{}, 1)
	sub, err := h.cfg.Live.Bus.Subscribe(topic, func([]byte) {
		select {
		case news <- struct{}{}:
		default:
		}
	})
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	defer sub.Close()
	here(ctx, true)
	defer here(context.WithoutCancel(ctx), false)
	s := h.newStream(w, r)
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for err = s.send("", "change", last); err == nil; {
		select {
		case <-news:
			select {
			case <-time.After(250 * time.Millisecond):
			case <-ctx.Done():
				return
			}
			if last, err = look(ctx); err == nil {
				err = s.send("", "change", last)
			}
		case <-tick.C:
			here(ctx, true)
			err = s.beat()
		case <-ctx.Done():
			return
		}
	}
}

// ServeRooms lets rooms do what is due until the context ends: the next game of a
// series, closing those that everybody has left. Then it ends the connections of remote
// engines and waits until they are.
func (h *Hall) ServeRooms(ctx context.Context) {
	defer h.seats.end()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 0; ; n++ {
		recent := 5 * time.Minute // a pause between games is shorter
		if n%60 == 0 {
			recent = 0
		}
		if err := h.tickRooms(ctx, recent); err != nil && ctx.Err() == nil {
			h.cfg.Log.WarnContext(ctx, "rooms", "error", oneLine(err))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// tickRooms looks at open rooms that were changed lately, or at all.
func (h *Hall) tickRooms(ctx context.Context, recent time.Duration) error {
	q := store.RoomQuery{Open: true, Limit: 200}
	for {
		var list []store.Room
		if err := h.view(ctx, func(tx store.Tx) (err error) { list, err = tx.Rooms(q); return err }); err != nil {
			return err
		}
		for i := range list {
			if recent > 0 && h.now().Sub(list[i].Changed) > recent {
				return nil
			}
			s, err := room.Parse(list[i].State)
			if err != nil || s.Due.IsZero() || h.now().Before(s.Due) {
				continue
			}
			// Another hall may have been quicker.
			if _, err := h.applyRoom(ctx, list[i].ID, room.Actor{}, room.Tick{}); err != nil {
				h.cfg.Log.DebugContext(ctx, "a room did not go on", "room", list[i].ID, "error", oneLine(err))
			}
		}
		if len(list) < q.Limit {
			return nil
		}
		q.Before = list[len(list)-1].Changed
	}
}
