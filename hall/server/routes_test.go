package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/archive"
	"kibitz/hall/bus"
	"kibitz/hall/director"
	"kibitz/hall/records"
	"kibitz/hall/store"
	"kibitz/record/formats"
)

// The columns of the table.
const (
	anon = iota
	guest
	player  // the owner of what a route is about
	program // a token of the player
	bot     // a token of a bot of the player
	other   // a player who has nothing to do with it
	arbiter
	operator
	roles
)

func roleNames() [roles]string {
	return [roles]string{"anonymous", "guest", "player", "program", "bot", "other", "arbiter", "admin"}
}

// cast is one caller of each role, and what belongs to the player.
type cast struct {
	by     [roles]*client
	name   string // of the player
	botID  int64
	token  int64 // a token of the player
	botTok int64
	saved  string
	victim int64  // an account that nobody needs
	own    string // a game of the player that is not listed
	room   string // a private room in which the player has a place for a remote engine
	cup    string // a tournament of the player that is not listed
	code   string // of a challenge of the player
	shut   string // a room of the player that nobody else is invited to, in the lobby
}

// row is a route with the statuses that the roles get. {…} in the path are replaced.
type row struct {
	route string
	path  string
	body  any
	want  [roles]int
	// fresh wants a cast of its own for each role, because it changes what it touches.
	fresh bool
}

func all(n int) (w [roles]int) {
	for i := range w {
		w[i] = n
	}
	return w
}

func people(n int) [roles]int  { return [roles]int{401, 403, n, n, 403, n, n, n} }
func secured(n int) [roles]int { return [roles]int{401, 403, n, 403, 403, n, n, n} }
func keepers(n int) [roles]int { return [roles]int{401, 403, n, n, n, n, n, n} }
func members(n int) [roles]int { return [roles]int{401, n, n, n, n, n, n, n} }
func admins(n int) [roles]int  { return [roles]int{401, 403, 403, 403, 403, 403, 403, n} }

// owner is for what belongs to an account: n for it, others do not find it.
func owner(n int) [roles]int { return [roles]int{401, 403, n, n, 403, 404, 404, 404} }

// insiders is for what is private to the player, and open to those who direct.
func insiders(n int) [roles]int { return [roles]int{404, 404, n, n, 404, 404, n, n} }

