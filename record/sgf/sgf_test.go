package sgf_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/internal/shared"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/games/connect6"
	"kibitz/games/gomoku"
	"kibitz/games/nogo"
	"kibitz/games/othello"
	"kibitz/games/phantomgo"
	"kibitz/record"
	"kibitz/record/sgf"
	"kibitz/rules"
)

func read(t *testing.T, name string) []*record.Game {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	games, err := sgf.Read(b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return games
}

// plain forgets where things stood in the file.
func plain(g *record.Game) *record.Game {
	c := *g
	c.Line, c.Warnings = 0, nil
	c.Steps = plainSteps(g.Steps)
	return &c
}

func plainSteps(list []record.Step) []record.Step {
	var out []record.Step
	for _, s := range list {
		s.Line, s.Column = 0, 0
		var vs [][]record.Step
		for _, v := range s.Variations {
			vs = append(vs, plainSteps(v))
		}
		s.Variations = vs
		out = append(out, s)
	}
	return out
}

func at(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }

func TestGomoku(t *testing.T) {
	g := read(t, "cgomoku.sgf")[0]
	r := game.Win(game.First, "five", "")
	want := &record.Game{
		ID: "1", Spec: "gomoku:rule=renju,size=15", Names: [2]string{"rapfi", "embryo"}, Event: "rapfi x embryo",
		Round: "1.1", Date: "2024.05.01", Result: &r,
		Steps: []record.Step{
			{By: 0, Move: at(7, 7), Opening: true},
			{By: 1, Move: at(7, 6), Opening: true},
			{By: 0, Move: at(8, 6), Opening: true},
			{By: 1, Move: at(8, 5), Used: 12 * time.Millisecond, Timed: true},
			{By: 0, Move: at(9, 5), Used: 1500 * time.Millisecond, Timed: true},
		},
	}
	if d := cmp.Diff(want, plain(g)); d != "" {
		t.Error(d)
	}
	if s := g.Steps[3]; s.Line != 2 || s.Column != 2 {
		t.Errorf("the fourth move stands at %d:%d", s.Line, s.Column)
	}
}

func TestOthello(t *testing.T) {
	moves := func(g *record.Game) string {
		var out []string
		for _, s := range g.Steps {
			m := "PA"
			if s.Move.Op == game.Place {
				m = string([]byte{'a' + byte(s.Move.To.X), '1' + byte(s.Move.To.Y)})
			}
			out = append(out, s.By.String()[:1]+":"+m)
		}
		return strings.Join(out, " ")
	}
	g := read(t, "edax.sgf")[0]
	if got := moves(g); got != "f:f5 s:d6 f:c3 s:d3 f:c4 s:PA f:PA" {
		t.Errorf("moves %s", got)
	}
	if g.Spec != "othello" || g.Result == nil || g.Result.Board != [2]float64{38, 26} || !g.Result.HasBoard {
		t.Errorf("%s %+v", g.Spec, g.Result)
	}
	g = read(t, "othello-points.sgf")[0]
	if got := moves(g); got != "f:f5 s:d6 f:PA" {
		t.Errorf("moves %s", got)
	}
	if g.Start != "" || !g.Result.Draw() {
		t.Errorf("start %q, result %+v", g.Start, g.Result)
	}
}

func TestVariations(t *testing.T) {
	g := read(t, "variations.sgf")[0]
	if g.Comment != "two\nlines ] kept \\ here, joined there" {
		t.Errorf("comment %q", g.Comment)
	}
	var show func(list []record.Step) string
	show = func(list []record.Step) string {
		var b strings.Builder
		for _, s := range list {
			b.WriteString(sgf.FormatPoint(s.Move.To))
			if s.Comment != "" {
				b.WriteString("{" + s.Comment + "}")
			}
			for _, v := range s.Variations {
				b.WriteString("(" + show(v) + ")")
			}
			b.WriteByte(' ')
		}
		return strings.TrimSpace(b.String())
	}
	if got, want := show(g.Steps), "ee{a} ec ge(gc{second} gd)(cc) gf he(hf hg)"; got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
	if len(g.Warnings) < 1 || !strings.Contains(strings.Join(g.Warnings, "\n"), "AB sets the position up after moves") {
		t.Errorf("warnings %q", g.Warnings)
	}
}

func TestCharsets(t *testing.T) {
	g := read(t, "shiftjis.sgf")[0]
	if g.Names != [2]string{"ソゾ", "表"} || g.Steps[0].Comment != "ゾ" {
		t.Errorf("Shift_JIS: %q %q", g.Names, g.Steps[0].Comment)
	}
	gs := read(t, "latin.sgf")
	if gs[0].Names[0] != "Müller" || gs[1].Names[0] != "€" || gs[1].Spec != "go:width=9,height=7" {
		t.Errorf("Latin: %q %q %s", gs[0].Names, gs[1].Names, gs[1].Spec)
	}
}

func TestResults(t *testing.T) {
	tests := []struct {
		gm, re, te string
		winner     game.Seat
		reason     game.Reason
		points     float64 // of both
	}{
		{"4", "B+", "", game.First, "", 1},
		{"4", "B+R", "", game.First, game.ByResign, 1},
		{"1", "W+Resign", "", game.Second, game.ByResign, 1},
		{"4", "W+T", "", game.Second, game.ByTime, 1},
		{"4", "B+Time", "", game.First, game.ByTime, 1},
		{"4", "B+F", "", game.First, game.ByAdjudication, 1},
		{"4", "B+F", "crash", game.First, game.ByCrash, 1},
		{"4", "W+1", "five", game.Second, "five", 1},
		{"4", "0", "full", game.Nobody, "full", 1},
		{"4", "Draw", "", game.Nobody, "", 1},
		{"4", "Void", "", game.Nobody, game.ByAbort, 0},
		{"2", "W+64", "", game.Second, "", 1},
		{"1", "W+28.5", "", game.Second, "", 1},
		{"1", "b+r (late)", "", game.First, game.ByResign, 1},
	}
	for _, tt := range tests {
		text := "(;GM[" + tt.gm + "]RE[" + tt.re + "]TE[" + tt.te + "])"
		games, err := sgf.Read([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		r := games[0].Result
		if r == nil || r.Winner() != tt.winner || r.Reason != tt.reason || r.Points[0]+r.Points[1] != tt.points {
			t.Errorf("%s: %+v", text, r)
			continue
		}
		again, err := sgf.AppendGame(nil, games[0])
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		back, err := sgf.Read(again)
		if err != nil || cmp.Diff(games[0].Result, back[0].Result) != "" && tt.te == "" && !strings.Contains(tt.re, "F") {
			t.Errorf("%s: written %s, %v: %s", text, again, err, cmp.Diff(games[0].Result, back[0].Result))
		}
	}
	for _, re := range []string{"", "?", "C+5", "who knows"} {
		games, err := sgf.Read([]byte("(;GM[4]RE[" + re + "])"))
		if err != nil || games[0].Result != nil {
			t.Errorf("RE[%s]: %+v, %v", re, games[0].Result, err)
		}
		if (len(games[0].Warnings) > 0) != (len(re) > 1) {
			t.Errorf("RE[%s]: warnings %q", re, games[0].Warnings)
		}
	}
}

func TestRejected(t *testing.T) {
	tests := []struct{ name, text, says string }{
		{"empty", "", "no game"},
		{"prose", "this is no game", "no game"},
		{"no node", "()", "without nodes"},
		{"no semicolon", "(GM[1])", "\";\" is missing"},
		{"open value", "(;GM[1]C[abc", "never ends"},
		{"no value", "(;GM)", "no value"},
		{"variation first", "x(;GM[4]) ((;GM[4]))", "before the first node"},
		{"two roots", "(;GM[4])(;GM[4])(;B[aa]GM[4](;W[bb])) (;AB[aa]GM[99])", "GM[99]"},
		{"strange size", "(;GM[4]SZ[99])", "SZ[99]"},
		{"negative size", "(;GM[4]SZ[-3:4])", "SZ[-3:4]"},
		{"off the board", "(;GM[4]SZ[9];B[jj])", "not on the 9x9 board"},
		{"no point", "(;GM[4]SZ[9];B[a])", "not a point"},
		{"charset", "(;GM[4]CA[klingon])", "klingon"},
		{"setup late", "(;GM[1];B[aa];AW[bb])", "after moves"},
		{"choice", "(;GM[4]RU[swap2];KC[maybe])", "no choice"},
		{"gm", "(;GM[x])", "not the number"},
	}
	for _, tt := range tests {
		_, err := sgf.Read([]byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
			continue
		}
		if e, ok := errors.AsType[*record.Error](err); !ok || e.Line < 1 {
			t.Errorf("%s: %v names no line", tt.name, err)
		}
	}
}

// TestRoundTrip writes records with everything in them and reads them back.
func TestRoundTrip(t *testing.T) {
	win := game.Win(game.Second, "five", "")
	lost := game.Win(game.First, game.ByCrash, "")
	discs := game.Win(game.First, "", "")
	discs.Board, discs.HasBoard = [2]float64{40, 24}, true
	eval := func(u game.Unit, v float64) *game.Info { return &game.Info{Eval: game.Eval{Unit: u, Lo: v, Hi: v}} }
	tests := []*record.Game{
		{
			ID: "g1", Spec: "gomoku:rule=caro,size=20", Names: [2]string{"Ab]c\\", "x:y"}, Ratings: [2]string{"1500", ""},
			Event: "E", Place: "P", Round: "2", Date: "2026-01-02 03:04:05", Clocks: [2]string{"60+0.5", "60+0.5"}, Result: &win,
			Comment: "first\nsecond ]", Tags: []record.Tag{{Key: "AN", Value: "somebody"}},
			Steps: []record.Step{
				{By: 0, Move: at(0, 0), Opening: true},
				{By: 1, Move: at(19, 19), Used: 1250 * time.Millisecond, Timed: true, Comment: "good]", Info: eval(game.Points, -3.5)},
				{
					By: 0, Move: at(3, 4), Used: 17 * time.Microsecond, Timed: true, Info: eval(game.Points, 12),
					Variations: [][]record.Step{
						{{By: 0, Move: at(5, 5)}, {By: 1, Move: at(6, 6), Variations: [][]record.Step{{{By: 1, Move: at(7, 7), Used: time.Second, Timed: true}}}}},
						{{By: 0, Move: at(8, 8)}},
					},
				},
			},
		},
		{Spec: "gomoku:rule=freestyle,width=15,height=10", Result: &lost, Steps: []record.Step{{By: 0, Move: at(14, 9), Used: time.Millisecond, Timed: true}}},
		{
			Spec: "gomoku:rule=freestyle,size=15,opening=swap2", Names: [2]string{"A", "B"}, Result: &win,
			Steps: []record.Step{
				{By: game.Nobody, Move: at(7, 7)},
				{By: game.Nobody, Move: at(8, 7)},
				{By: game.Nobody, Move: at(9, 9)},
				{By: game.Nobody, Move: game.ChooseArg(game.Swap2Swap), Used: time.Second, Timed: true},
				{By: game.Nobody, Move: at(1, 1)},
			},
		},
		{
			Spec: "othello", Names: [2]string{"A", "B"}, Result: &discs,
			Steps: []record.Step{{By: 0, Move: at(5, 4)}, {By: 1, Move: at(3, 5)}, {By: 0, Move: game.PassMove()}, {By: 1, Move: at(0, 0), Info: eval(game.Discs, 4)}},
		},
		{Spec: "phantomgo:size=9,komi=7.5", Steps: []record.Step{{By: 0, Move: at(4, 4)}, {By: 1, Move: game.PassMove()}}},
		{Spec: "gomoku:rule=renju,size=15,pass=true", Steps: []record.Step{{By: 0, Move: at(4, 4)}, {By: 1, Move: game.PassMove()}, {By: 0, Move: at(5, 4)}}},
		{Spec: "gomoku:rule=renju,size=9,opening=swap2,pass=true", Steps: []record.Step{{By: game.Nobody, Move: at(4, 4)}}},
		{Spec: "gomoku:rule=renju,size=9", Start: strings.Repeat("........./", 4) + "....X..../" + strings.Repeat("........./", 3) + ".......O. black", Steps: []record.Step{{By: 0, Move: at(0, 8)}}},
		{Spec: "othello", Start: strings.Repeat("-", 27) + "OOO" + strings.Repeat("-", 6) + "X" + strings.Repeat("-", 27) + " O"},
	}
	for _, g := range tests {
		text, err := sgf.AppendGame(nil, g)
		if err != nil {
			t.Errorf("%s: %v", g.Spec, err)
			continue
		}
		back, err := sgf.Read(text)
		if err != nil {
			t.Errorf("%s: %v\n%s", g.Spec, err, text)
			continue
		}
		if _, has := back[0].Tag("AP"); !has {
			t.Errorf("%s: no AP", g.Spec)
		}
		got := plain(back[0])
		got.Tags = nil
		for _, tag := range back[0].Tags {
			if tag.Key != "AP" {
				got.Tags = append(got.Tags, tag)
			}
		}
		if d := cmp.Diff(g, got); d != "" {
			t.Errorf("%s:\n%s\n%s", g.Spec, text, d)
		}
		if len(back[0].Warnings) > 0 {
			t.Errorf("%s: warnings %q", g.Spec, back[0].Warnings)
		}
	}
}

// TestMoreGames reads the games that were added to the number of another one or
// have moves of their own, and writes them back.
func TestMoreGames(t *testing.T) {
	pt := game.Pt
	by := func(seats string, moves ...game.Move) []record.Step {
		out := make([]record.Step, len(moves))
		for i, m := range moves {
			out[i] = record.Step{By: game.Seat(seats[i] - '1'), Move: m}
		}
		return out
	}
	tried := by("1222133", at(4, 4), at(4, 4), at(4, 3), at(3, 3), game.PassMove(), at(0, 0))
	tried = tried[:6]
	tried[1].Refused, tried[2].Refused, tried[5].Refused = true, true, true
	tried[5].By = game.Nobody
	tried[3].Used, tried[3].Timed = 2500*time.Millisecond, true
	tests := []struct {
		file, spec, start string
		steps             []record.Step
		variations        int
	}{
		{"amazons.sgf", "amazons", "", by("11221122",
			game.ShiftTo(pt(3, 9), pt(3, 3)), game.ShootAt(pt(6, 3)), game.ShiftTo(pt(0, 3), pt(3, 6)), game.ShootAt(pt(0, 3)),
			game.ShiftTo(pt(6, 9), pt(4, 7)), game.ShootAt(pt(4, 0)), game.ShiftTo(pt(3, 0), pt(2, 0)), game.ShootAt(pt(5, 0))), 1},
		{
			"amazons-setup.sgf", "amazons", "b........./.#......../.#w......./" + strings.Repeat("........../", 6) + ".........# w",
			by("22", game.ShiftTo(pt(2, 2), pt(3, 2)), game.ShootAt(pt(4, 4))), 0,
		},
		{"connect6-littlegolem.sgf", "connect6:size=19", "", by("1221122", at(9, 9), at(9, 10), at(11, 8), at(10, 10), at(11, 11), at(10, 9), at(8, 8)), 0},
		{"connect6-editor.sgf", "connect6:size=19", "", by("12211", at(9, 9), at(8, 8), at(8, 10), at(9, 10), at(9, 11)), 1},
		{"connect6.sgf", "connect6:size=19", "", by("1221121", at(9, 9), at(8, 8), at(8, 10), at(9, 10), at(9, 11), game.PassMove(), at(0, 0)), 0},
		{"phantomgo.sgf", "phantomgo:superko=true,size=9,komi=6.5", "", tried, 0},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			games, err := sgf.Read(data)
			if err != nil || len(games) != 1 {
				t.Fatal(err)
			}
			for range 2 {
				g := plain(games[0])
				variations := 0
				for i := range g.Steps {
					variations += len(g.Steps[i].Variations)
					g.Steps[i].Variations = nil
				}
				if string(g.Spec) != tt.spec || g.Start != tt.start || variations != tt.variations || len(games[0].Warnings) > 0 {
					t.Errorf("%s %q, %d variations, warnings %q", g.Spec, g.Start, variations, games[0].Warnings)
				}
				if d := cmp.Diff(tt.steps, g.Steps); d != "" {
					t.Error(d)
				}
				text, err := sgf.AppendGame(nil, games[0])
				if err != nil {
					t.Fatal(err)
				}
				if games, err = sgf.Read(text); err != nil {
					t.Fatalf("%v in %s", err, text)
				}
			}
		})
	}
}

// TestNotWritten lists what has no form.
func TestNotWritten(t *testing.T) {
	for _, g := range []*record.Game{
		{Spec: "surakarta"},
		{Spec: "dotsandboxes"},
		{Spec: "darkchess"},
		{Spec: "amazons", Steps: []record.Step{{Move: at(1, 1)}}},
		{Spec: "amazons", Steps: []record.Step{{Move: game.ShootAt(game.Pt(1, 1))}}},
		{Spec: "amazons", Start: strings.Repeat("........../", 9) + "b......... b a1"},
		{Spec: "connect6", Start: strings.Repeat(strings.Repeat(".", 19)+"/", 18) + strings.Repeat(".", 18) + "b w 1"},
	} {
		if text, err := sgf.AppendGame(nil, g); err == nil {
			t.Errorf("%s is written %s", g.Spec, text)
		}
	}
	for text, says := range map[string]string{
		"(;GM[18];B[djdd];B[dj])":   "is no move: it must be three points",
		"(;GM[18];B[djddgk])":       "is not on the 10x10 board",
		"(;GM[40];B[aa])":           "only Go (1), Othello (2), Gomoku (4), Amazons (18) and Connect6",
		"(;GM[511];B[JZ])":          "not on the 19x19 board",
		"(;GM[1]RU[connect6];B[z])": "is not a point",
	} {
		if _, err := sgf.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestPositions lets the games themselves read the start positions.
func TestPositions(t *testing.T) {
	list := []rules.Game{othello.Game(), gomoku.Game(), amazons.Game(), connect6.Game(), nogo.Game(), phantomgo.Game()}
	for _, text := range []string{
		"(;GM[18]AB[aa]AW[cc]AA[bb:bc][jj]PL[W])", "(;GM[18]PL[W])", "(;GM[4]RU[connect6]AB[jj]PL[W])",
		"(;GM[1]RU[nogo]SZ[9]AB[ee]PL[W])", "(;GM[1]RU[phantomgo]SZ[9]AB[ee]AW[aa]PL[W])",
		"(;GM[2]AB[d4][e5]AW[e4][d5][c4]PL[W])", "(;GM[2]PL[W])", "(;GM[4]RU[renju]AB[hh][aa]AW[hi]PL[W])", "(;GM[4]SZ[7:9]AB[aa:bb]AE[ab]AW[cc]PL[W])",
	} {
		games, err := sgf.Read([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		r, err := rules.Open(list, string(games[0].Spec))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		s, err := r.Position(games[0].Start)
		if err != nil || s.Turn().Seat != game.Second {
			t.Errorf("%s: position %q: %v", text, games[0].Start, err)
		}
	}
}

// TestGoFiles reads every file of the collection and compares what its index says
// of the main line, or gets a clear message for those that cannot be read.
func TestGoFiles(t *testing.T) {
	index, err := os.ReadFile(shared.Path(t, "data/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]string{
		"encoding-detection-fails":       "before the first node",
		"encoding-unsupported":           "foo",
		"not-an-sgf-file":                "no game",
		"setup-after-first-move":         "AB sets the position up after moves",
		"setup-player-after-first-move":  "PL sets the position up after moves",
		"2008__CGOS__365007-variation":   "",
		"2008__CGOS__397919-variation":   "",
		"2008__CGOS__seki-miseval-20081": "",
	}
	row := regexp.MustCompile("(?m)^\\| `((?:fuego|littlego)/[^`]+)` .* (\\d+)x\\d+, (\\d+) moves, (\\d+) passes, .* setup (\\d+), .* RE (\\S+) KM (\\S+),")
	rows := row.FindAllStringSubmatch(string(index), -1)
	if len(rows) != 75 {
		t.Fatalf("the index has %d rows", len(rows))
	}
	for _, m := range rows {
		name := m[1]
		data, err := os.ReadFile(filepath.Join(filepath.Dir(shared.Path(t, "data/go9x9/fuego")), filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		games, err := sgf.Read(data)
		if err != nil {
			says := ""
			for part, text := range refused {
				if strings.Contains(name, part) {
					says = text
				}
			}
			if says == "" || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		g := games[0]
		places, passes := 0, 0
		for _, s := range g.Steps {
			if s.Move.Op == game.Pass {
				passes++
			} else {
				places++
			}
		}
		setup := strings.Count(g.Start, "b") + strings.Count(g.Start, "w") - 1
		setup = max(0, setup)
		if strings.Contains(name, "illegal-move") {
			places-- // the index counts what could be played
		}
		if n := strconv.Itoa; n(places) != m[3] || n(passes) != m[4] || n(setup) != m[5] {
			t.Errorf("%s: %d moves, %d passes, %d stones set up; the index says %s, %s, %s", name, places, passes, setup, m[3], m[4], m[5])
		}
		if size, _ := g.Spec.Option("size"); size != m[2] {
			t.Errorf("%s: size %s, want %s", name, size, m[2])
		}
		if (g.Result == nil) != (m[6] == "None") || g.Result != nil && (g.Result.Winner() == game.First) != (m[6][0] == 'B') {
			t.Errorf("%s: result %+v, want %s", name, g.Result, m[6])
		}
		if komi, ok := g.Spec.Option("komi"); ok != (m[7] != "None") || ok && !sameNumber(komi, m[7]) {
			t.Errorf("%s: komi %q, want %s", name, komi, m[7])
		}
		if again, err := sgf.AppendGame(nil, g); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if back, err := sgf.Read(again); err != nil || cmp.Diff(plainSteps(g.Steps), plainSteps(back[0].Steps)) != "" || back[0].Start != g.Start {
			t.Errorf("%s: not the same after writing: %v", name, err)
		}
	}
}

func sameNumber(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x == y
}

func FuzzRead(f *testing.F) {
	for _, n := range []string{"cgomoku.sgf", "edax.sgf", "othello-points.sgf", "variations.sgf", "shiftjis.sgf", "latin.sgf", "amazons.sgf", "amazons-setup.sgf", "connect6-littlegolem.sgf", "connect6-editor.sgf", "connect6.sgf", "phantomgo.sgf"} {
		b, err := os.ReadFile(filepath.Join("testdata", n))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		trees, _ := sgf.Parse(data)
		text := sgf.Append(nil, trees...)
		again, err := sgf.Parse(text)
		if len(trees) > 0 && err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, text)
		}
		if second := sgf.Append(nil, again...); string(second) != string(text) {
			t.Fatalf("written twice:\n%q\n%q", text, second)
		}
		games, _ := sgf.Read(data)
		for _, g := range games {
			text, err := sgf.AppendGame(nil, g)
			if err != nil {
				continue
			}
			back, err := sgf.Read(text)
			if err != nil || len(back) != 1 || len(back[0].Steps) != len(g.Steps) || back[0].Start != g.Start {
				t.Fatalf("%v: %q became %q", err, data, text)
			}
		}
	})
}

// A file that sets the whole board up again and again takes no longer than what it
// writes.
func TestManyRectangles(t *testing.T) {
	text := "(;GM[1]SZ[52]" + strings.Repeat("AB"+strings.Repeat("[aa:ZZ]", 1000)+";", 4) + "AE[aa:ZZ];AW[ab])"
	began := time.Now()
	g, err := sgf.Read([]byte(text))
	if err != nil || len(g) != 1 {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("reading took %v", took)
	}
	if w, b := strings.Count(g[0].Start, "w"), strings.Count(g[0].Start, "b"); w != 1 || b != 1 { // b is to move
		t.Errorf("start %q", g[0].Start)
	}
}
