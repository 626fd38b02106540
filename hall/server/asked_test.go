package server

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/store"
)

// pageText is a page as it reads, for a browser.
func (c *client) pageText(path string) string {
	c.s.t.Helper()
	c.head["Accept"] = "text/html"
	return html.UnescapeString(c.do("GET", path, nil).want(200).body)
}

func wants(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, x := range texts {
		if !strings.Contains(page, x) {
			t.Errorf("the page lacks %s", x)
		}
	}
}

// The host of a room sets the options of its game, a clock for each seat and the pause of a series;
// all who look on read them, and ask who plays there for a game by the name on the bar.
func TestRoomOptions(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, eve := h.register("ann"), h.register("eve")
	ann.head["Accept"] = "text/html"
	at := ann.do("POST", "/rooms", url.Values{"game": {"darkchess"}, "clock": {"5+3"}, "access": {"listed"}}).want(303).head.Get("Location")
	ann.do("POST", at+"/do", url.Values{"do": {"sit"}, "place": {"0"}}).want(303)
	wants(t, ann.pageText(at), `<select name="option.noeat"`, `name="clock2"`, `name="pause"`, `name="pairs"`)
	ann.do("POST", at+"/do", url.Values{
		"do": {"set"}, "game": {"darkchess"}, "option.noeat": {"60"}, "clock": {"5+3"}, "clock2": {"1+1"}, "games": {"4"}, "pause": {"7"}, "pairs": {"on"},
		"begins": {"first"}, "access": {"listed"}, "chat": {"open"},
	}).want(303)
	page := eve.pageText(at)
	wants(t, page, "<dt>Draw after turns without a capture or a flip</dt><dd>60</dd>", "<dt>Clock of the second seat</dt><dd>1 minute + 1 s</dd>",
		"<dt>Seconds between games</dt><dd>7</dd>", "<dt>Pieces lie the same way in every two games</dt><dd>yes</dd>",
		`<a href="/play/darkchess?to=ann" title="Ask ann" class="bar-name"`)
	if strings.Contains(ann.pageText(at), "?to=ann") {
		t.Error("the host is to ask herself")
	}
	// With the options of a game in one press there are two games then.
	wants(t, eve.pageText("/play/darkchess"), `name="pairs"`)
	if strings.Contains(eve.pageText("/play/othello"), `name="pairs"`) {
		t.Error("nothing lies in Othello")
	}
	eve.head["Accept"] = "text/html"
	two := eve.do("POST", "/play", url.Values{
		"game": {"darkchess"}, "sheet": {"1"}, "with": {"engine"}, "level": {"1"}, "pairs": {"on"}, "games": {"1"},
	}).want(303).head.Get("Location")
	wants(t, eve.pageText(two), "<dt>Games in the series</dt><dd>2</dd>", "<dt>Pieces lie the same way in every two games</dt><dd>yes</dd>")
	wants(t, eve.pageText("/play/darkchess"), `name="pairs" checked`)
	refused := ann.do("POST", at+"/do", url.Values{
		"do": {"set"}, "game": {"gomoku"}, "option.size": {"4"}, "clock": {"5+3"}, "games": {"1"}, "begins": {"first"}, "access": {"listed"},
		"chat": {"open"},
	}).want(422).body
	wants(t, refused, " · Possible here: 5 – 127.")
}