func coreRows() []row {
	const v1 = "/api/v1/"
	cred := func(name string) map[string]string { return map[string]string{"name": name, "password": secret} }
	sent := func(method, path string, body any, want [roles]int) row {
		return row{route: method + " " + v1 + path, body: body, want: want}
	}
	got := func(path string, want [roles]int) row { return row{route: "GET " + v1 + path, want: want} }
	rows := []row{
		{route: "GET /healthz", want: all(200)},
		{route: "GET /readyz", want: all(200)},
		{route: "GET /metrics", want: [roles]int{403, 403, 403, 403, 403, 403, 403, 200}},
		got("openapi.json", all(200)), got("docs", all(200)), got("docs.css", all(200)),
		got("account", members(200)),
		{route: "POST /api/v1/account/register", body: cred("{new}"), want: entering(201), fresh: true},
		{route: "POST /api/v1/account/login", body: cred("{player}"), want: entering(200), fresh: true},
		{route: "POST /api/v1/account/guest", want: entering(201), fresh: true},
		{route: "POST /api/v1/account/claim", body: cred("{new}"), want: [roles]int{401, 200, 403, 403, 403, 403, 403, 403}, fresh: true},
		{route: "PUT /api/v1/account/name", body: map[string]string{"name": "{new}"}, want: [roles]int{401, 200, 403, 403, 403, 403, 403, 403}, fresh: true},
		{route: "POST /api/v1/account/logout", want: [roles]int{401, 204, 204, 403, 403, 204, 204, 204}, fresh: true},
		{route: "POST /api/v1/account/password", body: map[string]string{"old": secret, "new": secret + "!"}, want: secured(204), fresh: true},
		sent("POST", "account/end-other-sessions", nil, secured(204)),
		sent("PUT", "account/settings", map[string]any{"dark": true}, keepers(204)),
		got("account/tokens", secured(200)),
		{route: "POST /api/v1/account/tokens", body: map[string]string{"name": "t"}, want: secured(201), fresh: true},
		{route: "DELETE /api/v1/account/tokens/{id}", path: v1 + "account/tokens/{token}", want: [roles]int{401, 403, 204, 403, 403, 404, 404, 404}, fresh: true},
		got("bots", people(200)),
		{route: "POST /api/v1/bots", body: map[string]any{"names": []string{"{new}"}}, want: people(201), fresh: true},
		{route: "DELETE /api/v1/bots/{bot}", want: owner(204), fresh: true},
		got("bots/{bot}/tokens", owner(200)),
		{route: "POST /api/v1/bots/{bot}/tokens", body: map[string]string{"name": "t"}, want: owner(201), fresh: true},
		{route: "DELETE /api/v1/bots/{bot}/tokens/{id}", path: v1 + "bots/{bot}/tokens/{botToken}", want: owner(204), fresh: true},
		got("users", people(200)),
		{route: "GET /api/v1/users/{name}", path: v1 + "users/{player}", want: all(200)},
		got("admin/users", admins(200)),
		{route: "PATCH /api/v1/admin/users/{id}", path: v1 + "admin/users/{victim}", body: map[string]any{"disabled": true}, want: admins(200), fresh: true},
		{route: "POST /api/v1/admin/users/{id}/reset-password", path: v1 + "admin/users/{victim}/reset-password", want: admins(200), fresh: true},
		{route: "POST /api/v1/admin/users/{id}/unlock", path: v1 + "admin/users/{victim}/unlock", want: admins(204)},
		sent("POST", "admin/invitations", nil, admins(201)),
		got("admin/audit", admins(200)), got("admin/workers", admins(200)), got("admin/engines", admins(200)), got("admin/worker-tokens", admins(200)),
		{route: "POST /api/v1/admin/worker-tokens", body: map[string]string{"name": "{new}"}, want: admins(201), fresh: true},
		{route: "DELETE /api/v1/admin/worker-tokens/{name}", path: v1 + "admin/worker-tokens/none", want: admins(404)},
		{route: "PUT /api/v1/admin/engines/{name}", path: v1 + "admin/engines/edax", body: map[string]any{"games": []string{"othello"}, "enabled": true, "spec": "cmd=edax"}, want: admins(204)},
		{route: "DELETE /api/v1/admin/engines/{name}", path: v1 + "admin/engines/edax", want: admins(204)},
		got("engines", all(200)), got("games", all(200)), got("formats", all(200)),
		{route: "GET /api/v1/games/{id}", path: v1 + "games/over1", want: all(200)},
		{route: "GET /api/v1/games/{id}", path: v1 + "games/{own}", want: insiders(200)},
		{route: "GET /api/v1/games/{id}/record", path: v1 + "games/over1/record", want: all(200)},
		{route: "GET /api/v1/games/{id}/record", path: v1 + "games/{own}/record", want: insiders(409)},
		{route: "GET /api/v1/games/{id}/view", path: v1 + "games/over1/view", want: all(200)},
		{route: "GET /api/v1/games/{id}/view", path: v1 + "games/{own}/view", want: insiders(409)},
		{route: "GET /api/v1/games/{id}/review", path: v1 + "games/{own}/review", want: insiders(409)},
		{route: "POST /api/v1/games/{id}/review", path: v1 + "games/over1/review", want: [roles]int{401, 200, 409, 409, 409, 200, 200, 200}},
		{route: "DELETE /api/v1/games/{id}", path: v1 + "games/none", want: admins(404)},
		{route: "POST /api/v1/games/import", body: "not a form", want: [roles]int{401, 403, 403, 403, 403, 403, 422, 422}},
		got("games/export", keepers(200)),
		{route: "GET /api/v1/ratings", path: v1 + "ratings?subject=user/1", want: all(200)},
		{route: "GET /api/v1/ratings/leaders", path: v1 + "ratings/leaders?game=othello&speed=blitz", want: all(200)},
		{route: "GET /api/v1/ratings/history", path: v1 + "ratings/history?subject=user/1&game=othello&speed=blitz", want: all(200)},
		{route: "GET /api/v1/statistics", path: v1 + "statistics?by=reason", want: all(200)},
		sent("POST", "boards", map[string]any{"spec": "othello"}, members(200)),
		sent("POST", "boards/line", map[string]any{"spec": "othello"}, all(200)),
		sent("POST", "boards/setup", map[string]any{"spec": "othello", "pieces": "."}, all(200)),
		sent("POST", "boards/solve", map[string]any{"spec": "othello"}, all(501)), // nothing decides positions here
		{route: "GET /api/v1/base", path: v1 + "base?game=othello", want: all(200)},
		sent("POST", "boards/read", map[string]any{"text": "f5d6c3"}, all(200)),
		sent("POST", "boards/record", map[string]any{"spec": "othello"}, all(200)),
		sent("POST", "analyses", map[string]any{"spec": "othello", "engine": "bot=1"}, [roles]int{401, 200, 409, 409, 409, 200, 200, 200}), // the player plays it
		got("saved", keepers(200)),
		{route: "POST /api/v1/saved", body: map[string]any{"spec": "othello", "name": "mine"}, want: keepers(201)},
		{route: "GET /api/v1/saved/{id}", path: v1 + "saved/{saved}", want: [roles]int{401, 403, 200, 200, 404, 404, 404, 404}},
		{route: "DELETE /api/v1/saved/{id}", path: v1 + "saved/{saved}", want: [roles]int{401, 403, 204, 204, 404, 404, 404, 404}, fresh: true},
	}
	rows = slices.Concat(rows, liveRows(), contestRows(), pageRows())
	for i := range rows {
		if rows[i].path == "" {
			_, rows[i].path, _ = strings.Cut(rows[i].route, " ")
		}
	}
	return rows
}

