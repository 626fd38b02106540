package ccgc_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/ccgc"
)

func at(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }

func shift(x, y, x2, y2 int) game.Move { return game.ShiftTo(game.Pt(x, y), game.Pt(x2, y2)) }

func shoot(x, y int) game.Move { return game.ShootAt(game.Pt(x, y)) }

func steps(seats string, moves ...game.Move) []record.Step {
	out := make([]record.Step, len(moves))
	for i, m := range moves {
		out[i] = record.Step{By: game.Seat(seats[i] - '1'), Move: m}
	}
	return out
}

func read(t *testing.T, name string) *record.Game {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if !ccgc.Looks(data) {
		t.Errorf("%s does not look like a CCGC record", name)
	}
	list, err := ccgc.Read(data)
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %d games, %v", name, len(list), err)
	}
	return list[0]
}

// TestRead reads the forms of several years. The coordinates are derived by hand
// from the drawing of the board that each form has in mind.
func TestRead(t *testing.T) {
	amazons := steps("11221", shift(3, 9, 3, 3), shoot(6, 3), shift(3, 0, 2, 0), shoot(2, 7), shift(6, 9, 6, 4))
	amazons = append(amazons, steps("1", shoot(1, 4))...)
	tests := []struct {
		file, spec         string
		names              [2]string
		winner             game.Seat
		date, place, event string
		steps              []record.Step
	}{
		{"amazons.txt", "amazons", [2]string{"Alpha", "Beta"}, game.First, "2024-07-01 14:00", "沈阳", "2024 CCGC", amazons},
		{
			"amazons-letters.txt", "amazons",
			[2]string{"Alpha", "Beta"},
			game.Second, "2024-07-01 09:05:33", "四川", "国赛",
			steps("112211", shift(3, 9, 3, 3), shoot(6, 3), shift(3, 0, 2, 0), shoot(2, 5), shift(6, 9, 6, 4), shoot(1, 4)),
		},
		{"nogo.txt", "nogo", [2]string{"A队", "B队"}, game.Second, "2020-08-23", ".840线上", "2020CCGC", steps("121", at(1, 0), at(0, 0), at(0, 1))},
		{
			"nogo-brackets.txt", "nogo",
			[2]string{"Trendy", "AI"},
			game.First, "2025-06-01 10:20", "", "CCGC",
			steps("1212", at(4, 4), at(0, 8), at(8, 0), game.PassMove()),
		},
		{
			"phantomgo.txt", "phantomgo",
			[2]string{"Red Team", "Blue"},
			game.First, "2018-08-03 14:00", "合肥", "2018 CCGC",
			steps("1212", at(4, 4), at(2, 6), at(3, 5), at(8, 0)),
		},
		{
			"connect6.txt", "connect6",
			[2]string{"Alpha", "Beta"},
			game.First, "2017-07-29 14:00", "重庆", "2017 CCGC",
			steps("12211", at(9, 9), at(8, 8), at(8, 7), at(10, 8), at(10, 7)),
		},
		{
			"connect6-names.txt", "connect6",
			[2]string{"Alpha", "Beta"},
			game.Second, "2021-05-02 09:00", "安徽蚌埠", "2021 ACG",
			steps("1221", at(9, 9), at(8, 8), at(8, 7), at(10, 8)),
		},
		{"gomoku.txt", "gomoku", [2]string{"先手参赛队", "后手参赛队"}, game.Nobody, "2026-05-28", "本地", "test", steps("121", at(7, 7), at(8, 7), at(9, 5))},
		{
			"dots.txt", "dotsandboxes",
			[2]string{"Beta", "Alpha"},
			game.First, "2023-11-03", "", "tack",
			steps("1212", game.EdgeAt(game.Pt(4, 3), true), game.EdgeAt(game.Pt(3, 3), false), game.EdgeAt(game.Pt(0, 0), false), game.EdgeAt(game.Pt(5, 0), true)),
		},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			g := read(t, tt.file)
			winner := game.Nobody
			if g.Result != nil {
				winner = g.Result.Winner()
			}
			if string(g.Spec) != tt.spec || g.Names != tt.names || winner != tt.winner || g.Date != tt.date || g.Place != tt.place || g.Event != tt.event {
				t.Errorf("%s %q %v %q %q %q", g.Spec, g.Names, winner, g.Date, g.Place, g.Event)
			}
			if d := cmp.Diff(tt.steps, g.Steps, cmpopts.IgnoreFields(record.Step{}, "Line", "Column", "Comment")); d != "" {
				t.Error(d)
			}
			if len(g.Warnings) > 0 {
				t.Errorf("warnings %q", g.Warnings)
			}
			again, err := ccgc.Append(nil, g)
			if err != nil {
				t.Fatal(err)
			}
			back, err := ccgc.Read(again)
			if err != nil || len(back) != 1 {
				t.Fatalf("%v in %s", err, again)
			}
			if d := cmp.Diff(g, back[0], loose); d != "" {
				t.Errorf("written %s\n%s", again, d)
			}
		})
	}
}

