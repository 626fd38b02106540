package server

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	makers "kibitz/hall/forms"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// pageForm is a form of a page that changes something, with what a press of one of its buttons sends.
type pageForm struct {
	action string
	sent   url.Values
	// kinds are how its fields are filled in: "number", "text", "select", by their names.
	kinds map[string]string
}

func attributeOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// formsOf are the forms of a page, one for each of their buttons that say what is to be done.
func formsOf(t *testing.T, body string) (list []pageForm) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Form || attributeOf(n, "method") != "post" {
			continue
		}
		f := pageForm{attributeOf(n, "action"), url.Values{}, map[string]string{}}
		var presses []url.Values
		for x := range n.Descendants() {
			name, value := attributeOf(x, "name"), attributeOf(x, "value")
			switch {
			case name == "":
			case x.DataAtom == atom.Button:
				presses = append(presses, url.Values{name: {value}})
			case attributeOf(x, "type") != "checkbox" && !f.sent.Has(name):
				f.kinds[name], f.sent[name] = kindOf(x), []string{usualOf(x)}
			}
		}
		for _, p := range presses {
			with := maps.Clone(f.sent)
			maps.Copy(with, p)
			list = append(list, pageForm{f.action, with, f.kinds})
		}
		if len(presses) == 0 {
			list = append(list, f)
		}
	}
	return list
}

func kindOf(field *html.Node) string {
	if kind := attributeOf(field, "type"); kind != "" {
		return kind
	}
	return field.Data
}

// usualOf is what a field sends that nobody has touched.
func usualOf(field *html.Node) string {
	for o := range field.Descendants() {
		if o.DataAtom == atom.Option {
			return attributeOf(o, "value")
		}
	}
	return attributeOf(field, "value")
}

// wrongs are values that hardly a field of its kind and name takes.
func wrongs(kind, name string) []string {
	known := map[string][]string{
		"game":      {"gomoku:size=4", "gomoku:size=x", "gomoku:rule=none", "gomoku:none=1", "dotsandboxes:size=99", "phantomgo:size=99", "chess"},
		"clock":     {"1+x", "99999999+1", "-1", "st=0"},
		"engines":   {"bot=99", "bot", "cmd=./x", "bot=1 depth=x", "bot=1 tc=x"},
		"openings":  {"random=5", "file=x.sgf", "suite=none"},
		"sprt":      {"elo0=5 elo1=0", "alpha=2"},
		"points":    {"1", "1/2/3/4"},
		"tiebreaks": {"wins,wins"},
		"names":     {"a/b", "ab-", "admin", "x"},
	}[name]
	switch kind {
	case "number":
		return append(known, "-1", "0", "999999999", "xyzzy")
	case "hidden", "select", "radio":
		return append(known, "xyzzy")
	}
	return append(known, "", "xyzzy", strings.Repeat("y", 600), "ab\xff")
}

// foreigner finds English in pages of another language.
type foreigner struct {
	// words are those of English texts that no text of the language has.
	words map[string]bool
	// found are the English texts, each with where it was first.
	found map[string]string
}

// word is what a text is made of.
var word = regexp.MustCompile(`[\pL']+`)

func wordsOf(text string) []string { return word.FindAllString(strings.ToLower(text), -1) }

func newForeigner(language string) *foreigner {
	f := &foreigner{map[string]bool{}, map[string]string{}}
	set := testPages().Words()
	en, own := set.Choose("en", ""), set.Choose(language, "")
	en.Keys(func(key string) {
		for _, w := range wordsOf(en.Text(key)) {
			f.words[w] = true
		}
	})
	own.Keys(func(key string) {
		for _, w := range wordsOf(own.Text(key)) {
			delete(f.words, w)
		}
	})
	return f
}

// sounds reports whether three words behind one another are English.
func (f *foreigner) sounds(text string) bool {
	row := 0
	for _, w := range wordsOf(text) {
		if row++; !f.words[w] {
			row = 0
		}
		if row == 3 {
			return true
		}
	}
	return false
}