// entering is for routes that no token may use.
func entering(n int) [roles]int { return [roles]int{n, n, n, 403, 403, n, n, n} }

// asker is for what belongs to whoever asks for a game, friends for everybody else.
func asker(n int) [roles]int   { return [roles]int{401, 403, n, n, 403, 403, 403, 403} }
func friends(n int) [roles]int { return [roles]int{n, n, 409, 409, n, n, n, n} }

// liveRows are the routes of rooms and running games.
func liveRows() []row {
	const v1 = "/api/v1/"
	do := func(word string) map[string]any { return map[string]any{"do": word} }
	inside := insiders(200)
	writing := inside
	writing[anon] = 401
	room, shut := v1+"rooms/{room}", v1+"rooms/{shut}"
	one := func(method, tail, path string, body any, want [roles]int) row {
		return row{route: method + " " + v1 + "rooms/{room}" + tail, path: path + tail, body: body, want: want}
	}
	said := map[string]string{"channel": "players", "text": "hello"}
	games := v1 + "games/{game}"
	return []row{
		{route: "GET " + v1 + "rooms", want: all(200)},
		{route: "POST " + v1 + "play", body: map[string]any{"game": "othello"}, want: all(201), fresh: true},
		{route: "POST " + v1 + "challenges", body: map[string]any{"game": "othello"}, want: all(201), fresh: true},
		{route: "GET " + v1 + "challenges", want: members(200)},
		{route: "GET " + v1 + "challenges/{code}", want: all(200)},
		{route: "GET " + v1 + "challenges/{code}/events", want: asker(200)},
		{route: "POST " + v1 + "challenges/{code}/accept", want: friends(201), fresh: true},
		{route: "DELETE " + v1 + "challenges/{code}", want: asker(204), fresh: true},
		{route: "POST " + v1 + "rooms", body: map[string]any{"settings": map[string]string{"game": "othello"}}, want: members(201)},
		one("GET", "", room, nil, inside), one("GET", "", shut, nil, inside),
		one("POST", "/commands", room, do("drop-codes"), writing), one("POST", "/commands", shut, do("drop-codes"), writing),
		one("POST", "/commands", shut, do("enter"), [roles]int{401, 403, 200, 200, 403, 403, 200, 200}),
		one("GET", "/chat", room, nil, inside),
		{route: "POST " + v1 + "rooms/{room}/chat/{line}/report", path: room + "/chat/999999/report", want: [roles]int{401, 404, 404, 404, 404, 404, 404, 404}},
		one("POST", "/chat", room, said, [roles]int{401, 404, 201, 201, 404, 404, 201, 201}),
		one("GET", "/statistics", room, nil, inside),
		one("GET", "/events", room, nil, inside),
		{route: "GET " + v1 + "rooms/{room}/seat", path: room + "/seat?place=0", want: [roles]int{401, 404, 426, 426, 404, 404, 403, 403}},
		{route: "GET " + v1 + "rooms/{room}/seat", path: room + "/seat?place=1", want: [roles]int{401, 404, 403, 403, 404, 404, 403, 403}},
		{route: "GET " + v1 + "rooms/{room}/live", path: room + "/live", want: [roles]int{401, 404, 426, 426, 404, 404, 426, 426}},
		{route: "GET " + v1 + "lobby/events", want: all(200)},
		{route: "GET " + v1 + "games/events", path: v1 + "games/events?game={own}", want: insiders(200)},
		{route: "GET " + v1 + "games/events", path: v1 + "games/events?game={own}&game=none", want: all(404)},
		{route: "GET " + games + "/events", path: v1 + "games/{own}/events", want: insiders(200)},
		{route: "GET " + games + "/events", path: v1 + "games/none/events", want: all(404)},
		{route: "GET " + games + "/consoles/{seat}", path: v1 + "games/{own}/consoles/0", want: insiders(403)},
		{route: "GET " + games + "/consoles/{seat}/events", path: v1 + "games/{own}/consoles/0/events", want: insiders(403)},
		{route: "GET " + games + "/consoles/{seat}/events", path: v1 + "games/{own}/consoles/x/events", want: insiders(403)},
		{route: "POST " + games + "/moves", path: v1 + "games/{own}/moves", body: map[string]any{"prompt": 1, "steps": []string{"pass"}}, want: [roles]int{401, 404, 204, 204, 404, 404, 403, 403}},
		{route: "POST " + games + "/acts", path: v1 + "games/{own}/acts", body: map[string]any{"act": "resign"}, want: [roles]int{401, 404, 200, 200, 404, 404, 403, 403}},
		{route: "GET " + games + "/seat", path: v1 + "games/{own}/seat", want: [roles]int{401, 404, 200, 200, 404, 404, 403, 403}},
	}
}

