package pages

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kibitz/game/look"
	"kibitz/hall/web"
	"kibitz/hall/web/words"
)

func open(t *testing.T) *Pages {
	t.Helper()
	assets, err := web.OpenAssets()
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(assets, []look.Game{{ID: "othello"}, {ID: "darkchess"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// composed are the groups whose keys are put together from words that the hall has.
func composed() []string {
	return []string{
		"game.", "option.", "state.", "phase.", "access.", "speed.", "kind.", "role.", "outcome.", "begins.", "chat.", "channel.", "format.", "decision.", "event.", "tiebreak.", "phrase.",
		"fact.", "field.", "problem.", "look.", "secret.", "about.", "character.", "choice.", "number.", "play.", "seat.", "as.", "you.", "admin.", "board.", "script.", "time.", "analysis.", "ending.", "waits.", "refusal.",
	}
}

// source are the files that may use a text: templates, and Go of pages and server.
func source(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, pattern := range []string{"html/*.html", "*.go", "../words/words.go", "../../site/*.go"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range list {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
		}
	}
	return b.String()
}

// Every text that is used exists, and every text that exists is used.
func TestKeys(t *testing.T) {
	c := open(t).Words().Choose("en", "")
	text := source(t)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:\bt |Text\()"([a-z]+\.[\w.-]+)"`).FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
		if !c.Has(m[1]) {
			t.Errorf("%s is used, and in no catalogue", m[1])
		}
	}
	c.Keys(func(key string) {
		group := key[:strings.Index(key, ".")+1]
		if !used[key] && !slices.Contains(composed(), group) {
			t.Errorf("%s is used nowhere", key)
		}
	})
	scripts := ""
	err := filepath.WalkDir("../src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".ts") {
			return err
		}
		data, err := os.ReadFile(name)
		scripts += string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\bsay\('([^']+)'`).FindAllStringSubmatch(scripts, -1) {
		if !c.Has("script." + m[1]) {
			t.Errorf("scripts use %s, which is in no catalogue", m[1])
		}
	}
	for name := range c.Group("script") {
		if !strings.Contains(scripts, "'"+name+"'") {
			t.Errorf("script.%s is used nowhere", name)
		}
	}
	for _, m := range regexp.MustCompile(`\bsayAnalysis\('([^']+)'`).FindAllStringSubmatch(scripts, -1) {
		if !c.Has("analysis." + m[1]) {
			t.Errorf("scripts use %s of analyses, which is in no catalogue", m[1])
		}
	}
	for name := range c.Group("analysis") { // those of faults are named by their codes
		if !used["analysis."+name] && !strings.HasPrefix(name, "fault.") && !strings.Contains(scripts, "sayAnalysis('"+name+"'") {
			t.Errorf("analysis.%s is used nowhere", name)
		}
	}
}

// What stands on a button says what happens.
func TestButtons(t *testing.T) {
	list, err := fs.Glob(files, "html/*.html")
	if err != nil {
		t.Fatal(err)
	}
	button := regexp.MustCompile(`(?s)<button.*?</button>`)
	text := regexp.MustCompile(`>[^<]*\{\{t "([\w.-]+)"`)
	nothing := []string{
		"ok", "submit", "yes", "no", "continue", "click here", "ano", "ne", "odeslat", "sí", "enviar formulario", "確定", "確認", "提交", "是", "否", "确定", "确认", "提交",
	}
	set, n := open(t).Words(), 0
	for _, name := range list {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range button.FindAllString(string(data), -1) {
			for _, m := range text.FindAllStringSubmatch(b, -1) {
				n++
				for _, l := range set.Languages() {
					if s := set.Choose(l.ID, "").Text(m[1]); slices.Contains(nothing, strings.ToLower(s)) {
						t.Errorf("%s, %s: a button says %q, not what happens", name, l.ID, s)
					}
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("%d texts of buttons", n)
	}
}

// Every code of a problem that a page may show has a text in plain words, one to three sentences, the
// first of them short enough for a heading.
func TestProblems(t *testing.T) {
	codes := map[string]bool{}
	code := regexp.MustCompile(`(?:problem\.New\(|Problem\{|SendProblem\(w, r, )http\.Status\w+,\s*"([a-z-]+)"|status, code = http\.Status\w+, "([a-z-]+)"`)
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, m := range code.FindAllStringSubmatch(string(data), -1) {
			codes[m[1]+m[2]] = true
		}
		return err
	})
	if err != nil || len(codes) < 20 {
		t.Fatalf("%d codes: %v", len(codes), err)
	}
	programs := []string{"away", "body", "idempotency-key", "idempotency-reused", "idempotency-running"} // away has a page of its own
	set := open(t).Words()
	for _, l := range set.Languages() {
		c := set.Choose(l.ID, "")
		for name := range codes {
			if !c.Has("problem."+name) && !slices.Contains(programs, name) {
				t.Errorf("%s has no text for problems of the code %s", l.ID, name)
			}
		}
		for name, text := range c.Group("problem") {
			happened, _ := ProblemText(c, name)
			if n := len([]rune(happened)); n > 60 || !strings.ContainsAny(text[len(text)-3:], ".。") || strings.Count(text, ".")+strings.Count(text, "。") > 3 {
				t.Errorf("%s: problem.%s is %q: want one to three sentences, the first up to 60 characters", l.ID, name, text)
			}
		}
	}
	zh := set.Choose("zh-Hant", "")
	if happened, next := ProblemText(zh, "not-found"); happened != "這裡什麼都沒有" || next != "它可能不公開，或已經不在了。" {
		t.Errorf("%q, %q", happened, next)
	}
	if happened, next := ProblemText(zh, "login"); happened != "請先登入才能看或做這件事" || next != "" {
		t.Errorf("%q, %q", happened, next)
	}
}

// names are words that are the same in every language.
func namesOf() []string {
	return []string{"Kibitz", "API", "Elo", "SVG", "PNG", "GIF", "LLR", "f5 d6 c3", "cmd=./engine", "tc=60+0.5", "elo0=0 elo1=5", "suite", "direct,sb,wins", "bot=3 name=Ann", "bot=3 name=Ann&#10;bot=5 name=Bob"}
}

// Templates hold no text of their own.
func TestNoTextInTemplates(t *testing.T) {
	list, err := fs.Glob(files, "html/*.html")
	if err != nil || len(list) < 10 {
		t.Fatalf("%d templates: %v", len(list), err)
	}
	action := regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	attributes := regexp.MustCompile(`(?m)^\{\{define "boardopts"\}\}.*$`) // of a tag that is elsewhere
	tag := regexp.MustCompile(`(?s)<[^>]*>`)
	spoken := regexp.MustCompile(`\b(?:title|alt|placeholder|aria-label)="([^"]*)"`)
	for _, name := range list {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		text := action.ReplaceAllString(attributes.ReplaceAllString(string(data), ""), "")
		pieces := strings.Split(tag.ReplaceAllString(text, "\n"), "\n")
		for _, m := range spoken.FindAllStringSubmatch(text, -1) {
			pieces = append(pieces, m[1])
		}
		for _, piece := range pieces {
			piece = strings.Trim(strings.TrimSpace(piece), "·± ")
			if slices.Contains(namesOf(), piece) || !strings.ContainsFunc(piece, unicode.IsLetter) {
				continue
			}
			t.Errorf("%s holds the text %q", name, piece)
		}
	}
}

// Scripts of pages hold no text: a literal that begins with a capital and goes on in
// small letters is a word for people, unless it names a key or a thing of the browser.
func TestNoTextInScripts(t *testing.T) {
	list, err := filepath.Glob("../src/pages/*.ts")
	if err != nil || len(list) < 10 {
		t.Fatalf("%d scripts: %v", len(list), err)
	}
	browser := []string{"Accept", "Content-Type", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape"}
	literal := regexp.MustCompile("'([A-Z][a-z][^'\n]*)'|`([A-Z][a-z][^`\n]*)`")
	for _, name := range list {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code := regexp.MustCompile(`(?m)//.*$|/\*(?s:.*?)\*/`).ReplaceAllString(string(data), "")
		for _, m := range literal.FindAllStringSubmatch(code, -1) {
			if !slices.Contains(browser, m[1]) {
				t.Errorf("%s holds the text %s", name, m[0])
			}
		}
	}
}

func TestGameName(t *testing.T) {
	s, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	en := s.Choose("en", "")
	for spec, want := range map[string]string{
		"othello": "Othello", "gomoku:rule=renju": "Five in a row (Renju)", "gomoku:rule=swap2,size=19": "Five in a row (swap2, 19×19)",
		"nogo:size=9x7": "NoGo (9×7)", "unknown": "unknown", "amazons:sau": "Amazons (sau)", "surakarta:repetition=3,nocapture=50": "Surakarta",
	} {
		if got := GameName(en, spec); got != want {
			t.Errorf("%s is called %q, want %q", spec, got, want)
		}
	}
	zh := s.Choose("zh-Hant", "")
	if got := GameName(zh, "gomoku:rule=swap2,size=19"); !strings.HasSuffix(got, "（swap2，19×19）") {
		t.Errorf("in Chinese: %q", got)
	}
	if got := About(zh, look.Level{Nodes: 9, Blunder: 0.1, Measured: true}, 0); strings.ContainsAny(got, "(),") || strings.Contains(got, " （") {
		t.Errorf("in Chinese: %q", got)
	}
	for text, want := range map[string]string{"300+3": "5 minutes + 3 s", "60": "1 minute", "90+0.5": "90 seconds + 0.5 s", "inf": "no clock", "40/300": "40/300", "": "no clock"} {
		if got := ClockName(en, text); got != want {
			t.Errorf("clock %s is called %q, want %q", text, got, want)
		}
	}
}

func TestLook(t *testing.T) {
	for _, l := range []Look{{}, {Language: "cs", Theme: "dark", Board: "slate", Pieces: "latin", Size: "85", Moves: "confirm", NoPremove: true, NoSounds: true, Volume: "20", Numbers: true, NoCoords: true, NoTimes: true, Learning: true}} {
		if got := ParseLook(l.String()); got != l {
			t.Errorf("%+v became %+v", l, got)
		}
	}
	for _, text := range []string{"theme=pink&board=%22%3E&lang=javascript-alert", "%%", "theme=auto"} {
		if got := ParseLook(text); got != (Look{}) {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
}

func TestCurve(t *testing.T) {
	c := Curve{Points: []CurvePoint{{Value: 1500, Deviation: 100}, {Value: 1600, Deviation: 60}}}
	if got := c.Line(); got != "M44.0 111.4L632.0 46.8" {
		t.Errorf("line %s", got)
	}
	if n := len(c.Ticks()); n < 3 || n > 7 {
		t.Errorf("%d ticks", n)
	}
	if one := (Curve{Points: c.Points[:1]}); one.First() != one.Last() || !strings.HasSuffix(one.Band(), "Z") {
		t.Error(one.Band())
	}
}

func TestRatio(t *testing.T) {
	r := Ratio{Dots: []RatioDot{{1, 0.5, -2.9, 2.9}, {4, -1, -2.9, 2.5}}, Unit: "pairs"}
	line, lower, upper := r.Line(), r.Lower(), r.Upper()
	if !strings.HasPrefix(line, "M44.0 ") || strings.Count(line, "L") != 2 || !strings.Contains(line, "L632.0 ") {
		t.Errorf("line %s", line)
	}
	if y := strings.Fields(lower); y[1][:5] != y[3] || upper == lower {
		t.Errorf("bounds %s, %s", lower, upper)
	}
	if n := len(r.Ticks()); n < 3 || n > 7 {
		t.Errorf("%d ticks", n)
	}
	if b := r.Bounds(); b[0].Y <= b[1].Y || b[0].Text != "H0" {
		t.Errorf("%+v", b)
	}
	still := Ratio{Dots: []RatioDot{{N: 1}}}
	if strings.Contains(still.Line(), "NaN") || strings.Contains(still.Line(), "Inf") {
		t.Error(still.Line())
	}
}

func TestNote(t *testing.T) {
	cs := open(t).Words().Choose("cs", "")
	if got := noteText(cs, "imported by Ann"); got != "importováno, Ann" {
		t.Error(got)
	}
	if got := noteText(cs, "a note of a person"); got != "a note of a person" {
		t.Error(got)
	}
}

// The reader's own place stands below the board, whichever seat it has.
func TestBars(t *testing.T) {
	places := [2]Place{{Number: 0, Short: "anna", Seat: 1}, {Number: 1, Short: "bert", Seat: 0}}
	for place, want := range map[int][2]string{-1: {"anna", "bert"}, 0: {"bert", "anna"}, 1: {"anna", "bert"}} {
		bars := (Room{Place: place, Places: places}).Bars()
		if got := [2]string{bars[0]["name"].(string), bars[1]["name"].(string)}; got != want {
			t.Errorf("place %d: %q, want %q", place, got, want)
		}
	}
	bob := Room{Place: -1, Spec: "othello:size=6", Places: [2]Place{{Name: "bob", Short: "bob", MayAsk: true}, {Seat: 1}}}
	if got := bob.Bars()[1]["ask"]; got != "/play/othello?to=bob" || bob.Bars()[0]["ask"] != nil {
		t.Errorf("who looks on asks at %v", bob.Bars())
	}
	if bob.Place = 1; bob.Bars()[0]["ask"] != nil {
		t.Error("who plays is led away from his game")
	}
}

// Options of a game are read from its specification, said in words, and chosen in a form; what the
// form does not know stays.
func TestChosen(t *testing.T) {
	g := look.Game{ID: "gomoku", Offer: look.Offer{Choices: []look.Choice{
		{Key: "size", Default: "15", Values: []string{"15", "19"}},
		{Key: "rule", Default: "freestyle", Values: []string{"freestyle", "renju"}},
		{Key: "komi", Default: "7.5"},
	}}}
	for _, x := range []struct{ spec, form, want string }{
		{"gomoku", "", "gomoku"},
		{"gomoku:size=33", "option.size=33", "gomoku:size=33"},
		{"gomoku:size=33", "option.size=15", "gomoku"},
		{"gomoku:renju,other=1", "option.size=19", "gomoku:other=1,rule=renju,size=19"},
		{"gomoku:rule=renju", "option.rule=freestyle&option.komi=0.5", "gomoku:komi=0.5"},
	} {
		form, err := url.ParseQuery(x.form)
		if got := Chosen(g, x.spec, form); got != x.want || err != nil {
			t.Errorf("%s with %s is %s, want %s", x.spec, x.form, got, x.want)
		}
	}
}
