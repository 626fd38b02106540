package native_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/games/othello"
	"kibitz/games/phantomgo"
	"kibitz/record"
	"kibitz/record/native"
	"kibitz/rules"
)

func open(spec game.Spec) (native.Text, error) {
	r, err := rules.Open([]rules.Game{othello.Game(), gomoku.Game(), phantomgo.Game()}, string(spec))
	if err != nil {
		return nil, err
	}
	return r, nil
}

func at(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }

var update = flag.Bool("update", false, "write the golden file anew")

func full() *native.Record {
	win := game.Win(game.Second, game.ByTime, "a <b> & \"c\"")
	win.Board, win.HasBoard = [2]float64{12, 20.5}, true
	r := &native.Record{Attempt: 2}
	r.Game = record.Game{
		ID: "r1/p2/g3", Spec: "gomoku:rule=freestyle,size=15,opening=swap2", Names: [2]string{"Ä", "B"}, Ratings: [2]string{"1500?", ""},
		Event: "E", Place: "P", Round: "3", Date: "2026-01-02 03:04:05", Commitment: "c0ffee", Seed: "00ff", Clocks: [2]string{"60+0.5", "inf"}, Result: &win,
		Resources: [2]record.Resources{{Known: true, CPU: 1234567 * time.Microsecond, Memory: 350 << 20}, {Known: true}},
		Evidence:  []string{"table \"k\" is missing", "exit status 3"},
		Tags:      []record.Tag{{Key: "k", Value: "v"}, {Key: "k", Value: "w"}}, Comment: "c",
		Steps: []record.Step{
			{By: 0, Move: at(7, 7), Opening: true},
			{By: 0, Move: at(8, 7)},
			{By: 0, Move: at(9, 9), Used: 1234567 * time.Microsecond, Timed: true, Error: 42 * time.Microsecond},
			{By: 1, Move: game.ChooseArg(game.Swap2Stay), Timed: true, Info: &game.Info{
				Eval: game.Eval{Unit: game.Points, Lo: -3, Hi: 4.25}, Depth: 7, SelDepth: 12, Bound: game.Selective, Confidence: 95,
				Nodes: 1 << 40, Time: 3 * time.Second, Book: true, Games: 5, PV: []game.Move{at(1, 1), at(2, 2)}, Text: "t", Rank: 1,
			}},
			{By: 1, Move: at(0, 14), Comment: "x", Variations: [][]record.Step{{{By: 1, Move: at(1, 1), Variations: [][]record.Step{{{By: 0, Move: at(3, 3)}}}}}}},
		},
	}
	return r
}

func phantom() *native.Record {
	r := &native.Record{}
	r.Game = record.Game{Spec: "phantomgo", Engines: [2]string{"Own 1.2", ""}, Final: [2]*record.Clock{{Left: 7500 * time.Microsecond, Total: time.Minute, Moves: 3, Periods: 2, Stage: 1}, nil}, Steps: []record.Step{{By: 0, Move: at(4, 4)}, {By: 1, Move: at(4, 4), Refused: true}, {By: 1, Move: game.PassMove(), Forced: true}}}
	r.Notices = [][]game.Notice{
		{{To: game.ToFirst, Kind: game.Played, By: 0, Move: at(4, 4)}, {To: game.ToSecond, Kind: game.Moved, By: 0}},
		{{To: game.ToSecond, Kind: game.Refused, By: 1, Move: at(4, 4)}},
		{{To: game.Public, Kind: game.Took, By: 1, Points: []game.Point{game.Pt(1, 2), game.Pt(3, 4)}, Count: 2}, {To: game.Arbiter, Kind: game.Scored, By: game.Dealer}},
	}
	return r
}

