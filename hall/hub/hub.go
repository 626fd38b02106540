// Package hub passes what happens in live games on to any number of viewers.
//
// A viewer of a game gets frames. The first one is a snapshot ("view"), the whole
// live.State as JSON; each that follows is a live.Delta, which live.Apply turns into the next one. A frame
// has an ID, "attempt-number", by which a viewer who comes back says what it has. A
// viewer that is too slow, or that comes back too late, gets a snapshot again: nobody
// waits for it and nothing is kept for it.
//
// Each game and audience is listened to once, however many look on, from the first
// viewer to the last; each frame is encoded once. What an audience may not know never
// comes here: its events are made for it by the worker that plays the game.
//
// Spectators of a room with a delay have a stream of their own, in which every event
// stands that much later than it came. Whoever is the first to open such a stream sees
// the board when the latest one is old enough.
package hub

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/live"
)

// Source is where live events come from.
type Source interface {
	// Listen passes the live events of a game for an audience to fn, one at a time,
	// until stop is called. Events that are published after it has returned are passed.
	Listen(id string, to game.Audience, fn func(bus.Live)) (stop func() error, err error)
	// AskSync asks for all events so far.
	AskSync(ctx context.Context, id string, to game.Audience) (bus.Sync, error)
}

// Options are the settings of a hub.
type Options struct {
	Source Source
	Now    func() time.Time
	Log    *slog.Logger
	// Frames is how many frames of a game are kept for viewers who come back; 128 if 0.
	Frames int
	// Linger is how long a game without viewers is listened to; 5 s if 0.
	Linger time.Duration
	// Retry is the pause before a worker that did not answer is asked again; 1 s if 0.
	Retry time.Duration
	// Silence is after which time without an event it is asked whether one was lost;
	// 20 s if 0.
	Silence time.Duration
	// Ended reports whether nothing comes any more of a game, for those with a delay
	// too; it is asked of a stream that is silent, once in Check (15 s if 0), and the
	// stream then ends. Nil asks nobody: streams end with the result.
	Ended func(ctx context.Context, k Key) bool
	Check time.Duration
}

// ErrClosed tells that the hub is closed.
var ErrClosed = errors.New("the hub is closed")

// Key names a stream: a game, who looks at it, and how much later.
type Key struct {
	Game  string
	To    game.Audience
	Delay time.Duration
}

// Hub passes live games on. Its methods may be called by any goroutine.
type Hub struct {
	opts   Options
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu     sync.Mutex
	topics map[Key]*topic
	closed bool
}

// New returns a hub; it must be closed.
func New(o Options) *Hub {
	if o.Frames <= 0 {
		o.Frames = 128
	}
	if o.Linger <= 0 {
		o.Linger = 5 * time.Second
	}
	if o.Retry <= 0 {
		o.Retry = time.Second
	}
	if o.Silence <= 0 {
		o.Silence = 20 * time.Second
	}
	if o.Check <= 0 {
		o.Check = 15 * time.Second
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(context.Background())
	return &Hub{opts: o, ctx: ctx, cancel: cancel, topics: map[Key]*topic{}}
}

// Refresh has all topics ask for what was told while nothing may have come through.
func (h *Hub) Refresh() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.topics {
		t.mu.Lock()
		t.gap = true
		t.mu.Unlock()
		t.poke()
	}
}

// Close ends all streams and waits until nothing runs any more.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.cancel()
	h.wg.Wait()
}

// Watch begins to look at a game. Since is the ID of the latest frame that the viewer
// has; the zero ID, and one that is not known any more, begin with a snapshot. A delay
// is for the public alone: players see their own game as it is.
func (h *Hub) Watch(k Key, m Meta, since ID) (*Viewer, error) {
	if k.To != game.ToFirst && k.To != game.ToSecond && k.To != game.Public {
		return nil, errors.New("only seats and the public look at live games")
	}
	if k.To != game.Public || k.Delay < 0 {
		k.Delay = 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrClosed
	}
	t := h.topics[k]
	if t == nil {
		t = newTopic(h, k, m)
		h.topics[k] = t
		h.wg.Go(t.run)
	}
	t.viewers++
	return &Viewer{ring: t.ring, whole: true, since: since, leave: func() { h.left(t) }}, nil
}

// Now returns what an audience may know of a game at present, as soon as that is known.
func (h *Hub) Now(ctx context.Context, k Key, m Meta) (live.State, error) {
	return h.Until(ctx, k, m, func(*live.State) bool { return true })
}

// Until returns what an audience may know of a game, as soon as it is as it is wanted; ctx bounds it.
func (h *Hub) Until(ctx context.Context, k Key, m Meta, want func(*live.State) bool) (live.State, error) {
	v, err := h.Watch(k, m, ID{})
	if err != nil {
		return live.State{}, err
	}
	defer v.Close()
	for {
		if _, err := v.Next(ctx); err != nil {
			return live.State{}, err
		}
		if s, _ := v.State(); want(&s) {
			return s, nil
		}
	}
}

func (h *Hub) left(t *topic) {
	h.mu.Lock()
	t.viewers--
	h.mu.Unlock()
	t.poke()
}

// unused removes a topic that nobody looks at, and reports whether it did.
func (h *Hub) unused(t *topic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.viewers > 0 && !h.closed {
		return false
	}
	h.remove(t)
	return true
}

// remove forgets a topic; the lock is held.
func (h *Hub) remove(t *topic) {
	if h.topics[t.key] == t { // there may be a newer one
		delete(h.topics, t.key)
	}
}
