package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/syncbuf"
	"kibitz/record"
	"kibitz/record/replay/verify"
)

// testHall is a hall that runs in the test, and a guest in it.
type testHall struct {
	t      *testing.T
	url    string
	client *http.Client
	stderr *syncbuf.Buffer
	// stop interrupts the hall and returns its exit status.
	stop func() int
}

var (
	listening     = regexp.MustCompile(`(?m)^listening on (http://\S+)$`)
	firstPassword = regexp.MustCompile(`the account admin has the password (\S+);`)
)

// beginLimit is how long a hall or a worker may take to begin, on a machine with much else to do.
const beginLimit = 3 * time.Minute

// openHall runs kibitz serve on a folder, with more flags.
func openHall(t *testing.T, dir string, flags ...string) *testHall {
	t.Helper()
	drain := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	var out, errs syncbuf.Buffer
	a := newApp()
	a.stdout, a.stderr, a.drain, a.ctx = &out, &errs, drain, ctx
	ended := make(chan int, 1)
	go func() {
		ended <- executeFull(a, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dir, "--slots", "2"}, flags...))
	}()
	h := &testHall{t: t, stderr: &errs}
	h.stop = sync.OnceValue(func() int {
		close(drain)
		defer cancel()
		select {
		case status := <-ended:
			return status
		case <-time.After(2 * time.Minute):
			t.Errorf("the hall does not end:\n%s", errs.String())
			return -1
		}
	})
	t.Cleanup(func() { h.stop() })
	for end := time.Now().Add(beginLimit); h.url == "" && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if m := listening.FindStringSubmatch(out.String()); m != nil {
			h.url = m[1]
		}
	}
	if h.url == "" {
		t.Fatalf("the hall does not listen:\n%s", errs.String())
	}
	h.enter()
	return h
}

// enter makes the client another guest.
func (h *testHall) enter() {
	h.t.Helper()
	h.client = newClient(h.t)
	h.ask("POST", "/api/v1/account/guest", map[string]any{}, nil)
}

// newClient is a client of halls whom none of them knows.
func newClient(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: patient{http.DefaultTransport.(*http.Transport)}}
}

// patient asks a hall again that cannot take a request now (503), or has had too many of them
// (429), as its API wants.
type patient struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (p patient) RoundTrip(r *http.Request) (*http.Response, error) {
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Second) {
		once := r.Clone(r.Context())
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return nil, err
			}
			once.Body = body
		}
		res, err := p.Transport.RoundTrip(once)
		if err != nil || time.Now().After(end) ||
			res.StatusCode != http.StatusServiceUnavailable && res.StatusCode != http.StatusTooManyRequests {
			return res, err
		}
		res.Body.Close()
	}
}

// ask sends a request that must succeed, and reads the answer into out.
func (h *testHall) ask(method, path string, in, out any) {
	h.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		h.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := h.client.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || res.StatusCode >= 300 {
		h.t.Fatalf("%s %s: %s, %v\n%s\n%s", method, path, res.Status, err, data, h.stderr.String())
	}
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil {
			h.t.Fatalf("%s %s: %v\n%s", method, path, err, data)
		}
	}
}

// hallRoom is what the tests read of a room.
type hallRoom struct {
	ID   string `json:"id"`
	Room struct {
		Phase  string `json:"phase"`
		Played int    `json:"played"`
		Places [2]struct {
			Kind  string `json:"kind"`
			Name  string `json:"name"`
			Ready bool   `json:"ready"`
		} `json:"places"`
		Game *struct {
			ID    string `json:"id"`
			First int    `json:"first"`
		} `json:"game"`
		Last *struct {
			ID string `json:"id"`
		} `json:"last"`
	} `json:"room"`
}

// room opens a room and gives it commands.
func (h *testHall) room(settings map[string]any, commands ...map[string]any) string {
	h.t.Helper()
	return h.roomFrom("", settings, commands...)
}

// roomFrom is room for games from a kept position.
func (h *testHall) roomFrom(saved string, settings map[string]any, commands ...map[string]any) string {
	h.t.Helper()
	var r hallRoom
	h.ask("POST", "/api/v1/rooms", map[string]any{"settings": settings, "saved": saved}, &r)
	for _, c := range commands {
		h.ask("POST", "/api/v1/rooms/"+r.ID+"/commands", c, nil)
	}
	return r.ID
}

// await looks at a room until it is as wanted, less often than a hall allows an address.
func (h *testHall) await(id string, want func(*hallRoom) bool) hallRoom {
	h.t.Helper()
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var r hallRoom
		h.ask("GET", "/api/v1/rooms/"+id, nil, &r)
		if want(&r) {
			return r
		}
	}
	h.t.Fatalf("the room does not come to what is wanted:\n%s", h.stderr.String())
	return hallRoom{}
}

type hallGames struct {
	Games []struct {
		ID     string      `json:"id"`
		State  string      `json:"state"`
		Plies  int         `json:"plies"`
		Result *gameResult `json:"result"`
	} `json:"games"`
}

type gameResult struct {
	Points [2]float64  `json:"points"`
	Reason game.Reason `json:"reason"`
}

