package server

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/store"
)

// The form adds games of several files and says line by line what was left out.
func TestImportPage(t *testing.T) {
	s := newSite(t, full)
	boss := s.admin()
	text, kind := form(t, map[string]string{"a.txt": "ann ben\nben cid\nbroken\n<b>bad</b>\n", "b.txt": "ann ben\n"})
	boss.head["Content-Type"], boss.head["Accept"], boss.head["Accept-Language"] = kind, "text/html", "en"
	a := boss.do("POST", "/games/import", text).want(200)
	for _, want := range []string{"2 games were added.", "1 was in the hall already.", "<li>a.txt: line 3: want two names</li>", `<a href="/games/im`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("no %q in %s", want, a.body)
		}
	}
	text, boss.head["Content-Type"] = form(t, nil)
	a = boss.do("POST", "/games/import", text).want(422)
	if !strings.Contains(a.body, `role="alert"`) || !strings.Contains(a.body, `type="file"`) {
		t.Error(a.body)
	}
	boss.head["Content-Type"] = "application/x-www-form-urlencoded"
	boss.do("POST", "/games/import", strings.Repeat("x", records.ImportBody+1)).want(413)
	delete(boss.head, "Content-Type")
	if a := boss.do("GET", "/games", nil).want(200); !strings.Contains(a.body, `href="/games/import"`) {
		t.Error("the game base does not offer it")
	}
}

// A position of a game is kept by a form, stands in the account, begins a room, and is
// removed again.
func TestKeepForms(t *testing.T) {
	h := newHouse(t, build{idle: true, change: func(c *Config) {
		c.Live.Game = func(_ context.Context, spec game.Spec, _ string, _ []string) (game.Spec, bool, error) {
			return spec, false, nil
		}
	}})
	s := h.testHall
	cast := s.assemble(0, s.admin())
	c := cast.by[player]
	c.head["Accept"], c.head["Accept-Language"] = "text/html", "en"
	s.addGame(store.Game{ID: "over1", Spec: "othello", Listed: true, Seats: [2]store.Seat{{Name: "Ann"}, {Name: "Bob"}}}, `{"game":"over1"}`)
	if a := c.do("GET", "/games/over1?ply=1", nil).want(200); !strings.Contains(a.body, `action="/games/over1/keep"`) || !strings.Contains(a.body, `name="ply" value="1"`) {
		t.Error("the page of a game does not offer to keep its position", a.body)
	}
	if a := c.do("POST", "/games/over1/keep", url.Values{"ply": {"1"}, "name": {" <Middle> "}}).want(303); a.head.Get("Location") != "/account#saved" {
		t.Errorf("%v", a.head)
	}
	c.do("POST", "/games/over1/keep", url.Values{"ply": {"99"}}).want(303)
	a := c.do("GET", "/account", nil).want(200)
	m := regexp.MustCompile(`&lt;Middle&gt;</bdi></th>.*?href="(/rooms\?saved=([^"]+))"`).FindStringSubmatch(a.body)
	if m == nil || !strings.Contains(a.body, "Ann – Bob") {
		t.Fatal(a.body)
	}
	if a := c.do("GET", m[1], nil).want(200); !strings.Contains(a.body, `value="`+m[2]+`" selected`) || !strings.Contains(a.body, `id="new-room" open`) {
		t.Error(a.body)
	}
	var got records.SavedView
	c.do("GET", "/api/v1/saved/"+m[2], nil).want(200).into(&got)
	if got.Name != "<Middle>" || len(got.Moves) != 1 || got.Moves[0] != "+3,2" {
		t.Errorf("%+v", got)
	}
	to := c.do("POST", "/rooms", url.Values{"game": {"gomoku"}, "saved": {m[2]}}).want(303).head.Get("Location")
	var r lobby.RoomView
	c.do("GET", "/api/v1"+to, nil).want(200).into(&r)
	if r.Room.Settings.Game != "othello" || r.Room.Settings.From != "<Middle>" || len(r.Room.Settings.Opening) != 1 {
		t.Errorf("%+v", r.Room.Settings)
	}
	cast.by[other].do("POST", "/rooms", url.Values{"saved": {m[2]}}).want(404)
	c.do("POST", "/account/saved/"+m[2]+"/remove", nil).want(303)
	if a := c.do("GET", "/account", nil).want(200); strings.Contains(a.body, m[2]) {
		t.Error("it is still there")
	}
}
