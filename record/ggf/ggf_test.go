package ggf_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/ggf"
)

// loose compares games but for what a second writing may place elsewhere.
var loose = cmp.Options{
	cmpopts.IgnoreFields(record.Game{}, "Line", "Warnings", "Date"),
	cmpopts.IgnoreFields(record.Step{}, "Line", "Column"),
	cmpopts.EquateEmpty(),
	cmpopts.EquateNaNs(),
}

func TestFiles(t *testing.T) {
	tests := []struct {
		file           string
		games, errs    int
		moves, passes  int
		matches, sizes map[string]int
	}{
		{"TestGames.ggf", 12, 0, 725, 5, map[string]int{}, map[string]int{"othello": 12}},
		{"extracted-novello-notes.ggf", 4, 0, 223, 3, map[string]int{}, map[string]int{"othello": 4}},
		{"test2.ggf", 3, 0, 117, 1, map[string]int{}, map[string]int{"othello": 2, "othello:size=4": 1}},
		{
			"extracted-othello-tests.ggf", 13, 3, 177, 2,
			map[string]int{"1/2": 1, "2/2": 1},
			map[string]int{"othello": 12, "othello:size=10": 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(shared.Path(t, "data", "othello", "ggf", tt.file))
			if err != nil {
				t.Fatal(err)
			}
			games, err := ggf.Read(data)
			if n := countErrors(err); n != tt.errs || len(games) != tt.games {
				t.Errorf("%d games and %d refused, want %d and %d: %v", len(games), n, tt.games, tt.errs, err)
			}
			moves, passes, matches, sizes := count(t, games)
			if moves != tt.moves || passes != tt.passes {
				t.Errorf("%d moves with %d passes, want %d with %d", moves, passes, tt.moves, tt.passes)
			}
			if d := cmp.Diff(tt.matches, matches); d != "" {
				t.Error("match lines", d)
			}
			if d := cmp.Diff(tt.sizes, sizes); d != "" {
				t.Error("specifications", d)
			}
			again(t, games)
		})
	}
}

// count returns totals of games that must have been read without a warning.
func count(t *testing.T, games []*record.Game) (moves, passes int, matches, sizes map[string]int) {
	t.Helper()
	matches, sizes = map[string]int{}, map[string]int{}
	for _, g := range games {
		sizes[string(g.Spec)]++
		if m, ok := g.Tag(ggf.TagMatch); ok {
			matches[m]++
		}
		if len(g.Warnings) > 0 {
			t.Errorf("line %d: warnings %q", g.Line, g.Warnings)
		}
		for _, s := range g.Steps {
			moves++
			if s.Move.Op == game.Pass {
				passes++
			}
		}
	}
	return moves, passes, matches, sizes
}

func countErrors(err error) int {
	if err == nil {
		return 0
	}
	var list interface{ Unwrap() []error }
	if errors.As(err, &list) {
		return len(list.Unwrap())
	}
	return 1
}

// again writes games, reads them back and requires the same.
func again(t *testing.T, games []*record.Game) {
	t.Helper()
	var buf bytes.Buffer
	if err := ggf.Write(&buf, games...); err != nil {
		t.Fatal(err)
	}
	second, err := ggf.Read(buf.Bytes())
	if err != nil {
		t.Fatalf("reading back: %v\n%s", err, buf.Bytes())
	}
	if d := cmp.Diff(games, second, loose); d != "" {
		t.Errorf("written and read back (-first +second):\n%s", d)
	}
	for i := range min(len(games), len(second)) {
		a, okA := ggf.ParseDate(games[i].Date)
		b, okB := ggf.ParseDate(second[i].Date)
		if okA != okB || !a.Equal(b) {
			t.Errorf("date %q became %q", games[i].Date, second[i].Date)
		}
	}
	var third bytes.Buffer
	if err := ggf.Write(&third, second...); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(buf.String(), third.String()); d != "" {
		t.Errorf("the second writing differs:\n%s", d)
	}
}