// Who is in a room that is not for everybody, and how many, is for those who may come in.
func TestPrivatePeople(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, bob, eve := h.register("ann"), h.register("bob"), h.register("eve")
	count := func(by *client, id string) int {
		var list []lobby.RoomLine
		by.do("GET", "/api/v1/rooms", nil).want(200).into(&list)
		for i := range list {
			if list[i].ID == id {
				return list[i].People
			}
		}
		return -1
	}
	for access, want := range map[string][3]int{"listed": {2, 2, 200}, "invitation": {0, 0, 404}, "private": {-1, -1, 404}} {
		id := ann.open(map[string]any{"game": "othello", "access": access})
		ann.order(id, "invite", map[string]any{"user": bob.id})
		bob.order(id, "enter", nil)
		if in, out := count(bob, id), count(eve, id); in != want[0] || out != want[1] {
			t.Errorf("%s: who is inside counts %d people, who is not %d; want %v", access, in, out, want)
		}
		if !strings.Contains(bob.pageText("/rooms/"+id), "<bdi>bob</bdi>") {
			t.Errorf("%s: who is inside is not told who is there", access)
		}
		eve.head["Accept"] = "text/html"
		if a := eve.do("GET", "/rooms/"+id, nil); a.status != want[2] || (a.status == 404) != !strings.Contains(a.body, "<bdi>bob</bdi>") {
			t.Errorf("%s: an outsider gets %d", access, a.status)
		}
		eve.do("GET", "/rooms/"+id+"/live", nil).want(want[2])
	}
}

// Who has the page of a room open looks on, whether he has entered or not: all are counted but those with a
// place, each account once, and accounts are named.
func TestSpectators(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, bob, eve, nobody := h.register("ann"), h.register("bob"), h.register("eve"), h.client()
	id := ann.open(map[string]any{"game": "othello"})
	ann.order(id, "sit", map[string]any{"place": 0, "kind": "person"})
	bob.order(id, "enter", nil)
	is := func(want int, names ...string) {
		t.Helper()
		var v lobby.RoomView
		nobody.do("GET", roomsPath+"/"+id, nil).want(200).into(&v)
		var got []string
		for _, p := range v.Spectators {
			got = append(got, p.Name)
		}
		if v.Watching != want || !slices.Equal(got, names) {
			t.Errorf("%d look on, by name %q; want %d, %q", v.Watching, got, want, names)
		}
		count := ""
		if want > 0 {
			count = fmt.Sprintf(" %d", want)
		}
		wants(t, nobody.pageText("/rooms/"+id+"/live"), `<div data-part="room-count">`+count+`</div>`)
	}
	open := func(c *client) *tap {
		page := h.tap(c, roomsPath+"/"+id+"/events", "")
		page.any()
		return page
	}
	is(0)
	mine := open(ann)
	is(0)
	inside, outside, twice, stranger := open(bob), open(eve), open(eve), open(nobody)
	is(3, "bob", "eve")
	wants(t, bob.pageText("/rooms/"+id), "<bdi>eve</bdi>")
	mine.until("spectators", func(list []event) bool { return strings.Contains(list[len(list)-1].data, `"watching":3`) })
	outside.stop()
	is(3, "bob", "eve")
	twice.stop()
	stranger.stop()
	inside.stop()
	mine.until("nobody", func(list []event) bool { return !strings.Contains(list[len(list)-1].data, `"watching"`) })
	is(0)
	open(eve)
	is(1, "eve")
	h.later(time.Hour) // its hall has ended without a word
	is(0)
}