// read looks through a page: what is marked as English counts too, but not what somebody wrote, code,
// names and addresses.
func (f *foreigner) read(what, body string) {
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		f.found[err.Error()] = what
		return
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && attributeOf(n, "lang") == "en" && n.DataAtom != atom.Button {
			for x := range n.Descendants() {
				if x.Type == html.TextNode && f.found[x.Data] == "" {
					f.found[x.Data] = what
				}
			}
			return
		}
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Code, atom.Pre, atom.Bdi, atom.Textarea, atom.Option:
			return
		}
		if n.Type == html.TextNode && !strings.Contains(n.Data, "://") && f.sounds(n.Data) {
			f.found[strings.TrimSpace(n.Data)] = what
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(doc)
}

// wrongly sends forms wrongly in one language, and reads the answers.
type wrongly struct {
	*foreigner
	t        *testing.T
	h        *house
	language string
	c        *cast
	tried    map[string]bool
	refused  int
	// said are the texts for scripts, each with what it answered.
	said map[string]string
}

// browsers are the roles of who sits in front of a browser.
func browsers() []int { return []int{guest, player, other, arbiter} }

// send sends a form; what is refused is read.
func (w *wrongly) send(by *client, what, path string, form url.Values) {
	if w.tried[what] {
		return
	}
	w.tried[what] = true
	as := *by
	as.cookie, as.head = maps.Clone(by.cookie), maps.Clone(by.head) // what is taken changes who sends it
	by = &as
	a := by.once("POST", path, form)
	if a.status == 429 && path == "/play" { // there are games enough of this one
		fresh := w.h.guest()
		maps.Copy(fresh.head, by.head)
		a = fresh.once("POST", path, form)
	}
	if a.status >= 500 {
		w.t.Errorf("%s: %d", what, a.status)
	}
	if a.status >= 400 && strings.HasPrefix(a.head.Get("Content-Type"), "text/html") {
		w.refused++
		w.read(fmt.Sprintf("%s (%d)", what, a.status), a.body)
		if strings.HasPrefix(path, "/rooms/") { // which scripts send
			by.head["Accept"] = "application/json"
			w.hear(what+" by a script", by.once("POST", path, form))
		}
	}
}

// script sends the API what scripts of pages send.
func (w *wrongly) script(by *client, path string, body any) {
	as := *by
	as.head = maps.Clone(by.head)
	as.head["Accept"] = "*/*"
	w.hear(fmt.Sprintf("%s %v", path, body), as.once("POST", path, body))
}

// hear reads what a script shows of an answer: one text in the language, or none to who is not refused.
func (w *wrongly) hear(what string, a answer) {
	if a.status < 400 {
		return
	}
	w.refused++
	var p problem.Details
	if a.into(&p); p.Said == "" || p.Said == p.Detail || w.sounds(p.Said) {
		w.t.Errorf("%s: %s (%d) is said as %q: %s", w.language, what, a.status, p.Said, a.body)
	}
	w.said[p.Said] = what
}

// forms sends every form of a page that a role has with something wrong in each of its fields.
func (w *wrongly) forms(role int, list ...string) {
	for _, path := range list {
		by := w.c.by[role]
		got := by.do("GET", w.c.fill(path), nil)
		if got.status != 200 {
			w.t.Errorf("%s for %s: %d", path, roleNames()[role], got.status)
		}
		for _, f := range formsOf(w.t, got.body) {
			if slices.Contains([]string{"/logout", "/look", "/settings"}, f.action) { // they take all there is
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(f.kinds)) {
				for _, x := range wrongs(f.kinds[name], name) {
					form := maps.Clone(f.sent)
					form.Set(name, x)
					w.send(by, fmt.Sprintf("%s %s %s=%.20q by %s", f.action, f.sent.Get("do"), name, x, roleNames()[role]), f.action, form)
				}
			}
		}
	}
}