// TestServe plays a series between built-in engines in a room, reads the records back,
// and finds everything again after the hall was closed and opened.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "hall")
	h := openHall(t, dir)
	if !strings.Contains(h.stderr.String(), "the account admin has the password ") {
		t.Errorf("the first start does not tell the password of admin:\n%s", h.stderr.String())
	}
	id := h.room(map[string]any{"game": "othello", "clocks": []string{"30+1", "30+1"}, "games": 2, "pause": 0},
		map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
		map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=2"},
		map[string]any{"do": "start"})
	h.await(id, func(r *hallRoom) bool { return r.Room.Played == 2 && r.Room.Phase == "done" })
	var list hallGames
	h.ask("GET", "/api/v1/games?room="+id, nil, &list)
	if len(list.Games) != 2 {
		t.Fatalf("the room has %d games, want 2: %+v", len(list.Games), list)
	}
	for _, g := range list.Games {
		if g.State != "over" || g.Plies < 9 || g.Result == nil || g.Result.Points[0]+g.Result.Points[1] != 1 {
			t.Errorf("game %+v is not one that was played to its end", g)
		}
		h.checkRecord(g.ID, g.Plies)
	}
	password := regexp.MustCompile(`password (\S+);`).FindStringSubmatch(h.stderr.String())
	if status := h.stop(); status != 0 {
		t.Fatalf("the hall ends with status %d:\n%s", status, h.stderr.String())
	}
	if log := h.stderr.String(); len(password) == 2 && strings.Count(log, password[1]) != 1 {
		t.Error("the password of admin is told more than once")
	}
	again := openHall(t, dir)
	var after hallGames
	again.ask("GET", "/api/v1/games?room="+id, nil, &after)
	if fmt.Sprint(after.Games[0].ID, after.Games[1].ID) != fmt.Sprint(list.Games[0].ID, list.Games[1].ID) {
		t.Errorf("after a start there are the games %+v, before there were %+v", after, list)
	}
	if strings.Contains(again.stderr.String(), "password") {
		t.Errorf("the second start tells a password:\n%s", again.stderr.String())
	}
}

// record reads the record of a game.
func (h *testHall) record(id string) *record.Game {
	h.t.Helper()
	var data json.RawMessage
	h.ask("GET", "/api/v1/games/"+id+"/record", nil, &data)
	list, err := records().ReadNative(data)
	if err != nil || len(list) != 1 {
		h.t.Fatalf("the record of %s: %d games, %v", id, len(list), err)
	}
	return list[0]
}

// checkRecord reads the record of a game in two formats, and its last position.
func (h *testHall) checkRecord(id string, plies int) {
	h.t.Helper()
	get := func(path string) string {
		res, err := h.client.Get(h.url + path)
		if err != nil {
			h.t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			h.t.Fatalf("%s: %s, %v: %s", path, res.Status, err, data)
		}
		return string(data)
	}
	list, err := records().ReadNative([]byte(get("/api/v1/games/" + id + "/record")))
	if err != nil || len(list) != 1 {
		h.t.Fatalf("the record of %s: %d games, %v", id, len(list), err)
	}
	if v, _ := verify.Replay(list[0], games.OpenSpec); !v.Legal {
		h.t.Errorf("the record of %s: %+v", id, v)
	}
	if text := get("/api/v1/games/" + id + "/record?format=ggf"); !strings.HasPrefix(text, "(;GM[Othello]") {
		h.t.Errorf("as GGF the record of %s is %q", id, text)
	}
	if text := get(fmt.Sprintf("/api/v1/games/%s/view?ply=%d", id, plies)); !strings.Contains(text, `"pieces"`) {
		h.t.Errorf("the last position of %s is %q", id, text)
	}
}

// TestServePerson has a guest play a game of Othello against a built-in engine by what
// the hall says of legal moves.
func TestServePerson(t *testing.T) {
	t.Parallel()
	h := openHall(t, filepath.Join(t.TempDir(), "hall"))
	id := h.room(map[string]any{"game": "othello", "clocks": []string{"60+5", "60+5"}},
		map[string]any{"do": "sit", "place": 0, "kind": "person"},
		map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"},
		map[string]any{"do": "ready"},
		map[string]any{"do": "start"})
	r := h.await(id, func(r *hallRoom) bool { return r.Room.Game != nil })
	moves, asked := 0, 0
	for next := h.follow(r.Room.Game.ID); ; {
		var line struct {
			Event string `json:"event"`
			Data  struct {
				Prompt int      `json:"prompt"`
				Legal  []string `json:"legal"`
				Over   bool     `json:"over"`
			} `json:"data"`
		}
		text, more := next()
		if !more { // the game is over
			break
		}
		if len(text) == 0 { // a sign of life
			continue
		}
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if line.Event != "seat" {
			continue
		}
		if line.Data.Over {
			break
		}
		if line.Data.Prompt <= asked {
			continue
		}
		asked = line.Data.Prompt
		if len(line.Data.Legal) == 0 {
			t.Fatalf("asked without a legal move: %s", text)
		}
		move := map[string]any{"prompt": asked, "steps": line.Data.Legal[:1]}
		h.ask("POST", "/api/v1/games/"+r.Room.Game.ID+"/moves", move, nil)
		moves++
	}
	done := h.await(id, func(r *hallRoom) bool { return r.Room.Played == 1 })
	var list hallGames
	h.ask("GET", "/api/v1/games?room="+id, nil, &list)
	if len(list.Games) != 1 || list.Games[0].ID != done.Room.Last.ID || list.Games[0].State != "over" || moves < 5 {
		t.Fatalf("after %d moves of the guest the games are %+v", moves, list)
	}
	h.checkRecord(list.Games[0].ID, list.Games[0].Plies)
}

// follow reads the lines of a running game, which end when it is over.
func (h *testHall) follow(id string) (next func() (line []byte, more bool)) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.url+"/api/v1/games/"+id+"/events", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Accept", "application/x-ndjson")
	res, err := h.client.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return func() ([]byte, bool) {
		more := lines.Scan()
		if err := lines.Err(); err != nil {
			h.t.Fatalf("the stream of game %s: %v\n%s", id, err, h.stderr.String())
		}
		return lines.Bytes(), more
	}
}
