package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/replay/verify"
)

var updateOwn = flag.Bool("update-own", false, "play the games of testdata/own anew and write them in every format")

// ownFile is the file of a game in a format.
func ownFile(id string, f *formats.Format) string {
	return filepath.Join("testdata", "own", id+f.Exts[0])
}

// Games of our own lie in testdata/own in every format that can hold them: each file is
// read, legal, the same moves as in our own formats.Format, and written again it is the same. So
// neither a reader nor a writer changes unseen, also where no record of others is beside
// the repository.
func TestOwnRecords(t *testing.T) {
	for _, g := range games.All() {
		if *updateOwn {
			playOwn(t, g.ID)
		}
		own, err := records().Find("", "json")
		if err != nil {
			t.Fatal(err)
		}
		list, err := loadRecords(&app{}, ownFile(g.ID, &own), "", "")
		if err != nil {
			t.Fatal(err)
		}
		written := 0
		for _, f := range records().All() {
			if f.Write == nil || !f.Holds(g.ID) {
				continue
			}
			some := list
			if f.Single {
				some = list[:1]
			}
			var b bytes.Buffer
			err := f.Write(&b, some)
			if _, missing := os.Stat(ownFile(g.ID, &f)); err != nil && missing != nil {
				continue // the format cannot hold it, and never could
			}
			written++
			t.Run(g.ID+f.Exts[0], func(t *testing.T) {
				if err != nil {
					t.Fatal(err)
				}
				sameFile(t, ownFile(g.ID, &f), b.Bytes())
				sameBeside(t, ownFile(g.ID, &f), &f, some)
				readOwn(t, ownFile(g.ID, &f), &f, some)
			})
		}
		if written < 2 {
			t.Errorf("%s is written in %d formats only", g.ID, written)
		}
	}
}

// sameBeside holds what is written beside a file to the files that lie there.
func sameBeside(t *testing.T, file string, f *formats.Format, list []*record.Game) {
	t.Helper()
	if f.Beside == nil {
		return
	}
	files, err := f.Beside(list)
	if err != nil {
		t.Fatal(err)
	}
	for ext, data := range files {
		sameFile(t, strings.TrimSuffix(file, filepath.Ext(file))+ext, data)
	}
}

// playOwn plays two games of two engines that draw.
func playOwn(t *testing.T, id string) {
	t.Helper()
	file := filepath.Join("testdata", "own", id+".json")
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	status, _, errs := command(t, "match", "--game", id, "--engine", "bot=2 name=Left", "--engine", "bot=random name=Right", "--games", "2",
		"--seed", "5", "--secret", strings.Repeat("5a", 32), "--quiet", "--record", file, "--out", filepath.Join(t.TempDir(), "run"))
	if status != 0 {
		t.Fatal(errs)
	}
}

// sameFile holds what is written to a file, or writes it.
func sameFile(t *testing.T, file string, got []byte) {
	t.Helper()
	if *updateOwn {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is written otherwise:\n%s", file, firstLineOf(got, want))
	}
}

// firstLineOf is the first line in which two texts differ.
func firstLineOf(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d\n%s\n%s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// readOwn holds what is read in a file to the games that were written.
func readOwn(t *testing.T, file string, f *formats.Format, want []*record.Game) {
	t.Helper()
	if f.ID == "pgn" {
		return // results alone
	}
	got, err := loadRecords(&app{}, file, string(want[0].Spec), f.ID)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d games: %v", len(got), err)
	}
	for i, g := range got {
		if j, _ := verify.Replay(g, games.OpenSpec); !j.Legal || len(j.Issues) > 0 {
			t.Errorf("game %d: %+v", i+1, j)
		}
		if g.Spec.ID() == "phantomgo" && strings.HasPrefix(f.ID, "ccgc") {
			continue // of attempts that were refused it holds none
		}
		if err := roundTrip(*f, want[i]); err != nil {
			t.Errorf("game %d: %v", i+1, err)
		}
	}
}
