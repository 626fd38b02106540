package server

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/live"
	"kibitz/journal"
)

// board is a running game as somebody sees it: the first frame of its stream.
func (c *client) board(id string) (s live.State) {
	c.s.t.Helper()
	for range 100 {
		for line := range strings.Lines(c.first("GET", "/api/v1/games/"+id+"/events").want(200).body) {
			if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &s) == nil && s.View != nil {
				return s
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.s.t.Fatalf("%s shows no board", id)
	return s
}

// waits waits until a game, as somebody sees it, waits for something.
func (c *client) waits(id, what, by string) *live.Wait {
	c.s.t.Helper()
	var s live.State
	for range 1000 {
		s = c.board(id)
		if s.Wait == nil && what == "" || s.Wait != nil && s.Wait.For == what && s.Wait.By == by {
			return s.Wait
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.s.t.Fatalf("%s waits for %+v, want %q by %q", id, s.Wait, what, by)
	return nil
}

// Who may pause a game and decide it, and who may not: players together or an arbiter alone, of engines
// the host too. What is wrong with a command is said with its place.
func TestArbiterRights(t *testing.T) {
	h := newHouse(t, build{})
	admin := h.admin()
	ann, bob, carol, dan, judge := h.register("ann"), h.register("bob"), h.register("carol"), h.register("dan"), h.register("judge")
	h.setRole(admin, judge, "arbiter")
	set := map[string]any{"game": "phantomgo:size=9", "games": 2, "clocks": []string{"600", "600"}}
	room, id := h.pairWith(ann, bob, carol, set)
	path := roomsPath + "/" + room + "/commands"
	for who, c := range map[string]*client{"player": ann, "opponent": bob, "spectator": carol, "stranger": dan, "nobody": h.client()} {
		status := 403
		if who == "nobody" {
			status = 401
		}
		for _, do := range []map[string]any{{"do": "pause"}, {"do": "verdict", "result": "first", "note": "so"}} {
			if a := c.do("POST", path, do); a.status != status {
				t.Errorf("%s gives %v: %d %s", who, do, a.status, a.body)
			}
		}
	}
	for place, body := range map[string]map[string]any{
		"#/note":   {"do": "verdict", "result": "draw"},
		"#/result": {"do": "verdict", "note": "so"},
	} {
		if a := judge.do("POST", path, body).want(422); !strings.Contains(a.body, fmt.Sprintf("%q", place)) {
			t.Errorf("%v: %s", body, a.body)
		}
	}
	judge.head["Accept"] = "text/html"
	form := url.Values{"do": {"verdict"}, "result": {"draw"}, "note": {""}}
	if a := judge.do("POST", "/rooms/"+room+"/do", form).want(200); !strings.Contains(a.body, `name="sure" value="1"`) {
		t.Error("without scripts nobody asks whether it is meant")
	}
	form.Set("sure", "1")
	check(t, judge.do("POST", "/rooms/"+room+"/do", form), "/rooms/"+room+"/do", "note", `value="draw" selected`)
	delete(judge.head, "Accept")
	judge.order(room, "pause", nil)
	for _, c := range []*client{ann, bob, carol, judge} {
		if w := c.waits(id, journal.ForPause, "judge"); !w.Ruled {
			t.Errorf("%+v", w)
		}
	}
	ann.do("POST", path, map[string]any{"do": "resume"}).want(403)
	if a := ann.do("POST", "/api/v1/games/"+id+"/acts", map[string]any{"act": "resume"}).want(409); !strings.Contains(a.body, "arbiter") {
		t.Error(a.body)
	}
	judge.do("POST", path, map[string]any{"do": "pause"}).want(409)
	judge.order(room, "resume", nil)
	ann.waits(id, "", "")

	// The record says what was decided, by whom and why; the series goes on.
	judge.order(room, "verdict", map[string]any{"result": "second", "note": "a phone rang"})
	h.ended(id)
	var g struct {
		Ruled  bool
		Note   string
		Result struct {
			Points [2]float64
			Reason string
		}
	}
	carol.do("GET", "/api/v1/games/"+id, nil).want(200).into(&g)
	if !g.Ruled || g.Note != "judge: a phone rang" || g.Result.Points != [2]float64{0, 1} || g.Result.Reason != string(game.ByAdjudication) {
		t.Errorf("%+v", g)
	}
	var rec struct{ Result json.RawMessage }
	carol.do("GET", "/api/v1/games/"+id+"/record", nil).want(200).into(&rec)
	if string(rec.Result) != `{"points":[0,1],"reason":"adjudication","detail":"a phone rang"}` {
		t.Errorf("the record says %s", rec.Result)
	}
	page := carol.do("GET", "/rooms/"+room, nil).want(200).body
	if !strings.Contains(page, "a phone rang") {
		t.Error("the room does not say why")
	}
	judge.do("POST", path, map[string]any{"do": "verdict", "result": "first", "note": "so"}).want(409)

	// Of engines the host alone: the series stands between two games too.
	room = ann.open(map[string]any{"game": "othello", "games": 3, "pause": 1})
	path = roomsPath + "/" + room + "/commands"
	for i, level := range []string{"bot=1", "bot=2"} {
		ann.order(room, "sit", map[string]any{"place": i, "kind": "bot", "engine": level})
	}
	ann.do("POST", path, map[string]any{"do": "pause"}).want(409)
	ann.order(room, "start", nil)
	bob.order(room, "enter", nil)
	bob.do("POST", path, map[string]any{"do": "pause"}).want(403)
	ann.order(room, "pause", nil)
	var v struct {
		Room struct{ Paused struct{ By string } }
	}
	bob.do("GET", roomsPath+"/"+room, nil).want(200).into(&v)
	if v.Room.Paused.By != "ann" {
		t.Errorf("%+v", v)
	}
	ann.order(room, "resume", nil)
}

// Two people pause a game together, as they agree on a draw.
func TestPausedByPlayers(t *testing.T) {
	h := newHouse(t, build{})
	ann, bob, carol := h.register("ann"), h.register("bob"), h.register("carol")
	_, id := h.pairWith(ann, bob, carol, map[string]any{"game": "othello", "rated": true})
	path := "/api/v1/games/" + id + "/acts"
	both := func(act string) {
		ann.heard(path, map[string]any{"act": act})
		for n := 0; ; n++ { // streams are told a moment later
			if asks := carol.board(id).Asks; len(asks) == 1 && asks[0].What == act {
				break
			} else if n == 500 {
				t.Fatalf("%+v is asked", asks)
			}
			time.Sleep(10 * time.Millisecond)
		}
		bob.heard(path, map[string]any{"act": "accept"})
	}
	both("pause")
	for _, c := range []*client{ann, bob, carol} {
		if w := c.waits(id, journal.ForPause, "ann"); w.Ruled {
			t.Errorf("%+v", w)
		}
	}
	both("resume")
	ann.waits(id, "", "")
	ann.resign(id)
	h.ended(id)
}