func TestKomiGame(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "data", "othello", "ggf", "test2.ggf"))
	if err != nil {
		t.Fatal(err)
	}
	games, err := ggf.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	g := games[1]
	// The board was lost by 26, the komi of -3.133 goes to White's account.
	want := [2]float64{19, 45}
	if g.Result == nil || g.Result.Board != want || g.Result.Winner() != game.Second {
		t.Errorf("result %+v, want board %v", g.Result, want)
	}
	if v, _ := g.Tag("KW"); v != "B3/-8.27" {
		t.Errorf("KW %q", v)
	}
	if d, ok := ggf.ParseDate(g.Date); !ok || d.Year() != 1999 {
		t.Errorf("date %q is %v", g.Date, d)
	}
}

const header = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]"

func parse(t *testing.T, text string) *record.Game {
	t.Helper()
	g, err := ggf.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestMoveItems(t *testing.T) {
	discs := func(e float64) *game.Info {
		return &game.Info{Eval: game.Eval{Unit: game.Discs, Lo: e, Hi: e}}
	}
	g := parse(t, header+"B[F5//2.64]W[d6/0.42/0.01] B[PA//0.38]w[--]B[a1/-3]W[Pass/bad/x];)")
	f5, d6, a1 := game.PlaceAt(game.Pt(5, 4)), game.PlaceAt(game.Pt(3, 5)), game.PlaceAt(game.Pt(0, 0))
	want := []record.Step{
		{By: 0, Move: f5, Used: 2640 * time.Millisecond, Timed: true},
		{By: 1, Move: d6, Used: 10 * time.Millisecond, Timed: true, Info: discs(0.42)},
		{By: 0, Move: game.PassMove(), Used: 380 * time.Millisecond, Timed: true},
		{By: 1, Move: game.PassMove()},
		{By: 0, Move: a1, Info: discs(-3)},
		{By: 1, Move: game.PassMove()},
	}
	if d := cmp.Diff(want, g.Steps, loose); d != "" {
		t.Error(d)
	}
	if len(g.Warnings) != 1 || !strings.Contains(g.Warnings[0], "eval and time") {
		t.Errorf("warnings %q", g.Warnings)
	}
	if g.Steps[1].Line != 1 || g.Steps[1].Column != len(header)+len("B[F5//2.64]")+1 {
		t.Errorf("place %d:%d", g.Steps[1].Line, g.Steps[1].Column)
	}
}

func TestForms(t *testing.T) {
	t.Run("name with end mark", func(t *testing.T) {
		g := parse(t, strings.Replace(header, "BO", "TY[8]PB[a;)b (; c]BO", 1)+";)")
		if g.Names[0] != "a;)b (; c" {
			t.Errorf("name %q", g.Names[0])
		}
		again(t, []*record.Game{g})
	})
	t.Run("aliases", func(t *testing.T) {
		g := parse(t, strings.Replace(header, "BO", "BT[00:05:00/00:00:00/00:00:00]WT[10:00]XYZ[?]BO", 1)+";)")
		if g.Clocks != [2]string{"300", "600"} {
			t.Errorf("clocks %q", g.Clocks)
		}
		if v, ok := g.Tag("XYZ"); !ok || v != "?" {
			t.Errorf("unknown tag %q", v)
		}
	})
	t.Run("octagon", func(t *testing.T) {
		cells := []byte(strings.Repeat("-", 100))
		for _, i := range []int{0, 1, 8, 9, 10, 19, 80, 89, 90, 91, 98, 99} {
			cells[i] = '?'
		}
		cells[44], cells[55], cells[45], cells[54] = 'O', 'O', '*', '*'
		g := parse(t, "(;GM[othello]TY[88]RE[+4]BO[10 "+string(cells)+" *]B[E4];)")
		if g.Spec != "othello:size=10" || g.Result.Board != [2]float64{46, 42} {
			t.Errorf("%s %v", g.Spec, g.Result.Board)
		}
		again(t, []*record.Game{g})
		if _, err := ggf.Parse([]byte("(;GM[othello]BO[10 " + string(cells) + " *]B[A1];)")); err == nil {
			t.Error("a move on a void square was read")
		}
	})
	t.Run("comments", func(t *testing.T) {
		g := parse(t, strings.Replace(header, "BO", "TY[8]BO", 1)+"CO[one]CO[two]B[F5]CO[three];)")
		if g.Comment != "one\ntwo" || g.Steps[0].Comment != "three" {
			t.Errorf("%q %q", g.Comment, g.Steps[0].Comment)
		}
		again(t, []*record.Game{g})
	})
	t.Run("cleaning", func(t *testing.T) {
		g := parse(t, header+";)")
		g.Names = [2]string{"a]b\nc[d", "Ünï"}
		buf, err := ggf.Append(nil, g)
		if err != nil || !bytes.Contains(buf, []byte("PB[a b c d]PW[Ünï]")) {
			t.Errorf("%s %v", buf, err)
		}
		if n := ggf.Name("Ünï ]" + strings.Repeat("x", 40)); n != "?n?  "+strings.Repeat("x", 26) {
			t.Errorf("name %q", n)
		}
	})
}

func TestErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"(;GM[Othello];)", "line 1:1: the game has no board"},
		{"\n\n  (;GM[Chess]BO[8];)", "line 3:8: the game is \"Chess\""},
		{"(;BO[8 ---------------------------O*------*O--------------------------- *];)", "does not name itself"},
		{header + "\nB[Z9];)", "line 2:3: \"Z9\" lies off the board"},
		{header + "\nB[];)", "line 2:3: \"\" is no move"},
		{header + "B[F5]", "the game does not end"},
		{header + "B[F5", "the value of B is not closed"},
		{"x" + header + ";)", "line 1:1: \"x(;GM"},
		{"(;GM[Othello]BO[8 ----- *];)", "a board of size 8 has 64 cells"},
		{"(;GM[Othello]BO[7 ----- *];)", "even number"},
		{header + "1[F5];)", "is no tag"},
	}
	for _, tt := range tests {
		_, err := ggf.Read([]byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %q", tt.text, err, tt.want)
		}
	}
	games, err := ggf.Read([]byte("(;GM[Othello]PB[lost " + header + "B[F5];) junk " + header + ";)"))
	if len(games) != 2 || countErrors(err) != 2 {
		t.Errorf("after faults %d games and %v", len(games), err)
	}
}

