package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/router"
)

// heartbeat is the longest silence of a stream, lively that of a stream of games: who plays is
// to know soon that there is no connection.
const (
	heartbeat = play.Heartbeat
	lively    = 5 * time.Second
)

// stream writes events to a client that may be slow: one that does not take an event
// within router.Patience is cut off.
type stream struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	now   func() time.Time
	lines bool
	// until is the deadline that is set; fresh tells that something was sent since the
	// latest beat.
	until time.Time
	fresh bool
	// shown tells that a frame of a game was sent, over that its end was.
	shown, over bool
}

func newStream(w http.ResponseWriter, r *http.Request, now func() time.Time) *stream {
	s := &stream{
		w: w, rc: http.NewResponseController(w), now: now,
		lines: strings.Contains(r.Header.Get("Accept"), "application/x-ndjson"),
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if s.lines {
		w.Header().Set("Content-Type", "application/x-ndjson")
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	router.Bounded(r.Context())
	_ = s.rc.Flush() // the client knows that it is connected; an error comes again with the first event
	return s
}

// write gives the client its time and writes; flush sends.
func (s *stream) write(b []byte) error {
	if now := s.now(); s.until.Sub(now) < router.Patience {
		s.until = now.Add(router.Patience + router.Patience/4)
		_ = s.rc.SetWriteDeadline(s.until) // recorders of tests have none
	}
	s.fresh = true
	_, err := s.w.Write(b)
	return err
}

// frame writes a frame of a game.
func (s *stream) frame(f *hub.Frame) error {
	s.shown, s.over = true, f.Last
	if s.lines {
		return s.write(s.event(f.ID.String(), f.Kind, f.Data))
	}
	return s.write(f.Event)
}

// end sends the last frame of a game, if there is one, and that nothing follows.
func (s *stream) end(f *hub.Frame) error {
	if f != nil {
		if err := s.frame(f); err != nil {
			return err
		}
	}
	return s.send("", "over", []byte("{}"))
}

// send writes an event and sends it; data is JSON without line breaks.
func (s *stream) send(id, kind string, data []byte) error {
	if err := s.write(s.event(id, kind, data)); err != nil {
		return err
	}
	return s.rc.Flush()
}

func (s *stream) event(id, kind string, data []byte) []byte {
	var b []byte
	switch {
	case s.lines:
		b = append(b, `{"id":"`+id+`","event":"`+kind+`","data":`...)
		b = append(append(b, data...), "}\n"...)
	default:
		if id != "" {
			b = append(b, "id: "+id+"\n"...)
		}
		b = append(b, "event: "+kind+"\ndata: "...)
		b = append(append(b, data...), "\n\n"...)
	}
	return b
}

// beat shows that the connection lives, unless something else has since the last one.
func (s *stream) beat() error {
	if s.fresh {
		s.fresh = false
		return nil
	}
	text := ": \n\n"
	if s.lines {
		text = "\n"
	}
	err := s.write([]byte(text))
	s.fresh = false
	if err != nil {
		return err
	}
	return s.rc.Flush()
}

// frames sends all frames that a viewer has not seen yet, together, and returns what to
// wait for; an error when the stream is over.
func (s *stream) frames(v *hub.Viewer) (<-chan struct{}, error) {
	for n := 0; ; n++ {
		f, news, err := v.Take()
		switch {
		case err != nil:
			_ = s.send("", "over", []byte("{}")) // a client that has gone needs no answer
			return nil, err
		case news == nil:
			if err := s.frame(&f); err != nil {
				return nil, err
			}
		case n == 0:
			return news, nil
		default:
			return news, s.rc.Flush()
		}
	}
}

func jsonOf(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil { // values of the API always have a form
		return []byte("{}")
	}
	return data
}
