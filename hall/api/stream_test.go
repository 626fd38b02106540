package api

import (
	"net/http"
	"testing"
	"time"

	"kibitz/hall/router"
)

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
		if left := s.until.Sub(now); left < router.Patience || left > router.Patience*2 {
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
