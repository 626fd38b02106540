package server

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"sync"
	"testing"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/web"
	"kibitz/hall/web/pages"
)

// testPages are the pages of the program.
var testPages = sync.OnceValue(func() *pages.Pages {
	assets, err := web.OpenAssets()
	if err != nil {
		panic(err)
	}
	p, err := pages.New(assets, catalog.Shown())
	if err != nil {
		panic(err)
	}
	return p
})

// Replay shows three empty boards.
func (fakeViews) Replay(_ context.Context, record []byte) (*records.Replayed, error) {
	if !json.Valid(record) {
		return nil, problem.Input("no record")
	}
	v := &game.View{For: game.Public, Width: 1, Height: 1, Cells: make([]game.Cell, 1)}
	return &records.Replayed{
		Views: []*game.View{v, v, v}, Clocks: [2]string{"60+1", "inf"},
		Steps: []records.Step{{By: game.First, Text: "+3,2", Name: "d3", Info: &game.Info{Depth: 3}}, {By: game.Second, Text: "-", Name: "pass"}},
	}, nil
}

// pageRows are the pages and forms. To programs they answer as the API does.
func pageRows() []row {
	got := func(route string, want [roles]int) row { return row{route: "GET " + route, want: want} }
	sent := func(route string, form url.Values, want [roles]int) row {
		return row{route: "POST " + route, body: form, want: want}
	}
	at := func(r row, path string) row { r.path = path; return r }
	changes := func(r row) row { r.fresh = true; return r }
	cred := url.Values{"name": {"{new}"}, "password": {secret}}
	guestless := func(n int) [roles]int { return [roles]int{n, n, n, n, n, n, n, n} }
	inside := insiders(303)
	inside[anon] = 401
	idle := insiders(409) // no game is played in the room
	idle[anon] = 401
	return []row{
		at(row{route: "GET " + web.Prefix, want: all(404)}, web.Prefix+"none.js"),
		at(row{route: "/", want: all(404)}, "/none"),
		at(got("/{$}", all(200)), "/"), got("/watch", all(200)), got("/watch/live", all(200)), got("/own", all(200)), got("/manifest.webmanifest", all(200)),
		at(got("/play/{game}", all(200)), "/play/othello"), at(got("/play/{game}", all(404)), "/play/chess"), at(got("/play/{game}/sheet", all(200)), "/play/gomoku/sheet"),
		got("/play/clock", all(200)),
		got("/learn", all(200)), at(got("/learn/{game}", all(200)), "/learn/othello"), at(got("/learn/{game}", all(404)), "/learn/chess"),
		at(got("/learn/{game}/{picture}", all(200)), "/learn/othello/step-two.svg"),
		at(got("/learn/{game}/{picture}", all(404)), "/learn/othello/none.svg"),
		at(got("/analysis/picture.png", all(200)), "/analysis/picture.png?game=othello"),
		got("/settings", all(200)), sent("/settings", url.Values{"theme": {"dark"}}, all(303)), sent("/look", url.Values{"lang": {"cs"}}, all(303)),
		got("/login", all(200)), got("/register", all(200)),
		changes(sent("/login", url.Values{"name": {"{player}"}, "password": {secret}}, entering(303))),
		changes(sent("/register", cred, entering(303))), changes(sent("/guest", nil, entering(303))),
		changes(sent("/logout", nil, [roles]int{401, 303, 303, 403, 403, 303, 303, 303})),
		got("/account", members(200)),
		changes(sent("/account/password", url.Values{"old": {secret}, "new": {secret + "!"}}, secured(303))),
		changes(sent("/account/name", url.Values{"name": {"{new}"}}, [roles]int{401, 303, 403, 403, 403, 403, 403, 403})),
		sent("/account/end-sessions", nil, secured(303)),
		changes(sent("/account/tokens", url.Values{"name": {"t"}}, secured(200))),
		changes(at(sent("/account/tokens/{id}/revoke", nil, [roles]int{401, 403, 303, 403, 403, 404, 404, 404}), "/account/tokens/{token}/revoke")),
		got("/bots", people(200)), changes(sent("/bots", url.Values{"names": {"{new}"}}, people(303))),
		changes(sent("/bots/{bot}/disable", nil, owner(303))), changes(sent("/bots/{bot}/tokens", url.Values{"name": {"t"}}, owner(200))),
		changes(at(sent("/bots/{bot}/tokens/{id}/revoke", nil, owner(303)), "/bots/{bot}/tokens/{botToken}/revoke")),
		got("/players", all(200)), at(got("/players/{name}", all(200)), "/players/{player}"), at(got("/accounts/{id}", all(303)), "/accounts/{victim}"),
		got("/engines", all(200)), at(got("/engines/{name}", all(200)), "/engines/bot=3"), at(got("/engines/{name}", all(404)), "/engines/none"),
		got("/games", all(200)), at(got("/games", all(200)), "/games?game=othello&moves=f5&outcome=win"), at(got("/games/{id}", all(200)), "/games/over1"),
		at(got("/games/{id}", insiders(200)), "/games/{own}"), at(got("/embed/{id}", all(200)), "/embed/over1"),
		at(got("/embed/{id}", insiders(200)), "/embed/{own}"),
		got("/analysis", all(200)), at(got("/analysis", all(200)), "/analysis?game=othello&moves=f5_d6"), at(got("/analysis", all(200)), "/analysis?game=chess"),
		at(got("/games/{id}/log/{seat}", all(403)), "/games/over1/log/0"),
		at(got("/games/{id}/replay", all(200)), "/games/over1/replay"), at(got("/games/{id}/replay", insiders(409)), "/games/{own}/replay"),
		got("/shipped/replay", all(200)), got("/shipped/picture.svg", all(200)),
		at(got("/games/{id}/picture.svg", all(200)), "/games/over1/picture.svg?ply=1"), at(got("/games/{id}/picture.svg", insiders(409)), "/games/{own}/picture.svg"),
		at(got("/embed/{id}/picture.svg", all(200)), "/embed/over1/picture.svg"),
		at(got("/games/{id}/picture.png", all(200)), "/games/over1/picture.png?ply=1"), at(got("/games/{id}/picture.png", insiders(409)), "/games/{own}/picture.png"),
		at(got("/embed/{id}/picture.png", all(200)), "/embed/over1/picture.png"),
		at(got("/games/{id}/picture.gif", all(200)), "/games/over1/picture.gif"), at(got("/games/{id}/picture.gif", insiders(409)), "/games/{own}/picture.gif"),
		at(got("/embed/{id}/picture.gif", all(200)), "/embed/over1/picture.gif"),
		got("/games/import", [roles]int{401, 403, 403, 403, 403, 403, 200, 200}), sent("/games/import", url.Values{"spec": {"othello"}}, [roles]int{401, 403, 403, 403, 403, 403, 422, 422}),
		at(sent("/games/{id}/keep", url.Values{"ply": {"1"}}, keepers(303)), "/games/over1/keep"),
		at(sent("/rooms/{room}/keep", nil, [roles]int{401, 403, 409, 409, 404, 404, 409, 409}), "/rooms/{room}/keep"),
		changes(at(sent("/account/saved/{id}/remove", nil, [roles]int{401, 403, 303, 303, 404, 404, 404, 404}), "/account/saved/{saved}/remove")),
		got("/admin", admins(303)), got("/admin/users", admins(200)), got("/admin/engines", admins(200)), got("/admin/workers", admins(200)), got("/admin/audit", admins(200)),
		sent("/admin/invite", nil, admins(200)), changes(at(sent("/admin/users/{id}", url.Values{"do": {"disable"}}, admins(303)), "/admin/users/{victim}")),
		sent("/admin/workers", url.Values{"name": {"far"}}, admins(200)),
		at(sent("/admin/workers/{name}/revoke", nil, admins(404)), "/admin/workers/none/revoke"),
		sent("/admin/engines", url.Values{"name": {"edax"}, "spec": {"cmd=edax"}, "games": {"othello"}}, admins(303)),
		at(sent("/admin/engines/{name}/remove", nil, admins(303)), "/admin/engines/edax/remove"),
		changes(sent("/play", url.Values{"game": {"othello"}, "level": {"1"}}, guestless(303))),
		got("/c/{code}", all(200)), at(got("/c/{code}", all(404)), "/c/wrong234"),
		changes(at(sent("/c/{code}/accept", nil, friends(201)), "/c/{code}/accept")),
		changes(at(sent("/c/{code}/cancel", nil, asker(303)), "/c/{code}/cancel")),
		got("/rooms", all(200)), changes(sent("/rooms", url.Values{"game": {"othello"}}, guestless(303))),
		at(got("/rooms/{room}", insiders(200)), "/rooms/{room}"), at(got("/rooms/{room}/live", insiders(200)), "/rooms/{room}/live"),
		at(got("/rooms/{room}/console/{seat}", insiders(403)), "/rooms/{room}/console/0?game={own}"), at(got("/rooms/{room}/console/{seat}", insiders(404)), "/rooms/{room}/console/0?game=none"),
		at(sent("/rooms/{room}/do", url.Values{"do": {"drop-codes"}}, inside), "/rooms/{room}/do"),
		changes(sent("/rooms/{room}/join", nil, insiders(303))),
		got("/rooms/{room}/plain", insiders(200)), sent("/rooms/{room}/move", url.Values{"prompt": {"1"}, "move": {"d3"}}, idle),
		sent("/rooms/{room}/act", url.Values{"act": {"draw"}}, idle),
		sent("/rooms/{room}/say", url.Values{"channel": {"players"}, "text": {"hello"}}, inside),
		sent("/rooms/{room}/mute", url.Values{"user": {"1"}, "mute": {"1"}}, inside),
		sent("/rooms/{room}/report", url.Values{"line": {"999999"}}, [roles]int{401, 404, 404, 404, 404, 404, 404, 404}),
		got("/tournaments", all(200)), at(got("/tournaments/{tournament}", insiders(200)), "/tournaments/{cup}"),
		at(got("/tournaments/{tournament}/live", insiders(200)), "/tournaments/{cup}/live"),
		at(got("/tournaments/{tournament}/console", insiders(200)), "/tournaments/{cup}/console"),
		at(got("/tournaments/{tournament}/log", insiders(200)), "/tournaments/{cup}/log"),
		sent("/tournaments", url.Values{"game": {"othello"}, "format": {"roundrobin"}}, people(303)),
		at(sent("/tournaments/{tournament}/enter", url.Values{"engine": {"unknown"}}, [roles]int{401, 403, 422, 422, 404, 404, 422, 422}), "/tournaments/{cup}/enter"),
		at(sent("/tournaments/{tournament}/do", url.Values{"do": {"pause"}}, [roles]int{401, 403, 409, 409, 403, 404, 409, 409}), "/tournaments/{cup}/do"),
	}
}

