package server

import (
	"encoding/json"
	"html"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	makers "kibitz/hall/forms"
	"kibitz/hall/problem"
)

// Whoever sends a form that cannot be meant is told where in it the faults are.
func TestProblemPointers(t *testing.T) {
	h := newContestHall(t)
	ann := h.register("ann")
	room := ann.open(map[string]any{"game": "othello"})
	open := h.make(ann, obj{"game": "othello", "open": true})
	for name, c := range map[string]struct {
		path, detail string
		sent         obj
		want         []problem.Fault
	}{
		"settings": {
			tournamentsPath, "points x: write W/D/L; max-moves: must be a number",
			obj{"game": "othello", "points": "x"},
			[]problem.Fault{{Pointer: "#/points", Detail: "points x: write W/D/L"}, {Pointer: "#/maxMoves", Detail: "max-moves: must be a number"}},
		},
		"an engine of several": {
			tournamentsPath, `engine "no": there is none`,
			obj{"game": "othello", "engines": []string{"bot=1", "no"}},
			[]problem.Fault{{Pointer: "#/engines/1", Detail: `engine "no": there is none`}},
		},
		"an engine that enters": {
			tournamentsPath + "/" + open.ID + "/entries", `engine "no": there is none`,
			obj{"engine": "no"},
			[]problem.Fault{{Pointer: "#/engine", Detail: `engine "no": there is none`}},
		},
		"a number that is none": {
			tournamentsPath, "validation failed",
			obj{"game": "othello", "games": "x"},
			[]problem.Fault{{Pointer: "#/games", Detail: "expected integer"}},
		},
		"one of a list": {
			tournamentsPath, "validation failed",
			obj{"game": "othello", "engines": []any{"bot=1", 2}},
			[]problem.Fault{{Pointer: "#/engines/1", Detail: "expected string"}},
		},
		"a clock of a room": {
			roomsPath, `not valid: clock of the second place: tc=x: "x" is no time: write seconds (90 or 0.5) or minutes:seconds (1:30)`,
			obj{"settings": obj{"game": "othello", "clocks": []string{"60", "x"}}},
			[]problem.Fault{{Pointer: "#/settings/clocks/1", Detail: `clock of the second place: tc=x: "x" is no time: write seconds (90 or 0.5) or minutes:seconds (1:30)`}},
		},
		"a setting that a command changes": {
			roomsPath + "/" + room + "/commands", "not valid: a delay of 2h0m0s; up to an hour is possible",
			obj{"do": "set", "settings": obj{"delay": 7200}},
			[]problem.Fault{{Pointer: "#/settings/delay", Detail: "a delay of 2h0m0s; up to an hour is possible"}},
		},
		"a query": {tournamentsPath + "?start=1", "validation failed", obj{"game": "othello"}, []problem.Fault{{Pointer: "#/start", Detail: "unknown query parameter"}}},
		"nobody is invited": {
			roomsPath + "/" + room + "/commands", "user: there is no account 999",
			obj{"do": "invite", "user": 999},
			[]problem.Fault{{Pointer: "#/user", Detail: "user: there is no account 999"}},
		},
		"nobody is put out": {
			roomsPath + "/" + room + "/commands", "user: there is no account 999",
			obj{"do": "kick", "user": 999},
			[]problem.Fault{{Pointer: "#/user", Detail: "user: there is no account 999"}},
		},
	} {
		var got struct {
			Detail string
			Errors []problem.Fault
		}
		a := ann.do("POST", c.path, c.sent).want(422)
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || got.Detail != c.detail || !reflect.DeepEqual(got.Errors, c.want) {
			t.Errorf("%s: %v, %s", name, err, a.body)
		}
		if kind := a.head.Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("%s: %s", name, kind)
		}
	}
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(ann.do("GET", "/api/v1/openapi.json", nil).want(200).body), &doc); err != nil {
		t.Fatal(err)
	}
	if p := doc.Components.Schemas["ErrorDetail"].Properties; p["pointer"] == nil || p["detail"] == nil || p["location"] != nil {
		t.Errorf("faults are described as %v", p)
	}
}

