package psq_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/psq"
	"kibitz/rules"
)

// TestTournamentRecord reads a record of a tournament, replays it and writes it
// back byte for byte.
func TestTournamentRecord(t *testing.T) {
	data := shared.Read(t, "data", "gomoku", "psq", "1x0-16(2).psq")
	g, err := psq.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if g.Spec != "gomoku:size=20" || len(g.Steps) != 16 || g.Names != [2]string{"pisq7.exe", "renjusolver.ZIP"} || g.Result != nil || len(g.Warnings) > 0 {
		t.Errorf("%s, %d moves, %q, %v, %q", g.Spec, len(g.Steps), g.Names, g.Result, g.Warnings)
	}
	var used [2]time.Duration
	for _, s := range g.Steps {
		used[s.By] += s.Used
	}
	if used != [2]time.Duration{896 * time.Millisecond, 19098 * time.Millisecond} {
		t.Errorf("times %v", used)
	}
	r, err := rules.Open([]rules.Game{gomoku.Game()}, string(g.Spec))
	if err != nil {
		t.Fatal(err)
	}
	s := r.New()
	for i, step := range g.Steps {
		if _, err := s.Apply(step.Move, nil); err != nil {
			t.Fatalf("move %d: %v", i+1, err)
		}
	}
	if res, over := s.Result(); !over || res.Winner() != game.Second || res.Reason != gomoku.ByFive {
		t.Errorf("the game ends %+v, %v", res, over)
	}
	again, err := psq.Write(g)
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("written back: %v\n%s", err, again)
	}
}

