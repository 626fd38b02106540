package server

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kibitz/hall/contest"
	"kibitz/hall/director"
)

// withPages makes a hall with tournaments and pages whose games the test plays.
func withPages(t *testing.T) *contestHall {
	t.Helper()
	var h *contestHall
	s := newSite(t, func(cfg *Config) { full(cfg); h = withTournaments(cfg, cfg.Store) })
	h.testHall = s
	return h
}

// page reads a page as a browser does.
func (h *contestHall) page(by *client, path string) string {
	h.testHall.t.Helper()
	by.head["Accept"] = "text/html"
	defer delete(by.head, "Accept")
	return by.do("GET", path, nil).want(200).body
}

// The course of a sequential test is told, and drawn in the page.
func TestTournamentCurve(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "games": 20, "repeat": true, "sprt": "yes", "start": true})
	if page := h.page(ann, "/tournaments/"+v.ID); !strings.Contains(page, "LLR 0 (-2.94 to 2.94)") || strings.Contains(page, "<figure") {
		t.Errorf("before the first pair: %s", page)
	}
	var test director.TestView
	for n := 0; len(test.Trail) < 3; n++ {
		if n == 20 {
			t.Fatalf("after %d games %+v", n, test)
		}
		id, _ := h.q.take()
		if err := h.play(id); err != nil {
			t.Fatal(err)
		}
		ann.do("GET", tournamentsPath+"/"+v.ID+"/sprt", nil).want(200).into(&test)
		if len(test.Trail) != (n+1)/2 {
			t.Fatalf("%d points after %d games", len(test.Trail), n+1)
		}
	}
	last := test.Trail[2]
	if test.Test == nil || test.Test.Unit != "pairs" || *test.Test.LLR != last.LLR || last.N != 3 || last.Lower > -2.9 || last.Upper < 2.9 {
		t.Errorf("%+v", test)
	}
	if page := h.page(h.client(), "/tournaments/"+v.ID); !strings.Contains(page, `<path class="line" d="M44.0 `) || !strings.Contains(page, "pairs of games: 3") {
		t.Error(page)
	}
	if page := h.page(ann, "/tournaments/"+v.ID); !strings.Contains(page, "goes on") || !strings.Contains(page, "H0: -200 Elo against H1: 200 Elo (logistic), error rates 0.05 and 0.05") ||
		!strings.Contains(page, "won 1½-½, 2-0: "+counted(test.Test.Counts)) {
		t.Errorf("what is tested: %s", page)
	}
	h.say(ann, "/tournaments/"+v.ID+"/do", 303, "do", "cancel", "sure", "1")
	if page := h.page(ann, "/tournaments/"+v.ID); !strings.Contains(page, "· not decided") || strings.Contains(page, "· goes on") {
		t.Errorf("a tournament that is over: %s", page)
	}
	other := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "start": true})
	ann.do("GET", tournamentsPath+"/"+other.ID+"/sprt", nil).want(200).into(&test)
	if test.Test != nil || len(test.Trail) != 0 {
		t.Errorf("a tournament without a test has %+v", test)
	}
}

// counted are counts as the page lists them.
func counted(n []float64) string { return strings.Trim(fmt.Sprint(n), "[]") }

// say sends a form as a browser does.
func (h *contestHall) say(by *client, path string, status int, fields ...string) answer {
	h.testHall.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	by.head["Accept"] = "text/html"
	defer delete(by.head, "Accept")
	return by.do("POST", path, form).want(status)
}

