package lobby

import (
	"context"
	"sync"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/store"
)

// TopicBus tells what has changed.
type TopicBus interface {
	Subscribe(topic string, fn func(payload []byte)) (*bus.Subscription, error)
}

// Link is the connection to the bus, as long as it holds.
type Link struct {
	mu  sync.Mutex
	now context.Context
	end context.CancelFunc
}

// Current ends when the connection to the bus was made anew.
func (l *Link) Current() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil {
		l.now, l.end = context.WithCancel(context.Background())
	}
	return l.now
}

// Renew tells that the connection was lost and is there again.
func (l *Link) Renew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		l.end()
	}
	l.now, l.end = nil, nil
}

// GameEnded returns what a hub asks of silent streams: whether nothing comes of a game
// any more, for those with a delay too. What came of it is asked for elsewhere.
func GameEnded(st store.Store, now func() time.Time) func(context.Context, hub.Key) bool {
	return func(ctx context.Context, k hub.Key) bool {
		g, err := store.Get(ctx, st, store.Tx.Game, k.Game)
		return err == nil && (g.State == store.Aborted || g.State == store.Over && !now().Before(g.Ended.Add(k.Delay+play.Heartbeat)))
	}
}