// A browser is told of errors by a page in its language.
func TestErrorPages(t *testing.T) {
	s := newSite(t, full)
	c := s.client()
	c.head["Accept"], c.head["Accept-Language"] = "text/html", "cs"
	for _, tt := range []struct {
		path   string
		status int
		has    []string
	}{ // what happened, what to do, one way on
		{"/none", 404, []string{"<h1>Taková stránka tu není</h1>", "překlep", `class="button" href="/games"`}},
		{"/account", 401, []string{"<h1>Nejdřív se přihlaste</h1>", `class="button primary" href="/login?to=`}},
		{"/games/none", 404, []string{"<h1>Tady není žádná partie</h1>", "soukromé", `class="button" href="/games"`}},
		{"/players/none", 404, []string{"<h1>Nikdo takového jména tu není</h1>", "překlep", `class="button" href="/games"`}},
	} {
		a := c.do("GET", tt.path, nil).want(tt.status)
		for _, want := range append(tt.has, `<html lang="cs"`, "<summary>Pro provozovatele</summary>") {
			if !strings.Contains(a.body, want) {
				t.Errorf("%s lacks %s: %s", tt.path, want, a.body)
			}
		}
		_, main, _ := strings.Cut(a.body, "<main")
		if a.head.Get("Content-Type") != "text/html; charset=utf-8" || strings.Count(main, `class="button`) != 1 {
			t.Errorf("%s: %s", tt.path, a.body)
		}
	}
	a := c.do("POST", "/login", url.Values{"name": {"nobody"}, "password": {"wrong-password"}}).want(401)
	if !strings.Contains(a.body, "role=\"alert\"") || strings.Contains(a.body, "wrong-password") {
		t.Error(a.body)
	}
}