func TestRoundTrip(t *testing.T) {
	var all []byte
	want := []*native.Record{full(), phantom(), {Game: record.Game{Spec: "othello"}}}
	for _, r := range want {
		text, err := open(r.Spec)
		if err != nil {
			t.Fatal(err)
		}
		before := len(all)
		if all, err = native.Append(all, r, text); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(all[before:], []byte("\n")); n != 1 {
			t.Errorf("%s: %d lines", r.Spec, n)
		}
	}
	got, err := native.Read(bytes.NewReader(all), open)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got {
		if r.Line != i+1 {
			t.Errorf("record %d stands in line %d", i+1, r.Line)
		}
		r.Line = 0
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestGolden pins the format: a change of this file is a new version.
func TestGolden(t *testing.T) {
	text, err := open(full().Spec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := native.Append(nil, full(), text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/v1.json")
	if *update {
		err = os.WriteFile("testdata/v1.json", got, 0o644)
		want = got
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
}

// TestUnknownFields shows that older readers read what newer writers add.
func TestUnknownFields(t *testing.T) {
	line := `{"format":"kibitz-game","version":1,"game":"othello","colour":"blue","seats":[{"name":"A","x":1},{"name":"B"}],"steps":[{"by":0,"m":"f5","weight":3}],"result":null}`
	got, err := native.Read(strings.NewReader("\n"+line+"\n\n"), open)
	if err != nil || len(got) != 1 || len(got[0].Steps) != 1 || got[0].Line != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	head := `{"format":"kibitz-game","version":1,"game":"othello","steps":`
	tests := []struct{ line, says string }{
		{`{"format":"other","version":1}`, `format "other"`},
		{`{"format":"kibitz-game","version":2,"game":"othello"}`, "newer program"},
		{`{"format":"kibitz-game","version":1,"game":"checkers"}`, "checkers"},
		{`{"format":`, "not JSON"},
		{`[]`, "array"},
		{head + `[{"by":7,"m":"f5"}]}`, "7 is no seat"},
		{head + `[{"by":0,"m":"z9"}]}`, "z9"},
		{head + `[{"by":"first","m":"f5"}]}`, "steps"},
		{head + `[{"by":0,"m":"f5","notices":[{"to":9,"kind":"played","by":0}]}]}`, "no audience"},
		{head + `[{"by":0,"m":"f5","notices":[{"to":1,"kind":"sung","by":0}]}]}`, "sung"},
		{head + `[{"by":0,"m":"f5","notices":[{"to":1,"kind":"took","by":0,"points":[[200,1]]}]}]}`, "200"},
	}
	for _, tt := range tests {
		got, err := native.Read(strings.NewReader("\n"+tt.line+"\n"+head+"[]}\n"), open)
		var at *record.Error
		if err == nil || !strings.Contains(err.Error(), tt.says) || !errors.As(err, &at) || at.Line != 2 {
			t.Errorf("%s: %v, want line 2 and %q", tt.line, err, tt.says)
		}
		if len(got) != 1 {
			t.Errorf("%s: the good record beside it is lost", tt.line)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	text, err := open("othello")
	if err != nil {
		t.Fatal(err)
	}
	r := &native.Record{Game: record.Game{Spec: "othello", Steps: []record.Step{{Move: at(9, 9)}}}}
	if _, err := native.Append(nil, r, text); err == nil {
		t.Error("a move off the board was written")
	}
	r.Steps[0] = record.Step{Move: at(5, 4), Info: &game.Info{Eval: game.Eval{Unit: game.Discs, Lo: math.Inf(1), Hi: math.NaN()}, Confidence: math.NaN()}}
	b, err := native.Append(nil, r, text)
	if err != nil {
		t.Fatal(err)
	}
	back, err := native.Parse(b, open)
	if err != nil || back.Steps[0].Info.Eval.Known() {
		t.Errorf("%s: %v", b, err)
	}
	r.Notices = make([][]game.Notice, 3)
	if _, err := native.Append(nil, r, text); err == nil {
		t.Error("notices without steps were written")
	}
}

func FuzzParse(f *testing.F) {
	for _, r := range []*native.Record{full(), phantom()} {
		text, err := open(r.Spec)
		if err != nil {
			f.Fatal(err)
		}
		b, err := native.Append(nil, r, text)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := native.Parse(data, open)
		if err != nil {
			return
		}
		text, err := open(r.Spec)
		if err != nil {
			t.Fatal(err)
		}
		b, err := native.Append(nil, r, text)
		if err != nil {
			return // for example a point off this board, which reading lets pass
		}
		back, err := native.Parse(b, open)
		if err != nil {
			t.Fatalf("written %s: %v", b, err)
		}
		again, err := native.Append(nil, back, text)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("written twice: %s and %s, %v", b, again, err)
		}
	})
}

// Lines of a hall's export are read as the records in them.
func TestExported(t *testing.T) {
	text, err := open("othello")
	if err != nil {
		t.Fatal(err)
	}
	want := &native.Record{Game: record.Game{ID: "g1", Spec: "othello", Steps: []record.Step{{By: game.First, Move: at(5, 4)}}}}
	own, err := native.Append(nil, want, text)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"game":{"id":"g1","spec":"othello"},"record":` + strings.TrimSpace(string(own)) + `}`
	for in, bad := range map[string]string{
		string(own): "", line: "",
		`{"game":{"id":"g1"},"unreadable":"there is none"}`:     "the hall had no record of this game to give: there is none",
		`{"game":{"id":"g1"}}`:                                  "field game holds a object",
		`{"game":{"id":"g1"},"record":{"game":{}}}`:             "field game holds a object",
		`{"game":{"id":"g1"},"record":` + line + `}`:            "field game holds a object",
		`{"game":{"id":"g1"},"record":{"format":"kibitz-gam"}}`: `format "kibitz-gam" is not`,
	} {
		got, err := native.Parse([]byte(in), open)
		switch {
		case bad != "":
			if err == nil || !strings.Contains(err.Error(), bad) {
				t.Errorf("%s: %v", in, err)
			}
		case err != nil || len(got.Steps) != 1 || got.ID != "g1":
			t.Errorf("%s: %v", in, err)
		}
	}
}
