package rec_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/rec"
)

const sample = "svine\r\npisq5\r\n10,10,450\r\n0,19,3000\r\n11,10,12\r\n0\r\n"

func TestRead(t *testing.T) {
	g, err := rec.Read([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	if g.Names != [2]string{"svine", "pisq5"} || len(g.Steps) != 3 || g.Spec != "gomoku:size=20" || g.Result != nil {
		t.Errorf("%+v", g)
	}
	s := g.Steps[1]
	if s.Move != game.PlaceAt(game.Pt(0, 19)) || s.By != game.Second || s.Used != 3*time.Second || !s.Timed || s.Line != 4 {
		t.Errorf("%+v", s)
	}
	again, err := rec.Write(g)
	if err != nil || string(again) != sample {
		t.Errorf("%q, %v", again, err)
	}
	g, err = rec.Read([]byte("a\nb\n1,1\n2,2,5\n15\n"))
	if err != nil || g.Result == nil || g.Result.Winner() != game.Second || g.Result.Reason != game.ByTime || g.Steps[0].Timed {
		t.Errorf("%+v, %v", g, err)
	}
	g, err = rec.Read([]byte("a\nb\n1,1,1\nend of game\n0\nmore"))
	if err != nil || len(g.Warnings) != 2 {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "line 1: a .rec file starts",
		"only one name":     "line 1: a .rec file starts",
		"1,2,3\n4,5,6":      "line 1: \"1,2,3\" is a move where the name",
		"a\nb\n1,1,1\n20,1": "line 4: \"20,1\" lies outside",
		"a\nb\n-1,1":        "line 3: \"-1,1\" lies outside",
	} {
		if _, err := rec.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, g := range []record.Game{
		{Spec: "othello"},
		{Spec: "gomoku:size=15"},
		{Spec: "gomoku"},
		{Spec: "gomoku:size=20", Steps: []record.Step{{Move: game.PassMove()}}},
	} {
		if got, err := rec.Write(&g); err == nil {
			t.Errorf("%+v is written %q", g, got)
		}
	}
}

func TestEndCodes(t *testing.T) {
	for why, want := range map[game.Reason]string{"five": "0", game.ByTime: "15", game.ByIllegal: "-2", game.ByAbort: "-1"} {
		r := game.Win(game.First, why, "")
		got, err := rec.Write(&record.Game{Spec: "gomoku:size=20", Result: &r})
		if err != nil || string(got) != "?\r\n?\r\n"+want+"\r\n" {
			t.Errorf("%s: %q, %v", why, got, err)
		}
	}
}

// A game that a person ruled says so behind its end code, and is not read as it was played.
func TestRuled(t *testing.T) {
	five := game.Win(game.First, "five", "")
	g := &record.Game{Spec: "gomoku:size=20", Names: [2]string{"A", "B"}, Result: &five}
	g.Rule(game.Drawn(game.ByAdjudication, ""), "draw, Ada: both had a bug")
	data, err := rec.Write(g)
	if want := "A\r\nB\r\n0\r\nruled 0.5-0.5: draw, Ada: both had a bug\r\n"; err != nil || string(data) != want {
		t.Fatalf("%q, %v", data, err)
	}
	again, err := rec.Read(data)
	if err != nil || again.Result == nil || !again.Result.Draw() || again.Result.Reason != game.ByAdjudication || len(again.Warnings) > 0 {
		t.Errorf("%+v, %v", again, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample + "ruled 1-0: A wins\r\n"))
	f.Add([]byte(sample))
	f.Add([]byte("a\nb\n1,1\n15"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := rec.Read(data)
		if err != nil {
			return
		}
		text, err := rec.Write(g)
		if err != nil {
			t.Fatal(err)
		}
		again, err := rec.Read(text)
		if err != nil || len(again.Steps) != len(g.Steps) {
			t.Fatalf("%q: %v", text, err)
		}
		if third, err := rec.Write(again); err != nil || !bytes.Equal(text, third) {
			t.Fatalf("%q is written %q, %v", text, third, err)
		}
	})
}
