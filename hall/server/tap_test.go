package server

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/api"
	"kibitz/hall/bus"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/journal"
)

// event is what a stream sent.
type event struct{ id, kind, data string }

// tap reads a stream over a real connection, with all that a client sees of it.
type tap struct {
	h    *house
	name string
	head http.Header
	stop func()

	mu     sync.Mutex
	events []event
	ended  bool
	news   chan struct{}
	seen   map[string]int // how many events wait has looked at, by what it waits for
}

// tap opens a stream of a client; accept is empty for server-sent events.
func (h *house) tap(c *client, path, accept string) *tap {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+path, http.NoBody)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header = c.request("GET", path, nil).Header
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	res, err := http.DefaultClient.Do(req) //nolint:bodyclose // the goroutine below closes it
	if err != nil {
		h.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		h.t.Fatalf("%s: %s", path, res.Status)
	}
	t := &tap{h: h, name: path, head: res.Header, news: make(chan struct{}), seen: map[string]int{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer res.Body.Close()
		t.read(bufio.NewReader(res.Body), accept != "")
	}()
	t.stop = sync.OnceFunc(func() { cancel(); <-done })
	h.t.Cleanup(t.stop)
	return t
}

// tapLive opens the websocket of a room, and taps what it tells of the room's game.
func (h *house) tapLive(c *client, room string) *tap {
	h.t.Helper()
	l, status := h.dialLive(c, roomsPath+"/"+room+"/live", nil)
	if l == nil {
		h.t.Fatalf("no websocket: status %d", status)
	}
	t := &tap{h: h, name: "live " + room, news: make(chan struct{}), seen: map[string]int{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer t.add(nil)
		for {
			_, data, err := l.conn.Read(context.Background())
			if err != nil {
				return
			}
			var n api.LiveNews
			if json.Unmarshal(data, &n) != nil {
				n.Event = "no JSON"
			}
			// Which states of a seat are overtaken differs from one connection to the next.
			if n.Event != "" && n.Event != "seat" {
				t.add(&event{n.Num, n.Event, string(n.Data)})
			}
		}
	}()
	t.stop = sync.OnceFunc(func() { _ = l.conn.CloseNow(); <-done })
	h.t.Cleanup(t.stop)
	return t
}

func (t *tap) read(r *bufio.Reader, lines bool) {
	defer t.add(nil)
	var e event
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case lines && line != "":
			var x struct{ ID, Event string }
			if json.Unmarshal([]byte(line), &x) != nil {
				x.Event = "no JSON"
			}
			t.add(&event{x.ID, x.Event, line})
		case strings.HasPrefix(line, "id: "):
			e.id = line[4:]
		case strings.HasPrefix(line, "event: "):
			e.kind = line[7:]
		case strings.HasPrefix(line, "data: "):
			e.data += line[6:]
		case line == "" && e.kind != "":
			t.add(&e)
			e = event{}
		case line != "" && line != ": ":
			e.data += "UNKNOWN LINE " + line
		}
	}
}

// add takes an event, nil for the end.
func (t *tap) add(e *event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e == nil {
		t.ended = true
	} else {
		t.events = append(t.events, *e)
	}
	close(t.news)
	t.news = make(chan struct{})
}

// until waits until what came is as wanted.
func (t *tap) until(what string, want func([]event) bool) []event {
	t.h.t.Helper()
	limit := time.After(2 * time.Minute)
	for {
		t.mu.Lock()
		list, news, ended := t.events, t.news, t.ended
		t.mu.Unlock()
		if want(list) {
			return list
		}
		if ended {
			t.h.t.Fatalf("%s ends without %s: %v", t.name, what, list)
		}
		select {
		case <-news:
		case <-limit:
			t.h.t.Fatalf("%s: no %s in %v", t.name, what, list[max(0, len(list)-3):])
		}
	}
}

// any waits for the first event.
func (t *tap) any() {
	t.h.t.Helper()
	t.until("first event", func(list []event) bool { return len(list) > 0 })
}

// caught waits until a stream of a game has shown the latest board.
func (t *tap) caught(id string, to game.Audience) {
	t.h.t.Helper()
	s, err := t.h.bus.AskSync(t.h.t.Context(), id, to)
	if err != nil {
		t.h.t.Fatal(err)
	}
	want := uint64(0)
	for _, own := range []bool{true, false} { // a seat that has boards of its own is shown no others
		for _, line := range s.Lines {
			if ev, err := journal.ParseEvent(line); err == nil && ev.View != nil && want == 0 && (!own || ev.View.For == to) {
				want = ev.Seq
			}
		}
	}
	t.until("the latest event", func(list []event) bool {
		for _, e := range list {
			if hub.ParseID(e.id[strings.LastIndexByte(e.id, ':')+1:]).Seq >= want {
				return true
			}
		}
		return false
	})
}

// settled waits until a stream of a room has shown it as it is.
func (t *tap) settled(c *client, room string) {
	t.h.t.Helper()
	var is lobby.RoomView
	if a := c.do("GET", roomsPath+"/"+room, nil); json.Unmarshal([]byte(a.body), &is) != nil {
		t.h.t.Fatalf("no room: %s", a.body)
	}
	want := string(jsonOf(is))
	t.until("room as it is", func(list []event) bool {
		var x lobby.RoomView
		last := latest(list)
		return last.data != "" && json.Unmarshal([]byte(last.data), &x) == nil && string(jsonOf(x)) == want
	})
}

// latest is the last event that is no beat: those come whenever time has passed.
func latest(list []event) event {
	for _, e := range slices.Backward(list) {
		if e.kind != "beat" {
			return e
		}
	}
	return event{}
}

// asked waits for a question with another number than last, and returns its number.
func (t *tap) asked(last int) bus.SeatState {
	t.h.t.Helper()
	var x bus.SeatState
	t.until("question", func(list []event) bool {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].kind == "seat" {
				x = bus.SeatState{}
				return json.Unmarshal([]byte(list[i].data), &x) == nil && x.Prompt > last
			}
		}
		return false
	})
	return x
}

// text is what came, to be compared with what comes of the same at another time: the
// frames of the game; and what comes on its own, of which a state that was overtaken need
// not be told: of a room the latest, of the states of a seat those that ask, once each, and
// without the number that counts how often it was told.
func (t *tap) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var frames, states strings.Builder
	last := ""
	list := slices.DeleteFunc(slices.Clone(t.events), func(e event) bool { return e.kind == "beat" })
	for i, e := range list {
		if e.kind == "change" && i < len(list)-1 {
			continue
		}
		if e.kind != "seat" {
			frames.WriteString(e.id + " " + e.kind + " " + e.data + "\n")
			continue
		}
		var x bus.SeatState
		if err := json.Unmarshal([]byte(e.data), &x); err != nil {
			states.WriteString("no JSON: " + e.data + "\n")
			continue
		}
		x.Seq = 0
		text, _ := json.Marshal(x)
		if x.Prompt == 0 && len(x.Asks) == 0 && !x.Over || string(text) == last {
			continue
		}
		last = string(text)
		states.WriteString(last + "\n")
	}
	return frames.String() + states.String()
}