// contestRows are the routes of tournaments.
func contestRows() []row {
	one := tournamentsPath + "/{tournament}"
	got := func(tail string) row {
		return row{route: "GET " + one + tail, path: tournamentsPath + "/{cup}" + tail, want: insiders(200)}
	}
	// What a director asks for is not possible now; others may not ask.
	directs := func(n int) [roles]int { return [roles]int{401, 403, n, n, 403, 404, n, n} }
	return []row{
		{route: "GET " + tournamentsPath, want: all(200)},
		{route: "POST " + tournamentsPath, body: map[string]any{"game": "othello"}, want: people(201)},
		{route: "POST " + tournamentsPath + "/file", body: "not a form", want: people(422)},
		got(""), got("/schedule"), got("/crosstable"), got("/sprt"), got("/log"), got("/events"),
		{route: "POST " + one + "/entries", path: tournamentsPath + "/{cup}/entries", body: map[string]any{"engine": "unknown"}, want: [roles]int{401, 403, 422, 422, 404, 404, 422, 422}},
		{route: "DELETE " + one + "/entries/{entry}", path: tournamentsPath + "/{cup}/entries/1", want: [roles]int{401, 403, 200, 200, 404, 404, 200, 200}, fresh: true},
		{route: "POST " + one + "/commands", path: tournamentsPath + "/{cup}/commands", body: map[string]any{"do": "pause"}, want: directs(409)},
	}
}

// fakeViews shows an empty board.
type fakeViews struct{}

func (fakeViews) View(_ context.Context, record []byte, ply int) (*game.View, error) {
	if !json.Valid(record) || ply > 3 {
		return nil, errors.New("ply past the end")
	}
	return &game.View{For: game.Public, Width: 1, Height: 1, Cells: make([]game.Cell, 1)}, nil
}

func (fakeViews) Position(_ context.Context, spec game.Spec, position string, moves []string) (*game.View, int64, error) {
	if spec != "othello" || position != "" || slices.Contains(moves, "none") {
		return nil, 0, fmt.Errorf("unknown game %q", spec)
	}
	return &game.View{For: game.Public, Width: 1, Height: 1, Cells: make([]game.Cell, 1)}, 1 << 60, nil
}

