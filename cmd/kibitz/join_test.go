package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/internal/syncbuf"
)

// cable leads to a hall over TCP, and breaks once.
type cable struct {
	listener net.Listener
	to       string
	once     sync.Once
	wg       sync.WaitGroup
}

// cutAfter is how much of what a hall says passes through one connection before the
// cable breaks, in bytes: a good deal less than a game of Othello takes, and more than
// the requests before it.
const cutAfter = 15_000

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{listener: l, to: to}
	ctx, cancel := context.WithCancel(context.Background())
	c.wg.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", c.to)
			if err != nil {
				near.Close()
				continue
			}
			stop := context.AfterFunc(ctx, func() { near.Close(); far.Close() })
			c.wg.Go(func() {
				defer stop()
				c.carry(near, far)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		cancel()
		c.wg.Wait()
	})
	return c
}

// carry passes on what either end says until one goes, or the cable breaks.
func (c *cable) carry(near, far net.Conn) {
	var wg sync.WaitGroup
	wg.Go(func() {
		_, _ = io.Copy(far, near) // until one of them goes
		far.Close()
	})
	if n, _ := io.CopyN(near, far, cutAfter); n == cutAfter {
		broken := false
		c.once.Do(func() { broken = true })
		if !broken {
			_, _ = io.Copy(near, far)
		}
	}
	near.Close()
	far.Close()
	wg.Wait()
}

// joined runs kibitz join; stop interrupts it and returns its status.
func joined(t *testing.T, args ...string) (errs *syncbuf.Buffer, stop func() int, ended <-chan int) {
	t.Helper()
	drain := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	errs = &syncbuf.Buffer{}
	a := newApp()
	a.stdout, a.stderr, a.drain, a.ctx = &syncbuf.Buffer{}, errs, drain, ctx
	out := make(chan int, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		out <- executeFull(a, append([]string{"join"}, args...))
	}()
	t.Cleanup(func() { cancel(); <-done })
	return errs, func() int { close(drain); return <-out }, out
}

