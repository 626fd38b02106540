package server

import (
	"context"
	"sync"
	"time"

	"kibitz/hall/store"
)

// tournamentWatch looks at a tournament for all streams of this hall that show it:
// however many they are, the store is asked once for each change.
type tournamentWatch struct {
	end     func()
	viewers int

	mu sync.Mutex
	// now is what was read last; next is closed when there is more.
	now  tournamentShown
	next chan struct{}
}

// tournamentShown is how a tournament stands after an event.
type tournamentShown struct {
	seq int64
	// state is nil before anything was read.
	state []byte
	// events are the latest, up to seq, without gaps.
	events []toldEvent
}

// toldEvent is an event as it is sent.
type toldEvent struct {
	seq  int64
	kind string
	data []byte
}

// watches are those that somebody looks at.
type watches struct {
	mu   sync.Mutex
	list map[string]*tournamentWatch
}

// join returns the watch of a tournament, which goes on until the last leaves.
func (t *Tournaments) join(id string) (*tournamentWatch, error) {
	t.watches.mu.Lock()
	defer t.watches.mu.Unlock()
	if w := t.watches.list[id]; w != nil {
		w.viewers++
		return w, nil
	}
	news := make(chan struct{}, 1)
	sub, err := t.bus.Subscribe("tournament."+id, func([]byte) { poke(news) })
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	w := &tournamentWatch{viewers: 1, next: make(chan struct{})}
	w.end = func() { cancel(); <-ended; sub.Close() }
	if t.watches.list == nil {
		t.watches.list = map[string]*tournamentWatch{}
	}
	t.watches.list[id] = w
	go func() {
		defer close(ended)
		t.follow(ctx, id, w, news)
	}()
	return w, nil
}

// leave ends a watch that nobody needs any more.
func (t *Tournaments) leave(id string, w *tournamentWatch) {
	t.watches.mu.Lock()
	w.viewers--
	last := w.viewers == 0
	if last {
		delete(t.watches.list, id)
	}
	t.watches.mu.Unlock()
	if last {
		w.end()
	}
}

// follow reads a tournament at once, after each change, and now and then, because a
// message may have been lost.
func (t *Tournaments) follow(ctx context.Context, id string, w *tournamentWatch, news <-chan struct{}) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		if err := t.refresh(ctx, id, w); err != nil && ctx.Err() == nil {
			t.cfg.Log.WarnContext(ctx, "those who look at a tournament wait", "tournament", id, "error", oneLine(err))
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
func (t *Tournaments) refresh(ctx context.Context, id string, w *tournamentWatch) error {
	seq, state, err := t.show(ctx, id)
	if err != nil {
		return err
	}
	w.mu.Lock()
	was := w.now
	w.mu.Unlock()
	if was.state != nil && was.seq == seq {
		return nil
	}
	now := tournamentShown{seq: seq, state: state, events: was.events}
	if was.state != nil {
		if now.events, err = t.told(ctx, id, was.events, was.seq, seq); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
	close(w.next)
	w.next = make(chan struct{})
	return nil
}

// told appends the events past after, up to seq, to a list of which the latest are kept.
func (t *Tournaments) told(ctx context.Context, id string, list []toldEvent, after, seq int64) ([]toldEvent, error) {
	events, err := t.events(ctx, store.TournamentEventQuery{Tournament: id, After: after, Before: seq + 1, Limit: maxEvents}, public)
	if err != nil {
		return nil, err
	}
	for i := range events {
		list = append(list, toldEvent{events[i].Seq, string(events[i].Kind), jsonOf(&events[i])})
	}
	return list[max(0, len(list)-tournamentMissed):], nil
}

// get returns what was read last, nothing before that, and a channel that is closed
// when there is more.
func (w *tournamentWatch) get() (tournamentShown, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now, w.next
}