// Input that cannot be taken is answered by a sentence that says what can, and each limit by one that
// says that it is reached.
func TestBadInput(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, bob, eve, guest := h.register("ann"), h.register("bob"), h.register("eve"), h.guest()
	used, gone, lapses := ann.challenge(), ann.challenge(), ann.challenge()
	bob.do("POST", challengesPath+"/"+used.Code+"/accept", nil).want(201)
	ann.do("DELETE", challengesPath+"/"+gone.Code, nil).want(204)
	room := ann.open(map[string]any{"game": "othello"})
	ann.order(room, "enter", nil)
	// Styles of a page are named in its header, but for what is for browsers without scripts alone.
	if a := ann.do("GET", "/rooms/"+room, nil).want(200); strings.Count(a.body, `<link rel="stylesheet"`) != len(a.head.Values("Link"))+1 || !strings.Contains(a.body, `<noscript><link rel="stylesheet"`) {
		t.Errorf("Link: %q", a.head.Values("Link"))
	}
	for range lobby.MostSeeks {
		ann.do("POST", playPath, map[string]any{"game": "surakarta", "with": "anybody"}).want(201)
	}
	for range lobby.MostOfGuest {
		guest.challenge()
	}
	for _, by := range []*client{bob, eve} { // one of them is shown at a time
		by.challenge("to", "ann")
	}
	if n := strings.Count(ann.pageText("/watch"), `class="own-ask"`); n != 1 {
		t.Errorf("%d toasts", n)
	}
	for _, c := range []*client{ann, eve, guest} {
		c.head["Accept"] = "text/html"
	}
	const often, tooLong, many = "That was too much in a short time. Wait a moment and try again.", "2 to 24 letters or digits",
		"That is as many as one account may have. End or remove one first."
	chat := func(text string) url.Values { return url.Values{"channel": {"all"}, "text": {text}} }
	play := func(more ...string) url.Values {
		v := url.Values{"sheet": {"1"}, "with": {"engine"}, "clock": {"inf"}}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return v
	}
	type row struct {
		by     *client
		method string
		path   string
		body   any
		status int
		want   string
	}
	read := func(text string, spec ...string) map[string]any {
		return map[string]any{"text": text, "spec": strings.Join(spec, "")}
	}
	const readPath = "/api/v1/boards/read"
	rows := []row{
		{ann, "POST", "/play", play("game", "gomoku", "clock", "own", "own", "abc"), 422, "Write minutes + seconds a move, for example 5+3."},
		{ann, "POST", playPath, map[string]any{"game": "gomoku:size=4"}, 422, "5 to 127"},
		{eve, "GET", used.Page, nil, 200, "This game has already begun."},
		{eve, "GET", gone.Page, nil, 200, "This invitation is over. Ask for another."},
		{guest, "POST", "/account/name", url.Values{"name": {strings.Repeat("x", 25)}}, 422, "A name has 2 to 24 characters; this one has 25."},
		{guest, "POST", "/account/name", url.Values{"name": {strings.Repeat("x", 24)}}, 303, ""},
		{eve, "POST", "/register", url.Values{"name": {strings.Repeat("y", 25)}, "password": {"long enough"}}, 422, tooLong},
		{guest, "POST", "/play", play("game", "othello", "with", "friend"), 429, many},
		{ann, "POST", "/play", url.Values{"game": {"surakarta"}, "with": {"anybody"}}, 429, many},
		{ann, "POST", readPath, read(strings.Repeat("f5", 1<<19) + "d"), 422, "1048576"},
		{ann, "POST", readPath, read("(;GM[2]FF[4];B[f5];W[d6])(;GM[2]FF[4];B[d3])"), 200, `"count":2`},
		{ann, "POST", readPath, read("(;GM[4]SZ[15];B[hh])", "othello"), 200, `"spec":"gomoku`},
		{ann, "POST", readPath, read("(;GM[2]FF[4];B[f5];W[f5];B[d3])"), 200, `"illegal":{"n":2,"move":"f5"`},
		{ann, "POST", "/api/v1/boards/record", map[string]any{"spec": "othello", "steps": make([]struct {
			Move string `json:"move"`
		}, records.MaxTree+1)}, 422, "5000"},
		{ann, "POST", "/rooms/" + room + "/say", chat(strings.Repeat("x", 501)), 422, "500"},
	}
	for n := range lobby.LinesAtOnce {
		rows = append(rows, row{ann, "POST", "/rooms/" + room + "/say", chat(strings.Repeat("é", 500-n)), 303, ""})
	}
	rows = append(rows, row{ann, "POST", "/rooms/" + room + "/say", chat("once more"), 429, often})
	h.stand() // what is too often is so within seconds
	for _, x := range rows {
		a := x.by.do(x.method, x.path, x.body)
		if text := html.UnescapeString(a.body); a.status != x.status || !strings.Contains(text, x.want) {
			t.Errorf("%s %s %.80v: %d without %q: %.300s", x.method, x.path, x.body, a.status, x.want, text)
		}
	}
	h.later(25 * time.Hour)
	wants(t, h.client().pageText(lapses.Page), "This invitation is over. Ask for another.")
}