// An engine elsewhere plays two games by the rules, although its connection is cut in
// the midst of the first one.
func TestJoin(t *testing.T) {
	t.Parallel()
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	id := h.room(map[string]any{"game": "othello", "clocks": []string{"60+1", "60+1"}, "games": 2, "pause": 0, "lines": true},
		map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=2"})
	wire := newCable(t, strings.TrimPrefix(h.url, "http://"))
	errs, _, ended := joined(t, "http://"+wire.listener.Addr().String(), "--room", id, "--engine", "bot=2 name=far", "--games", "2")
	type place struct {
		Name  string `json:"name"`
		Ready bool   `json:"ready"`
	}
	var places struct {
		Room struct {
			Places [2]place `json:"places"`
		} `json:"room"`
	}
	for range 3000 {
		h.ask("GET", "/api/v1/rooms/"+id, nil, &places)
		if places.Room.Places[1].Ready {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if p := places.Room.Places[1]; !p.Ready || !strings.HasPrefix(p.Name, "far (") {
		t.Fatalf("the place is %+v:\n%s\n%s", p, errs, h.stderr)
	}
	h.ask("POST", "/api/v1/rooms/"+id+"/commands", map[string]any{"do": "start"}, nil)
	select {
	case status := <-ended:
		if status != 0 {
			t.Errorf("the engine leaves with status %d", status)
		}
	case <-time.After(3 * time.Minute):
		t.Error("the engine does not leave after two games")
	}
	for _, part := range []string{"kibitz: joined room " + id, " begins: othello, second seat\n", " begins: othello, first seat\n", "the connection is lost (", "connected again\n"} {
		if !strings.Contains(errs.String(), part) {
			t.Errorf("it did not say %q:\n%s", part, errs)
		}
	}
	if before, _, _ := strings.Cut(errs.String(), " is over"); !strings.Contains(before, "connected again\n") {
		t.Errorf("the connection did not break in the first game:\n%s", errs)
	}
	if n := strings.Count(errs.String(), "; transmission error at most "); n != 2 {
		t.Errorf("it told %d transmission errors:\n%s", n, errs)
	}
	if n := strings.Count(errs.String(), "; score "); n != 2 {
		t.Errorf("it told %d results:\n%s", n, errs)
	}
	t.Logf("%s", errs)
	var list hallGames
	h.ask("GET", "/api/v1/games?room="+id, nil, &list)
	if len(list.Games) != 2 {
		t.Fatalf("the room has %+v", list)
	}
	for _, g := range list.Games {
		if g.State != "over" || g.Plies < 9 || g.Result == nil || g.Result.Points[0]+g.Result.Points[1] != 1 || !slices.Contains([]game.Reason{"full", "blocked", "wipeout"}, g.Result.Reason) {
			t.Errorf("game %+v was not played to its end by the rules: %+v", g, g.Result)
		}
		h.checkRecord(g.ID, g.Plies)
		for _, seat := range []string{"0", "1"} { // the joined engine has the one or the other
			var console struct{ Lines []struct{ Mark, Text string } }
			h.ask("GET", "/api/v1/games/"+g.ID+"/consoles/"+seat, nil, &console)
			told := strings.Builder{}
			for _, l := range console.Lines {
				told.WriteString(l.Mark + " " + l.Text + "\n")
			}
			if text := told.String(); !strings.Contains(text, "< move ") || !strings.Contains(text, "> moved ") || !strings.Contains(text, "< depth ") {
				t.Errorf("the console of seat %s has %.200s", seat, text)
			}
		}
	}
}

// An engine that waits leaves when it is interrupted, and when the room is closed.
func TestJoinLeaves(t *testing.T) {
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	id := h.room(map[string]any{"game": "othello"})
	said := func(errs *syncbuf.Buffer, text string) {
		for range 6000 {
			if strings.Contains(errs.String(), text) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("it did not say %q:\n%s", text, errs)
	}
	errs, stop, _ := joined(t, h.url, "--room", id, "--engine", "bot=1")
	said(errs, "place 0\n")
	if status := stop(); status != 0 {
		t.Errorf("interrupted it ends with status %d:\n%s", status, errs)
	}
	errs, _, ended := joined(t, h.url+"/", "--room", id, "--engine", "bot=1")
	said(errs, "place 0\n") // the first one gave it back
	h.ask("POST", "/api/v1/rooms/"+id+"/commands", map[string]any{"do": "close"}, nil)
	if status := <-ended; status != 0 || !strings.Contains(errs.String(), "the room is closed\n") {
		t.Errorf("when the room is closed it ends with status %d:\n%s", status, errs)
	}
}

// What is wrong is said in one line.
func TestJoinErrors(t *testing.T) {
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	id := h.room(map[string]any{"game": "othello"}, map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"})
	rated := h.room(map[string]any{"game": "othello", "access": "private"})
	full := h.room(map[string]any{"game": "othello"}, map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
		map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"})
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Minute}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = plain.Serve(l) }()
	defer plain.Close()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{h.url, "--room", "nowhere", "--engine", "bot=1"}, "--room nowhere: there is no such room in http"},
		{[]string{h.url, "--room", rated, "--engine", "bot=1"}, "the room is open to those who are invited"},
		{[]string{h.url, "--room", h.url + "/rooms/" + rated, "--engine", "bot=1"}, "the room is open to those who are invited"},
		{[]string{h.url, "--room", rated, "--engine", "bot=1", "--code", "wrong"}, "the room is open to those who are invited"},
		{[]string{h.url, "--room", id, "--engine", "bot=1", "--place", "0"}, "the first place is taken by Level 1"},
		{[]string{h.url, "--room", full, "--engine", "bot=1"}, "both places are taken, by Level 1 and Level 1"},
		{[]string{h.url, "--room", id, "--engine", "bot=1", "--place", "2"}, "--place 2: there are 0 and 1"},
		{[]string{h.url, "--room", id, "--engine", "bot=1 st=1"}, "the room has the clock"},
		{[]string{h.url, "--room", id, "--engine", "bot=1", "--token-file", token}, "token"},
		{[]string{h.url, "--room", id, "--engine", "bot=1", "--token-file", token + "s"}, "--token-file: open "},
		{[]string{"localhost:8080", "--room", id, "--engine", "bot=1"}, "is no address of a hall: write one such as"},
		{[]string{"http://" + l.Addr().String(), "--room", id, "--engine", "bot=1"}, "is that a hall of Kibitz?"},
		{[]string{"http://127.0.0.1:1", "--room", id, "--engine", "bot=1"}, "connect"},
	} {
		errs, _, ended := joined(t, tt.args...)
		if status := <-ended; status != 2 || !strings.Contains(errs.String(), tt.want) || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: status %d, want %q:\n%s", tt.args, status, tt.want, errs)
		}
	}
}

// meeting passes requests on to a hall, and lets none into a room before as many have
// looked at it as are to meet there.
type meeting struct {
	http.Handler
	inside sync.WaitGroup
}

func newMeeting(t *testing.T, hall string, n int) string {
	t.Helper()
	to, err := url.Parse(hall)
	if err != nil {
		t.Fatal(err)
	}
	m := &meeting{Handler: httputil.NewSingleHostReverseProxy(to)}
	m.inside.Add(n)
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL
}

func (m *meeting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if !bytes.Contains(body, []byte(`"enter"`)) {
		m.Handler.ServeHTTP(w, r)
		return
	}
	seen := httptest.NewRecorder()
	m.Handler.ServeHTTP(seen, r)
	m.inside.Done()
	m.inside.Wait()
	maps.Copy(w.Header(), seen.Header())
	w.WriteHeader(seen.Code)
	_, _ = w.Write(seen.Body.Bytes()) // who has gone hears nothing
}

// Engines that see the same place free at the same time each get one, as long as there are
// any.
func TestJoinAtOnce(t *testing.T) {
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	id := h.room(map[string]any{"game": "othello"})
	const n = 3
	at := newMeeting(t, h.url, n)
	var said [n]*syncbuf.Buffer
	ends := make(chan int, n)
	for i := range said {
		errs, _, ended := joined(t, at, "--room", id, "--engine", "bot=1")
		said[i] = errs
		go func() { ends <- <-ended }()
	}
	if status := <-ends; status != 2 {
		t.Errorf("the one that is too many ends with status %d", status)
	}
	h.await(id, func(r *hallRoom) bool { return r.Room.Places[0].Kind == "remote" && r.Room.Places[1].Kind == "remote" })
	// The hall knows of a place before the one who has it has said so.
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		counts := map[string]int{}
		for _, errs := range said {
			for _, text := range []string{"place 0\n", "place 1\n", "both places are taken, by "} {
				if strings.Contains(errs.String(), text) {
					counts[text]++
				}
			}
		}
		if counts["place 0\n"] == 1 && counts["place 1\n"] == 1 && counts["both places are taken, by "] == 1 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("they said\n%s\n%s\n%s", said[0], said[1], said[2])
		}
	}
}