func TestMatchLines(t *testing.T) {
	g := header + ";)"
	games, err := ggf.Read([]byte("2 " + g + g + "\n1 " + g + "\n3 " + g + g + "\n" + g))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range games {
		v, _ := g.Tag(ggf.TagMatch)
		got = append(got, v)
	}
	// The last count promises three games on its line; a bare game follows.
	want := []string{"1/2", "2/2", "", "1/3", "2/3", "3/3"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var buf bytes.Buffer
	if err := ggf.Write(&buf, games[:3]...); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "2 (;GM") || !strings.HasPrefix(lines[1], "(;GM") {
		t.Errorf("written %q", lines)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("2 " + header + "B[F5//2.64]W[d6/1.5];)" + header + ";)"))
	f.Add([]byte("(;GM[Othello]PB[a;)b]TI[05:00,N3/1,2/3]RE[-2.5:t]TY[s8r18]KM[-3.1]BO[4 -----O*--*O----- O]CO[x]B[PA];)"))
	f.Add([]byte("(;GM[x(;GM[Othello]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		games, _ := ggf.Read(data)
		if len(games) == 0 {
			return
		}
		var one, two bytes.Buffer
		if err := ggf.Write(&one, games...); err != nil {
			t.Fatal(err)
		}
		again, err := ggf.Read(one.Bytes())
		if err != nil || len(again) != len(games) {
			t.Fatalf("%d games became %d: %v\n%s", len(games), len(again), err, one.Bytes())
		}
		if err := ggf.Write(&two, again...); err != nil {
			t.Fatal(err)
		}
		if one.String() != two.String() {
			t.Fatalf("not stable:\n%s\n%s", one.Bytes(), two.Bytes())
		}
	})
}