// Everything that directors do can be done with the forms of the console; what cannot
// be undone is asked about first, and what cannot be done is said in the form.
func TestConsole(t *testing.T) {
	h := withPages(t)
	ann, bob := h.register("ann"), h.register("bob")
	h.say(ann, "/tournaments", 303, "game", "othello", "format", "roundrobin", "games", "2", "engines", "bot=1\nbot=2\nbot=3", "late", "1", "open", "1", "concurrency", "1", "name", "cup")
	var list []director.TournamentListed
	ann.do("GET", tournamentsPath, nil).want(200).into(&list)
	at := "/tournaments/" + list[0].ID
	do, id := at+"/do", list[0].ID
	h.say(bob, at+"/enter", 303, "engine", "bot=4")
	if a := h.say(bob, at+"/enter", 403, "engine", "bot=5"); !strings.Contains(a.body, `role="alert"`) || !strings.Contains(a.body, `value="bot=5"`) {
		t.Errorf("a second entry: %s", a.body)
	}
	sure := func(fields ...string) {
		t.Helper()
		a := h.say(ann, do, 200, fields...)
		if !strings.Contains(a.body, "Are you sure?") || !strings.Contains(a.body, `name="sure"`) || !strings.Contains(a.body, fields[1]) {
			t.Errorf("%q is not asked about: %s", fields, a.body)
		}
		h.say(ann, do, 303, append(fields, "sure", "1")...)
	}
	sure("do", "start")
	if page := h.page(ann, at); !strings.Contains(page, `value="pause"`) || strings.Contains(page, `value="start"`) {
		t.Errorf("after the start: %s", page)
	}
	h.say(ann, do, 303, "do", "pause")
	h.say(ann, do, 303, "do", "concurrency", "concurrency", "2")
	sure("do", "pair", "entry", "2", "opponent", "1", "games", "2", "note", "once more")
	if a := h.say(ann, do, 409, "do", "pair", "entry", "2", "opponent", "2", "note", "kept"); !strings.Contains(a.body, "cannot play itself") || !strings.Contains(a.body, `value="kept"`) {
		t.Errorf("an error is not shown where it was made: %s", a.body)
	}
	// Game 1 runs: a forfeit ends it.
	sure("do", "forfeit", "entry", "2", "game", "1", "note", "did not come")
	if len(h.q.stopped) != 1 || h.q.stopped[0] != id+"-1 abort" {
		t.Errorf("stopped %q", h.q.stopped)
	}
	sure("do", "withdraw", "entry", "3", "remaining", "annul", "note", "broken")
	h.say(ann, do, 303, "do", "resume")
	// Games that were paired by hand come first; what was given up is nobody's to play.
	if stale, _ := h.q.take(); stale != id+"-1" || h.play(stale) != nil {
		t.Errorf("first was handed out %q", stale)
	}
	first, _ := h.q.take()
	if g := h.schedule(ann, id, first); g.Round != 0 || g.First != 2 || g.Second != 1 {
		t.Errorf("paired by hand, entry 2 to begin: %+v", g)
	}
	if err := h.play(first); err != nil {
		t.Fatal(err)
	}
	played := strings.TrimPrefix(first, id+"-")
	h.say(ann, do, 303, "do", "overrule", "game", played, "result", "draw", "note", "by agreement")
	sure("do", "replay", "game", played, "note", "no draws")
	second, _ := h.q.take()
	sure("do", "abort", "game", strings.TrimPrefix(second, id+"-"))
	if g := h.schedule(ann, id, id+"-1"); g.State != "over" || !g.Awarded || *g.Points != [2]float64{1, 0} {
		t.Errorf("forfeited while it ran: %+v", g)
	}
	if a := h.say(bob, do, 403, "do", "pause"); strings.Contains(a.body, `value="pause"`) {
		t.Error("the console is shown to who directs nothing")
	}
	sure("do", "cancel", "note", "rain")
	h.say(ann, do, 409, "do", "start")
	// The log has it all; of bob, who directs nothing, only directors and he hear.
	for by, hears := range map[*client]bool{ann: true, bob: true, h.client(): false} {
		log := h.page(by, at+"/log")
		if got := strings.Contains(log, "<td>bob</td>"); got != hears {
			t.Errorf("bob's entry is told with his name: %v, want %v", got, hears)
		}
		want := []string{
			"Nbot=4 is entered", "The tournament starts", "No games are begun", "Games at a time: 2", "Nbot=2 and Nbot=1 are paired, games: 2", "once more", "Nbot=2 forfeits game 1",
			"did not come", "Nbot=3 withdraws; none", "The tournament goes on", "Game " + played + " is set to ½ : ½", "by agreement", "Game " + played + " is to be played again",
			"is aborted", "The tournament is cancelled", "rain", "<td>ann</td>",
		}
		for _, text := range want {
			if !strings.Contains(log, text) {
				t.Errorf("the log lacks %q: %s", text, log)
			}
		}
		if all := h.page(by, at+"/log?all=1"); strings.Contains(log, "begins") || !strings.Contains(all, "Game 1 begins: Nbot=1") || !strings.Contains(all, "ends without a result") {
			t.Errorf("with games: %s", all)
		}
	}
}

