package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// over waits for the end of a stream.
func (t *tap) over() {
	t.h.t.Helper()
	limit := time.After(2 * time.Minute)
	for {
		t.mu.Lock()
		news, ended := t.news, t.ended
		t.mu.Unlock()
		if ended {
			return
		}
		select {
		case <-news:
		case <-limit:
			t.h.t.Fatalf("%s does not end", t.name)
		}
	}
}

// A stream ends with the session or the token by which it was opened, and when the
// account may do something else than before; those of others go on.
func TestStreamsEndWithTheSession(t *testing.T) {
	h := newHouse(t, build{change: func(c *Config) { c.KnownEvery = 10 * time.Millisecond }})
	boss := h.admin()
	anna, bert := h.register("anna"), h.register("bert")
	room, id := h.pair(anna, bert, map[string]any{"game": "othello"})
	game, rooms := "/api/v1/games/"+id+"/events", roomsPath+"/"+room+"/events"
	stays, nobody := h.tap(bert, game, ""), h.tap(h.client(), game, "")
	post := func(c *client, path string, body any) func() {
		return func() {
			if a := c.do("POST", path, body); a.status >= 300 {
				t.Fatalf("%s: %d %s", path, a.status, a.body)
			}
		}
	}
	change := func(c *client, what map[string]any) func() {
		return func() { boss.do("PATCH", fmt.Sprintf("/api/v1/admin/users/%d", c.id), what).want(200) }
	}
	user := func(name string) *client { return h.register(name) }
	out, other, reset, raised := user("loggedout"), user("elsewhere"), user("forgetful"), user("raised")
	second := h.client()
	second.do("POST", "/api/v1/account/login", map[string]string{"name": "elsewhere", "password": secret}).want(200)
	program := h.program(user("owner"))
	owner := user("keeper")
	bot := h.bot(owner, "keptbot")
	for _, tc := range []struct {
		name string
		who  *client
		end  func()
	}{
		{"logout", out, post(out, "/api/v1/account/logout", nil)},
		{"ended elsewhere", other, post(second, "/api/v1/account/end-other-sessions", nil)},
		{"password reset", reset, post(boss, fmt.Sprintf("/api/v1/admin/users/%d/reset-password", reset.id), nil)},
		{"another role", raised, change(raised, map[string]any{"role": "arbiter"})},
		{"token of a disabled account", program, change(program, map[string]any{"disabled": true})},
		{"bot of a disabled account", bot, change(owner, map[string]any{"disabled": true})},
		{"disabled", anna, change(anna, map[string]any{"disabled": true})},
	} {
		list := []*tap{h.tap(tc.who, game, ""), h.tap(tc.who, rooms, ""), h.tap(tc.who, "/api/v1/games/events?game="+id, "")}
		list[0].any()
		tc.end()
		for _, s := range list {
			s.over()
		}
	}
	for _, s := range []*tap{stays, nobody} {
		s.mu.Lock()
		if s.ended {
			t.Error("a stream of somebody else has ended too")
		}
		s.mu.Unlock()
	}
}

// Websockets end with the session or the token, too, and when the account may do
// something else than before.
func TestWebsocketsEndWithTheSession(t *testing.T) {
	h := newHouse(t, build{idle: true, change: func(c *Config) { c.KnownEvery = 10 * time.Millisecond }})
	boss := h.admin()
	for i, end := range []map[string]any{{"disabled": true}, {"role": "arbiter"}} {
		for j, where := range []string{"/seat?place=0", "/live"} {
			name := fmt.Sprintf("anna%d%d", i, j)
			by := h.register(name)
			who := by.id
			if end["role"] == nil {
				by = h.bot(by, "robot"+name)
				who = by.id
			}
			id := by.open(map[string]any{"game": "othello"})
			by.order(id, "sit", map[string]any{"place": 0, "kind": "remote", "name": "far"})
			path := roomsPath + "/" + id + where
			conn, _, err := websocket.Dial(t.Context(), h.url+path, &websocket.DialOptions{HTTPHeader: by.request("GET", path, nil).Header}) //nolint:bodyclose // the library has closed it
			if err != nil {
				t.Fatal(err)
			}
			defer conn.CloseNow()
			boss.do("PATCH", fmt.Sprintf("/api/v1/admin/users/%d", who), end).want(200)
			wait, stop := context.WithTimeout(t.Context(), time.Minute)
			for err == nil {
				_, _, err = conn.Read(wait)
			}
			if wait.Err() != nil {
				t.Errorf("%s goes on after %v", where, end)
			}
			stop()
		}
	}
}

