package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"kibitz/games"
	"kibitz/hall/api"
	"kibitz/hall/archive"
	"kibitz/hall/live"
	"kibitz/record/formats"
)

// manyLine is a line of a stream of several games.
type manyLine struct {
	ID    string          `json:"id"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// many opens a stream of several games; next is false when it is over.
func (h *house) many(c *client, since string, games ...string) (next func() (manyLine, bool), end func()) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	path := "/api/v1/games/events?game=" + strings.Join(games, "&game=")
	req := c.request("GET", path, nil).WithContext(ctx)
	out, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+path, http.NoBody)
	if err != nil {
		h.t.Fatal(err)
	}
	out.Header = req.Header
	out.Header.Set("Accept", "application/x-ndjson")
	out.Header.Set("Last-Event-ID", since)
	res, err := http.DefaultClient.Do(out)
	if err != nil {
		h.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		h.t.Fatalf("%s: %s", path, res.Status)
	}
	h.t.Cleanup(func() { cancel(); res.Body.Close() })
	sc := bufio.NewScanner(res.Body)
	sc.Buffer(nil, 1<<20)
	return func() (l manyLine, more bool) {
		h.t.Helper()
		for sc.Scan() {
			if len(sc.Bytes()) == 0 {
				continue
			}
			if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
				h.t.Fatalf("%v in %s", err, sc.Bytes())
			}
			return l, true
		}
		return l, false
	}, func() { cancel(); res.Body.Close() }
}

// A stream of several games tells of each what its own would, goes on after a break from
// what the client has of each, and ends with the last of them.
func TestGamesEvents(t *testing.T) {
	h := newHouse(t, build{})
	ann, bob := h.register("ann"), h.register("bob")
	var ids []string
	for range 2 {
		room := ann.open(map[string]any{"game": "othello", "clocks": []string{"600", "600"}})
		ann.order(room, "sit", map[string]any{"place": 0, "kind": "person"})
		ann.order(room, "sit", map[string]any{"place": 1, "kind": "bot", "engine": "bot=1"})
		ann.order(room, "ready", nil)
		ids = append(ids, ann.order(room, "start", nil).Room.Game.ID)
	}
	states, nums, views := map[string]live.State{}, map[string]string{}, 0
	take := func(l manyLine) (id string) {
		t.Helper()
		id, num, _ := strings.Cut(l.ID, ":")
		switch l.Event {
		case "view":
			var s live.State
			if err := json.Unmarshal(l.Data, &s); err != nil || s.Game != id || s.For != "public" {
				t.Fatalf("%s: %v %s", l.ID, err, l.Data)
			}
			states[id], views = s, views+1
		case "delta":
			var d live.Delta
			if err := json.Unmarshal(l.Data, &d); err != nil {
				t.Fatal(err)
			}
			s, err := live.Apply(states[id], &d)
			if err != nil {
				t.Fatalf("%s: %v", l.ID, err)
			}
			states[id] = s
		default:
			return id
		}
		nums[id] = num
		return id
	}
	// moved waits until a game has so many entries in its history.
	next, end := h.many(bob, "", ids[0], ids[1], ids[0])
	until := func(id string, entries int) {
		t.Helper()
		for len(states[id].History) < entries {
			l, more := next()
			if !more {
				t.Fatalf("the stream ends while game %s has %d entries", id, len(states[id].History))
			}
			take(l)
		}
	}
	// The decisions of the first player, from the four legal ones of the beginning.
	move := func(id string) {
		t.Helper()
		ann.heard("/api/v1/games/"+id+"/moves", fmt.Sprintf(`{"prompt":1,"steps":[%q]}`, "p3,2"))
	}
	for len(states) < 2 {
		l, more := next()
		if !more {
			t.Fatal("the stream ends before it has told of both games")
		}
		take(l)
	}
	move(ids[1])
	until(ids[1], 2)
	if len(states[ids[0]].History) != 0 || views != 2 {
		t.Errorf("%d views; the other game has %d entries", views, len(states[ids[0]].History))
	}
	end()
	move(ids[0])
	next, _ = h.many(bob, ids[0]+":"+nums[ids[0]]+", "+ids[1]+":"+nums[ids[1]], ids...)
	until(ids[0], 2)
	if views != 2 {
		t.Error("who comes back gets whole games again")
	}
	over := 0
	for i, id := range ids {
		ann.resign(id)
		for over == i {
			l, more := next()
			if !more {
				t.Fatalf("the stream ends after %d of 2 games", over)
			}
			if take(l); l.Event == "over" {
				over++
				if !strings.Contains(string(l.Data), id) || states[id].Result == nil {
					t.Errorf("game %s is over: %s", id, l.Data)
				}
			}
		}
	}
	if l, more := next(); more {
		t.Errorf("after the last game comes %+v", l)
	}
	list := make([]string, 51)
	for i := range list {
		list[i] = fmt.Sprint("g", i)
	}
	bob.do("GET", "/api/v1/games/events?game="+strings.Join(list, "&game="), nil).want(http.StatusUnprocessableEntity)
}

// A stream of a game that is over shows everybody how it ended, and ends.
func TestEventsAfterTheEnd(t *testing.T) {
	h := newHouse(t, build{change: func(c *Config) {
		c.Replays = archive.Archive{Set: formats.New(games.OpenSpec), Open: games.Open}
	}})
	ann, bob := h.register("ann"), h.register("bob")
	room, id := h.pair(ann, bob, map[string]any{"game": "othello", "clocks": []string{"600", "600"}})
	watched := h.tap(h.client(), "/api/v1/games/"+id+"/events", "")
	ann.heard("/api/v1/games/"+id+"/moves", `{"prompt":1,"steps":["p3,2"]}`)
	bob.resign(id)
	h.ended(id)
	watched.over()
	var last live.Delta
	if err := json.Unmarshal([]byte(watched.events[len(watched.events)-2].data), &last); err != nil || last.Result == nil || last.Clocks == nil {
		t.Fatalf("%v %+v", err, watched.events)
	}
	for name, c := range map[string]*client{"public": h.client(), "first": ann, "second": bob} {
		tap := h.tap(c, "/api/v1/games/"+id+"/events", "")
		tap.over()
		tap.stop()
		if n := len(tap.events); n < 2 || tap.events[n-1].kind != "over" || tap.events[n-2].kind != "view" {
			t.Fatalf("%s: %+v", name, tap.events)
		}
		var s live.State
		if err := json.Unmarshal([]byte(tap.events[len(tap.events)-2].data), &s); err != nil {
			t.Fatal(err)
		}
		if string(s.For) != name || s.Game != id || len(s.History) != 1 || s.View == nil || s.Result == nil || s.Result.Points != [2]float64{1, 0} || s.Names != [2]string{"ann", "bob"} {
			t.Errorf("%s: %+v", name, s)
		}
		if s.Clocks == nil || *s.Clocks != *last.Clocks {
			t.Errorf("%s: clocks %+v, while the game was seen %+v", name, s.Clocks, last.Clocks)
		}
	}

	ann.head = map[string]string{"Accept": "text/html"}
	page := ann.do("GET", "/rooms/"+room, nil).want(200).body
	if n := len(regexp.MustCompile(`class="bar-clock" data-clock>9:5\d<`).FindAllString(page, -1)); n != 2 {
		t.Errorf("%d clocks on the page of the room", n)
	}
	ann.head = nil

	// With another that goes on, whose end ends the stream.
	_, on := h.pair(ann, bob, map[string]any{"game": "othello"})
	next, _ := h.many(h.client(), "", id, on)
	seen := map[string]bool{}
	for !seen["view "+on] || !seen["over "+id] {
		l, more := next()
		if !more {
			t.Fatalf("the stream ends after %v", seen)
		}
		switch game, _, _ := strings.Cut(l.ID, ":"); {
		case l.Event == "view":
			seen["view "+game] = true
		case l.Event == "over" && strings.Contains(string(l.Data), id):
			seen["over "+id] = true
		}
	}
	if !seen["view "+id] {
		t.Error("the last board of the game that is over did not come")
	}
	bob.resign(on)
	for l, more := next(); more; l, more = next() {
		if l.Event == "over" {
			seen["over "+on] = strings.Contains(string(l.Data), on)
		}
	}
	if !seen["over "+on] {
		t.Error("the stream ended without a word")
	}
}

// The connection of a room tells the end of a game that its client has not seen, and of none that was
// over when he came.
func TestRoomLiveAfterTheEnd(t *testing.T) {
	h := newHouse(t, build{change: func(c *Config) {
		c.Replays = archive.Archive{Set: formats.New(games.OpenSpec), Open: games.Open}
	}})
	ann, bob, eve := h.register("ann"), h.register("bob"), h.register("eve")
	room, id := h.pairWith(ann, bob, eve, map[string]any{"game": "othello", "delay": 600})
	path := roomsPath + "/" + room + "/live"
	ann.resign(id)
	h.ended(id)
	inRoom := func(n api.LiveNews) bool { return n.Room != nil }
	told := func(c *liveClient, to string) {
		t.Helper()
		c.until("the end", func(n api.LiveNews) bool { return n.Event == "over" && n.Game == id })
		if s := &c.state; string(s.For) != to || s.Game != id || s.View == nil || s.Result == nil || s.Result.Reason != "resign" {
			t.Errorf("%s is shown %+v", to, s)
		}
	}

	// Between two looks of eve's at the room the game begins and ends: it is told with a delay.
	late, _ := h.dialLive(eve, path, nil)
	late.until("the room", inRoom)
	h.later(10*time.Minute + time.Second)
	late.order("chat", `{"channel":"all","text":"hello"}`, http.StatusCreated)
	told(late, "public")

	// Bob's connection was broken while the game ended.
	back, _ := h.dialLive(bob, path+"?game="+id+"&since=1-1", nil)
	told(back, "second")

	// Who comes now has the result of the room, and is told nothing of the game, nor is eve again.
	fresh, _ := h.dialLive(bob, path, nil)
	fresh.until("the room", inRoom)
	late.views = 0
	for _, guest := range []*client{h.guest(), h.guest()} { // what a look tells besides comes before the next one
		guest.order(room, "enter", nil)
		for _, c := range []*liveClient{fresh, late} {
			c.until("the room with another guest", inRoom)
		}
	}
	if fresh.views+late.views != 0 {
		t.Errorf("an old game is told: %+v, %+v", fresh.state, late.state)
	}
}
