package server

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"mime/multipart"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kibitz/hall/director"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// A form that was not taken comes back with all that was typed, and with what was wrong
// beside the field that is meant.
func TestFormsKeepWhatWasTyped(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	for _, tt := range []struct {
		name, path string
		status     int
		fields     []string
		has, not   []string
	}{
		{
			"a tournament with a line that is no engine", "/tournaments", 422,
			[]string{"game", "othello", "format", "gauntlet", "games", "4", "clock", "5+1", "engines", "bot=1 name=Ann\nnonsense", "late", "on", "name", "Winter <Cup>"},
			[]string{
				`<option value="gauntlet" selected="">`, `name="games" type="number" min="1" max="1000" value="4"`,
				`value="5+1"`, ">bot=1 name=Ann\nnonsense</textarea>", `name="late" checked=""`, `value="Winter &lt;Cup&gt;"`,
				`<span class="field-fault" id="fault-engines" role="alert">nonsense: no engine of the hall`, `aria-describedby="fault-engines"`, `<details class="panel" id="new" open="">`,
			},
			[]string{`name="open" checked`, `class="detail"`},
		},
		{
			"a room with a clock that is none", "/rooms", 422,
			[]string{"game", "connect6", "clock", "5 hours?", "games", "3", "undo", "on", "access", "private"},
			[]string{`<option value="connect6" selected="">`, `value="5 hours?"`, `<span class="field-fault" id="fault-clock" role="alert">Write minutes + seconds a move`, `<option value="private" selected="">`, `name="undo" checked=""`},
			[]string{`name="rated" checked`, `class="detail"`},
		},
	} {
		body := h.say(ann, tt.path, tt.status, tt.fields...).body
		for _, want := range tt.has {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the page lacks %s", tt.name, want)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(body, not) {
				t.Errorf("%s: the page has %s", tt.name, not)
			}
		}
		if t.Failed() {
			_, main, _ := strings.Cut(body, "<main")
			t.Log(main)
		}
	}
	room := h.say(ann, "/rooms", 303, "game", "othello", "access", "listed").head.Get("Location")
	body := h.say(ann, room+"/do", 422, "do", "set", "clock", "soon", "name", "Our room", "games", "7", "access", "listed").body
	for _, want := range []string{`value="Our room"`, `value="soon"`, `id="fault-clock"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the settings of a room: the page lacks %s", want)
		}
	}
	// Scripts read which field it is, in no language.
	ann.head["Accept"], ann.head["Accept-Language"] = "application/json", "cs"
	var p problem.Details
	ann.once("POST", room+"/do", url.Values{"do": {"set"}, "clock": {"soon"}}).want(422).into(&p)
	if !(pages.FieldFault{Field: p.Field}).Is("clock") || p.Said == "" {
		t.Errorf("a script is told of the field %q: %s", p.Field, p.Said)
	}
}

// typed is a form with fields that people write into.
var typed = regexp.MustCompile(`(?s)<form method="post" action="([^"]+)"(.*?)</form>`)

// inFiles are the places of files that a pattern finds, each with the name of its file.
func inFiles(t *testing.T, files string, what *regexp.Regexp) iter.Seq2[string, []string] {
	t.Helper()
	names, err := filepath.Glob(files)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string, []string) bool) {
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range what.FindAllStringSubmatch(string(data), -1) {
				if !yield(name, m) {
					return
				}
			}
		}
	}
}

// forms are those of the templates with fields that people write into, by their addresses and
// the first of their commands.
func forms(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, m := range inFiles(t, "../web/pages/html/*.html", typed) {
		fields := regexp.MustCompile(`<input(?: readonly[^>]*|[^>]*type="(?:hidden|checkbox|radio)"[^>]*)>`).ReplaceAllString(m[2], "")
		if !regexp.MustCompile(`<input |<textarea |template "(?:clocks|group)"`).MatchString(fields) {
			continue
		}
		key := regexp.MustCompile(`\{\{[^}]*\}\}`).ReplaceAllString(m[1], "*")
		if do := regexp.MustCompile(`name="do" value="([a-z-]+)"`).FindStringSubmatch(m[2]); do != nil {
			key += " " + do[1]
		}
		out[key] = true
	}
	return out
}