// fakeFormats writes a record behind a word, and reads lines of two names each.
type fakeFormats struct{}

func (fakeFormats) Formats() []records.Format {
	return []records.Format{{ID: "json", Ext: ".json", Reads: true, Writes: true}, {ID: "loud", Ext: ".loud", Writes: true}, {ID: "mute", Ext: ".mute", Reads: true}}
}

func (fakeFormats) Convert(_ context.Context, record []byte, _ string) ([]byte, error) {
	return append([]byte("LOUD "), record...), nil
}

func (fakeFormats) Rule(_ context.Context, record []byte, _ game.Result, _ string) ([]byte, error) {
	return record, nil
}

func (fakeFormats) Import(
	_ context.Context, _ string, data []byte, _ string, _ game.Spec, each func([]records.Imported) error,
) ([]string, error) {
	var out []records.Imported
	var left []string
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		a, b, ok := strings.Cut(line, " ")
		if !ok {
			left = append(left, fmt.Sprintf("line %d: want two names", i+1))
			continue
		}
		rec, _ := json.Marshal(map[string]string{"first": a, "second": b})
		out = append(out, records.Imported{
			Spec: "othello", Names: [2]string{a, b}, Result: game.Win(game.First, "score", ""), Plies: 60,
			Played: time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), Record: rec, Positions: []store.Position{{Key: 77, Ply: 1}},
		})
	}
	return left, each(out)
}

func full(cfg *Config) {
	cfg.Views, cfg.Converter, cfg.Importer = fakeViews{}, fakeFormats{}, fakeFormats{}
	cfg.Pages, cfg.Replays = testPages(), fakeViews{}
	cfg.Lessons = archive.Archive{Open: games.Open}
	cfg.Texts = archive.Archive{Set: formats.New(games.OpenSpec), Open: games.Open, Games: []game.Spec{"othello", "darkchess"}}
	cfg.Lines, cfg.Analyst = fakeViews{}, &fakeAnalyst{}
}

