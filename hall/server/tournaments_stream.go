package server

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"kibitz/hall/contest"
	"kibitz/hall/store"
)

const (
	// tournamentEvery is the shortest time between two looks of a viewer.
	tournamentEvery = 250 * time.Millisecond
	// tournamentMissed is how many events a viewer who comes again is told one by one;
	// who has missed more sees how the tournament stands.
	tournamentMissed = 1000
)

// tournamentEvents streams a tournament: how it stands (state), then each event with its
// number, and after a run of them how it stands again. Who comes again with the number
// of the last event (Last-Event-ID) is told what he missed.
func (h *Hall) tournamentEvents(w http.ResponseWriter, r *http.Request) {
	t, id, ctx := h.tournaments(), r.PathValue("tournament"), r.Context()
	if err := h.seeTournament(ctx, id, func(*store.Tournament, *contest.State, contest.Actor) {}); err != nil {
		h.refuseError(w, r, err)
		return
	}
	watch, err := t.join(id)
	if err != nil {
		h.refuseError(w, r, err)
		return
	}
	defer t.leave(id, watch)
	t.metrics.viewers.Inc()
	defer t.metrics.viewers.Dec()
	v := &tournamentViewer{t: t, id: id, s: h.newStream(w, r), seq: -1}
	if n, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64); err == nil && n >= 0 {
		v.seq = n
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for err == nil {
		now, more := watch.get()
		if err = v.tell(ctx, &now); err != nil {
			return
		}
		select {
		case <-more:
		case <-tick.C:
			err = v.s.beat()
		case <-ctx.Done():
			return
		}
	}
}

// tournamentViewer is a stream of a tournament.
type tournamentViewer struct {
	t  *Tournaments
	id string
	s  *stream
	// seq is the last event that was told, -1 for none.
	seq int64
}

// tell sends what is new.
func (v *tournamentViewer) tell(ctx context.Context, now *tournamentShown) error {
	if now.state == nil || now.seq == v.seq {
		return nil
	}
	if v.seq >= 0 && now.seq > v.seq && now.seq-v.seq <= tournamentMissed {
		list := now.events
		if len(list) == 0 || list[0].seq > v.seq+1 { // it was away
			var err error
			if list, err = v.t.told(ctx, v.id, nil, v.seq, now.seq); err != nil {
				return err
			}
		}
		for i := range list {
			if e := &list[i]; e.seq > v.seq {
				if err := v.s.send(strconv.FormatInt(e.seq, 10), e.kind, e.data); err != nil {
					return err
				}
			}
		}
	}
	v.seq = now.seq
	return v.s.send(strconv.FormatInt(now.seq, 10), "state", now.state)
}

// show returns how a tournament stands as JSON, made once for all who look.
func (t *Tournaments) show(ctx context.Context, id string) (seq int64, shown []byte, err error) {
	err = t.read(ctx, id, func(k *knownTournament, _ *store.Tournament) error {
		if k.shown == nil || k.shownAt != k.state.Seq {
			data, err := json.Marshal(nowOf(id, k.state))
			if err != nil {
				return err
			}
			k.shown, k.shownAt = data, k.state.Seq
		}
		seq, shown = k.shownAt, k.shown
		return nil
	})
	return seq, shown, err
}
