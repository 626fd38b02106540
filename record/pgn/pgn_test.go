package pgn_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/pgn"
	"kibitz/rules"
)

func TestWrite(t *testing.T) {
	win := game.Win(game.First, "five", "")
	loss := game.Win(game.Second, game.ByTime, "")
	draw := game.Drawn("full", "")
	abort := game.Result{Reason: game.ByAbort}
	var b bytes.Buffer
	err := pgn.Write(&b,
		&record.Game{Names: [2]string{"A", "B"}, Result: &win, Date: "2026-01-02 03:04:05", Round: "1", Steps: make([]record.Step, 9)},
		&record.Game{Names: [2]string{`A "x"`, "B\n"}, Result: &loss, Event: "Cup", Place: "Brno"},
		&record.Game{Names: [2]string{"A", "B"}, Result: &draw},
		&record.Game{Names: [2]string{"A", ""}, Result: &abort},
		&record.Game{Names: [2]string{"A", "B"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	games := strings.Split(strings.TrimSuffix(b.String(), "\n\n"), "\n\n")
	want := []string{
		"[Event \"1\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"B\"]\n[Black \"A\"]\n[Result \"0-1\"]\n[Termination \"five\"]\n[PlyCount \"9\"]", "0-1",
		"[Event \"Cup\"]\n[Site \"Brno\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"B \"]\n[Black \"A \\\"x\\\"\"]\n[Result \"1-0\"]\n[Termination \"time\"]\n[PlyCount \"0\"]", "1-0",
		"[Event \"3\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n[Termination \"full\"]\n[PlyCount \"0\"]", "1/2-1/2",
		"[Event \"4\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"A\"]\n[Result \"*\"]\n[Termination \"abort\"]\n[PlyCount \"0\"]", "*",
		"[Event \"5\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"B\"]\n[Black \"A\"]\n[Result \"*\"]\n[PlyCount \"0\"]", "*",
	}
	if d := cmp.Diff(want, games); d != "" {
		t.Error(d)
	}
}

// TestPlayOK replays the games of the shared data: where the last stone makes five,
// the seat that made it must be the one to which the file gives the win. That holds
// only if the choices of swap2 are read as they are meant.
func TestPlayOK(t *testing.T) {
	list, err := pgn.Read(shared.Read(t, "data", "gomoku", "playok", "evacoregen6-1-180.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 180 {
		t.Fatalf("%d games", len(list))
	}
	fives, open, owner, swapped, empty := 0, 0, 0, 0, 0
	for _, g := range list {
		if g.Result != nil && g.Names[g.Result.Winner()] == "evacoregen6" {
			owner++
		}
		empty += len(g.Warnings)
		r, ok := replay(t, g)
		switch {
		case !ok:
			open++
		case r.Winner() != g.Result.Winner():
			t.Errorf("line %d: %v makes five, the file says %v", g.Line, r.Winner(), g.Result.Winner())
		default:
			fives++
		}
		if len(g.Steps) > 3 && g.Steps[3].Move == game.ChooseArg(game.Swap2Swap) {
			swapped++
		}
	}
	if fives != 165 || open != 15 || owner != 178 || swapped != 88 || empty != 2 {
		t.Errorf("%d with five, %d without, %d won by the owner, %d swapped at three stones, %d columns without a move", fives, open, owner, swapped, empty)
	}
}

// replay applies the steps, each by the seat that it is given to.
func replay(t *testing.T, g *record.Game) (game.Result, bool) {
	t.Helper()
	r, err := rules.Open([]rules.Game{gomoku.Game()}, string(g.Spec))
	if err != nil {
		t.Fatal(err)
	}
	s := r.New()
	for i, step := range g.Steps {
		if s.Turn().Seat != step.By {
			t.Errorf("line %d: step %d is given to %v, the rules say %v", g.Line, i+1, step.By, s.Turn().Seat)
		}
		if _, err := s.Apply(step.Move, nil); err != nil {
			t.Errorf("line %d: step %d: %v", g.Line, i+1, err)
			break
		}
	}
	return s.Result()
}

func TestReadTags(t *testing.T) {
	list, err := pgn.Read([]byte("[Event \"?\"]\n[Site \"X \\\"y\\\"\"]\n[Black \"a\"]\n[White \"b\"]\n[BlackElo \"1200\"]\n[GameType \"61,13\"]\n[TimeControl \"600\"]\n[Result \"1/2-1/2\"]\n\n1. a1 b13 2. c3\n"))
	if err != nil || len(list) != 1 {
		t.Fatal(err)
	}
	g := list[0]
	if g.Place != `X "y"` || g.Names != [2]string{"a", "b"} || g.Ratings[0] != "1200" || g.Spec != "gomoku:rule=standard,size=13" || !g.Result.Draw() || len(g.Steps) != 3 || g.Clocks[1] != "600" || g.Event != "" {
		t.Errorf("%+v", g)
	}
	if g.Steps[1].By != game.Second || g.Steps[1].Move != game.PlaceAt(game.Pt(1, 12)) {
		t.Errorf("%+v", g.Steps[1])
	}
	for text, want := range map[string]string{
		"1. h8":                    "line 1: \"1. h8\" before the first tag",
		"[Event x]":                "line 1:1: \"[Event x]\" is no tag",
		"[Event \"x\"]\n1. h8 0-0": "line 2: \"0-0\" is no point",
		"[Event \"x\"]\n1. h200":   "line 2: \"h200\" is no point",
	} {
		if _, err := pgn.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestWrittenResults reads back what Write made: the winner is the winner, the
// game is the game.
func TestWrittenResults(t *testing.T) {
	for _, points := range [][2]float64{{1, 0}, {0, 1}, {0.5, 0.5}} {
		var b bytes.Buffer
		g := &record.Game{Spec: "othello", Names: [2]string{"A", "B"}, Result: &game.Result{Points: points, Reason: "full"}}
		if err := pgn.Write(&b, g); err != nil {
			t.Fatal(err)
		}
		list, err := pgn.Read(b.Bytes())
		if err != nil || len(list) != 1 {
			t.Fatalf("%d games, %v", len(list), err)
		}
		if r := list[0]; r.Spec != g.Spec || r.Names != g.Names || r.Result.Points != points {
			t.Errorf("%v came back as %s %v %v", points, r.Spec, r.Names, r.Result.Points)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("[Black \"a\"]\n\n1. h13 i13 2. j13 white 3. -- h12 1-0\n"))
	f.Add([]byte("[White \"a\"]\n1. a1 b2 2. c3 d4 3. e5 -- 4. black f6 *\n[Event \"\"]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := pgn.Read(data)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := pgn.Write(&b, list...); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "[PlyCount "); n < len(list) {
			t.Fatalf("%d of %d games", n, len(list))
		}
	})
}

// A column without a move is no pass, at the end and before it: stones go on by turns.
func TestLeft(t *testing.T) {
	for text, want := range map[string]int{
		"1. h8 h9 2. j8 j9 3. k8 k9 4. -- 0-1":          6,
		"1. h8 h9 2. j8 j9 3. k8 k9 4. a1 -- 1-0":       7,
		"1. h8 h9 2. j8 j9 3. k8 k9 4. -- a1 5. a2 0-1": 8,
	} {
		list, err := pgn.Read([]byte("[Black \"a\"]\n[White \"b\"]\n\n" + text + "\n"))
		if err != nil || len(list) != 1 || len(list[0].Steps) != want {
			t.Fatalf("%s: %v, %+v", text, err, list)
		}
		for i, step := range list[0].Steps {
			if step.By != game.Seat(i%2) {
				t.Errorf("%s: step %d is given to %v", text, i+1, step.By)
			}
		}
	}
}