// Whoever asks for what cannot be meant is told which parameter of the query it is, and in the reader's language what
// would be right.
func TestQueryFaults(t *testing.T) {
	h := newHouse(t, build{maker: makers.Maker{}})
	ann := h.register("ann")
	ann.head["Accept-Language"] = "cs"
	const wrong = "Něco tu není správně. Nic se nezměnilo."
	for query, want := range map[string]struct{ pointer, said string }{
		"/games?cursor=zzz":          {"#/cursor", wrong},
		"/games?cursor=!":            {"#/cursor", wrong},
		"/games?limit=x":             {"#/limit", wrong},
		"/games?limit=0":             {"#/limit", "Lze zadat: ≥ 1."},
		"/games?seat=3":              {"#/seat", "Lze zadat: ≤ 2."},
		"/games?outcome=won":         {"#/outcome", "Vyberte něco z nabídky."},
		"/games?state=over,done":     {"#/state/1", "Vyberte něco z nabídky."},
		"/games?seat=1&seat=2":       {"#/seat", wrong},
		"/games?from=today":          {"#/from", wrong},
		"/games?nothing=1":           {"#/nothing", wrong},
		"/games?mine=true&subject=x": {"#/subject", wrong},
		"/ratings":                   {"#/subject", wrong},
		"/rooms?limit=1000":          {"#/limit", "Lze zadat: ≤ 200."},
		"/games/export?format=sgf":   {"#/format", wrong},
	} {
		var got problem.Details
		a := ann.do("GET", "/api/v1"+query, nil)
		if a.into(&got); a.status != 422 || len(got.Errors) != 1 || got.Errors[0].Pointer != want.pointer || got.Said != want.said {
			t.Errorf("%s: %s", query, a.body)
		}
	}
}

// What is shown of a fault is about the request, and names a field only if the fault does.
func TestShownFaults(t *testing.T) {
	h := newHouse(t, build{maker: makers.Maker{}})
	ann := h.register("ann")
	var cup struct{ ID string }
	ann.do("POST", tournamentsPath, obj{"game": "othello", "open": true}).want(201).into(&cup)
	guest := h.guest()
	for name, x := range map[string]struct {
		by          *client
		path        string
		sent        any
		status      int
		said, field string
	}{
		"a number that is none":  {ann, tournamentsPath, obj{"game": "othello", "games": "x"}, 422, "expected integer", "games"},
		"a word of another kind": {ann, tournamentsPath, obj{"game": 5}, 422, "expected string", "game"},
		"no object":              {ann, tournamentsPath, []int{}, 422, "expected object", ""},
		"an engine":              {ann, tournamentsPath + "/" + cup.ID + "/entries", obj{"engine": "no"}, 422, "no: one of its words is not possible here.", "engine"},
		"no entry":               {ann, tournamentsPath + "/" + cup.ID + "/commands", obj{"do": "pause"}, 409, "The tournament has not started yet.", ""},
		"no account":             {h.client(), tournamentsPath, obj{"game": "othello"}, 401, "Log in to see or do this.", ""},
		"a guest":                {guest, tournamentsPath, obj{"game": "othello"}, 403, "Your account may not do that. Ask whoever runs the room or the hall.", ""},
		"a name":                 {h.client(), "/api/v1/account/register", obj{"name": "a b", "password": "long enough"}, 422, "Write the name without blanks.", "name"},
		"a name that is taken":   {h.client(), "/api/v1/account/register", obj{"name": "ann", "password": "long enough"}, 409, "That name is taken. Choose another one.", "name"},
		"a new password":         {ann, "/api/v1/account/password", obj{"old": secret, "new": "x"}, 422, "A password has at least 8 characters.", "new"},
		"a bot":                  {ann, "/api/v1/bots", obj{"names": []string{"a!b"}}, 422, "Write the name without “!”.", "names"},
	} {
		var got problem.Details
		if x.by.do("POST", x.path, x.sent).want(x.status).into(&got); got.Said != x.said || got.Field != x.field {
			t.Errorf("%s: %q at %q, want %q at %q", name, got.Said, got.Field, x.said, x.field)
		}
	}
}

