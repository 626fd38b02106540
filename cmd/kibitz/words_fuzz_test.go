package main

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kibitz/clock"
	"kibitz/games"
	"kibitz/protocol"
	"kibitz/rating"
	"kibitz/rating/field"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// lineOnly holds what a person is told to one line.
func lineOnly(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil && (err.Error() == "" || strings.ContainsAny(err.Error(), "\n\r")) {
		t.Errorf("the error of %s is not one line: %q", what, err)
	}
}

// FuzzRunFile reads the file of a run. An error names the file, and a place in it if it
// has one; what can be read is written as a file that means the same.
func FuzzRunFile(f *testing.F) {
	for _, s := range []string{
		"game = 'othello'\ngames = 10\nrepeat = true\n[each]\ntc = '60+0.5'\n[[engine]]\nbot = 3\n[[engine]]\nbot = 5\nname = 'x y'\noption.Hash = 3\n",
		"game = 'gomoku:rule=renju'\nengine = ['bot=1', 'bot=random']\nopenings = 'file=a order=random start=3'\nsprt = 'elo0=0 elo1=5'\nrecord = ['a.sgf']\npoints = '3/1/0'\n",
		"kibitz = '1'\nstarted-in = '/tmp'\nsecret = 'ab'\ngame = 'nogo'\nformat = 'swiss'\nrounds = 5\ntiebreaks = 'sb,wins'\npreset = 'gomocup'\n",
		"game='amazons'\ndraw = 'move=40 count=8 score=10'\nresign = 'count=3 score=9'\nadjudicate = 'exact'\nillegal = 'retry:2'\nengine = [{bot=1}]\nstall = 1e3\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parseSettings("run.toml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "run.toml") {
				t.Errorf("the error names no file: %v", err)
			}
			return
		}
		c, err := file.match()
		if err != nil {
			if !strings.Contains(err.Error(), "run.toml") {
				t.Errorf("the error names no file: %v", err)
			}
			lineOnly(t, "a file", err)
			return
		}
		list, err := settingsOf(c)
		if err != nil {
			t.Fatal(err)
		}
		out, err := writeSettings(list)
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		again, err := parseSettings("again.toml", out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, out)
		}
		d, err := again.match()
		if err != nil {
			t.Fatalf("what was written is no run: %v\n%s", err, out)
		}
		if list2, err := settingsOf(d); err != nil || !sameSettings(list, list2) {
			t.Fatalf("%v became %v in\n%s", list, list2, out)
		}
	})
}

// sameSettings compares settings; engines are compared by what their words mean.
func sameSettings(a, b []setting) bool {
	return slices.EqualFunc(a, b, func(x, y setting) bool {
		if x.key != "engine" && x.key != "each" {
			return x.key == y.key && reflect.DeepEqual(x.values, y.values)
		}
		return x.key == y.key && slices.EqualFunc(x.values, y.values, func(v, w any) bool { return sameWords(v.(string), w.(string)) })
	})
}

func sameWords(a, b string) bool {
	x, err := engines.Parse(a, "bot=1")
	y, err2 := engines.Parse(b, "bot=1")
	if err != nil || err2 != nil {
		x, err = engines.Parse("", a)
		y, err2 = engines.Parse("", b)
	}
	if err != nil || err2 != nil {
		return (err == nil) == (err2 == nil)
	}
	x.Text, y.Text = "", ""
	slices.Sort(x.Env)
	slices.Sort(y.Env)
	slices.SortStableFunc(x.Options, func(o, p protocol.Option) int { return strings.Compare(o.Key, p.Key) })
	slices.SortStableFunc(y.Options, func(o, p protocol.Option) int { return strings.Compare(o.Key, p.Key) })
	return reflect.DeepEqual(x, y)
}

// FuzzEngine reads the words of an engine.
func FuzzEngine(f *testing.F) {
	for _, s := range [][2]string{
		{"tc=60+0.5 margin=0.1", "bot=3 name='a b'"},
		{"", "human=1 st=5"},
		{"dialect.turn=points", "cmd='go version' env.A=b option.x=1 memory=350M restart=game"},
		{"threads=2", "bot=random depth=3 nodes=1000"},
		{"", "bot=1 byo=5x30 delay=1"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, each, text string) {
		e, err := engines.Parse(each, text)
		if err != nil {
			return
		}
		if e.Name == "" && !strings.Contains(each+text, "name=") || strings.ContainsFunc(e.Name, unicode.IsControl) {
			t.Errorf("the name is %q", e.Name)
		}
		if e.Memory < 0 || e.Nodes < 0 || e.Depth < 0 || e.Threads < 0 || e.Margin < 0 {
			t.Errorf("less than nothing: %+v", e)
		}
		if c, err := clock.Parse(e.Control.String()); err != nil || c != e.Control {
			t.Errorf("%+v is written %q and read as %+v, %v", e.Control, e.Control, c, err)
		}
	})
}

