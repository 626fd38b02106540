package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/hall/api"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/play"
	"kibitz/hall/store"
)

// breakable is a store that can be told not to answer, or to have no space.
type breakable struct {
	store.Store
	hangs, full atomic.Bool
	late        atomic.Int64 // how long everything takes
}

func (b *breakable) state(ctx context.Context, writes bool) error {
	time.Sleep(time.Duration(b.late.Load()))
	switch {
	case b.hangs.Load():
		<-ctx.Done()
		return ctx.Err()
	case b.full.Load() && writes:
		return store.ErrFull
	}
	return nil
}

func (b *breakable) Check(ctx context.Context, deep bool) error {
	if err := b.state(ctx, true); err != nil {
		return err
	}
	return b.Store.Check(ctx, deep)
}

func (b *breakable) View(ctx context.Context, fn func(store.Tx) error) error {
	if err := b.state(ctx, false); err != nil {
		return err
	}
	return b.Store.View(ctx, fn)
}

func (b *breakable) Update(ctx context.Context, fn func(store.Tx) error) error {
	if err := b.state(ctx, true); err != nil {
		return err
	}
	return b.Store.Update(ctx, fn)
}

// awayHouse is a house whose database can be broken. Its monitor is run by the test, once all is there
// that it needs: from then on what a busy machine does late may be taken for a fault.
func awayHouse(t *testing.T) (*house, *breakable, *health.Monitor) {
	t.Helper()
	b := &breakable{}
	var m *health.Monitor
	h := newHouse(t, build{change: func(c *Config) {
		b.Store = c.Store
		m = health.New(health.Config{Parts: []health.Part{health.DatabasePart(b)}, Now: time.Now, Log: c.Log})
		c.Store, c.Health = health.Guard(b, m), m
	}})
	return h, b, m
}

// fetch asks as a browser or as a program, and returns how long that took.
func (h *house) fetch(t *testing.T, method, path, accept string) (res answered, text string, took time.Duration) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, h.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	began := time.Now()
	got, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Error(err)
	}
	return answered{got.StatusCode, got.Header.Get("Retry-After")}, string(data), time.Since(began)
}

// answered is how a request was answered, but for the text.
type answered struct {
	status int
	again  string
}

// soon is far below the time of a request, and above what a busy machine stands still.
const soon = 20 * time.Second

// TestAway lets the database hang: no request waits for as long as it may, people read that
// the hall is back in a moment on a page that renews itself, programs get 503 with
// Retry-After and the reason, /readyz says so; and all is well again soon after.
func TestAway(t *testing.T) {
	h, b, m := awayHouse(t)
	h.background(m.Run)
	pages := []struct{ method, path, accept, want string }{
		{"GET", "/", "text/html", `<meta http-equiv="refresh"`},
		{"GET", "/games", "text/html", "Back in about 10 s"},
		{"POST", "/guest", "text/html", "Go back and send it again"},
		{"GET", "/api/v1/rooms", "application/json", "urn:kibitz:problem:away"},
		{"POST", "/api/v1/account/guest", "application/json", "the database does not answer"},
	}
	h.fetch(t, "GET", "/", "text/html")
	b.hangs.Store(true)
	for _, p := range pages {
		res, text, took := h.fetch(t, p.method, p.path, p.accept)
		if res.status != http.StatusServiceUnavailable || res.again == "" || !strings.Contains(text, p.want) {
			t.Errorf("%s %s: %d, Retry-After %q, want %q in:\n%s", p.method, p.path, res.status, res.again, p.want, text)
		}
		if took > soon {
			t.Errorf("%s %s: %s", p.method, p.path, took)
		}
	}
	if res, text, took := h.fetch(t, "GET", "/readyz", ""); res.status != http.StatusServiceUnavailable || !strings.Contains(text, "the database does not answer") || took > soon {
		t.Errorf("readyz: %d %q after %s", res.status, text, took)
	}
	b.hangs.Store(false)
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if res, _, _ := h.fetch(t, "GET", "/readyz", ""); res.status == 200 {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal("the hall does not come back")
		}
	}
	if res, _, _ := h.fetch(t, "POST", "/api/v1/account/guest", "application/json"); res.status != 201 && res.status != 200 {
		t.Errorf("afterwards: %d", res.status)
	}
}

