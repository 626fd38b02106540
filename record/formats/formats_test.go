package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kibitz/games"
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