// loose leaves out what records do not keep.
var loose = cmp.Options{
	cmpopts.IgnoreFields(record.Game{}, "Line", "Warnings"),
	cmpopts.IgnoreFields(record.Step{}, "Line", "Column", "Comment"),
	cmpopts.EquateEmpty(),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Date" }, cmp.Comparer(func(a, b string) bool {
		return a[:min(len(a), 16)] == b[:min(len(b), 16)] // to the minute
	})),
}

// TestWrite pins the form that is written.
func TestWrite(t *testing.T) {
	win := game.Win(game.First, "blocked", "why")
	lost := game.Win(game.Second, game.ByTime, "")
	draw := game.Drawn("full", "")
	scored := game.Win(game.Second, "score", "")
	scored.Board, scored.HasBoard = [2]float64{12, 13}, true
	head := record.Game{Names: [2]string{"Al [x]", "Be"}, Date: "2024-07-01 14:00:59", Place: "Shenyang", Event: "CCGC"}
	with := func(spec game.Spec, r *game.Result, s []record.Step) *record.Game {
		g := head
		g.Spec, g.Result, g.Steps = spec, r, s
		return &g
	}
	tried := steps("12211", at(4, 4), at(4, 4), at(3, 5), at(3, 5), at(0, 0))
	tried[4].Refused = true
	gbk := with("nogo", &win, nil)
	gbk.Tags = []record.Tag{{Key: ccgc.TagCharset, Value: "gbk"}}
	tests := []struct {
		name string
		g    *record.Game
		want string
	}{
		{
			"amazons", with("amazons:rulings=sau", &win, steps("112211", shift(3, 9, 3, 3), shoot(6, 3), shift(3, 0, 2, 0), shoot(2, 7), shift(6, 9, 6, 4), shoot(1, 4))),
			"#[AM][Al (x)][Be][先手胜][2024.07.01 14:00 Shenyang][CCGC];\r\n1 d1d7(g7) d10c10(c3)\r\n2 g1g6(b6)\r\n",
		},
		{"half a turn", with("amazons", &lost, steps("1", shift(3, 9, 3, 3))), "#[AM][Al (x)][Be][后手胜][2024.07.01 14:00 Shenyang][CCGC];\r\n1 d1d7\r\n"},
		{
			"nogo", with("nogo:size=9", &lost, steps("122", at(1, 0), at(8, 8), game.PassMove())),
			"([NG][Al (x)][Be][后手胜][2024.07.01 14:00 Shenyang][CCGC];\r\nB:[B1];\r\nW:[I9];\r\nW:[pass];\r\n)\r\n",
		},
		{
			"attempts are left out", with("phantomgo:size=9,komi=7.5", nil, tried),
			"([PG][Al (x)][Be][未结束][2024.07.01 14:00 Shenyang][CCGC];B[E5];W[D4];)\r\n",
		},
		{
			"connect6", with("connect6", &draw, steps("12221", at(9, 9), at(8, 8), game.PassMove(), at(0, 18), at(18, 0))),
			"{[C6][Al (x) B][Be W][和棋][2024.07.01 14:00 Shenyang][CCGC];B(J,10);W(I,11);W(A,1);B(S,19)}\r\n",
		},
		{"gomoku", with("gomoku:rule=renju,size=15", nil, nil), "{[C5][Al (x) B][Be W][未结束][2024.07.01 14:00 Shenyang][CCGC];}\r\n"},
		{
			"dots", with("dotsandboxes:size=5", &scored, steps("12", game.EdgeAt(game.Pt(0, 0), false), game.EdgeAt(game.Pt(5, 4), true))),
			"{\n    \"R\": \"Al (x)\",\n    \"B\": \"Be\",\n    \"winner\": \"B\",\n    \"RScore\": 12,\n    \"BScore\": 13,\n    \"Date\": \"2024.07.01 14:00 Shenyang\",\n" +
				"    \"Event\": \"CCGC\",\n    \"game\": [\n        {\n            \"piece\": \"r(a6,h)\"\n        },\n        {\n            \"piece\": \"b(f1,v)\"\n        }\n    ]\n}\n",
		},
		{"gbk", gbk, "([NG][Al (x)][Be][\xcf\xc8\xca\xd6\xca\xa4][2024.07.01 14:00 Shenyang][CCGC];\r\n)\r\n"},
	}
	for _, tt := range tests {
		got, err := ccgc.Append([]byte("before "), tt.g)
		if err != nil || string(got) != "before "+tt.want {
			t.Errorf("%s: %v\n%q\n%q", tt.name, err, got, tt.want)
		}
	}
	bad := map[string]*record.Game{
		"no CCGC record":      {Spec: "surakarta"},
		"boards of size 9":    {Spec: "nogo:size=7"},
		"begin at the":        {Spec: "amazons", Start: "x"},
		"no words for":        {Spec: "gomoku:opening=swap2"},
		"moves and arrows":    {Spec: "amazons", Steps: steps("11", shift(0, 0, 1, 1), shift(0, 0, 1, 1))},
		"only stones":         {Spec: "nogo", Steps: steps("1", at(9, 0))},
		"only lines":          {Spec: "dotsandboxes", Steps: steps("1", game.EdgeAt(game.Pt(5, 0), false))},
		"does not say whose":  {Spec: "nogo", Steps: []record.Step{{By: game.Nobody, Move: at(0, 0)}}},
		"written in GBK":      {Spec: "nogo", Names: [2]string{"\u0b95"}, Tags: gbk.Tags},
		"decision 1, pass":    {Spec: "gomoku", Steps: steps("1", game.PassMove())},
		"decision 1, choose ": {Spec: "nogo", Steps: steps("1", game.ChooseArg(0))},
	}
	for says, g := range bad {
		if got, err := ccgc.Append(nil, g); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v, want %q", g.Spec, got, err, says)
		}
	}
}