// TestAwayTold tells those who look at a game, by stream and by websocket, that the hall
// cannot take moves, and that it can again.
func TestAwayTold(t *testing.T) {
	h, b, m := awayHouse(t)
	ann, bob := h.register("ann"), h.register("bob")
	room, id := h.pair(ann, bob, map[string]any{"game": "othello"})
	l, status := h.dialLive(bob, roomsPath+"/"+room+"/live", nil)
	if l == nil {
		t.Fatalf("no websocket: %d", status)
	}
	var mu sync.Mutex
	var live []string
	h.background(func(ctx context.Context) {
		for {
			_, data, err := l.conn.Read(ctx)
			if err != nil {
				return
			}
			var n api.LiveNews
			if json.Unmarshal(data, &n) == nil && n.Hall != nil {
				mu.Lock()
				live = append(live, n.Hall.Away)
				mu.Unlock()
			}
		}
	})
	stream := h.tap(ann, "/api/v1/games/"+id+"/events", "")
	stream.any()
	h.background(m.Run)
	streamed := func() (said []string) {
		stream.mu.Lock()
		defer stream.mu.Unlock()
		for _, e := range stream.events {
			if e.kind == "hall" {
				said = append(said, e.data)
			}
		}
		return said
	}
	// both waits until it is the last word of both, and returns all that they have said: a machine
	// that stands still may be told of once more.
	both := func(away string) (socket, stream []string) {
		t.Helper()
		for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(20 * time.Millisecond) {
			mu.Lock()
			socket = slices.Clone(live)
			mu.Unlock()
			stream = streamed()
			if len(socket) > 0 && len(stream) > 0 && socket[len(socket)-1] == away && strings.HasPrefix(stream[len(stream)-1], `{"away":"`+away+`"`) {
				return socket, stream
			}
		}
		t.Fatalf("the websocket says %q and the stream %q, want %q at last", socket, stream, away)
		return nil, nil
	}
	b.full.Store(true)
	both("database")
	b.full.Store(false)
	socket, said := both("")
	for i, away := range socket {
		if away != []string{"database", ""}[i%2] {
			t.Errorf("the websocket says %q", socket)
		}
	}
	for i, x := range said {
		if i%2 == 0 && !strings.Contains(x, `"away":"database","since":`) || i%2 == 1 && x != `{"away":""}` {
			t.Errorf("the stream says %q", said)
		}
	}
}

// timed tells how long the hall had what it passes on.
type timed struct {
	LiveBus
	had chan time.Duration
	// none lets nobody be there.
	none *atomic.Bool
}

func (b timed) AskSeatInput(ctx context.Context, in bus.SeatInput) (bus.Reply, error) {
	if in.Prompt > 0 {
		passed := in.Passed
		in.Passed = func() time.Duration {
			d := passed()
			select {
			case b.had <- d:
			default: // it is asked again
			}
			return d
		}
	}
	if b.none.Load() {
		return bus.Reply{}, bus.ErrNobody
	}
	return b.LiveBus.AskSeatInput(ctx, in)
}

// TestHallsTime gives what the hall needs for a move, from the moment in which it has come, with
// the move: the person who made it is not charged for it. That it was refused in vain, while a
// part of the hall did not do what it should, counts too when it comes again.
func TestHallsTime(t *testing.T) {
	b, had, none := &breakable{}, make(chan time.Duration, 1), &atomic.Bool{}
	var m *health.Monitor
	h := newHouse(t, build{change: func(c *Config) {
		b.Store = c.Store
		m = health.New(health.Config{Parts: []health.Part{health.DatabasePart(b)}, Now: time.Now, Log: c.Log})
		c.Store, c.Health = b, m
		c.Live.Bus = timed{c.Live.Bus, had, none}
	}})
	ann, bob := h.register("ann"), h.register("bob")
	_, id := h.pair(ann, bob, map[string]any{"game": "othello"})
	s := h.tap(ann, "/api/v1/games/"+id+"/events", "").seat("is asked", func(s *bus.SeatState) bool { return s.Prompt > 0 })
	const each = 200 * time.Millisecond
	move := map[string]any{"prompt": s.Prompt, "steps": s.Legal[:1]}
	_ = m.Failed(health.Database, errors.New("it answers late"))
	none.Store(true)
	came := time.Now()
	ann.once("POST", "/api/v1/games/"+id+"/moves", move).want(http.StatusServiceUnavailable)
	none.Store(false)
	time.Sleep(time.Second)
	b.late.Store(int64(each))
	ann.heard("/api/v1/games/"+id+"/moves", move)
	if d := <-had; d < time.Second+2*each || d > time.Since(came) { // who asks, and what game it is
		t.Errorf("the hall had it for %s", d)
	}
}