// No page of another origin opens a websocket with the cookies of somebody, and none does
// without an account.
func TestCrossOriginWebsockets(t *testing.T) {
	h := newHouse(t, build{idle: true, change: func(c *Config) { c.Options.Origins = []string{"https://board.example"} }})
	anna := h.register("anna")
	id := anna.open(map[string]any{"game": "othello"})
	anna.order(id, "sit", map[string]any{"place": 0, "kind": "remote", "name": "far"})
	for _, path := range []string{roomsPath + "/" + id + "/seat?place=0", roomsPath + "/" + id + "/live?game=none"} {
		for _, tc := range []struct {
			origin string
			want   int
		}{
			{"", 101},
			{h.url, 101},
			{"https://board.example", 101},
			{"https://evil.example", 403},
			{"null", 403},
			{"http://board.example", 403},
			{"https://board.example.evil.example", 403},
			{"https://evilboard.example", 403},
			{"https://board.example:444", 403},
			{strings.Replace(h.url, "127.0.0.1", "localhost", 1), 403},
		} {
			head := anna.request("GET", path, nil).Header
			if tc.origin != "" {
				head.Set("Origin", tc.origin)
			}
			conn, res, err := websocket.Dial(t.Context(), h.url+path, &websocket.DialOptions{HTTPHeader: head}) //nolint:bodyclose // the library has closed it
			if res == nil || res.StatusCode != tc.want {
				t.Errorf("%s from %q: %v %v, want %d", path, tc.origin, res, err, tc.want)
			}
			if err == nil {
				_ = conn.CloseNow()
			}
		}
		// What browsers say of themselves counts as for all else, also where a proxy has another name for the hall.
		for site, want := range map[string]int{"same-origin": 101, "same-site": 403, "cross-site": 403} {
			head := anna.request("GET", path, nil).Header
			head.Set("Origin", "https://hall.example")
			head.Set("Sec-Fetch-Site", site)
			conn, res, err := websocket.Dial(t.Context(), h.url+path, &websocket.DialOptions{HTTPHeader: head}) //nolint:bodyclose // the library has closed it
			if res == nil || res.StatusCode != want {
				t.Errorf("%s from %s: %v %v, want %d", path, site, res, err, want)
			}
			if err == nil {
				_ = conn.CloseNow()
			}
		}
		_, res, _ := websocket.Dial(t.Context(), h.url+path+"&token=x", nil) //nolint:bodyclose // the library has closed it
		if res == nil || res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s by nobody: %v", path, res)
		}
	}
}

// What a room shows with a delay is shown with it everywhere: how a game ended is told to
// those who look on by no search, no count, no record and no chat before its time.
func TestDelayEverywhere(t *testing.T) {
	for _, access := range []string{"listed", "private"} {
		h := newHouse(t, build{})
		judge, eve, anna, bert := h.register("judge"), h.register("eve"), h.register("anna"), h.register("bert")
		h.setRole(h.admin(), judge, "arbiter")
		room, id := h.pairWith(anna, bert, eve, map[string]any{"game": "othello", "delay": 600, "access": access})
		anna.resign(id)
		h.ended(id)
		anna.do("POST", roomsPath+"/"+room+"/chat", map[string]string{"channel": "players", "text": "well won, bert"}).want(201)
		one := "/api/v1/games/" + id
		read := func(c *client) string {
			text := ""
			for _, path := range []string{
				one, one + "/record", one + "/view", "/api/v1/games?room=" + room, "/api/v1/games?room=" + room + "&outcome=loss", "/api/v1/games?player=bert",
				"/api/v1/games?state=over", "/api/v1/statistics?by=reason&room=" + room, "/api/v1/statistics?by=reason", "/api/v1/statistics?by=opponent&player=bert",
				roomsPath + "/" + room, roomsPath + "/" + room + "/chat", roomsPath + "/" + room + "/statistics", roomsPath,
			} {
				text += path + "\n" + c.do("GET", path, nil).body + "\n"
			}
			if c == eve {
				text += c.do("GET", "/api/v1/games/export?room="+room, nil).body
			}
			return text
		}
		told := func(text string) string {
			for _, word := range []string{`"resign`, "well won", `"loss"`, `"losses":1`, `"wins":1`, `"wins":[0,1]`, `"played":1`, `"state":"over"`} {
				if strings.Contains(text, word) {
					return word
				}
			}
			return ""
		}
		lookers := []*client{h.client(), h.guest(), eve}
		for i, c := range lookers {
			if word := told(read(c)); word != "" {
				t.Errorf("%s: reader %d is told %s before the delay is over", access, i, word)
			}
		}
		for i, c := range []*client{anna, bert, judge} {
			if text := read(c); told(text) == "" || !strings.Contains(text, `"state":"over"`) {
				t.Errorf("%s: player %d is not told: %s", access, i, text)
			}
		}
		h.later(10*time.Minute + time.Second)
		if text := read(eve); !strings.Contains(text, "well won") || !strings.Contains(text, `"state":"over"`) {
			t.Errorf("%s: eve is not told after the delay: %s", access, text)
		}
		if a := h.client().do("GET", one, nil); (a.status == 200) != (access == "listed") {
			t.Errorf("%s: after the delay everybody gets %d", access, a.status)
		}
	}
}
