package hub

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"sync"

	"kibitz/hall/live"
	"kibitz/internal/bell"
)

// ID names a frame: the attempt of the game and the number of the latest event in it.
type ID struct {
	Attempt int
	Seq     uint64
}

// String writes it as "attempt-number".
func (id ID) String() string {
	return strconv.Itoa(id.Attempt) + "-" + strconv.FormatUint(id.Seq, 10)
}

// ParseID reads an ID; whatever else is the zero ID, which no frame has.
func ParseID(text string) ID {
	a, b, ok := strings.Cut(text, "-")
	attempt, err := strconv.Atoi(a)
	seq, err2 := strconv.ParseUint(b, 10, 64)
	if !ok || err != nil || err2 != nil || attempt < 0 {
		return ID{}
	}
	return ID{attempt, seq}
}

// Frame is what viewers are sent. Data is JSON, shared by all of them: nobody changes
// it.
type Frame struct {
	ID ID
	// Kind is "view" for a snapshot and "delta" for what follows.
	Kind string
	Data []byte
	// Event is the whole frame as a server-sent event, shared likewise.
	Event []byte
	// Last tells that no frame follows.
	Last bool
}

// newFrame encodes a frame, once for all who are sent it.
func newFrame(id ID, kind string, v any, last bool) Frame {
	data := encode(v)
	b := make([]byte, 0, len(data)+64)
	b = append(append(b, "id: "...), id.String()...)
	b = append(append(b, "\nevent: "...), kind...)
	b = append(b, "\ndata: "...)
	from := len(b)
	b = append(b, data...)
	to := len(b)
	b = append(b, "\n\n"...)
	return Frame{ID: id, Kind: kind, Data: b[from:to:to], Event: b, Last: last}
}

// ring holds the latest frames of a game, and the state that they lead to.
type ring struct {
	mu     sync.Mutex
	frames []Frame // circular
	head   uint64  // number of the next frame
	news   bell.Chime
	state  live.State
	known  bool
	over   bool
	closed bool
	snap   *Frame // of state; nil until somebody wants it
	// lost counts viewers that were too slow.
	lost uint64
}

func newRing(n int) *ring { return &ring{frames: make([]Frame, n)} }

// push adds a frame and wakes everybody.
func (r *ring) push(f Frame, s live.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frames[r.head%uint64(len(r.frames))] = f
	r.head++
	r.state, r.known, r.snap, r.over = s, true, nil, f.Last
	r.news.Ring()
}

// reset puts another state in the place of all frames.
func (r *ring) reset(s live.State) {
	r.push(newFrame(ID{s.Attempt, s.Seq}, "view", &s, s.Result != nil), s)
}

func (r *ring) shut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.news.Ring()
}

// tail is the number of the oldest frame.
func (r *ring) tail() uint64 {
	if n := uint64(len(r.frames)); r.head > n {
		return r.head - n
	}
	return 0
}

// snapshot returns the state as a frame, encoded once for all who want it.
func (r *ring) snapshot() Frame {
	if r.snap == nil {
		f := newFrame(ID{r.state.Attempt, r.state.Seq}, "view", &r.state, r.over)
		r.snap = &f
	}
	return *r.snap
}

// find returns the number of the frame after the one with an ID, if that is the only
// one: events that came together have the same number.
func (r *ring) find(id ID) (next uint64, found bool) {
	for i := r.head; i > r.tail(); i-- {
		if r.frames[(i-1)%uint64(len(r.frames))].ID == id {
			if found {
				return 0, false
			}
			next, found = i, true
		}
	}
	return next, found
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil { // values of these types always have a form
		return []byte("null")
	}
	return data
}

// Viewer is somebody who looks at a game. Its methods are for one goroutine.
type Viewer struct {
	ring  *ring
	leave func()
	next  uint64 // number of the next frame
	whole bool   // a snapshot is due
	ended bool
	since ID
}

// Next waits for the next frame. It is io.EOF after the last one, and when the hub
// closes.
func (v *Viewer) Next(ctx context.Context) (Frame, error) {
	for {
		f, news, err := v.Take()
		if news == nil {
			return f, err
		}
		select {
		case <-news:
		case <-ctx.Done():
			return Frame{}, ctx.Err()
		}
	}
}

// Take returns the next frame without waiting. If there is none yet it returns a channel
// that is closed when there may be one; of the three results one is set.
func (v *Viewer) Take() (Frame, <-chan struct{}, error) {
	r := v.ring
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case v.ended || r.closed:
		return Frame{}, nil, io.EOF
	case !r.known:
		return Frame{}, r.news.Next(), nil
	}
	if v.since != (ID{}) {
		if at, ok := r.find(v.since); ok {
			v.next, v.whole = at, false
		}
		v.since = ID{}
	}
	if !v.whole && v.next < r.tail() {
		v.whole = true
		r.lost++
	}
	switch {
	case v.whole:
		v.whole, v.next = false, r.head
		f := r.snapshot()
		v.ended = f.Last
		return f, nil, nil
	case v.next < r.head:
		f := r.frames[v.next%uint64(len(r.frames))]
		v.next++
		v.ended = f.Last
		return f, nil, nil
	case r.over:
		return Frame{}, nil, io.EOF
	}
	return Frame{}, r.news.Next(), nil
}

// State returns the state that all frames so far lead to, and false before there is one.
func (v *Viewer) State() (live.State, bool) {
	v.ring.mu.Lock()
	defer v.ring.mu.Unlock()
	return v.ring.state, v.ring.known
}

// Close ends looking.
func (v *Viewer) Close() {
	if v.leave != nil {
		v.leave()
		v.leave = nil
	}
}