// Of two programs of one account the later one has the place, under its own name, and the earlier one does
// not give it back.
func TestJoinTwice(t *testing.T) {
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	h.client = newClient(t)
	h.ask("POST", "/api/v1/account/register", map[string]any{"name": "ann", "password": "a long enough password"}, nil)
	var made struct{ Token string }
	h.ask("POST", "/api/v1/account/tokens", map[string]any{"name": "engines"}, &made)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(made.Token), 0o600); err != nil {
		t.Fatal(err)
	}
	id := h.room(map[string]any{"game": "othello"})
	ready := func(r *hallRoom) bool { return r.Room.Places[0].Kind == "remote" && r.Room.Places[0].Ready }
	_, _, first := joined(t, h.url, "--room", id, "--engine", "bot=1 name=early", "--token-file", token)
	h.await(id, ready)
	errs, stop, second := joined(t, h.url, "--room", id, "--engine", "bot=1 name=late", "--token-file", token)
	if status := <-first; status != 2 {
		t.Errorf("the earlier one ends with status %d", status)
	}
	other, _, third := joined(t, h.url, "--room", id, "--engine", "bot=1", "--place", "1", "--token-file", token)
	h.await(id, func(r *hallRoom) bool {
		return ready(r) && r.Room.Places[0].Name == "late (ann)" && r.Room.Places[1].Kind == "remote" && r.Room.Places[1].Ready
	})
	select {
	case status := <-second:
		t.Errorf("the later one leaves with status %d:\n%s", status, errs)
	case status := <-third:
		t.Errorf("the one in the other place leaves with status %d:\n%s", status, other)
	default:
	}
	if status := stop(); status != 0 {
		t.Errorf("it ends with status %d:\n%s", status, errs)
	}
}

// An engine that fails is told with what it said last, its conversation is kept, and the
// status is 1.
func TestJoinFails(t *testing.T) {
	t.Parallel()
	fault := faultProgram(t)
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	id := h.room(map[string]any{"game": "othello", "clocks": []string{"60+1", "60+1"}, "games": 1, "pause": 0},
		map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"})
	log := filepath.Join(t.TempDir(), "join.log")
	errs, _, ended := joined(t, h.url, "--room", id, "--games", "1", "--log", log,
		"--engine", "name=far cmd='"+fault+" -proto nboard -mode panic -at 2'")
	var room struct {
		Room struct {
			Places [2]struct {
				Ready bool `json:"ready"`
			} `json:"places"`
		} `json:"room"`
	}
	for range 3000 {
		h.ask("GET", "/api/v1/rooms/"+id, nil, &room)
		if room.Room.Places[1].Ready {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	h.ask("POST", "/api/v1/rooms/"+id+"/commands", map[string]any{"do": "start"}, nil)
	select {
	case status := <-ended:
		if status != 1 {
			t.Errorf("it ends with status %d", status)
		}
	case <-time.After(3 * time.Minute):
		t.Error("it does not end")
	}
	for _, part := range []string{"far: exit status 2\n", "far failed in 1 game: " + log} {
		if !strings.Contains(errs.String(), part) {
			t.Errorf("it did not say %q:\n%s", part, errs)
		}
	}
	text, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(text), " > nboard 2\n") || !strings.Contains(string(text), " ! ") {
		t.Errorf("the log has %q, %v", text, err)
	}
}