// schedule finds a game of the schedule.
func (h *contestHall) schedule(by *client, id, game string) director.TournamentLine {
	h.testHall.t.Helper()
	var v director.ScheduleView
	by.do("GET", tournamentsPath+"/"+id+"/schedule?limit=1000", nil).want(200).into(&v)
	number, _, _ := strings.Cut(strings.TrimPrefix(game, id+"-"), "-")
	for _, g := range v.Games {
		if fmt.Sprint(g.Number) == number {
			return g
		}
	}
	h.testHall.t.Fatalf("no game %s: %+v", game, v)
	return director.TournamentLine{}
}

// The log is read in parts, in both directions.
func TestTournamentLog(t *testing.T) {
	h := newContestHall(t)
	ann, bob := h.register("ann"), h.register("bob")
	v := h.make(ann, obj{"game": "othello", "open": true, "engines": []string{"bot=1"}})
	bob.do("POST", tournamentsPath+"/"+v.ID+"/entries", obj{"engine": "bot=2"}).want(201)
	h.command(ann, v.ID, 200, obj{"do": "start"})
	h.playAll()
	type part struct {
		query string
		want  []string
	}
	kinds := func(by *client, query string) (out []string, list []contest.Event) {
		by.do("GET", tournamentsPath+"/"+v.ID+"/log?"+query, nil).want(200).into(&list)
		for _, e := range list {
			out = append(out, string(e.Kind))
		}
		return out, list
	}
	for _, p := range []part{
		{"limit=3", []string{"enter", "enter", "start"}},
		{"after=2&limit=2", []string{"start", "begin"}},
		{"orders=true", []string{"enter", "enter", "start", "finish"}},
		{"orders=true&latest=true&limit=2", []string{"finish", "start"}},
		{"latest=true&before=4&limit=2", []string{"start", "enter"}},
		{"after=99", nil},
	} {
		if got, _ := kinds(ann, p.query); !slices.Equal(got, p.want) {
			t.Errorf("%s: %q, want %q", p.query, got, p.want)
		}
	}
	ann.do("GET", tournamentsPath+"/"+v.ID+"/log?limit=0", nil).want(422)
	for by, want := range map[*client]string{ann: "ann bob", bob: "ann bob", h.client(): "ann "} {
		_, list := kinds(by, "limit=2")
		if got := list[0].Name + " " + list[1].Name; got != want || (list[1].By == 0) != (want == "ann ") || list[1].Entry.By != strings.TrimPrefix(want, "ann ") {
			t.Errorf("told are %q, want %q: %+v", got, want, list[1])
		}
		if view := h.look(by, v.ID); view.Entries[1].By != strings.TrimPrefix(want, "ann ") {
			t.Errorf("entries %+v", view.Entries)
		}
	}
}

// Who makes a tournament chooses: the page shows no words of the command line, and what is
// ticked and typed as people write it is what is played.
func TestTournamentFormIsPlain(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	page := h.page(ann, "/tournaments")
	_, form, _ := strings.Cut(page, `action="/tournaments"`)
	form, _, _ = strings.Cut(form, "</form>")
	shown := regexp.MustCompile(`<[^>]* value="[^"]*"[^>]*>`).ReplaceAllString(form, "")
	if words := regexp.MustCompile(`\b(tc|st|bot|name|elo0)=\w[^"\s]*`).FindAllString(shown, -1); strings.Contains(form, "placeholder") || slices.ContainsFunc(words, func(w string) bool { return !strings.HasPrefix(w, "name=") }) {
		t.Errorf("the form shows %q", words)
	}
	a := url.Values{"game": {"othello"}, "format": {"roundrobin"}, "games": {"2"}, "concurrency": {"1"}, "plays": {"bot=3", "bot=5"}, "clock": {"2 min"}, "sprt": {""}, "open": {"1"}}
	ann.head["Accept"] = "text/html"
	at := ann.do("POST", "/tournaments", a).want(303).head.Get("Location")
	delete(ann.head, "Accept")
	var v director.TournamentView
	ann.do("GET", "/api/v1"+at, nil).want(200).into(&v)
	if len(v.Entries) != 2 || v.Settings.Clock != "120" {
		t.Errorf("%d engines play with %q", len(v.Entries), v.Settings.Clock)
	}
	h.say(ann, at+"/enter", 303, "engine", "bot=7", "name", "Big Owl")
	ann.do("GET", "/api/v1"+at, nil).want(200).into(&v)
	if n := len(v.Entries); n != 3 || !strings.Contains(fmt.Sprint(v.Entries[n-1]), "bot=7 name='Big Owl'") {
		t.Errorf("entered: %+v", v.Entries)
	}
}

