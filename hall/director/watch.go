package director

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"kibitz/hall/contest"
	"kibitz/hall/lobby"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/internal/bell"
)

const (
	// tournamentEvery is the shortest time between two looks of a viewer.
	tournamentEvery = 250 * time.Millisecond
	// tournamentMissed is how many events a viewer who comes again is told one by one;
	// who has missed more sees how the tournament stands.
	tournamentMissed = 1000
)

// Watch looks at a tournament for all streams of this hall that show it:
// however many they are, the store is asked once for each change.
type Watch struct {
	id      string
	in      *watches
	end     func()
	viewers int

	mu sync.Mutex
	// now is what was read last; next rings when there is more.
	now  Shown
	next bell.Chime
}

// Shown is how a tournament stands after an event.
type Shown struct {
	Seq int64
	// State is JSON, nil before anything was read.
	State []byte
	// Events are the latest, up to Seq, without gaps.
	Events []Notice
}

// Notice is an event as it is sent.
type Notice struct {
	Seq  int64
	Kind string
	Data []byte
}

// watches are those that somebody looks at.
type watches struct {
	t    *Tournaments
	bus  lobby.TopicBus
	mu   sync.Mutex
	list map[string]*Watch
}

// join returns the watch of a tournament, which goes on until the last leaves.
func (ws *watches) join(id string) (*Watch, error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.list[id]; w != nil {
		w.viewers++
		return w, nil
	}
	news := make(chan struct{}, 1)
	sub, err := ws.bus.Subscribe("tournament."+id, func([]byte) { bell.Ring(news) })
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	w := &Watch{id: id, in: ws, viewers: 1}
	w.end = func() { cancel(); <-ended; sub.Close() }
	ws.list[id] = w
	go func() {
		defer close(ended)
		w.follow(ctx, news)
	}()
	return w, nil
}

// Watch looks at a tournament that the caller may see, until Leave.
func (d *Desk) Watch(ctx context.Context, id string) (*Watch, error) {
	if err := d.See(ctx, id, func(*store.Tournament, *contest.State, contest.Actor) {}); err != nil {
		return nil, err
	}
	w, err := d.Tournaments.watches.join(id)
	if err == nil {
		d.Tournaments.metrics.viewers.Inc()
	}
	return w, err
}

// Since returns the events between one that a viewer has and a look; none if he has missed
// too many of them: then he sees how the tournament stands.
func (w *Watch) Since(ctx context.Context, seq int64, now *Shown) ([]Notice, error) {
	if now.Seq <= seq || now.Seq-seq > tournamentMissed {
		return nil, nil
	}
	if len(now.Events) == 0 || now.Events[0].Seq > seq+1 { // it was away
		return w.notices(ctx, nil, seq, now.Seq)
	}
	return now.Events, nil
}

// Leave ends looking; a watch that nobody needs any more ends.
func (w *Watch) Leave() {
	ws := w.in
	ws.t.metrics.viewers.Dec()
	ws.mu.Lock()
	w.viewers--
	last := w.viewers == 0
	if last {
		delete(ws.list, w.id)
	}
	ws.mu.Unlock()
	if last {
		w.end()
	}
}

// follow reads a tournament at once, after each change, and now and then, because a
// message may have been lost.
func (w *Watch) follow(ctx context.Context, news <-chan struct{}) {
	tick := time.NewTicker(play.Heartbeat)
	defer tick.Stop()
	for {
		if err := w.refresh(ctx); err != nil && ctx.Err() == nil {
			w.in.t.cfg.Log.WarnContext(ctx, "those who look at a tournament wait", "tournament", w.id, "error", problem.OneLine(err))
		}
		select {
		case <-news:
		case <-tick.C:
			continue
		case <-ctx.Done():
			return
		}
		select { // several changes are one
		case <-time.After(tournamentEvery):
		case <-ctx.Done():
			return
		}
	}
}

// refresh reads what is new and tells the viewers.
func (w *Watch) refresh(ctx context.Context) error {
	seq, state, err := w.in.t.show(ctx, w.id)
	if err != nil {
		return err
	}
	w.mu.Lock()
	was := w.now
	w.mu.Unlock()
	if was.State != nil && was.Seq == seq {
		return nil
	}
	now := Shown{Seq: seq, State: state, Events: was.Events}
	if was.State != nil {
		if now.Events, err = w.notices(ctx, was.Events, was.Seq, seq); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
	w.next.Ring()
	return nil
}

// notices appends the events past after, up to seq, to a list of which the latest are kept.
func (w *Watch) notices(ctx context.Context, list []Notice, after, seq int64) ([]Notice, error) {
	events, err := w.in.t.Events(ctx, store.TournamentEventQuery{Tournament: w.id, After: after, Before: seq + 1, Limit: maxEvents}, Public)
	if err != nil {
		return nil, err
	}
	for i := range events {
		data, err := json.Marshal(&events[i])
		if err != nil {
			return nil, err
		}
		list = append(list, Notice{events[i].Seq, string(events[i].Kind), data})
	}
	return list[max(0, len(list)-tournamentMissed):], nil
}

// Get returns what was read last, nothing before that, and a channel that is closed
// when there is more.
func (w *Watch) Get() (Shown, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now, w.next.Next()
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
