package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/internal/bell"
	"kibitz/player/remote/seats"
)

// Bounds of the connection of a remote engine.
const (
	// seatMessage is how long a message may be, in bytes: that of a frame.
	seatMessage = 1 << 20
	// seatRate is how many messages a second are passed on, on average; each seatPiece
	// bytes count as one more. Who sends more waits.
	seatRate, seatBurst, seatPiece = 200, 400, 16 << 10
	// seatWrite is how long the client may take for a message.
	seatWrite = 10 * time.Second
	// seatAsk is how long a worker may take for a frame.
	seatAsk = 5 * time.Second
)

// seatLink is the connection of a remote engine.
type seatLink struct {
	h     *sockets
	conn  *websocket.Conn
	by    room.Actor
	room  string
	place int
	limit *rate.Limiter
	// stamp orders the connections of a place: the latest stays.
	stamp string
	news  chan struct{}
	newer chan struct{}
	older chan struct{}

	mu         sync.Mutex // of what follows, and of writing frames
	game       string
	seat       game.Seat
	sub        *bus.Subscription
	lastNotice seats.Room
}

// seat connects a remote engine until it goes, or loses its place.
func (h *sockets) seat(w http.ResponseWriter, r *http.Request) {
	place, err := strconv.Atoi(r.URL.Query().Get("place"))
	if err != nil || place < 0 || place > 1 {
		h.router.SendError(w, r, problem.Input("place: 0 or 1"))
		return
	}
	s := &seatLink{
		h: h, by: lobby.ActorOf(r.Context()), room: r.PathValue("room"), place: place, limit: rate.NewLimiter(seatRate, seatBurst),
		stamp: fmt.Sprintf("%020d %s", h.now().UnixNano(), store.NewID(h.random, 8)), news: make(chan struct{}, 1),
		newer: make(chan struct{}, 1), older: make(chan struct{}, 1),
		seat: game.Nobody,
	}
	if _, err := s.look(r.Context()); err != nil {
		h.router.SendError(w, r, err)
		return
	}
	h.connect(w, r, s, seatMessage, "a remote engine", s.room)
}

// look returns the room, if the place is the caller's and a remote engine's.
func (s *seatLink) look(ctx context.Context) (state room.State, err error) {
	if state, err = s.h.rooms.State(ctx, s.room, s.by); err != nil {
		return state, err
	}
	if state.Phase == room.Closed {
		return state, problem.New(http.StatusConflict, "room-closed", "the room is closed")
	}
	if p := state.Places[s.place]; p.Kind != bus.RemoteSeat || p.User != s.by.ID {
		return state, problem.New(http.StatusForbidden, "forbidden", "sit down there with kind remote first")
	}
	return state, nil
}

// topic is where connections of the place tell each other of themselves.
func (s *seatLink) topic() string { return fmt.Sprintf("seat.%s.%d", s.room, s.place) }

// run passes on what comes from either side. Its error is the hall's own.
func (s *seatLink) run(ctx context.Context, cancel context.CancelFunc, conn *websocket.Conn) error {
	s.conn = conn
	live := s.h.bus
	others, err := live.Subscribe(s.topic(), func(stamp []byte) {
		switch {
		case string(stamp) > s.stamp:
			bell.Ring(s.newer)
		case string(stamp) < s.stamp:
			bell.Ring(s.older) // it may have come to listen only now
		}
	})
	if err != nil {
		return err
	}
	defer others.Close()
	changes, err := live.Subscribe("room."+s.room, func([]byte) { bell.Ring(s.news) })
	if err != nil {
		return err
	}
	defer changes.Close()
	if err := live.Publish(s.topic(), []byte(s.stamp)); err != nil {
		return err
	}
	defer beside(ctx, cancel, s.read, s.ping)()
	defer s.leave()
	code, reason := s.follow(ctx)
	if code != seats.Replaced && code != websocket.StatusGoingAway {
		s.here(ctx, false)
	}
	_ = s.conn.Close(code, reason) // before the reader is stopped, which breaks the connection; the client may have gone
	return nil
}

// follow tells the client of the room's games until the connection is to end.
func (s *seatLink) follow(ctx context.Context) (code websocket.StatusCode, reason string) {
	s.here(ctx, true)
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		state, err := s.look(ctx)
		var p *problem.Problem
		switch {
		case ctx.Err() != nil:
			return s.h.links.gone()
		case errors.As(err, &p) && p.Code == "room-closed":
			return websocket.StatusNormalClosure, p.Text
		case errors.As(err, &p), errors.Is(err, store.ErrNotFound):
			return seats.Lost, "the place is not yours any more"
		case err == nil:
			if state.Away(s.by.ID, s.h.now()) {
				s.here(ctx, true)
			}
			err = s.tell(ctx, &state)
		}
		if err != nil {
			s.h.log.DebugContext(ctx, "a remote engine was not told", "room", s.room, "error", problem.OneLine(err))
			return websocket.StatusTryAgainLater, "try again in a moment"
		}
		select {
		case <-s.news:
		case <-tick.C:
			s.here(ctx, true)
		case <-s.newer:
			return seats.Replaced, "another connection has taken the place"
		case <-s.older:
			if err := s.h.bus.Publish(s.topic(), []byte(s.stamp)); err != nil {
				return websocket.StatusTryAgainLater, "try again in a moment"
			}
		case <-ctx.Done():
			return s.h.links.gone()
		}
	}
}