// A long schedule is shown around what is played now, and in pages; engines of the hall have the names
// that they have in rooms.
func TestScheduleInPages(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	at := h.say(ann, "/tournaments", 303, "game", "othello", "format", "roundrobin", "games", "120", "engines", "bot=3\nbot=5", "concurrency", "1", "start", "1").
		head.Get("Location")
	rows := func(path string) (first string, n int, page string) {
		t.Helper()
		page = h.page(ann, path)
		_, list, _ := strings.Cut(page, `aria-labelledby="h-schedule"`)
		list, _, _ = strings.Cut(list, "</section>")
		found := regexp.MustCompile(`<tr class="state-\w*"><td class="n">(?:<a [^>]*>)?(\d+)`).FindAllStringSubmatch(list, -1)
		if len(found) > 0 {
			first = found[0][1]
		}
		return first, len(found), list
	}
	for range 20 {
		id, _ := h.q.take()
		if err := h.play(id); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		query, first string
		n            int
		links        []string
	}{
		{"", "11", 30, []string{"from=1#", "from=41#"}}, // 20 are over
		{"?from=1", "1", 30, []string{"from=31#"}},
		{"?from=101", "101", 20, []string{"from=71#"}},
		{"?from=x", "11", 30, []string{"from=1#", "from=41#"}},
	} {
		for _, part := range []string{"", "/live"} {
			first, n, list := rows(at + part + tt.query)
			if first != tt.first || n != tt.n || strings.Count(list, "?from=") != len(tt.links) {
				t.Errorf("%s%s: %d games from %s: %s", part, tt.query, n, first, list)
			}
			for _, link := range tt.links {
				if !strings.Contains(list, link) {
					t.Errorf("%s%s lacks %s", part, tt.query, link)
				}
			}
		}
	}
	if page := h.page(ann, at); !strings.Contains(page, "Hedgehog (level 3)") || strings.Contains(page, "level3") || !strings.Contains(page, `href="#console"`) {
		t.Error(page)
	}
}

// Games that count for nobody are not among all games, and who is annulled is in no table; the API
// has it last, without a rank.
func TestTournamentCounts(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2", "bot=3", "bot=4"}, "start": true})
	play := func(n int) {
		t.Helper()
		for range n {
			id, ok := h.q.take()
			if !ok {
				t.Fatal("there is no game")
			}
			if err := h.play(id); err != nil {
				t.Fatal(err)
			}
		}
	}
	count := func(what string, over, all int) {
		t.Helper()
		if v = h.look(ann, v.ID); v.Over != over || v.All != all {
			t.Errorf("%s: %d of %d games, want %d of %d", what, v.Over, v.All, over, all)
		}
	}
	count("at the start", 0, 12)
	play(2)
	h.command(ann, v.ID, 200, obj{"do": "overrule", "game": 1, "result": "nobody", "note": "broken"})
	count("after one was overruled", 1, 11)
	h.command(ann, v.ID, 200, obj{"do": "replay", "game": 2})
	count("after one is to be played again", 0, 11)
	h.command(ann, v.ID, 200, obj{"do": "abort", "game": 3})
	count("after one was given up", 0, 10)
	h.q.take()
	play(2)
	count("after two more", 2, 10)
	h.command(ann, v.ID, 200, obj{"do": "replay", "game": 3})
	count("after that is to be played again", 2, 11)
	h.command(ann, v.ID, 200, obj{"do": "withdraw", "entry": 4, "remaining": "annul"})
	h.playAll()
	if h.check(v.ID, 0); v.State != "playing" {
		t.Errorf("it was %s", v.State)
	}
	if count("at the end", 5, 5); v.State != "finished" {
		t.Errorf("it is %s", v.State)
	}
	last := v.Standings[len(v.Standings)-1]
	if len(v.Standings) != 4 || last.Entry != 4 || last.Rank != 0 || last.Withdrawn != "annul" {
		t.Errorf("standings %+v", v.Standings)
	}
	page := h.page(ann, "/tournaments/"+v.ID)
	_, tables, _ := strings.Cut(page, "<tbody>")
	tables, _, _ = strings.Cut(tables, `id="h-schedule"`)
	if strings.Contains(tables, v.Entries[3].Name) || strings.Contains(tables, `<td class="n">0</td><td><s>`) {
		t.Errorf("an annulled engine is in a table: %s", tables)
	}
}