// What does not have the form of a request is a problem as every other one is, with each fault at its place.
func TestFormlessRequests(t *testing.T) {
	h := newHouse(t, build{maker: makers.Maker{}})
	ann := h.program(h.register("ann"))
	type faults = []problem.Fault
	for name, x := range map[string]struct {
		path, kind, sent string
		status           int
		code             string
		want             faults
	}{
		"nothing said":      {tournamentsPath, "", `{}`, 422, "input", faults{{Pointer: "#/game", Detail: "expected required property game to be present"}}},
		"another kind":      {tournamentsPath, "", `{"game":5}`, 422, "input", faults{{Pointer: "#/game", Detail: "expected string"}}},
		"no object":         {tournamentsPath, "", `[]`, 422, "input", faults{{Detail: "expected object"}}},
		"too small":         {tournamentsPath, "", `{"game":"othello","games":-1}`, 422, "input", faults{{Pointer: "#/games", Detail: "expected number >= 0"}}},
		"half":              {tournamentsPath, "", `{`, 400, "body", faults{{Detail: "unexpected end of JSON input"}}},
		"empty":             {tournamentsPath, "", ``, 400, "body", nil},
		"text":              {tournamentsPath, "text/plain", `hello`, 415, "body", faults{{Detail: "unknown content type: text/plain"}}},
		"large":             {roomsPath, "", `{"settings":{"name":"` + strings.Repeat("x", 70_000) + `"}}`, 413, "too-large", nil},
		"a nested one":      {tournamentsPath, "", `{"game":"othello","openingsFile":{"name":"a"}}`, 422, "input", faults{{Pointer: "#/openingsFile/text", Detail: "expected required property text to be present"}}},
		"one that is not":   {tournamentsPath, "", `{"game":"othello","a/b":1}`, 422, "input", faults{{Pointer: "#/a~1b", Detail: "unexpected property"}}},
		"a setting":         {roomsPath, "", `{"settings":{"game":"othello","clock":"1+1"}}`, 422, "input", faults{{Pointer: "#/settings/clock"}}},
		"no room to act in": {roomsPath + "/none/commands", "", `{}`, 422, "input", faults{{Pointer: "#/do", Detail: "expected required property do to be present"}}},
	} {
		delete(ann.head, "Content-Type")
		if x.kind != "" {
			ann.head["Content-Type"] = x.kind
		}
		var got problem.Details
		a := ann.do("POST", x.path, x.sent)
		a.into(&got)
		if len(got.Errors) > 0 && name == "a setting" {
			got.Errors[0].Detail = ""
		}
		if a.status != x.status || got.Status != x.status || got.Type != problem.Type(x.code) || !strings.HasPrefix(got.Instance, "urn:kibitz:request:") || !reflect.DeepEqual(got.Errors, x.want) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}

// A command of a director that is refused says which of its values it is, and what is missing.
func TestRefusedCommands(t *testing.T) {
	h := newHouse(t, build{idle: true, maker: makers.Maker{}})
	ann := h.register("ann")
	var cup, small struct{ ID string }
	ann.do("POST", tournamentsPath, obj{"game": "othello", "openings": "suite", "engines": []string{"bot=1", "bot=2", "bot=3"}, "start": true}).want(201).into(&cup)
	ann.do("POST", tournamentsPath, obj{"game": "othello", "engines": []string{"bot=1"}}).want(201).into(&small)
	for name, x := range map[string]struct {
		id              string
		sent            obj
		status          int
		pointer, detail string
	}{
		"withdraw nobody":       {cup.ID, obj{"do": "withdraw"}, 422, "#/entry", "entry is missing: the number of an entry"},
		"withdraw a stranger":   {cup.ID, obj{"do": "withdraw", "entry": 99}, 422, "#/entry", "there is no entry 99"},
		"forfeit for nobody":    {cup.ID, obj{"do": "forfeit", "game": 1}, 422, "#/entry", "entry is missing: the number of an entry"},
		"forfeit of nothing":    {cup.ID, obj{"do": "forfeit", "entry": 1}, 422, "#/game", "say which game, or name an opponent: all that the two have not begun is lost"},
		"forfeit of no game":    {cup.ID, obj{"do": "forfeit", "entry": 1, "game": 999}, 409, "#/game", "forfeit: there is no game 999, or it is not yet known who plays it"},
		"forfeit to a stranger": {cup.ID, obj{"do": "forfeit", "entry": 1, "opponent": 99}, 422, "#/opponent", "there is no entry 99"},
		"nothing at a time":     {cup.ID, obj{"do": "concurrency"}, 422, "#/concurrency", "0 games at a time: 1 to 1000 are possible"},
		"no opponent":           {cup.ID, obj{"do": "pair", "entry": 1}, 422, "#/opponent", "opponent is missing: the number of an entry"},
		"itself":                {cup.ID, obj{"do": "pair", "entry": 1, "opponent": 1}, 409, "#/opponent", "pair: Level 1 cannot meet itself"},
		"no opening":            {cup.ID, obj{"do": "pair", "entry": 1, "opponent": 2, "opening": 9999}, 409, "#/opening", ""},
		"no reason":             {cup.ID, obj{"do": "overrule", "game": 1, "result": "draw"}, 422, "#/note", "note: say why game 1 is overruled"},
		"no result":             {cup.ID, obj{"do": "overrule", "game": 1, "note": "x"}, 422, "#/result", `result "": write first, second, draw or nobody`},
		"no game to overrule":   {cup.ID, obj{"do": "overrule", "result": "draw", "note": "x"}, 422, "#/game", "game is missing: the number of a game"},
		"no game to replay":     {cup.ID, obj{"do": "replay"}, 422, "#/game", "game is missing: the number of a game"},
		"no game to give up":    {cup.ID, obj{"do": "abort", "game": 77}, 409, "#/game", "game 77 is not being played"},
		"one engine":            {small.ID, obj{"do": "start"}, 409, "", "not now: a tournament needs two engines at least; entered: 1"},
	} {
		var got problem.Details
		a := ann.do("POST", tournamentsPath+"/"+x.id+"/commands", x.sent)
		a.into(&got)
		var first problem.Fault
		if len(got.Errors) > 0 {
			first = got.Errors[0]
		} else {
			first.Detail = got.Detail
		}
		if a.status != x.status || first.Pointer != x.pointer || x.detail != "" && first.Detail != x.detail || got.Field != strings.TrimPrefix(x.pointer, "#/") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	var got problem.Details
	ann.do("POST", tournamentsPath, obj{"game": "othello", "engines": []string{"bot=1"}, "start": true}).want(409).into(&got)
	if len(got.Errors) != 1 || got.Errors[0].Pointer != "#/engines" || got.Said != "Enter two engines at least." {
		t.Errorf("a start with one engine: %+v", got)
	}
	if a := ann.do("DELETE", tournamentsPath+"/"+cup.ID+"/entries/99", nil).want(422); strings.Contains(a.body, "pointer") {
		t.Errorf("what is no part of a body is pointed at: %s", a.body)
	}
}

// The form of a tournament gives the reason that is true, for each of the lines that are wrong.
func TestTournamentReasons(t *testing.T) {
	h := newHouse(t, build{idle: true, maker: makers.Maker{}})
	ann := h.register("ann")
	for name, x := range map[string]struct {
		form                 url.Values
		field, said, english string
	}{
		"an odd Swiss": {
			url.Values{"game": {"othello"}, "format": {"swiss"}, "games": {"3"}, "repeat": {"on"}},
			"repeat",
			"Each opening is played twice here. Order an even number of games.", "repeat: it plays each opening twice: a swiss needs an even number of games, not 3",
		},
		"a deal": {
			url.Values{"game": {"darkchess"}, "format": {"roundrobin"}, "games": {"2"}, "repeat": {"on"}},
			"repeat",
			"Each deal is played once in this game. Leave this off.", "",
		},
		"no time": {
			url.Values{"game": {"othello"}, "engines": {"bot=1 tc=-3"}},
			"engines",
			"bot=1 tc=-3: an engine cannot be given this time.", "",
		},
		"no such word": {
			url.Values{"game": {"othello"}, "engines": {"bot=1 foo=3"}},
			"engines",
			"bot=1 foo=3: one of its words is not possible here.", "",
		},
		"no such engine": {
			url.Values{"game": {"othello"}, "engines": {"engine=none"}},
			"engines",
			"engine=none: no engine of the hall that plays this game.", `the hall offers no engine "none"`,
		},
		"two lines": {
			url.Values{"game": {"othello"}, "engines": {"bot=1 tc=-3\nbot=2\nbot=1 foo=3"}},
			"engines",
			"bot=1 tc=-3: an engine cannot be given this time. bot=1 foo=3: one of its words is not possible here.", "",
		},
		"two engines": {
			url.Values{"game": {"othello"}, "engines": {"engine=none\nengine=nobody"}},
			"engines",
			"engine=none: no engine of the hall that plays this game. engine=nobody: no engine of the hall that plays this game.", "",
		},
		"no suite": {
			url.Values{"game": {"gomoku:size=9"}, "openings": {"suite"}},
			"openings",
			"These rules have no balanced openings.", "",
		},
	} {
		if !x.form.Has("format") {
			x.form.Set("format", "roundrobin")
		}
		ann.head["Accept"] = "text/html"
		body := html.UnescapeString(ann.once("POST", "/tournaments", x.form).want(422).body)
		ann.head["Accept"] = "application/json"
		if want := `id="fault-` + x.field + `" role="alert">` + x.said + "<"; !strings.Contains(body, want) {
			_, at, _ := strings.Cut(body, `class="field-fault"`)
			t.Errorf("%s: the page has %.200q", name, at)
		}
		games, _ := strconv.Atoi(x.form.Get("games"))
		sent := obj{"game": x.form.Get("game"), "format": x.form.Get("format"), "games": games, "repeat": x.form.Has("repeat"), "openings": x.form.Get("openings")}
		if x.form.Has("engines") {
			sent["engines"] = strings.Split(x.form.Get("engines"), "\n")
		}
		var got problem.Details
		a := ann.do("POST", tournamentsPath, sent).want(422)
		if a.into(&got); got.Said != x.said || got.Field != x.field || x.english != "" && got.Detail != x.english {
			t.Errorf("%s: %s", name, a.body)
		}
		if strings.Contains(got.Detail, "random=N") {
			t.Errorf("%s: it advises what a hall does not do: %s", name, got.Detail)
		}
	}
}
