package formats_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/record"
	"kibitz/record/formats"
)

// A game is read in one format and written in another.
func ExampleSet() {
	set := formats.New(games.OpenSpec)
	list, err := set.Read("game.ggf", []byte("(;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)"), "", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := set.Find("", "moves")
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	if err := to.Write(&out, list); err != nil {
		fmt.Println(err)
	}
	fmt.Print(out.String())
	// Output: f5d6
}

// Every folder of a format is in the list: what writes or reads games there is found by
// its name or by an extension.
func TestEveryFormatIsListed(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"native": "json", "boardtxt": "board", "movetext": "moves"}
	var listed []string
	for _, f := range formats.New(games.OpenSpec).All() {
		listed = append(listed, f.ID)
	}
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || slices.Contains([]string{"formats", "folder", "gamebase", "paste", "replay"}, name) {
			continue
		}
		if own, ok := names[name]; ok {
			name = own
		}
		if !slices.Contains(listed, name) {
			t.Errorf("%s is no format of the list", name)
		}
	}
}

// Extensions and names are those of one format each.
func TestNamesAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, f := range formats.New(games.OpenSpec).All() {
		for _, name := range append(slices.Clone(f.Exts), f.ID) {
			if other, twice := seen[name]; twice {
				t.Errorf("%s is of %s and of %s", name, other, f.ID)
			}
			seen[name] = f.ID
		}
	}
}

// A result that a person ruled is read back from every format that holds results, with the reason.
func TestRuled(t *testing.T) {
	set := formats.New(games.OpenSpec)
	without := []string{"obf", "moves", "pos", "offset", "pgn", "ggf"} // no results, or nothing that could say otherwise
	for _, f := range set.All() {
		if f.Write == nil || slices.Contains(without, f.ID) {
			continue
		}
		for _, id := range games.All() {
			if !f.Holds(id.ID) || f.Write(io.Discard, []*record.Game{{Spec: game.Spec(id.ID)}}) != nil && f.ID != "rec" {
				continue
			}
			for _, points := range [][2]float64{{1, 0}, {0, 1}, {0.5, 0.5}} {
				g := &record.Game{Spec: game.Spec(id.ID), ID: "1", Names: [2]string{"A", "B"}, Event: "The long name of an event"}
				if f.ID == "rec" {
					g.Spec = "gomoku:size=20"
				}
				g.Rule(game.Result{Points: points, Reason: game.ByAdjudication}, "so, Ada: both had a bug")
				file, err := f.Save(filepath.Join(t.TempDir(), "a"+f.Exts[0]), []*record.Game{g})
				if err != nil {
					t.Errorf("%s: %s: %v", f.ID, id.ID, err)
					continue
				}
				list, err := set.Load(nil, file.Name, string(g.Spec), f.ID)
				if err != nil || len(list) != 1 || list[0].Result == nil {
					t.Errorf("%s: %s: %v, %v", f.ID, id.ID, list, err)
					continue
				}
				if r := list[0].Result; r.Points != points || r.Reason != game.ByAdjudication {
					t.Errorf("%s: %s: %v is read as %+v in %q", f.ID, id.ID, points, r, file.Data)
				}
			}
		}
	}
}

// A run that is resumed writes its games again, as they count then, into the files that they had in a folder,
// and nobody else's.
func TestAgain(t *testing.T) {
	set := formats.New(games.OpenSpec)
	r, err := games.Open("nogo")
	if err != nil {
		t.Fatal(err)
	}
	var list []*record.Game
	for i := range 3 {
		g := &record.Game{Spec: r.Spec(), ID: fmt.Sprint(i + 1), Names: [2]string{"A", "B"}}
		g.Steps = []record.Step{{By: game.First, Move: game.PlaceAt(game.Pt(i/2, 0))}} // two are the same
		won := game.Win(game.First, game.ByTime, "")
		g.Result = &won
		list = append(list, g)
	}
	for _, id := range []string{"sgf", "ccgc"} {
		dir := filepath.Join(t.TempDir(), id)
		open := func() *formats.File {
			f, err := set.NewFile(dir, r, len(list))
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		f := open()
		if err := os.WriteFile(filepath.Join(dir, "1.sgf"), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, g := range list {
			if err := f.Add(g); err != nil {
				t.Fatal(err)
			}
		}
		f = open()
		for _, g := range list {
			ruled := *g
			ruled.Rule(game.Win(game.Second, game.ByAdjudication, ""), "so")
			if err := f.Again(&ruled); err != nil {
				t.Fatal(err)
			}
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 1+len(list) {
			t.Errorf("%s: %v, %v", id, files, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(filepath.Join(dir, file.Name()))
			if err != nil || (file.Name() == "1.sgf") != (string(data) == "mine") || string(data) != "mine" && !bytes.Contains(data, []byte("ruled")) {
				t.Errorf("%s: %s: %q, %v", id, file.Name(), data, err)
			}
		}
	}
}

// Games are added to a file as they end where the format allows it, else written when it
// is closed, or each into a file of its own.
func TestFile(t *testing.T) {
	set := formats.New(games.OpenSpec)
	r, err := games.Open("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	list, err := set.Read("x.pos", []byte("h8i9g7\n"), "gomoku", "")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, want := range map[string][]string{"all.pos": {"all.pos"}, "one.psq": {"one-1.psq", "one-2.psq"}, "sgf": {"sgf/1.sgf", "sgf/2.sgf"}} {
		f, err := set.NewFile(filepath.Join(dir, name), r, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Begin(); err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 2; n++ {
			g := *list[0]
			g.ID = fmt.Sprint(n)
			if err := f.Add(&g); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		games := 0
		for _, file := range want {
			back, err := set.Load(nil, filepath.Join(dir, file), "gomoku", "")
			if err != nil {
				t.Error(err)
			}
			games += len(back)
		}
		if games != 2 {
			t.Errorf("%s: %d games", name, games)
		}
	}
	if _, err := set.NewFile(filepath.Join(dir, "x.ggf"), r, 2); err == nil {
		t.Error("a file of Othello takes games of five in a row")
	}
	if _, err := os.Stat(filepath.Join(dir, "x.ggf")); err == nil {
		t.Error("a file that cannot be written was made")
	}
}