// orders gives every command of rooms and tournaments, possible or not.
func (w *wrongly) orders(path string, commands ...string) {
	for _, do := range commands {
		for _, role := range browsers() {
			for _, n := range []string{"0", "1"} {
				form := url.Values{"do": {do}, "sure": {"1"}}
				for _, name := range []string{"place", "user", "entry", "opponent", "game", "concurrency"} {
					form.Set(name, n)
				}
				w.send(w.c.by[role], fmt.Sprintf("%s %s %s by %s", path, do, n, roleNames()[role]), path, form)
			}
		}
	}
}

// routes asks for every page and form that some role may not have.
func (w *wrongly) routes() {
	for _, r := range pageRows() {
		if r.path == "" {
			_, r.path, _ = strings.Cut(r.route, " ")
		}
		for _, role := range append(browsers(), anon, operator) {
			if r.want[role] < 400 || strings.HasPrefix(r.route, "GET /assets/") {
				continue
			}
			a := r.asked(w.c, w.c.by[role])
			w.read(r.route+" by "+roleNames()[role], a.body)
		}
	}
}

// playing opens a room in which a series is played, and a rated one with one seat taken.
func (w *wrongly) playing() (playing, rated string) {
	p, o := w.c.by[player], w.c.by[other]
	playing = p.open(map[string]any{"game": "othello", "rated": true})
	o.order(playing, "enter", nil)
	for i, by := range []*client{p, o} {
		by.order(playing, "sit", map[string]any{"place": i, "kind": "person"})
	}
	w.h.here(o, playing)
	p.order(playing, "start", nil)
	rated = p.open(map[string]any{"game": "othello", "rated": true, "chat": "players"})
	p.order(rated, "sit", map[string]any{"place": 0, "kind": "person"})
	return playing, rated
}

// report names the English that was found in the pages of at least so many refusals.
func (w *wrongly) report(least int) {
	if w.refused < least {
		w.t.Errorf("%s: %d forms were refused: too few", w.language, w.refused)
	}
	for _, text := range slices.Sorted(maps.Keys(w.found)) {
		w.t.Errorf("%s: %q by %s", w.language, text, w.found[text])
	}
	clear(w.found)
}

// Whatever is wrong with a form, and whatever is refused, is said in the language of the page.
func TestNoEnglishInOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"cs", "zh-Hans"} {
		if language != "cs" && testing.Short() {
			continue
		}
		h := newHouse(t, build{idle: true, maker: makers.Maker{}})
		boss := h.admin()
		h.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1}, `{"game":"over1"}`)
		w := &wrongly{newForeigner(language), t, h, language, h.assemble(0, boss), map[string]bool{}, 0, map[string]string{}}
		playing, rated := w.playing()
		for _, by := range w.c.by {
			by.head["Accept"], by.head["Accept-Language"] = "text/html", language
		}
		w.routes()
		w.forms(anon, "/login", "/register")
		w.forms(guest, "/account", "/play/gomoku")
		w.forms(player, "/account", "/bots", "/rooms", "/rooms/{room}", "/rooms/{shut}", "/rooms/"+rated, "/rooms/{room}/plain", "/tournaments",
			"/tournaments/{cup}", "/games/over1", "/play/phantomgo", "/play/othello?to=nobody")
		w.forms(other, "/c/{code}")
		w.forms(operator, "/admin/engines", "/admin/workers", "/games/import", "/admin/users")
		w.report(250)
		if language != "cs" { // what follows has no other words, and each text is in all languages
			continue
		}
		commands := []string{
			"rematch", "resume", "stop", "ready", "unready", "start", "stand", "sit", "remote", "engine", "invite", "hand", "code", "set", "xyzzy",
			"enter", "kick", "close", "leave",
		}
		for _, room := range []string{w.c.room, w.c.shut, rated, playing} {
			w.orders("/rooms/"+room+"/do", commands...)
		}
		directs := []string{"pause", "resume", "concurrency", "pair", "forfeit", "replay", "overrule", "abort", "xyzzy"}
		cup := w.c.fill("/tournaments/{cup}/do")
		for range 3 { // before the start, while it is played, and when it is over
			w.tried = map[string]bool{}
			w.orders(cup, append(directs, "start", "withdraw", "cancel")...)
		}
		w.report(500)
	}
}

