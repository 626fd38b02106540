package server

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/hall/api"
	"kibitz/hall/bus"
	"kibitz/hall/store/postgres"
	"kibitz/internal/pgtest"
	"kibitz/internal/slowline"
)

// TestSlow lets PostgreSQL answer three seconds late, and NATS byte by byte, while two people
// play. Each time it is as if the service were away: the stream says so, /readyz
// too, the clock of who is on turn stands, a move gets 503; once it is well, all of that ends by
// itself and the move is made, once. The log has a line at the beginning and one at the end.
func TestSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL")
	}
	t.Parallel()
	pg := pgtest.Start(t)
	database := slowline.Start(t, "unix", filepath.Join(pg.Socket(), ".s.PGSQL.5432"))
	name := strings.TrimPrefix(strings.Split(pg.Database(t, ""), "?")[0], "postgres://kibitz@/")
	st, err := postgres.Open(t.Context(), "postgres://kibitz@"+database.Address()+"/"+name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	var queue *slowline.Relay
	h := newHouse(t, build{store: st, watched: true, queue: func() (hall, crew *bus.Bus) {
		open := func(o bus.Options) *bus.Bus {
			o.Now = time.Now
			b, err := bus.Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { b.Close() })
			return b
		}
		crew = open(bus.Options{Listen: "127.0.0.1:0", Token: "token"})
		queue = slowline.Start(t, "tcp", crew.Addr().String())
		return open(bus.Options{URL: "nats://token@" + queue.Address()}), crew
	}})
	people := []*client{h.register("ann"), h.register("bob")}
	_, id := h.pair(people[0], people[1], map[string]any{"game": "othello", "clocks": []string{"600+0", "600+0"}})
	h.background(h.watch.Run) // from now on what a busy machine does late may be taken for a fault
	for n, c := range []struct {
		part  string
		relay *slowline.Relay
		late  time.Duration
		rate  int
	}{{"database", database, 3 * time.Second, 0}, {"queue", queue, 0, 20}} {
		me := people[n%2]
		stream := h.tap(me, "/api/v1/games/"+id+"/events", "")
		asked := stream.seat("is asked", func(s *bus.SeatState) bool { return s.Prompt > 0 && s.Held.IsZero() })
		before := len(h.log.String())
		c.relay.Slow(c.late, c.rate)
		stream.hall(c.part)
		h.readyz(http.StatusServiceUnavailable, c.part)
		move := map[string]any{"prompt": asked.Prompt, "steps": asked.Legal[:1]}
		if got := me.do("POST", "/api/v1/games/"+id+"/moves", move); got.status != http.StatusServiceUnavailable {
			t.Errorf("%s: a move is answered %d: %s", c.part, got.status, got.body)
		}
		held := asked
		for c.part == "database" && (held.Held.IsZero() || time.Since(held.Held) < 5*time.Second) {
			held = stream.latestSeat() // that it was held for other reasons before has ended meanwhile
			time.Sleep(20 * time.Millisecond)
		}
		healed := time.Now()
		c.relay.Slow(0, 0)
		stream.hall("")
		h.readyz(http.StatusOK, "")
		if c.part == "database" {
			// A try that went well took no longer than a try may, and time counts from its beginning.
			least := healed.Sub(held.Held) - 1500*time.Millisecond
			stream.seat("goes on, "+least.String()+" later", func(s *bus.SeatState) bool {
				return s.Held.IsZero() && s.Deadline.Sub(asked.Deadline) >= least
			})
		}
		for end := time.Now().Add(slowLimit); ; time.Sleep(20 * time.Millisecond) {
			got := me.do("POST", "/api/v1/games/"+id+"/moves", move)
			if got.status/100 == 2 || got.status == http.StatusConflict { // it was taken before
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: afterwards a move is answered %d: %s", c.part, got.status, got.body)
			}
		}
		stream.stop()
		text := h.log.String()[before:]
		// Of this service alone, and on a machine that stands still it may be late once more.
		gone, back := strings.Count(text, "the hall cannot go on: the "+c.part+" "), strings.Count(text, "the "+strings.Fields(c.part)[0]+" is back\"")
		if gone < 1 || back < 1 || max(gone-back, back-gone) > 1 {
			t.Errorf("%s: the log has %d lines of the beginning and %d of the end:\n%s", c.part, gone, back, text)
		}
	}
	people[0].resign(id)
	h.ended(id)
	var g struct {
		Plies int
	}
	if people[0].do("GET", "/api/v1/games/"+id, nil).want(200).into(&g); g.Plies != 2 {
		t.Errorf("%d moves were made", g.Plies)
	}
}

// slowLimit is how long what comes by itself may take, on a machine with much else to do.
const slowLimit = 5 * time.Minute

// latestSeat is the latest state of the seat.
func (t *tap) latestSeat() (s bus.SeatState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range slices.Backward(t.events) {
		if e.kind == "seat" {
			_ = json.Unmarshal([]byte(e.data), &s)
			break
		}
	}
	return s
}

// readyz waits until a hall is ready or is not, for a reason.
func (h *house) readyz(status int, why string) {
	h.t.Helper()
	for end := time.Now().Add(slowLimit); ; time.Sleep(20 * time.Millisecond) {
		res, text, _ := h.fetch(h.t, "GET", "/readyz", "")
		if res.status == status && strings.Contains(text, why) {
			return
		}
		if time.Now().After(end) {
			h.t.Fatalf("readyz: %d %q, want %d", res.status, text, status)
		}
	}
}

// wait returns the data of the first event of a kind that is as wanted, of those that it has
// not looked at yet.
func (t *tap) wait(kind, what string, fits func(data string) bool) {
	t.h.t.Helper()
	for end := time.Now().Add(slowLimit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		t.mu.Lock()
		for t.seen[kind] < len(t.events) {
			e := t.events[t.seen[kind]]
			t.seen[kind]++
			if e.kind == kind && fits(e.data) {
				t.mu.Unlock()
				return
			}
		}
		t.mu.Unlock()
	}
	t.h.t.Fatalf("%s: nothing says %s", t.name, what)
}

// hall waits until the stream says that a part is away, or that none is.
func (t *tap) hall(part string) {
	t.h.t.Helper()
	t.wait("hall", "that the hall is without: "+part, func(data string) bool {
		var n api.HallNews
		return json.Unmarshal([]byte(data), &n) == nil && n.Away == part
	})
}

// seat waits for a state of the seat.
func (t *tap) seat(what string, fits func(*bus.SeatState) bool) (s bus.SeatState) {
	t.h.t.Helper()
	t.wait("seat", "that the seat "+what, func(data string) bool {
		s = bus.SeatState{}
		return json.Unmarshal([]byte(data), &s) == nil && fits(&s)
	})
	return s
}
