package main

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kibitz/analysis"
	"kibitz/clock"
	"kibitz/games"
	"kibitz/rating"
	"kibitz/rating/field"
	"kibitz/rules"
	"kibitz/run"
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
		file, err := run.ParseFile("run.toml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "run.toml") {
				t.Errorf("the error names no file: %v", err)
			}
			return
		}
		c, err := file.Settings()
		if err != nil {
			if !strings.Contains(err.Error(), "run.toml") {
				t.Errorf("the error names no file: %v", err)
			}
			lineOnly(t, "a file", err)
			return
		}
		out, err := c.Write()
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		again, err := run.ParseFile("again.toml", out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, out)
		}
		d, err := again.Settings()
		if err != nil {
			t.Fatalf("what was written is no run: %v\n%s", err, out)
		}
		if list, list2 := c.Differing(), d.Differing(); !sameSettings(list, list2) {
			t.Fatalf("%v became %v in\n%s", list, list2, out)
		}
	})
}

// sameSettings compares what files keep of settings; words of engines have no order.
func sameSettings(a, b []run.Setting) bool {
	kept := func(x run.Setting) bool {
		return slices.Contains([]string{"preset", "out", "json", "quiet", "board", "tui", "secret"}, x.Key)
	}
	return slices.EqualFunc(slices.DeleteFunc(a, kept), slices.DeleteFunc(b, kept), func(x, y run.Setting) bool {
		return x.Key == y.Key && reflect.DeepEqual(sortedWords(x.Value), sortedWords(y.Value))
	})
}

func sortedWords(v any) any {
	sorted := func(w engines.Words) engines.Words {
		return slices.SortedFunc(slices.Values(w), func(a, b engines.Word) int { return strings.Compare(a.Key, b.Key) })
	}
	switch x := v.(type) {
	case engines.Words:
		return sorted(x)
	case []engines.Words:
		out := make([]engines.Words, len(x))
		for i := range x {
			out[i] = sorted(x[i])
		}
		return out
	}
	return v
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
	f.Fuzz(func(t *testing.T, s string) {
		test, err := rating.ParseTest(s)
		if err == nil && (!(test.Alpha > 0 && test.Beta > 0) || math.IsInf(test.Elo0, 0) || math.IsInf(test.Elo1, 0)) {
			t.Errorf("--sprt: %+v", test)
		}
		var draw run.DrawRule
		if err := draw.UnmarshalText([]byte(s)); err == nil && s != "" && draw.Count < 1 {
			t.Errorf("--draw: %v", draw)
		}
		if p, err := run.ParsePoints(s); err == nil && !(p.Win > p.Loss) {
			t.Errorf("--points: %+v", p)
		}
		if a, b, err := analysis.ParsePlies(s); err == nil && (a < 0 || b < -1 || b >= 0 && b < a) {
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
		var exact run.Exact
		if err := exact.UnmarshalText([]byte(s)); err == nil && (exact.Nodes < 1 || exact.Move < 0) {
			t.Errorf("--adjudicate: %+v", exact)
		}
		if list, err := tournament.ParseTieBreaks(s); err == nil && len(list) == 0 {
			t.Error("--tiebreaks: none")
		}
		if n, err := engines.ParseBytes("memory", s); err == nil && n < 1 {
			t.Errorf("memory=%d", n)
		}
		_, _ = parseDialect([]string{s})
		_, _ = tournament.ReadSeed(s)
		openingWords(t, s)
	})
}

// openingWords reads --openings, and what a run keeps of it.
func openingWords(t *testing.T, s string) {
	t.Helper()
	var o, again run.Openings
	err := o.UnmarshalText([]byte(s))
	lineOnly(t, "--openings", err)
	if err != nil {
		return
	}
	if err := again.UnmarshalText([]byte(o.String())); err != nil || !reflect.DeepEqual(o, again) {
		t.Errorf("--openings %q is %q: %+v, %+v, %v", s, o.String(), o, again, err)
	}
	const file = "/a folder/it's.txt"
	if kept := o.From(file); kept.File != file || kept.Start != o.Start || kept.Shuffled != o.Shuffled || kept.Turned != o.Turned {
		t.Errorf("--openings %q is kept as %q", s, kept)
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