// Every form of the hall that is not taken comes back on its page with what was typed, with what
// was wrong beside a field, which has the focus, and with a title that says so. The table has
// every form of the templates.
func TestEveryFormComesBack(t *testing.T) {
	h := withPages(t)
	boss, ann := h.admin(), h.register("ann")
	room := h.say(ann, "/rooms", 303, "game", "othello", "access", "listed").head.Get("Location")
	h.say(ann, "/tournaments", 303, "game", "othello", "format", "roundrobin", "games", "2", "engines", "bot=1\nbot=2", "late", "1", "open", "1", "concurrency", "1", "name", "cup")
	var cups []director.TournamentListed
	ann.do("GET", tournamentsPath, nil).want(200).into(&cups)
	cup := "/tournaments/" + cups[0].ID
	h.say(ann, cup+"/do", 303, "do", "start", "sure", "1")
	h.say(ann, "/bots", 303, "names", "annbot")
	bots := h.page(ann, "/bots")
	bot := regexp.MustCompile(`/bots/\d+`).FindString(bots)
	for ann.do("POST", "/api/v1/saved", map[string]any{"spec": "othello", "name": "x"}).status == 201 { // as many as an account may keep
	}
	h.addGame(store.Game{ID: "over1", Spec: "othello", Listed: true, Attempt: 1, Seats: [2]store.Seat{{Name: "Ann"}, {Name: "Bob"}}}, `{"game":"over1"}`)
	long := strings.Repeat("x", 600)
	rows := []struct {
		form   string // of the templates
		by     *client
		path   string
		field  string // which has the focus
		typed  string // what was written into a field and stands there again
		fields []string
	}{
		{"/login", nil, "/login", "password", "nobody", []string{"name", "nobody", "password", "wrong"}},
		{"/register", nil, "/register", "name", "a b", []string{"name", "a b", "password", "long enough"}},
		{"/register", nil, "/register", "name", "Ann", []string{"name", "Ann", "password", "long enough"}},
		{"/register", nil, "/register", "password", "cecil", []string{"name", "cecil", "password", "short"}},
		{"/account/name", h.guest(), "/account/name", "name", "a b", []string{"name", "a b"}},
		{"/account/password", ann, "/account/password", "old", "", []string{"old", "wrong", "new", "quite another one"}},
		{"/account/password", ann, "/account/password", "new", "", []string{"old", "wrong", "new", "short"}},
		{"*", ann, "/account/tokens", "days", "mine", []string{"name", "mine", "days", "9999"}},
		{"*", ann, bot + "/tokens", "name", long, []string{"name", long, "days", "1"}},
		{"/bots", ann, "/bots", "names", "a!b", []string{"names", "a!b"}},
		{"/admin/workers", boss, "/admin/workers", "name", "a b", []string{"name", "a b"}},
		{"/admin/engines", boss, "/admin/engines", "name", "a b", []string{"name", "a b", "hash", "12"}},
		{"/admin/engines", boss, "/admin/engines", "hash", "edax", []string{"name", "edax", "hash", long}},
		{"/admin/users/* role", boss, fmt.Sprint("/admin/users/", ann.id), "role", "", []string{"do", "role", "role", "king"}},
		{"/play", ann, "/play", "own", "abc", []string{"game", "othello", "sheet", "1", "with", "engine", "clock", "own", "own", "abc"}},
		{"/rooms", ann, "/rooms", "clock", "abc", []string{"game", "othello", "clock", "abc"}},
		{"/rooms/*/do set", ann, room + "/do", "clock", "Our room", []string{"do", "set", "clock", "abc", "name", "Our room", "access", "listed", "chat", "open", "begins", "first"}},
		{"/rooms/*/do engine", ann, room + "/do", "engine", "", []string{"do", "engine", "place", "1", "engine", "bot=12"}},
		{"/rooms/*/say", ann, room + "/say", "text", long, []string{"channel", "all", "text", long}},
		{"/rooms/*/do enter", h.register("dan"), "/rooms/" + ann.open(map[string]any{"game": "othello", "access": "private"}) + "/do", "code", "1234", []string{"do", "enter", "code", "1234"}},
		{"/games/*/keep", ann, "/games/over1/keep", "name", "mine", []string{"ply", "0", "name", "mine"}},
		{"/tournaments", ann, "/tournaments", "engines", "nonsense", []string{"game", "othello", "format", "roundrobin", "games", "2", "engines", "nonsense", "concurrency", "1"}},
		{"/tournaments", ann, "/tournaments", "engines", "bot=1", []string{"name", "", "game", "othello", "format", "roundrobin", "games", "2", "engines", "bot=1", "concurrency", "1", "start", "on"}},
		{"/tournaments/*/enter", ann, cup + "/enter", "name", "an &#39;x", []string{"engine", "bot=5", "name", "an 'x"}},
		{"/tournaments/*/do concurrency", ann, cup + "/do", "concurrency", "5000", []string{"do", "concurrency", "concurrency", "5000"}},
		{"/tournaments/*/do pair", ann, cup + "/do", "opponent", "kept", []string{"do", "pair", "entry", "2", "opponent", "2", "note", "kept"}},
		{"/tournaments/*/do forfeit", ann, cup + "/do", "game", "kept", []string{"do", "forfeit", "entry", "1", "game", "99", "note", "kept"}},
		{"/tournaments/*/do withdraw", ann, cup + "/do", "entry", "kept", []string{"do", "withdraw", "entry", "99", "note", "kept"}},
		{"/tournaments/*/do overrule", ann, cup + "/do", "game", "kept", []string{"do", "overrule", "game", "99", "result", "draw", "note", "kept"}},
	}
	left := forms(t)
	var file bytes.Buffer
	parts := multipart.NewWriter(&file)
	_ = errors.Join(parts.WriteField("format", "json"), parts.WriteField("spec", "othello"), parts.Close())
	boss.head["Accept"], boss.head["Content-Type"] = "text/html", parts.FormDataContentType()
	check(t, boss.do("POST", "/games/import", file.String()), "/games/import", "files", `value="othello" selected`)
	delete(boss.head, "Content-Type")
	delete(left, "/games/import")
	delete(left, "*/move")              // of a game that is played: TestTypedMoveComesBack
	delete(left, "/rooms/*/do verdict") // TestArbiterRights
	for _, x := range rows {
		delete(left, x.form)
		by := x.by
		if by == nil {
			by = h.client()
		}
		form := url.Values{}
		for i := 0; i < len(x.fields); i += 2 {
			form.Set(x.fields[i], x.fields[i+1])
		}
		by.head["Accept"] = "text/html"
		a := by.do("POST", x.path, form)
		delete(by.head, "Accept")
		check(t, a, x.path, x.field, x.typed)
	}
	for form := range left {
		t.Errorf("%s is in no row of the table", form)
	}
}

