package server

import (
	"strings"
	"testing"
	"time"
)

// thoughtful opens a room in which an account plays the built-in engine of the second
// seat, and returns it with its game.
func (h *house) thoughtful(c *client, settings map[string]any) (room, id string) {
	h.t.Helper()
	room = c.open(settings)
	c.order(room, "sit", map[string]any{"place": 0, "kind": "person"})
	c.order(room, "sit", map[string]any{"place": 1, "kind": "bot", "engine": "bot=2"})
	h.here(c, room)
	id = c.order(room, "start", nil).Room.Game.ID
	h.begun(room)
	return room, id
}

// Who may see what an engine prints while the game runs, and afterwards.
func TestConsoleAccess(t *testing.T) {
	h := newHouse(t, build{})
	boss, anna, eve := h.admin(), h.register("anna"), h.register("eve")
	judge := h.register("judge")
	h.setRole(boss, judge, "arbiter")
	all := []*client{h.client(), anna, eve, judge, boss}
	for _, x := range []struct {
		name          string
		settings      map[string]any
		live, player  int // statuses for who looks on and for anna, who plays
		after, always int // for everybody, and for arbiters
	}{
		{"closed", map[string]any{"game": "othello"}, 403, 403, 403, 200},
		{"for spectators", map[string]any{"game": "othello", "lines": true}, 200, 403, 200, 200},
		{"open", map[string]any{"game": "othello", "lines": true, "open": true}, 200, 200, 200, 200},
		{"open without lines", map[string]any{"game": "othello", "open": true}, 403, 403, 403, 200},
		{"hidden", map[string]any{"game": "phantomgo:size=5", "lines": true, "open": true}, 403, 403, 403, 200},
	} {
		room, id := h.thoughtful(anna, x.settings)
		one := "/api/v1/games/" + id + "/consoles/"
		page := "/rooms/" + room + "/console/1"
		for i, c := range all {
			want := x.live
			if c == anna {
				want = x.player
			}
			if a := c.do("GET", one+"1", nil); a.status != want {
				t.Errorf("%s: %d gets %d, want %d: %s", x.name, i, a.status, want, a.body)
			}
			if a := c.first("GET", one+"1/events"); a.status != want {
				t.Errorf("%s: %d gets the stream with %d, want %d", x.name, i, a.status, want)
			}
			if a := c.do("GET", page, nil); a.status != want {
				t.Errorf("%s: %d gets the page with %d, want %d", x.name, i, a.status, want)
			}
			if a := c.do("GET", "/rooms/"+room, nil).want(200); strings.Contains(a.body, "/console/1") != (want == 200) || strings.Contains(a.body, "/console/0") {
				t.Errorf("%s: %d is led to the wrong consoles", x.name, i)
			}
			c.do("GET", one+"0", nil).want(403) // a person prints nothing
		}
		anna.resign(id)
		h.ended(id)
		for i, c := range all {
			want := x.after
			if c == judge || c == boss {
				want = x.always
			}
			if a := c.do("GET", one+"1", nil); a.status != want {
				t.Errorf("%s: afterwards %d gets %d, want %d: %s", x.name, i, a.status, want, a.body)
			}
		}
	}
	if a := anna.do("POST", roomsPath, map[string]any{"settings": map[string]any{"game": "othello", "rated": true, "lines": true, "open": true}}); a.status != 422 {
		t.Errorf("a rated game that is open about thoughts: %d", a.status)
	}
}

// A console is followed live, taken up where it was left, and read when the game is over;
// a delay holds it back.
func TestConsoleStream(t *testing.T) {
	h := newHouse(t, build{})
	anna := h.register("anna")
	_, id := h.thoughtful(anna, map[string]any{"game": "othello", "lines": true})
	nobody := h.client()
	one := "/api/v1/games/" + id + "/consoles/1"
	stream := h.tap(nobody, one+"/events", "")
	seat := h.tap(anna, "/api/v1/games/"+id+"/events", "")
	prompt := 0
	for range 3 {
		q := seat.asked(prompt)
		prompt = q.Prompt
		anna.do("POST", "/api/v1/games/"+id+"/moves", map[string]any{"prompt": prompt, "steps": q.Legal[:1]}).want(204)
	}
	moves := func(list []event) int {
		n := 0
		for _, e := range list {
			n += strings.Count(e.data, `"text":"move `)
		}
		return n
	}
	var before string
	stream.until("two moves", func(list []event) bool {
		if len(list) > 0 {
			before = list[len(list)-1].id
		}
		return moves(list) >= 2
	})
	anna.resign(id)
	stream.until("over", isOver)
	h.ended(id)
	whole := nobody.do("GET", one, nil).want(200).body
	if n := moves([]event{{data: whole}}); n < 2 || n != moves(toldBy(stream)) {
		t.Errorf("%d moves were told, and there are %s", moves(toldBy(stream)), whole)
	}
	again := h.client()
	again.head["Last-Event-ID"] = before
	rest := h.tap(again, one+"/events", "")
	rest.until("over", isOver)
	if list := toldBy(rest); moves(list) >= moves(toldBy(stream)) || strings.Contains(list[0].data, `"whole":true`) {
		t.Errorf("who comes back is told %+v", list)
	}

	_, id = h.thoughtful(anna, map[string]any{"game": "othello", "lines": true, "delay": time.Hour.Seconds(), "name": "late"})
	one = "/api/v1/games/" + id + "/consoles/1"
	seat = h.tap(anna, "/api/v1/games/"+id+"/events", "")
	q := seat.asked(0)
	anna.do("POST", "/api/v1/games/"+id+"/moves", map[string]any{"prompt": q.Prompt, "steps": q.Legal[:1]}).want(204)
	seat.asked(q.Prompt)
	anna.resign(id)
	h.ended(id)
	if body := nobody.do("GET", one, nil).want(200).body; moves([]event{{data: body}}) > 0 {
		t.Errorf("before its time is told %s", body)
	}
	if body := anna.do("GET", one, nil).want(200).body; moves([]event{{data: body}}) == 0 {
		t.Errorf("who has played is told %s", body)
	}
	h.later(time.Hour + time.Minute)
	if body := nobody.do("GET", one, nil).want(200).body; moves([]event{{data: body}}) == 0 {
		t.Errorf("after the delay is told %s", body)
	}
}

func toldBy(t *tap) []event { return t.until("anything", func([]event) bool { return true }) }

func isOver(list []event) bool { return len(list) > 0 && list[len(list)-1].kind == "over" }

// Who sends what ended the game again, since its answer was lost, is told that it is done;
// whoever else acts is told that the game is over.
func TestSentAgainAfterTheEnd(t *testing.T) {
	h := newHouse(t, build{})
	anna, bert := h.register("anna"), h.register("bert")
	for act, asked := range map[string]string{"resign": "", "accept": "draw"} {
		_, id := h.pair(anna, bert, map[string]any{"game": "othello", "draw": true})
		acts := "/api/v1/games/" + id + "/acts"
		if asked != "" {
			bert.heard(acts, map[string]any{"act": asked})
		}
		anna.heard(acts, map[string]any{"act": act})
		h.ended(id)
		var done struct{ Effect string }
		if anna.do("POST", acts, map[string]any{"act": act, "id": "again"}).want(200).into(&done); done.Effect != "done" {
			t.Errorf("%s: %+v", act, done)
		}
		anna.do("POST", acts, map[string]any{"act": "draw"}).want(409)
		bert.do("POST", acts, map[string]any{"act": "resign"}).want(409)
		h.register("eve-"+act).do("POST", acts, map[string]any{"act": "resign"}).want(403)
	}
}