func TestResults(t *testing.T) {
	for word, want := range map[string]string{
		"先手胜": "first", "后手胜": "second", "先手 胜": "first", "黑胜": "first", "白方胜": "second", "后手负": "first",
		"后手超时先手胜": "first", "和棋": "draw", "和局": "draw", "平局": "draw", "Black wins": "first", "": "none", "未结束": "none", "未完": "none",
		"先/后手胜": "unknown", "先手/后手胜": "unknown", "先（后）手胜": "unknown", "先(后)手胜": "unknown", "胜负关系": "unknown", "胜": "unknown",
	} {
		list, err := ccgc.Read([]byte("([NG][a][b][" + word + "][2024.1.2 3:04 x][e];)"))
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v", word, err)
			continue
		}
		g, got := list[0], "none"
		switch {
		case len(g.Warnings) > 0:
			got = "unknown"
		case g.Result != nil && g.Result.Draw():
			got = "draw"
		case g.Result != nil:
			got = g.Result.Winner().String()
		}
		if got != want {
			t.Errorf("%s is read as %s, not %s", word, got, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	for text, want := range map[string][3]string{
		"([PG][a][b][先手胜][2024.07.01 14:00 沈阳][E];)":            {"2024-07-01 14:00", "沈阳", "E"},
		"([PG][a][b][先手胜][2024年7月1日 14时05分 沈阳][E];)":            {"2024-07-01 14:05", "沈阳", "E"},
		"([PG][a][b][先手胜][2024 / 7 / 1 9:5:3 四川][国赛]；)":         {"2024-07-01 09:05:03", "四川", "国赛"},
		"([PG][a][b][先手胜][2018.8.x 14:00 合肥][E];)":              {"", "2018.8.x 14:00 合肥", "E"},
		"([PG][a][b][先手胜]2024.07.01 15:04;)":                    {"2024-07-01 15:04", "", ""},
		"([PG][a][b][先手胜][2024-01-02][Place][E];)":              {"2024-01-02", "Place", "E"},
		"([PG][a][b][先手胜][2024-01-02];)":                        {"2024-01-02", "", ""},
		"([PG][a][b][先手胜][only an event];)":                     {"", "", "only an event"},
		"([PG][a][b][先手胜];)":                                    {"", "", ""},
		"（看）([PG] [a] [b] [先手胜] [2024.1.2 here] [E] ;\n B[A1])": {"2024-01-02", "here", "E"},
	} {
		list, err := ccgc.Read([]byte(text))
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if g := list[0]; [3]string{g.Date, g.Place, g.Event} != want {
			t.Errorf("%s: %q %q %q", text, g.Date, g.Place, g.Event)
		}
	}
}

// TestSeveral reads a file of several games, one of them bad.
func TestSeveral(t *testing.T) {
	text := "#[AM][a][b][先手胜][x][e];\n1 d1d7(g7)\n#[AM][c][d][先手胜][x][e];\n1 d1z7(g7)\n([PG][e][f][和棋][x][y];B[A1])\n"
	list, err := ccgc.Read([]byte(text))
	var bad *record.Error
	if len(list) != 2 || !errors.As(err, &bad) || bad.Line != 4 || bad.Column != 3 {
		t.Fatalf("%d games, %v", len(list), err)
	}
	if list[0].Names[0] != "a" || len(list[0].Steps) != 2 || list[1].Spec != "phantomgo" || list[1].Line != 5 {
		t.Errorf("%+v %+v", list[0], list[1])
	}
	two := bytes.Repeat([]byte(`{"R":"a","B":"b","winner":"R","RScore":20,"BScore":5,"game":[{"piece":"r(a1,h)"}]}`+"\n"), 2)
	list, err = ccgc.Read(two)
	if err != nil || len(list) != 2 || list[1].Line != 2 || list[1].Result.Board != [2]float64{20, 5} {
		t.Errorf("%v, %v", list, err)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "no CCGC record",
		"hello":                          "no CCGC record",
		"#[XX][a][b]":                    "no CCGC record",
		"\xff\xff\xff":                   "neither UTF-8 nor GBK",
		"#[AM];":                         "line 1:6: the header names no teams",
		"#[AM][a][b][][][];\n1 d1":       "line 2:3: \"d1\" is no move",
		"#[AM][a][b];\n1 d1d7 g1g6":      "line 2:3: the move has no arrow",
		"#[AM][a][b];\nDJDDGK":           "line 2:1: \"DJDDGK\" is no move",
		"([NG][a][b];B[J1])":             "line 1:13: the point \"J1\" is not on the board of 9x9",
		"([NG][a][b];B[E0])":             "is not on the board",
		"([NG][a][b];B[5E])":             "is no point",
		"([NG][a][b];X[E5])":             "\"X\" is nobody",
		"([NG][a][b];B[E5)":              "is no move: it must be like B[E5]",
		"{[C6][a][b];B(T,1)}":            "not on the board of 19x19",
		"{[C6][a][b];B(J;10)}":           "is no point: it must be like (E,15)",
		"{[DB][a][b];}":                  "JSON object",
		"{\n \"game\": [}":               "line 2: no record of Dots and Boxes",
		`{"game":[{"piece":"x"}]}`:       "line 1 of the game: \"x\" is no line",
		`{"game":[{"piece":"r(f1,h)"}]}`: "is not on the board of 5x5 boxes",
		`{"game":[{"piece":"r(a6,v)"},{"piece":"b(a1,v)"}]}`: "both row 1 and row 6",
	} {
		list, err := ccgc.Read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, list, err, want)
		}
	}
}

