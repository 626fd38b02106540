package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"kibitz/hall/director"
)

// events streams a tournament: how it stands (state), then each event with its
// number, and after a run of them how it stands again. Who comes again with the number
// of the last event (Last-Event-ID) is told what he missed.
func (h *tournaments) events(w http.ResponseWriter, r *http.Request) {
	id, ctx := r.PathValue("tournament"), r.Context()
	watch, err := h.desk.Watch(ctx, id)
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	defer watch.Leave()
	v := &tournamentViewer{watch: watch, s: newStream(w, r, h.now), seq: -1}
	if n, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64); err == nil && n >= 0 {
		v.seq = n
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for err == nil {
		now, more := watch.Get()
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
	watch *director.Watch
	s     *stream
	// seq is the last event that was told, -1 for none.
	seq int64
}

func (v *tournamentViewer) tell(ctx context.Context, now *director.Shown) error {
	if now.State == nil || now.Seq == v.seq {
		return nil
	}
	if v.seq >= 0 {
		list, err := v.watch.Since(ctx, v.seq, now)
		if err != nil {
			return err
		}
		for i := range list {
			if e := &list[i]; e.Seq > v.seq {
				if err := v.s.send(strconv.FormatInt(e.Seq, 10), e.Kind, e.Data); err != nil {
					return err
				}
			}
		}
	}
	v.seq = now.Seq
	return v.s.send(strconv.FormatInt(now.Seq, 10), "state", now.State)
}