// FuzzFlags reads what stands behind flags, by all that read such words.
func FuzzFlags(f *testing.F) {
	for _, s := range []string{
		"elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized", "move=40 count=8 score=10", "3/1/0", "2..7", "..5", "0,2,4-7", "10,5,3", "1,2,3,4,5",
		"exact nodes=3000 move=20", "direct,sb,wins", "suite=balance plies=3 order=random start=2 transform=1", "random=10 within=0.5 level=2", "file='a b' plies=4",
		strings.Repeat("0f", 32), "turn=points", "350M", "1e3",
	} {
		f.Add(s)
	}
	nogo, err := games.Open("nogo")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		test, err := rating.ParseTest(s)
		if err == nil && (!(test.Alpha > 0 && test.Beta > 0) || math.IsInf(test.Elo0, 0) || math.IsInf(test.Elo1, 0)) {
			t.Errorf("--sprt: %+v", test)
		}
		if v, err := parseNumbers("--draw", s, "move", "count", "score"); err == nil && (v["count"] < 1 || len(v) != 3) {
			t.Errorf("--draw: %v", v)
		}
		if p, err := parsePoints(s); err == nil && !(p.Win > p.Loss) {
			t.Errorf("--points: %+v", p)
		}
		if a, b, err := parsePlies(s); err == nil && (a < 0 || b < -1 || b >= 0 && b < a) {
			t.Errorf("--ply: %d to %d", a, b)
		}
		if list, err := engines.ParseProcessors(s, []int{0, 1, 2, 3, 6}); err == nil {
			if again, err := engines.ParseProcessors(engines.RangesText(list), []int{0, 1, 2, 3, 6}); err != nil || !slices.Equal(again, list) {
				t.Errorf("--affinity: %v written and read is %v, %v", list, again, err)
			}
		}
		if n, err := field.ParseCounts(s, "W,L,D"); err == nil && (len(n) != 3 || slices.Min(n) < 0) {
			t.Errorf("--wld: %v", n)
		}
		if rule, err := exactRule(s, nogo); err == nil && (rule.Nodes < 1 || rule.FromMove < 0) {
			t.Errorf("--adjudicate: %+v", rule)
		}
		if list, err := tournament.ParseTieBreaks(s); err == nil && len(list) == 0 {
			t.Error("--tiebreaks: none")
		}
		if n, err := engines.ParseBytes("memory", s); err == nil && n < 1 {
			t.Errorf("memory=%d", n)
		}
		_, _ = parseDialect([]string{s})
		_, _ = readSeedText(s)
		openingWords(t, s)
	})
}

// openingWords reads --openings, and what a run keeps of it.
func openingWords(t *testing.T, s string) {
	t.Helper()
	o, err := parseOpenings(s)
	lineOnly(t, "--openings", err)
	if err != nil {
		return
	}
	const file = "/a folder/it's.txt"
	kept, err := parseOpenings(openingsAgain(s, file))
	if err != nil || kept.file != file || kept.start != o.start || kept.shuffled != o.shuffled || kept.turned != o.turned {
		t.Errorf("--openings %q is kept as %q: %+v, %v", s, openingsAgain(s, file), kept, err)
	}
}

// FuzzSpec opens games by their specification. What opens is canonical: it opens to
// itself, and the initial position can be written and read.
func FuzzSpec(f *testing.F) {
	for _, g := range games.All() {
		f.Add(g.ID)
	}
	for _, s := range []string{"gomoku:rule=renju,size=15", "phantomgo:size=5,komi=2,maxplies=120", "gomoku:width=9,height=13", "darkchess:noeat=40", "connect6:size=7,rulings=sau"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := games.Open(s)
		if err != nil {
			return
		}
		again, err := games.OpenSpec(r.Spec())
		if err != nil || again.Spec() != r.Spec() {
			t.Fatalf("%q is %q, which is %v, %v", s, r.Spec(), again, err)
		}
		d := r.Doc()
		if d.Width < 1 || d.Height < 1 || d.Width*d.Height > 10000 {
			t.Fatalf("%q has %d times %d points", s, d.Width, d.Height)
		}
		initialReadable(t, r)
	})
}

func initialReadable(t *testing.T, r rules.Rules) {
	t.Helper()
	text := r.New().Text()
	s, err := r.Position(text)
	if err != nil || s.Text() != text {
		t.Fatalf("%s: the initial position %q cannot be read: %v", r.Spec(), text, err)
	}
}