// tell says what is new: a game is over, a game begins, how the room stands.
func (s *seatLink) tell(ctx context.Context, state *room.State) error {
	id, seat := "", game.Nobody
	if g := state.Game; g != nil {
		id, seat = g.ID, g.Seat(s.place)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last := state.Last
	if s.game == "" && s.lastNotice.Phase == "" && last != nil { // it may have ended while the client was away
		s.game, s.seat = last.ID, (&room.Current{First: last.First}).Seat(s.place)
	}
	if s.game != "" && s.game != id {
		n := seats.News{Over: s.game, Seat: int(s.seat), Score: state.Score}
		if last != nil && last.ID == s.game {
			n.Result = &last.Result
		}
		s.sub.Close()
		s.game, s.sub = "", nil
		if err := s.say(ctx, n); err != nil {
			return err
		}
	}
	if id != "" && s.game == "" {
		sub, err := s.h.bus.SubscribeSeat(id, seat, func(frame []byte) { s.pass(ctx, id, frame) })
		if err != nil {
			return err
		}
		s.game, s.seat, s.sub = id, seat, sub
		if err := s.say(ctx, seats.News{Game: id, Seat: int(seat), Spec: state.Settings.Game}); err != nil {
			return err
		}
	}
	mine, other := state.Places[s.place], state.Places[1-s.place]
	now := seats.Room{Phase: string(state.Phase), Ready: mine.Ready, Again: mine.Again, Asked: other.Own() && other.Again}
	if now == s.lastNotice {
		return nil
	}
	s.lastNotice = now
	return s.say(ctx, seats.News{Room: &now})
}

func (s *seatLink) say(ctx context.Context, n seats.News) error {
	ctx, cancel := context.WithTimeout(ctx, seatWrite)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, jsonOf(n))
}

// pass sends a frame of the game that is played. A frame that does not get through
// breaks the connection: who comes again asks for it.
func (s *seatLink) pass(ctx context.Context, id string, frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.game != id {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, seatWrite)
	defer cancel()
	_ = s.conn.Write(ctx, websocket.MessageBinary, frame) // the reader sees that it is broken
}

// leave stops listening to the game.
func (s *seatLink) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sub.Close()
	s.game, s.sub = "", nil
}

// read passes on the client's frames until the connection breaks.
func (s *seatLink) read(ctx context.Context) {
	for {
		kind, data, err := s.conn.Read(ctx)
		if err != nil {
			return
		}
		if s.limit.WaitN(ctx, 1+len(data)/seatPiece) != nil {
			return
		}
		s.mu.Lock()
		id, seat := s.game, s.seat
		s.mu.Unlock()
		if kind != websocket.MessageBinary || id == "" {
			continue // between two games there is nobody to tell
		}
		if s.hand(ctx, id, seat, data) != nil {
			return
		}
	}
}

// hand brings a frame to the worker. One that does not arrive is repeated by the
// client, who gets no acknowledgement. The error is the connection's.
func (s *seatLink) hand(ctx context.Context, id string, seat game.Seat, frame []byte) error {
	ask, cancel := context.WithTimeout(ctx, seatAsk)
	defer cancel()
	raw, err := s.h.bus.AskSeat(ask, id, seat, frame)
	if err != nil {
		s.h.log.DebugContext(ctx, "no worker took a frame", "game", id, "error", problem.OneLine(err))
		return nil
	}
	var r bus.Reply
	if err := json.Unmarshal(raw, &r); err != nil || r.Error == "" {
		return nil
	}
	return s.say(ctx, seats.News{Error: game.Shown(r.Error, 500)})
}

// ping finds out that the client has gone without a word.
func (s *seatLink) ping(ctx context.Context) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		wait, cancel := context.WithTimeout(ctx, heartbeat)
		err := s.conn.Ping(wait)
		cancel()
		if err != nil {
			return
		}
	}
}

// here tells the room that the engine is connected, or is not any more.
func (s *seatLink) here(ctx context.Context, on bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), seatAsk)
	defer cancel()
	s.h.rooms.Here(ctx, s.room, s.by, on)
}
