package api

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/room"
	"kibitz/hall/router"
	"kibitz/internal/bell"
)

// roomStreams are the streams of rooms and of the lobby.
type roomStreams struct {
	router *router.Router
	rooms  *lobby.Rooms
	bus    lobby.TopicBus
	now    func() time.Time
}

func (h *roomStreams) register(a *API) {
	const tag = "live"
	a.handle(router.Route{
		Method: "GET", Path: roomsPath + "/{room}/events", ID: "room-events", Tag: tag, Summary: "What happens in a room", Need: auth.Look,
		Time:  -1,
		About: aboutStreams + " `beat=N` asks for an event `beat` every N seconds, 1 to 15, as a sign of life.",
	}, http.HandlerFunc(h.roomEvents))
	a.handle(router.Route{
		Method: "GET", Path: challengesPath + "/{code}/events", ID: "challenge-events", Tag: tag,
		Summary: "What becomes of a challenge of one's own", Need: auth.Play, Time: -1, Secret: true, About: aboutStreams + " `beat` is as that of rooms.",
	}, http.HandlerFunc(h.challengeEvents))
	a.handle(router.Route{
		Method: "GET", Path: "/api/v1/lobby/events", ID: "lobby-events", Tag: tag, Summary: "Tells that the lobby has changed",
		Need: auth.Look, Time: -1, About: aboutStreams,
	}, http.HandlerFunc(h.lobbyEvents))
}

// roomEvents sends the room as the caller may see it, again after each change, and
// tells the room that the caller is here, or looks on.
func (h *roomStreams) roomEvents(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("room")
	var here func(ctx context.Context, on bool) bool
	look := func(ctx context.Context) ([]byte, error) {
		out, err := h.rooms.Get(ctx, &lobby.RoomPath{Room: id})
		if err != nil {
			return nil, err
		}
		if unseen(&out.Room, lobby.ActorOf(ctx)) {
			here(ctx, true)
			if out, err = h.rooms.Get(ctx, &lobby.RoomPath{Room: id}); err != nil {
				return nil, err
			}
		}
		return jsonOf(out), nil
	}
	page := h.rooms.Audience.Opens(r.Context(), id)
	turns := 0
	here = func(ctx context.Context, on bool) bool {
		was := turns
		turns = h.rooms.Audience.Looks(ctx, page, on)
		if by := lobby.ActorOf(ctx); by.ID != 0 {
			h.rooms.Here(ctx, id, by, on)
		}
		return was != turns
	}
	h.topicEvents(w, r, "room."+id, look, here)
}

// challengeEvents sends a challenge of the caller, again when it has changed.
func (h *roomStreams) challengeEvents(w http.ResponseWriter, r *http.Request) {
	in := &lobby.ChallengePath{Code: r.PathValue("code")}
	look := func(ctx context.Context) ([]byte, error) {
		v, err := h.rooms.ChallengeOf(ctx, in)
		if err == nil && !v.Mine {
			err = auth.ErrForbidden
		}
		return jsonOf(v), err
	}
	h.topicEvents(w, r, lobby.ChallengeTopic(lobby.ActorOf(r.Context()).ID), look, nobody)
}

// nobody is told that a page is open.
func nobody(context.Context, bool) bool { return false }

// unseen reports whether an account counts as away in a room although it looks: it has
// closed another tab, or a hall has begun anew.
func unseen(s *room.Shown, by room.Actor) bool {
	return slices.ContainsFunc(s.People, func(p room.Person) bool { return p.ID == by.ID && !p.Here })
}

// lobbyEvents tells that the list of rooms is to be asked for again.
func (h *roomStreams) lobbyEvents(w http.ResponseWriter, r *http.Request) {
	h.topicEvents(w, r, "lobby", func(context.Context) ([]byte, error) { return []byte("{}"), nil }, nobody)
}

// Changes that come together are told together, and others not sooner one after the other.
const (
	together = 20 * time.Millisecond
	apart    = 250 * time.Millisecond
)

// topicEvents sends what look returns, at once and soon after each change of a topic, at most four times a second,
// and with a sign of life if here reports that something else has changed.
func (h *roomStreams) topicEvents(w http.ResponseWriter, r *http.Request, topic string, look func(context.Context) ([]byte, error),
	here func(context.Context, bool) bool,
) {
	ctx := r.Context()
	last, err := look(ctx)
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	news := make(chan struct{}, 1)
	sub, err := h.bus.Subscribe(topic, func([]byte) { bell.Ring(news) })
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	defer sub.Close()
	here(ctx, true)
	defer here(context.WithoutCancel(ctx), false)
	s := newStream(w, r, h.now)
	tick, beat := time.NewTicker(heartbeat), time.NewTicker(wantedBeat(r))
	defer tick.Stop()
	defer beat.Stop()
	var sent time.Time
	for err = s.send("", "change", last); err == nil; {
		select {
		case <-news:
			select {
			case <-time.After(max(together, apart-h.now().Sub(sent))):
			case <-ctx.Done():
				return
			}
			sent = h.now()
			if last, err = look(ctx); err == nil {
				err = s.send("", "change", last)
			}
		case <-tick.C:
			if !here(ctx, true) {
				continue
			}
			if now, no := look(ctx); no == nil && !bytes.Equal(now, last) {
				last = now
				err = s.send("", "change", last)
			}
		case <-beat.C:
			err = s.send("", "beat", []byte("{}"))
		case <-ctx.Done():
			return
		}
	}
}

// wantedBeat is how often a client wants a sign of life, by which it knows that it is
// connected; a connection that is gone without a word says nothing.
func wantedBeat(r *http.Request) time.Duration {
	n, err := strconv.Atoi(r.URL.Query().Get("beat"))
	if err != nil || n < 1 {
		return heartbeat
	}
	return min(heartbeat, time.Duration(n)*time.Second)
}
