package server

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"kibitz/hall/room"
	"kibitz/hall/store"
)

// roomEvents sends the room as the caller may see it, again after each change, and
// tells the room that the caller is here.
func (h *Hall) roomEvents(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("room")
	var here func(ctx context.Context, on bool)
	look := func(ctx context.Context) ([]byte, error) {
		out, err := h.getRoom(ctx, &roomPath{Room: id})
		if err != nil {
			return nil, err
		}
		if unseen(&out.Body.Room, actorOf(ctx)) {
			here(ctx, true)
			if out, err = h.getRoom(ctx, &roomPath{Room: id}); err != nil {
				return nil, err
			}
		}
		return jsonOf(out.Body), nil
	}
	here = func(ctx context.Context, on bool) {
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

// unseen reports whether an account counts as away in a room although it looks: it has
// closed another tab, or a hall has begun anew.
func unseen(s *room.Shown, by room.Actor) bool {
	return slices.ContainsFunc(s.People, func(p room.Person) bool { return p.ID == by.ID && !p.Here })
}

// lobbyEvents tells that the list of rooms is to be asked for again.
func (h *Hall) lobbyEvents(w http.ResponseWriter, r *http.Request) {
	h.topicEvents(w, r, "lobby", func(context.Context) ([]byte, error) { return []byte("{}"), nil }, func(context.Context, bool) {})
}

// topicEvents sends what look returns, at once and after each change of a topic, at
// most four times a second.
func (h *Hall) topicEvents(w http.ResponseWriter, r *http.Request, topic string, look func(context.Context) ([]byte, error),
	here func(context.Context, bool),
) {
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
	tick, beat := time.NewTicker(heartbeat), time.NewTicker(wantedBeat(r))
	defer tick.Stop()
	defer beat.Stop()
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