// TestAwayFull lets the database have no space: what is read is there, and what would be
// written is refused at once with the reason.
func TestAwayFull(t *testing.T) {
	h, b, m := awayHouse(t)
	h.background(m.Run)
	b.full.Store(true)
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		res, text, _ := h.fetch(t, "GET", "/readyz", "")
		if res.status == http.StatusServiceUnavailable && strings.Contains(text, "make space on the disk of the database") {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("readyz: %d %q", res.status, text)
		}
	}
	if res, _, _ := h.fetch(t, "GET", "/", "text/html"); res.status != 200 {
		t.Errorf("a page: %d", res.status)
	}
	if res, text, took := h.fetch(t, "POST", "/api/v1/account/guest", "application/json"); res.status != http.StatusServiceUnavailable || !strings.Contains(text, "its disk is full") || !strings.Contains(text, `"said":"The hall is busy. Try again in a moment."`) || took > soon {
		t.Errorf("a guest: %d after %s: %s", res.status, took, text)
	}
	ctx, cancel, err := m.During(t.Context(), health.Database)
	defer cancel()
	if !errors.Is(err, health.ErrAway) || ctx == nil {
		t.Error(err)
	}
}

// TestUnlistedProxy says once that people share the address of a proxy, and nothing where
// the proxy is listed or there is none.
func TestUnlistedProxy(t *testing.T) {
	for name, c := range map[string]struct {
		listed bool
		head   string
		lines  int
	}{"unlisted": {false, "X-Forwarded-For", 1}, "listed": {true, "X-Forwarded-For", 0}, "none": {false, "X-Other", 0}, "real": {false, "X-Real-Ip", 1}} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(cfg *Config) {
				if c.listed {
					cfg.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
				}
			})
			for range 3 {
				r := httptest.NewRequest(http.MethodGet, "/healthz", nil)
				r.RemoteAddr = "192.0.2.1:1234"
				r.Header.Set(c.head, "198.51.100.7")
				s.hall.router.Handler().ServeHTTP(httptest.NewRecorder(), r)
			}
			if n := strings.Count(s.log.String(), "proxy that is not listed"); n != c.lines {
				t.Errorf("%d lines, want %d", n, c.lines)
			}
		})
	}
}

// TestReconnected asks anew, when the connection to the bus is there again, for what was
// told to a person's seat while nothing came through.
func TestReconnected(t *testing.T) {
	h := newHouse(t, build{})
	ann, bob := h.register("ann"), h.register("bob")
	_, id := h.pair(ann, bob, map[string]any{"game": "othello"})
	stream := h.tap(ann, "/api/v1/games/"+id+"/events", "")
	seats := func() (n int) {
		stream.mu.Lock()
		defer stream.mu.Unlock()
		for _, e := range stream.events {
			if e.kind == "seat" {
				n++
			}
		}
		return n
	}
	more := func(than int, within time.Duration) bool {
		for began := time.Now(); time.Since(began) < within; time.Sleep(10 * time.Millisecond) {
			if seats() > than {
				return true
			}
		}
		return false
	}
	if !more(0, 2*time.Minute) {
		t.Fatal("nothing is asked of the seat")
	}
	time.Sleep(100 * time.Millisecond) // what belongs to the beginning has come
	was := seats()
	h.hall.Reconnected()
	if !more(was, play.Heartbeat*2/3) { // before whoever is there gives the next sign
		t.Error("the state of the seat is not told again")
	}
}