// addGame puts a game into the store, over if record is not empty.
func (s *testHall) addGame(g store.Game, record string) {
	s.t.Helper()
	g.Created, g.Begun = s.now().UTC(), s.now().UTC()
	g.Spec = cmp.Or(g.Spec, "othello")
	if record != "" {
		g.State = store.Running
	}
	err := s.store.Update(s.t.Context(), func(tx store.Tx) error {
		if err := tx.AddGame(&g); err != nil || record == "" {
			return err
		}
		enc, err := zstd.NewWriter(nil)
		if err != nil {
			return err
		}
		ok, err := tx.EndAttempt(&store.Ending{
			Game: g.ID, Attempt: g.Attempt, Result: game.Win(game.Second, "score", "33-31"), Plies: 60, Ended: s.now().UTC(),
			Record: enc.EncodeAll([]byte(record), nil), Positions: []store.Position{{Key: 42, Ply: 3}},
		})
		if err == nil && !ok {
			err = errors.New("not ended")
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// assemble makes a cast.
func (s *testHall) assemble(n int, boss *client) *cast {
	s.t.Helper()
	tag := strconv.Itoa(n)
	c := &cast{name: "player" + tag}
	p := s.register(c.name)
	judge := s.register("judge" + tag)
	s.setRole(boss, judge, "arbiter")
	chief := s.register("chief" + tag)
	s.setRole(boss, chief, "admin")
	c.victim = s.register("victim" + tag).id
	c.by = [roles]*client{s.client(), s.guest(), p, s.program(p), s.bot(p, "bot"+tag), s.register("other" + tag), judge, chief}
	c.botID = c.by[bot].id
	var tokens []tokenView
	p.do("GET", "/api/v1/account/tokens", nil).want(200).into(&tokens)
	// The program keeps its own token; a second one is there to be revoked.
	var extra tokenView
	p.do("POST", "/api/v1/account/tokens", map[string]string{"name": "extra"}).want(201).into(&extra)
	c.token = extra.ID
	p.do("POST", "/api/v1/bots/"+strconv.FormatInt(c.botID, 10)+"/tokens", map[string]string{"name": "extra"}).want(201).into(&extra)
	c.botTok = extra.ID
	var sv records.SavedView
	p.do("POST", "/api/v1/saved", map[string]any{"spec": "othello", "name": "x"}).want(201).into(&sv)
	c.saved, c.own = sv.ID, "own"+tag
	if s.hall.rooms != nil {
		c.room = p.open(map[string]any{"game": "othello", "access": "private"})
		c.shut = p.open(map[string]any{"game": "othello", "access": "invitation"})
		var cup director.TournamentView
		p.do("POST", tournamentsPath, map[string]any{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "unlisted": true, "open": true}).want(201).into(&cup)
		c.cup = cup.ID
		c.code = p.challenge().Code
		p.order(c.room, "sit", map[string]any{"place": 0, "kind": "remote", "name": "far"})
	}
	s.addGame(store.Game{ID: c.own, State: store.Running, Attempt: 1, Index: n, Seats: [2]store.Seat{{Name: c.name, User: p.id}, {Name: "x"}}}, "")
	return c
}

func (c *cast) fill(text string) string {
	id := func(n int64) string { return strconv.FormatInt(n, 10) }
	return strings.NewReplacer("{player}", c.name, "{bot}", id(c.botID), "{token}", id(c.token), "{botToken}", id(c.botTok),
		"{victim}", id(c.victim), "{saved}", c.saved, "{own}", c.own, "{room}", c.room, "{shut}", c.shut, "{code}", c.code, "{cup}", c.cup, "{new}", "new"+c.name).Replace(text)
}

// asked sends the request of a row. Of a stream the beginning is read.
func (r *row) asked(c *cast, by *client) answer {
	method, _, ok := strings.Cut(r.route, " ")
	if !ok {
		method = "GET"
	}
	path := c.fill(r.path)
	if strings.HasSuffix(r.route, "/events") || strings.HasSuffix(r.route, "/export") {
		return by.first(method, path)
	}
	switch b := r.body.(type) {
	case nil:
		return by.do(method, path, nil)
	case string:
		return by.do(method, path, b)
	case url.Values:
		form := url.Values{}
		for key := range b {
			form.Set(key, c.fill(b.Get(key)))
		}
		return by.do(method, path, form)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			by.s.t.Fatal(err)
		}
		return by.do(method, path, c.fill(string(text)))
	}
}

func TestRoutesByRole(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	s := h.testHall
	boss := s.admin()
	s.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1}, `{"game":"over1"}`)
	shared := s.assemble(0, boss)
	sub, err := h.bus.ServeSeatInput(shared.own, game.First, func(bus.SeatInput) bus.Reply { return bus.Reply{} })
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	n := 1
	rows := coreRows()
	for i := range rows {
		r := &rows[i]
		for role, name := range roleNames() {
			c := shared
			if r.fresh && r.want[role] < 400 { // what is refused changes nothing
				if testing.Short() {
					continue
				}
				c = s.assemble(n, boss)
				n++
			}
			a := r.asked(c, c.by[role])
			if a.status != r.want[role] {
				t.Errorf("%s by %s: %d, want %d: %s", r.route, name, a.status, r.want[role], a.body)
			}
		}
	}
	s.everyRoute(t, rows)
}

// everyRoute holds the table to the routes that there are: what the router knows, what
// the description of the API says, and what is in the table are the same.
func (s *testHall) everyRoute(t *testing.T, rows []row) {
	t.Helper()
	inTable, known := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		inTable[r.route] = true
	}
	for _, r := range s.hall.router.Routes() {
		known[r.Pattern()] = true
		if !inTable[r.Pattern()] {
			t.Errorf("%s is in no row of the table of roles: add one", r.Pattern())
		}
	}
	for name := range inTable {
		if !known[name] {
			t.Errorf("%s is in the table of roles, but no route", name)
		}
	}
	for path, item := range s.hall.api.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch, "DELETE": item.Delete, "HEAD": item.Head, "OPTIONS": item.Options, "TRACE": item.Trace} {
			if op != nil && !known[method+" "+path] {
				t.Errorf("%s %s is described, and not behind a guard", method, path)
			}
		}
	}
}