// TestUpperDots reads vertical lines that are named by their upper dots.
func TestUpperDots(t *testing.T) {
	list, err := ccgc.Read([]byte(`{"game":[{"piece":"r(a6,v)"},{"piece":"b(f2,v)"},{"piece":"r(a6,h)"}]}`))
	if err != nil || len(list[0].Warnings) != 1 {
		t.Fatal(err)
	}
	want := steps("121", game.EdgeAt(game.Pt(0, 0), true), game.EdgeAt(game.Pt(5, 4), true), game.EdgeAt(game.Pt(0, 0), false))
	if d := cmp.Diff(want, list[0].Steps); d != "" {
		t.Error(d)
	}
}

func TestFileName(t *testing.T) {
	win := game.Win(game.Second, "", "")
	g := &record.Game{Spec: "amazons", Names: [2]string{"A/B", "C: D."}, Date: "2024-07-01 14:00:00", Place: "Shenyang", Event: "2024 CCGC", Result: &win}
	if n, err := ccgc.FileName(g); err != nil || n != "AM-A_B B vs C_ D W-后手胜-2024.07.01 Shenyang-2024 CCGC.txt" {
		t.Errorf("%q, %v", n, err)
	}
	g.Spec, g.Date, g.Names[0] = "dotsandboxes", "", strings.Repeat("队", 100)
	if n, err := ccgc.FileName(g); err != nil || n != "DB-"+strings.Repeat("队", 16)+" B vs C_ D W-后手胜-Shenyang-2024 CCGC.txt" {
		t.Errorf("%q, %v", n, err)
	}
	g.Spec = "surakarta"
	if n, err := ccgc.FileName(g); err == nil {
		t.Error(n)
	}
}

