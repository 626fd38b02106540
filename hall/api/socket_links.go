package api

import (
	"context"
	"sync"

	"github.com/coder/websocket"
)

// seatLinks are the websockets of this hall.
type seatLinks struct {
	mu     sync.Mutex
	ended  bool
	ends   map[any]context.CancelFunc
	around sync.WaitGroup
}

// add lets a connection begin; false if the hall goes down.
func (l *seatLinks) add(link any, end context.CancelFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	if l.ends == nil {
		l.ends = map[any]context.CancelFunc{}
	}
	l.ends[link] = end
	l.around.Add(1)
	return true
}

func (l *seatLinks) remove(link any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.ends, link)
	l.around.Done()
}

// end ends all connections and waits until they are.
func (l *seatLinks) end() {
	l.mu.Lock()
	l.ended = true
	for _, end := range l.ends {
		end()
	}
	l.mu.Unlock()
	l.around.Wait()
}

// gone is how a connection ends that the client or the hall has ended.
func (l *seatLinks) gone() (websocket.StatusCode, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return websocket.StatusGoingAway, "the hall goes down"
	}
	return websocket.StatusNormalClosure, ""
}