// Whatever the scripts of pages are refused is said to them in the language of the page; a program with a
// token is told as ever.
func TestScriptsAreToldInTheirLanguage(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{change: func(c *Config) { c.Analyst = &fakeAnalyst{} }})
	ann, ben := h.register("ann"), h.register("ben")
	_, id := h.pair(ann, ben, map[string]any{"game": "othello"})
	w := &wrongly{newForeigner("cs"), t, h, "cs", nil, map[string]bool{}, 0, map[string]string{}}
	accept := func() answer {
		return h.program(ann).once("POST", "/api/v1/games/"+id+"/acts", map[string]any{"act": "accept", "id": "x"}).want(409)
	}
	plain := accept()
	for n := 0; n < 3000 && !strings.Contains(plain.body, `"code":"unasked"`); n++ { // until the seat is there to hear it
		time.Sleep(10 * time.Millisecond)
		plain = accept()
	}
	if strings.Contains(plain.body, "said") || !strings.Contains(plain.body, `"code":"unasked"`) {
		t.Errorf("a program is told %s", plain.body)
	}
	nobody, guest := h.client(), h.guest()
	for _, by := range []*client{ann, ben, nobody, guest} {
		by.head["Accept-Language"] = "cs"
		for _, act := range []string{"draw", "undo", "hint", "accept", "decline", "withdraw", "now", "limit", "judge", "xyzzy"} {
			w.script(by, "/api/v1/games/"+id+"/acts", map[string]any{"act": act, "id": act})
		}
		for _, steps := range []any{[]string{"a1"}, []string{"xyzzy"}, []string{}, "xyzzy"} {
			w.script(by, "/api/v1/games/"+id+"/moves", map[string]any{"prompt": 77, "steps": steps, "for": map[string]any{"attempt": 1, "ply": 40}})
		}
		for _, wish := range []map[string]any{
			{"spec": "othello", "moves": []string{"a1"}},
			{"spec": "xyzzy"},
			{"spec": "othello", "position": "xyzzy"},
			{"spec": "othello", "engine": "bot=77"},
			{"spec": "othello", "engine": "none"},
			{"spec": "gomoku", "engine": "bot=1"},
			{"spec": strings.Repeat("x", 300)},
			{},
		} {
			for _, path := range []string{"boards/line", "boards/solve", "boards/setup", "boards/record", "boards/read", "analyses"} {
				w.script(by, "/api/v1/"+path, wish)
			}
			w.script(by, "/api/v1/play", map[string]any{"game": wish["spec"], "position": wish["position"], "moves": wish["moves"], "with": wish["engine"]})
		}
		w.script(by, "/api/v1/boards/read", map[string]any{"text": "hello there"})
		w.script(by, "/api/v1/boards/read", map[string]any{"text": strings.Repeat("y", 1<<21)})
		w.script(by, "/api/v1/boards/record", map[string]any{"spec": "othello", "format": "xyzzy"})
		w.script(by, "/api/v1/games/none/review", map[string]any{})
	}
	for text, what := range w.said {
		t.Logf("%s: %s", text, what)
	}
	if w.refused < 100 || len(w.said) < 15 {
		t.Errorf("%d refusals with %d texts: too few", w.refused, len(w.said))
	}
}

// Every reason that the hall gives as a code has its words.
func TestReasonsHaveWords(t *testing.T) {
	t.Parallel()
	reason := regexp.MustCompile(`\.Because\((?:game\.Why\{Code: )?"(\w[\w-]*)"`)
	words, n := testPages().Words().Choose("en", ""), 0
	for _, files := range []string{"../*/*.go", "../../tournament/*.go"} {
		for name, m := range inFiles(t, files, reason) {
			if n++; !words.Has("field."+m[1]) && !words.Has("problem."+m[1]) && !words.Has("refusal."+m[1]) {
				t.Errorf("%s: %s has no words", name, m[1])
			}
		}
	}
	if n < 60 {
		t.Errorf("%d reasons were found", n)
	}
}