// TestShared reads the fragment of a public engine's record writer and writes it
// back byte for byte in its text.
func TestShared(t *testing.T) {
	data := shared.Read(t, "data", "dotsandboxes", "tack-record.txt")
	list, err := ccgc.Read(data)
	if err != nil || len(list) != 1 {
		t.Fatal(err)
	}
	want := steps("121", game.EdgeAt(game.Pt(4, 3), true), game.EdgeAt(game.Pt(3, 3), false), game.EdgeAt(game.Pt(3, 2), true))
	if d := cmp.Diff(want, list[0].Steps); d != "" {
		t.Error(d)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("([NG][a B][b W][先/后手胜]2024.1.2 3:4;B[];W:[i 9]MARK[2])"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := ccgc.Read(data)
		for _, g := range list {
			text, err := ccgc.Append(nil, g)
			if err != nil {
				if v, gbk := g.Tag(ccgc.TagCharset); !gbk || v != "gbk" {
					t.Fatalf("%v: %+v", err, g)
				}
				continue
			}
			back, err := ccgc.Read(text)
			if err != nil || len(back) != 1 {
				t.Fatalf("%q became %q: %v", data, text, err)
			}
			again, err := ccgc.Append(nil, back[0])
			if err != nil || !bytes.Equal(again, text) {
				t.Fatalf("written %q, then %q, %v", text, again, err)
			}
			if len(back[0].Steps) != len(g.Steps) && g.Spec != "phantomgo" && g.Spec != "connect6" {
				t.Fatalf("%d decisions became %d: %q", len(g.Steps), len(back[0].Steps), text)
			}
			if _, err := ccgc.FileName(g); err != nil {
				t.Fatal(err)
			}
		}
	})
}