// A search that finds nothing repeats what was searched for, and drops the one condition without which
// there is something.
func TestNothingFound(t *testing.T) {
	s := newSite(t, full)
	s.addGame(store.Game{
		ID: "g", Spec: "othello", State: store.Over, Listed: true, Result: game.Result{Points: [2]float64{1, 0}},
		Seats: [2]store.Seat{{Name: "ann", User: 901}, {Name: "bob", User: 902}},
	}, "")
	c := s.client()
	wants(t, c.pageText("/games?game=gomoku&player=ann"), "You searched for: Game: Five in a row, Player: ann", `href="/games?player=ann"`,
		"Search without: Game: Five in a row")
	wants(t, c.pageText("/games?game=nogo&player=eve&opponent=bob"), "No game fits.", `href="/games"`, "All games")
	if page := c.pageText("/games?player=ann"); strings.Contains(page, "No game fits.") {
		t.Error("what there is is not found")
	}
}

// Who was too quick, or wrong too often, reads when to come again; who sends too much, how much may be
// sent.
func TestWhenAgain(t *testing.T) {
	s := newSite(t, full)
	s.register("ann")
	c := s.client()
	c.head["Accept"] = "text/html"
	try := func() answer { return c.do("POST", "/login", url.Values{"name": {"ann"}, "password": {"wrong wrong"}}) }
	a := try()
	for n := 0; a.status == 401 && n < 50; n++ {
		a = try()
	}
	a.want(429)
	wants(t, a.body, "Too many wrong tries from here. Try again in ")
	if strings.Contains(a.body, "failures") || a.head.Get("Retry-After") == "" {
		t.Errorf("it is said in the words of programs: %s", a.body)
	}
	big := c.do("POST", "/login", url.Values{"name": {strings.Repeat("a", 3<<20)}}).want(413)
	wants(t, html.UnescapeString(big.body), "That is too large", "At most ")
}

// Where there is nothing a page has a picture, a sentence and one thing to do, in every language.
func TestEmptyPages(t *testing.T) {
	s := newSite(t, func(c *Config) {
		full(c)
		withTournaments(c, c.Store)
	})
	for _, lang := range []string{"en", "zh-Hant", "zh-Hans", "cs", "es"} {
		c := s.client()
		c.head["Accept-Language"] = lang
		for _, path := range []string{"/watch", "/rooms", "/games", "/games?player=nobody", "/players", "/engines", "/tournaments"} {
			_, rest, found := strings.Cut(c.pageText(path), `<div class="empty">`)
			empty, _, _ := strings.Cut(rest, "</div>")
			if !found || !strings.Contains(empty, "<svg") || strings.Count(empty, `class="button primary"`)+strings.Count(empty, `<button`) != 1 {
				t.Errorf("%s, %s: %s", lang, path, empty)
			}
			if _, say, _ := strings.Cut(empty, "<p>"); len(say) < 10 || strings.HasPrefix(say, "</p>") {
				t.Errorf("%s, %s says nothing", lang, path)
			}
		}
	}
}

// TestEngineAsked: the page of an engine offers each of its games against it.
func TestEngineAsked(t *testing.T) {
	c := newHouse(t, build{idle: true}).register("ann")
	text := c.pageText("/engines/bot=7")
	for _, kind := range []string{"othello", "gomoku", "darkchess"} {
		path := "/play/" + kind + "?with=engine&level=7&engine="
		if !strings.Contains(text, `href="`+path+`"`) {
			t.Fatalf("no %s in %s", path, text)
		}
		sheet := c.pageText(path)
		if !regexp.MustCompile(`name="level" value="7"[^>]* checked`).MatchString(sheet) {
			t.Errorf("%s does not choose level 7: %s", path, sheet)
		}
	}
}
