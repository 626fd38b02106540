package server

import (
	"context"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/hub"
	"kibitz/hall/store"
	"kibitz/hall/store/sqlite"
)

// What a silent stream is told of its game: nothing comes any more of one that was
// aborted, and of one that is over when those with a delay have seen its end too.
func TestGameEnded(t *testing.T) {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, c := range []struct {
		state store.GameState
		delay time.Duration
		after time.Duration
		want  bool
	}{
		{store.Queued, 0, time.Hour, false},
		{store.Running, 0, time.Hour, false},
		{store.Parked, 0, time.Hour, false},
		{store.Aborted, time.Hour, 0, true},
		{store.Over, 0, heartbeat - 1, false},
		{store.Over, 0, heartbeat, true},
		{store.Over, time.Minute, time.Minute, false},
		{store.Over, time.Minute, time.Minute + heartbeat, true},
	} {
		id := string(rune('a' + i))
		err := db.Update(t.Context(), func(tx store.Tx) error {
			return tx.AddGame(&store.Game{ID: id, Spec: "othello", State: c.state, Created: at, Ended: at})
		})
		if err != nil {
			t.Fatal(err)
		}
		ended := GameEnded(db, func() time.Time { return at.Add(c.after) })
		if got := ended(t.Context(), hub.Key{Game: id, To: game.Public, Delay: c.delay}); got != c.want {
			t.Errorf("%s with a delay of %s, %s after the end: %v", c.state, c.delay, c.after, got)
		}
	}
	if GameEnded(db, time.Now)(t.Context(), hub.Key{Game: "unknown"}) {
		t.Error("a game that is not known has ended")
	}
}

// buffered is a connection that remembers how much may wait in it.
type buffered struct{ bytes int }

func (b *buffered) SetWriteBuffer(bytes int) error {
	b.bytes = bytes
	return nil
}

// Little waits in the kernel for who looks at a game; a connection that cannot be told is
// left as it is.
func TestBounded(t *testing.T) {
	c := &buffered{}
	bounded(context.WithValue(t.Context(), connKey{}, c))
	if c.bytes != waiting {
		t.Errorf("%d bytes may wait, want %d", c.bytes, waiting)
	}
	bounded(context.WithValue(t.Context(), connKey{}, "no connection"))
	bounded(t.Context())
}

// deadlines counts what a stream asks of its connection.
type deadlines struct {
	http.ResponseWriter
	set     []time.Time
	flushed int
}

func (d *deadlines) Header() http.Header         { return http.Header{} }
func (d *deadlines) WriteHeader(int)             {}
func (d *deadlines) Write(b []byte) (int, error) { return len(b), nil }
func (d *deadlines) Flush()                      { d.flushed++ }

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}

// A client always has its time to take what was written, and the timer of its connection
// is not moved for each event. A beat goes out only where nothing else does.
func TestPatience(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	w := &deadlines{}
	s := &stream{w: w, rc: http.NewResponseController(w), now: func() time.Time { return now }}
	for range 100 {
		if err := s.send("", "seat", []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if left := s.until.Sub(now); left < patience || left > patience*2 {
			t.Fatalf("a client has %s", left)
		}
		now = now.Add(time.Second)
	}
	if n := len(w.set); n < 10 || n > 20 {
		t.Errorf("the deadline was set %d times for 100 events, one a second", n)
	}
	sent := w.flushed
	for want := range 3 { // the first beat follows events
		if err := s.beat(); err != nil || w.flushed != sent+want {
			t.Errorf("beat %d: %d were sent, %v", want, w.flushed-sent, err)
		}
	}
}