func TestForms(t *testing.T) {
	tests := []struct {
		name, text string
		names      [2]string
		moves      int
		winner     game.Seat
		reason     game.Reason
		warnings   int
	}{
		{"second starts", "Piskvorky 15x15, 0:3, 1\r\n1,1,5\r\n2,2\r\nhomo-1\r\nbrain.exe\r\n0\r\n", [2]string{"brain.exe", "homo-1"}, 2, game.Nobody, "", 0},
		{"timeout", "Piskvorky 15x15, 1:1, 0\n1,1,5\n2,2,7\n3,3,9\nA\nB\n15\n", [2]string{"A", "B"}, 3, game.First, game.ByTime, 0},
		{"brain error", "Piskvorky 15x15, 1:1, 0\n1,1,5\n2,2,7\nA\nB\n-2\n", [2]string{"A", "B"}, 2, game.Second, game.ByCrash, 0},
		{"by hand", "Piskvorky 30x20, 0:0, 0\r1,1,0\r30,20,0\r-1\r", [2]string{}, 2, game.Nobody, "", 0},
		{"live illegal", "Piskvorky 15x15, 1:1, 0\n1,1,5\nA\nB\n7", [2]string{"A", "B"}, 1, game.First, game.ByIllegal, 0},
		{"live memory", "Piskvorky 15x15, 1:1, 0\nA\nB\n16", [2]string{"A", "B"}, 0, game.Second, game.ByResource, 0},
		{"no end code", "Piskvorky 15x15, 1:1, 0\n1,1,5\nA\nB\n", [2]string{"A", "B"}, 1, game.Nobody, "", 0},
		{"more lines", "Piskvorky 15x15, 1:1, 0\n1 , 1 , 5\nA\nB\nC\n0\n\n", [2]string{"A", "B"}, 1, game.Nobody, "", 1},
		{"no moves", "\ufeffPiskvorky 15x15, 1:1, 0", [2]string{}, 0, game.Nobody, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := psq.Read([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			winner, reason := game.Nobody, game.Reason("")
			if g.Result != nil {
				winner, reason = g.Result.Winner(), g.Result.Reason
			}
			if g.Names != tt.names || len(g.Steps) != tt.moves || winner != tt.winner || reason != tt.reason || len(g.Warnings) != tt.warnings {
				t.Errorf("%q, %d moves, %v %q, %q", g.Names, len(g.Steps), winner, reason, g.Warnings)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "line 1: an empty file",
		"Piskvork 20x20":                       "line 1: \"Piskvork 20x20\" is no header",
		"Piskvorky 20x20, 1:1, 2":              "the first player is 2",
		"Piskvorky 0x20, 1:1, 0":               "does not exist",
		"Piskvorky 200x20, 1:1, 0":             "does not exist",
		"Piskvorky 20x20, 1:1, 0\n0,5,3":       "line 2: \"0,5,3\" is no point",
		"Piskvorky 20x20, 1:1, 0\n1,1\n21,5,3": "line 3: the point \"21,5,3\" lies outside",
		"Piskvorky 20x20, 1:1, 0\n1,1,x":       "line 2: \"x\" is no time",
	} {
		_, err := psq.Read([]byte(text))
		if _, ok := errors.AsType[*record.Error](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWrite(t *testing.T) {
	place := func(x, y int) record.Step {
		return record.Step{Move: game.PlaceAt(game.Pt(x, y)), Used: 12 * time.Millisecond}
	}
	win := func(why game.Reason) *game.Result {
		r := game.Win(game.First, why, "")
		return &r
	}
	tests := []struct {
		name string
		g    record.Game
		want string
	}{
		{"five", record.Game{Spec: "gomoku:rule=renju,size=15", Names: [2]string{"A,b", "7"}, Steps: []record.Step{place(0, 1)}, Result: win("five")}, "Piskvorky 15x15, 1:1, 0\r\n1,2,12\r\nA b\r\nplayer 7\r\n0\r\n"},
		{"time", record.Game{Spec: "gomoku", Names: [2]string{"A", ""}, Result: win(game.ByTime)}, "Piskvorky 15x15, 1:1, 0\r\nA\r\n?\r\n15\r\n"},
		{"crash", record.Game{Spec: "gomoku:width=9,height=8", Names: [2]string{"A", "B"}, Result: win(game.ByCrash)}, "Piskvorky 9x8, 1:1, 0\r\nA\r\nB\r\n-2\r\n"},
		{"unfinished", record.Game{Spec: "gomoku", Names: [2]string{"A", "B"}}, "Piskvorky 15x15, 1:1, 0\r\n-1\r\n"},
		{"swap2", record.Game{Spec: "gomoku:opening=swap2", Steps: []record.Step{place(0, 0), {Move: game.ChooseArg(1)}}}, "Piskvorky 15x15, 1:1, 0\r\n1,1,12\r\n-1\r\n"},
	}
	for _, tt := range tests {
		got, err := psq.Write(&tt.g)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
	for _, bad := range []record.Game{
		{Spec: "othello"},
		{Spec: "gomoku:size=x"},
		{Spec: "gomoku:size=500"},
		{Spec: "gomoku", Steps: []record.Step{place(15, 0)}},
		{Spec: "gomoku", Steps: []record.Step{{Move: game.PassMove()}}},
	} {
		if got, err := psq.Write(&bad); err == nil {
			t.Errorf("%+v is written %q", bad, got)
		}
	}
}

// A game that a person ruled says so in its head, behind what other readers look at: it is not read as it
// was played.
func TestRuled(t *testing.T) {
	five := game.Win(game.First, "five", "")
	for points, want := range map[[2]float64]string{{1, 0}: "1-0", {0, 1}: "0-1", {0.5, 0.5}: "0.5-0.5"} {
		g := &record.Game{Spec: "gomoku", Names: [2]string{"A", "B"}, Result: &five}
		g.Rule(game.Result{Points: points, Reason: game.ByAdjudication}, "so, Ada:  both\nhad a bug")
		data, err := psq.Write(g)
		if text := "Piskvorky 15x15, 1:1, 0, # ruled " + want + ": so, Ada: both had a bug\r\nA\r\nB\r\n0\r\n"; err != nil || string(data) != text {
			t.Fatalf("%q, %v", data, err)
		}
		again, err := psq.Read(data)
		if err != nil || again.Result == nil || again.Result.Points != points || again.Result.Reason != game.ByAdjudication {
			t.Fatalf("%+v, %v", again, err)
		}
		if why, _ := again.Tag(record.TagRuled); why != "so, Ada: both had a bug" || again.Names != g.Names || len(again.Warnings) > 0 {
			t.Errorf("%+v", again)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("Piskvorky 20x20, 7:7, 0, # ruled 0.5-0.5: draw\r\n10,10,456\r\nA\r\nB\r\n15\r\n"))
	f.Add([]byte("Piskvorky 20x20, 7:7, 0\r\n10,10,456\r\n11,12,4500\r\npisq7.exe\r\nx.ZIP\r\n0\r\n"))
	f.Add([]byte("Piskvorky 9x8, 1:1, 1\n1,1\nA\n15"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := psq.Read(data)
		if err != nil {
			return
		}
		text, err := psq.Write(g)
		if err != nil {
			t.Fatal(err)
		}
		again, err := psq.Read(text)
		if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		loose := cmp.Options{
			cmpopts.IgnoreFields(record.Game{}, "Line", "Warnings", "Names", "Tags", "Result"),
			cmpopts.IgnoreFields(record.Step{}, "Line", "Timed"), cmpopts.EquateEmpty(),
		}
		if d := cmp.Diff(g, again, loose); d != "" {
			t.Fatal(d)
		}
		if third, err := psq.Write(again); err != nil || !bytes.Equal(text, third) {
			t.Fatalf("%q is written %q, %v", text, third, err)
		}
	})
}