// check reads a page with a form that came back.
func check(t *testing.T, a answer, path, field, typed string) {
	t.Helper()
	_, rest, _ := strings.Cut(a.body, "<title>")
	title, rest, _ := strings.Cut(rest, "</title>")
	_, main, _ := strings.Cut(rest, `<main`)
	focus := regexp.MustCompile(`<(?:input|select|textarea)[^>]* autofocus=""[^>]*>`).FindAllString(main, -1)
	switch {
	case a.status < 400 || a.status >= 500:
		t.Errorf("%s: %d", path, a.status)
	case !strings.HasPrefix(title, "Check the form: "):
		t.Errorf("%s: the title is %q", path, title)
	case len(focus) != 1 || !strings.Contains(focus[0], `name="`+field+`"`):
		t.Errorf("%s: the focus is on %s", path, focus)
	case !regexp.MustCompile(`id="fault-` + field + `" (role="alert"|data-aloud="now")`).MatchString(main):
		t.Errorf("%s: nothing is said beside %s", path, field)
	case strings.Count(main, `role="alert"`) > 1 || strings.Contains(a.body, " staged") && strings.Contains(main, `role="alert"`):
		t.Errorf("%s: more is read aloud", path)
	case !strings.Contains(main, typed):
		t.Errorf("%s: what was typed is lost", path)
	}
}

// A move that was typed on the page without scripts and is none comes back, as every other form.
func TestTypedMoveComesBack(t *testing.T) {
	h := newHouse(t, build{})
	ann, bob := h.register("ann"), h.register("bob")
	id := ann.open(map[string]any{"game": "gomoku:size=22", "clocks": []string{"600+1", "600+1"}})
	bob.order(id, "enter", nil)
	for i, c := range []*client{ann, bob} {
		c.order(id, "sit", map[string]any{"place": i, "kind": "person"})
	}
	h.here(bob, id)
	game := ann.order(id, "start", nil).Room.Game.ID
	h.begun(id)
	prompt := h.tap(ann, "/api/v1/games/"+game+"/events", "").asked(0).Prompt
	ann.head["Accept"] = "text/html"
	path := "/rooms/" + id + "/move"
	a := ann.do("POST", path, url.Values{"prompt": {strconv.Itoa(prompt)}, "move": {"zz99"}})
	check(t, a, path, "move", "zz99")
}
