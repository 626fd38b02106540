package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/internal/bell"
	"kibitz/player/remote/seats"
)

const (
	// livePause is the shortest time between two looks at a room.
	livePause = 250 * time.Millisecond
	// liveRate is how many messages a second are read on average. Who sends more waits.
	liveRate, liveBurst = 20, 60
	// liveMessage is how long a message may be, in bytes.
	liveMessage = router.UsualBody
)

// LiveOrder is what a person sends: the body of a POST to the route that To names, of the
// room, or of Game (the one that is played, if it is empty).
type LiveOrder struct {
	// ID names the order in its acknowledgement. One of 16 characters or more is an
	// Idempotency-Key where the route heeds them.
	ID   string          `json:"id"`
	To   string          `json:"to"` // "commands", "chat", "moves" or "acts"
	Game string          `json:"game,omitempty"`
	Body json.RawMessage `json:"body"`
}

// LiveNews is what the hall sends. One of the parts is set.
type LiveNews struct {
	// Ack is the order that was answered with Status and Body, which are those of the
	// route.
	Ack    string          `json:"ack,omitempty"`
	Status int             `json:"status,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
	// Room is the room as the caller may see it.
	Room json.RawMessage `json:"room,omitempty"`
	// Event is an event of Game: a view or a delta with its number, what is asked of the
	// seat, or that it is over.
	Event string          `json:"event,omitempty"`
	Game  string          `json:"game,omitempty"`
	Num   string          `json:"num,omitempty"`
	Data  json.RawMessage `json:"data,omitempty"`
	// Hall tells that the hall cannot go on, or that it can again.
	Hall *HallNews `json:"hall,omitempty"`
	// Lag is how long a message takes to the client and back, in milliseconds.
	Lag float64 `json:"lag,omitempty"`
}

// HallNews tells that the hall cannot take moves.
type HallNews struct {
	// Away is what cannot be used, "database" or "queue"; empty when all can again.
	Away string `json:"away"`
	// Since is from when no time counts, absent while it does.
	Since time.Time `json:"since,omitzero"`
}

// hallNews is how things stand, and what is closed when they change.
func hallNews(m *health.Monitor) (HallNews, <-chan struct{}) {
	away, changed := m.Away()
	if away == nil {
		return HallNews{}, changed
	}
	return HallNews{away.Part, away.Since.UTC()}, changed
}

// liveLink is the connection of a person in a room.
type liveLink struct {
	h    *sockets
	conn *websocket.Conn
	// asked is the request that opened it, whose credentials each order has.
	asked   *http.Request
	room    string
	limit   *rate.Limiter
	changes chan struct{}
	refused chan struct{} // an order was, for want of a session
	shown   []byte        // the room as it was told last
	// since is what the client has of a game.
	since struct {
		game string
		id   hub.ID
	}
	current atomic.Value    // of string: the game that is played, empty for none
	seen    map[string]bool // the games that were watched, or that are old news
	watch   liveWatch
}

// liveWatch is the game that is looked at, if viewer is set. Without one it may be a game that is
// over, whose end cannot be told yet.
type liveWatch struct {
	lobby.Watched
	viewer *hub.Viewer
	shown  bool // something of it was told
	states <-chan bus.SeatState
	leave  func(over bool)
}

// roomLive connects a person until he goes, or may not be in the room any more.
func (h *sockets) roomLive(w http.ResponseWriter, r *http.Request) {
	s := &liveLink{
		h: h, asked: r, room: r.PathValue("room"), limit: rate.NewLimiter(liveRate, liveBurst), changes: make(chan struct{}, 1),
		refused: make(chan struct{}, 1), seen: map[string]bool{},
	}
	q := r.URL.Query()
	s.since.game, s.since.id = q.Get("game"), hub.ParseID(q.Get("since"))
	if _, err := h.rooms.Get(r.Context(), &lobby.RoomPath{Room: s.room}); err != nil {
		h.router.SendError(w, r, err)
		return
	}
	h.connect(w, r, s, liveMessage, "a person", s.room)
}

// run tells and listens until the connection ends. Its error is the hall's own.
func (s *liveLink) run(ctx context.Context, cancel context.CancelFunc, conn *websocket.Conn) error {
	s.conn = conn
	sub, err := s.h.bus.Subscribe("room."+s.room, func([]byte) { bell.Ring(s.changes) })
	if err != nil {
		return err
	}
	defer sub.Close()
	defer beside(ctx, cancel, s.read, s.ping)()
	s.here(ctx, true)
	defer s.here(context.WithoutCancel(ctx), false)
	defer s.turnAway(false)
	code, reason := s.follow(ctx)
	_ = s.conn.Close(code, reason) // the client may have gone
	return nil
}

// follow tells of the room and its games until the connection is to end.
func (s *liveLink) follow(ctx context.Context) (websocket.StatusCode, string) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	look := time.NewTimer(0)
	defer look.Stop()
	waits := true // look will fire
	lastNews := HallNews{}
	for {
		news, err := s.frames(ctx)
		if err != nil {
			return s.h.links.gone()
		}
		stands, changed := hallNews(s.h.health)
		if stands.Away != lastNews.Away {
			lastNews = stands
			if s.say(ctx, &LiveNews{Hall: &stands}) != nil {
				return s.h.links.gone()
			}
		}
		select {
		case <-changed:
		case <-news:
		case x := <-s.watch.states:
			err = s.say(ctx, &LiveNews{Event: "seat", Game: s.watch.ID, Data: jsonOf(x)})
		case <-s.changes:
			if !waits {
				look.Reset(livePause)
				waits = true
			}
		case <-look.C:
			waits = false
			err = s.look(ctx)
		case <-tick.C:
			if err = s.known(ctx); err == nil {
				s.here(ctx, true)
				err = s.look(ctx)
			}
		case <-s.refused:
			err = s.known(ctx)
		case <-ctx.Done():
			return s.h.links.gone()
		}
		if errors.Is(err, errLiveLost) {
			return seats.Lost, errLiveLost.Error()
		}
		if err != nil {
			return s.h.links.gone()
		}
	}
}

var errLiveLost = errors.New("the session has ended, or the room is not for you any more")

// look tells how the room stands if that is new, and watches the game that is played.
func (s *liveLink) look(ctx context.Context) error {
	out, err := s.h.rooms.Get(ctx, &lobby.RoomPath{Room: s.room})
	if errors.Is(err, store.ErrNotFound) {
		return errLiveLost
	}
	if err != nil {
		s.h.log.DebugContext(ctx, "a room was not told", "room", s.room, "error", problem.OneLine(err))
		return nil // the next look may tell
	}
	current, last := "", ""
	if g := out.Room.Game; g != nil {
		current = g.ID
	}
	if p := out.Room.Last; p != nil {
		last = p.ID
	}
	s.current.Store(current)
	if s.shown == nil && last != s.since.game {
		s.seen[last] = true // it was over when the client came
	}
	if unseen(&out.Room, lobby.ActorOf(ctx)) {
		s.here(ctx, true)
	}
	if data := jsonOf(out); !bytes.Equal(data, s.shown) {
		s.shown = data
		if err := s.say(ctx, &LiveNews{Room: data}); err != nil {
			return err
		}
	}
	if s.watch.viewer == nil && last != "" && !s.seen[last] { // it began and ended between two looks, or while the client was away
		if l, err := s.h.running.Look(ctx, last); err == nil {
			s.watch.Watched = l
		}
	}
	if s.watch.ID != "" && !s.watch.shown && s.watch.ID != current {
		err = s.unseen(ctx)
	}
	s.turn(ctx)
	return err
}

// unseen tells the end of a game of which nothing was told: it was over before the room was looked at,
// or before its worker could be asked.
func (s *liveLink) unseen(ctx context.Context) error {
	f, err := lastFrame(ctx, s.h.games, &s.watch.Watched)
	if err != nil {
		return nil //nolint:nilerr // the next look may tell
	}
	if f != nil {
		if err := s.frame(ctx, f); err != nil {
			return err
		}
	}
	return s.over(ctx)
}

// frame tells a frame of the game that is watched.
func (s *liveLink) frame(ctx context.Context, f *hub.Frame) error {
	s.watch.shown = true
	return s.say(ctx, &LiveNews{Event: f.Kind, Game: s.watch.ID, Num: f.ID.String(), Data: f.Data})
}

// over tells that the game that is watched is over, and turns to the next.
func (s *liveLink) over(ctx context.Context) error {
	id := s.watch.ID
	s.seen[id] = true
	s.turnAway(true)
	s.turn(ctx)
	return s.say(ctx, &LiveNews{Event: "over", Game: id})
}

// known looks whether the session or the token of the connection is still good.
func (s *liveLink) known(ctx context.Context) error {
	if status, _ := s.ask(ctx, http.MethodGet, "/api/v1/account", "", nil); status == http.StatusUnauthorized ||
		status == http.StatusForbidden {
		return errLiveLost
	}
	return nil
}

// turn looks at the game that is played, unless another one is not over yet for the
// caller.
func (s *liveLink) turn(ctx context.Context) {
	id, _ := s.current.Load().(string)
	if id == "" || s.watch.viewer != nil || s.seen[id] {
		return
	}
	began := s.h.now()
	l, err := s.h.running.Look(ctx, id)
	if err != nil {
		return
	}
	since := hub.ID{}
	if s.since.game == l.ID {
		since = s.since.id
	}
	v, err := s.h.hub.Watch(l.Key(), l.Meta, since)
	if err != nil {
		return
	}
	states, leave := s.h.running.Attend(ctx, &l, began)
	s.watch, s.seen[l.ID] = liveWatch{l, v, false, states, leave}, true
}

// turnAway ends looking at a game.
func (s *liveLink) turnAway(over bool) {
	if s.watch.viewer != nil {
		s.watch.viewer.Close()
		s.watch.leave(over)
	}
	s.watch = liveWatch{}
}

// frames sends what is new of the game, and returns what to wait for. The error is that
// of the connection.
func (s *liveLink) frames(ctx context.Context) (<-chan struct{}, error) {
	for s.watch.viewer != nil {
		f, news, err := s.watch.viewer.Take()
		switch {
		case err != nil:
			if err := s.over(ctx); err != nil {
				return nil, err
			}
			continue
		case news != nil:
			return news, nil
		}
		if err := s.frame(ctx, &f); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// read does what the client orders until the connection breaks.
func (s *liveLink) read(ctx context.Context) {
	for {
		kind, data, err := s.conn.Read(ctx)
		if err != nil || s.limit.Wait(ctx) != nil {
			return
		}
		var o LiveOrder
		if kind != websocket.MessageText || json.Unmarshal(data, &o) != nil || len(o.ID) > 128 {
			_ = s.conn.Close(websocket.StatusPolicyViolation, `a message is JSON such as {"id":"1","to":"commands","body":{"do":"ready"}}`)
			return
		}
		if s.order(ctx, &o) != nil {
			return
		}
	}
}

// order does what the client wants as its route does it, and says what came of it.
func (s *liveLink) order(ctx context.Context, o *LiveOrder) error {
	var path string
	switch id := o.Game; o.To {
	case "commands", "chat":
		path = roomsPath + "/" + url.PathEscape(s.room) + "/" + o.To
	case "moves", "acts":
		if id == "" {
			id, _ = s.current.Load().(string)
		}
		path = "/api/v1/games/" + url.PathEscape(id) + "/" + o.To
	default:
		problem := jsonOf(map[string]any{
			"type": problem.Type("input"), "status": http.StatusUnprocessableEntity,
			"detail": "to: commands, chat, moves or acts",
		})
		return s.say(ctx, &LiveNews{Ack: o.ID, Status: http.StatusUnprocessableEntity, Body: problem})
	}
	key := ""
	if len(o.ID) >= 16 {
		key = o.ID
	}
	status, body := s.ask(ctx, http.MethodPost, path, key, o.Body)
	if !json.Valid(body) {
		body = nil
	}
	if status == http.StatusUnauthorized {
		bell.Ring(s.refused)
	}
	return s.say(ctx, &LiveNews{Ack: o.ID, Status: status, Body: body})
}

// ask answers a request of the client as if it had come by itself, with the credentials
// of the connection: who may not do a thing any more is refused here, too.
func (s *liveLink) ask(ctx context.Context, method, path, key string, body []byte) (int, []byte) {
	// The connection's own context knows who opened it; nothing of that is taken over.
	own, cancel := context.WithTimeout(context.Background(), router.UsualTime)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	r, err := http.NewRequestWithContext(own, method, path, bytes.NewReader(body))
	if err != nil {
		return http.StatusBadRequest, nil
	}
	for _, name := range []string{"Cookie", "Authorization", "Origin", "Sec-Fetch-Site", "X-Forwarded-For"} {
		if v := s.asked.Header.Values(name); len(v) > 0 {
			r.Header[name] = v
		}
	}
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	r.Host, r.RemoteAddr, r.TLS, r.RequestURI = s.asked.Host, s.asked.RemoteAddr, s.asked.TLS, path
	status, answer := s.h.router.Answer(r)
	return status, bytes.TrimSpace(answer)
}

// ping finds out how long a message takes to the client and back, and that it has gone
// without a word.
func (s *liveLink) ping(ctx context.Context) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		wait, cancel := context.WithTimeout(ctx, heartbeat)
		began := s.h.now()
		err := s.conn.Ping(wait)
		cancel()
		if err != nil {
			return
		}
		if s.say(ctx, &LiveNews{Lag: max(float64(s.h.now().Sub(began).Microseconds()), 1) / 1000}) != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *liveLink) say(ctx context.Context, n *LiveNews) error {
	ctx, cancel := context.WithTimeout(ctx, seatWrite)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, jsonOf(n))
}

// here tells the room that the person is connected, or is not any more.
func (s *liveLink) here(ctx context.Context, on bool) {
	ctx, cancel := context.WithTimeout(ctx, seatAsk)
	defer cancel()
	s.h.rooms.Here(ctx, s.room, lobby.ActorOf(ctx), on)
}
