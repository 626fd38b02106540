package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/shared"
	"kibitz/record"
	"kibitz/record/ccgc"
	"kibitz/record/formats"
	"kibitz/record/replay"
	"kibitz/record/replay/verify"
)

// expectation is a line of testdata/shared.tsv.
type expectation struct {
	pattern, game                        string
	games, legal, issues, warned, faults int
	record                               bool
	used                                 bool
}

func expectations(t *testing.T) []*expectation {
	t.Helper()
	f, err := os.Open("testdata/shared.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []*expectation
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		col := strings.Split(sc.Text(), "\t")
		if len(col) != 8 {
			t.Fatalf("%q has %d columns", sc.Text(), len(col))
		}
		e := &expectation{pattern: col[0], record: col[2] != "-"}
		if col[1] != "-" {
			e.game = col[1]
		}
		for i, p := range []*int{&e.games, &e.legal, &e.issues, &e.warned, &e.faults} {
			if !e.record {
				break
			}
			if *p, err = strconv.Atoi(col[2+i]); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, e)
	}
	return list
}

// TestSharedRecords reads, verifies and writes back every file of shared/data that
// is a record, for the games whose files testdata/shared.tsv lists.
func TestSharedRecords(t *testing.T) {
	t.Parallel()
	data, list := shared.Path(t, "data"), expectations(t)
	for _, folder := range []string{"othello", "gomoku", "go9x9", "phantomgo", "connect6", "surakarta", "dotsandboxes", "darkchess"} {
		err := filepath.WalkDir(filepath.Join(data, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(data, path)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			k := slices.IndexFunc(list, func(e *expectation) bool { return matches(e.pattern, name) })
			if k < 0 {
				t.Errorf("%s: testdata/shared.tsv says nothing of it", name)
				return nil
			}
			list[k].used = true
			if list[k].record {
				t.Run(name, func(t *testing.T) { checkShared(t, path, list[k]) })
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range list {
		if !e.used {
			t.Errorf("%s of testdata/shared.tsv is not in shared/data", e.pattern)
		}
	}
}

// matches compares names; a star at the end stands for any rest.
func matches(pattern, name string) bool {
	start, within, ok := strings.Cut(pattern, "*")
	if !ok {
		return pattern == name
	}
	rest, ok := strings.CutPrefix(name, start)
	return ok && strings.Contains(rest, strings.TrimSuffix(within, "*"))
}

func checkShared(t *testing.T, path string, want *expectation) {
	list, err := loadRecords(&app{}, path, want.game, "")
	faults := 0
	if err != nil {
		faults = strings.Count(err.Error(), "\n") + 1
	}
	legal, issues, warned := 0, 0, 0
	var good []*record.Game
	for _, g := range list {
		j, _ := verify.Replay(g, games.OpenSpec)
		if j.Legal {
			legal++
			l, err := replay.Play(g, games.OpenSpec)
			if err != nil {
				t.Fatal(err)
			}
			good = append(good, l.Record())
		}
		if len(j.Issues) > 0 {
			issues++
		}
		if len(j.Warnings) > 0 {
			warned++
		}
	}
	if len(list) != want.games || legal != want.legal || issues != want.issues || warned != want.warned || faults != want.faults {
		t.Errorf("%d games, %d legal, %d with issues, %d with warnings, %d faults; want %d, %d, %d, %d, %d (%v)",
			len(list), legal, issues, warned, faults, want.games, want.legal, want.issues, want.warned, want.faults, err)
	}
	own := formatOfFile(t, path, want.game)
	for _, id := range []string{own, "json", "sgf", "ccgc", "board-room"} {
		f, err := records().Find("", id)
		if err != nil {
			t.Fatal(err)
		}
		if f.Write == nil {
			continue
		}
		for i, g := range good {
			if id != own && !holds(id, g) {
				continue
			}
			if err := roundTrip(f, g); err != nil {
				t.Errorf("game %d through %s: %v", i+1, id, err)
			}
		}
	}
}

// holds reports whether a format can hold a game at all.
func holds(id string, g *record.Game) bool {
	switch id {
	case "board-room":
		return g.Spec.ID() == "darkchess"
	case "sgf":
		return g.Spec.ID() != "darkchess" && g.Spec.ID() != "dotsandboxes" && g.Spec.ID() != "surakarta"
	case "ccgc": // five in a row has formats enough of its own, and names with brackets
		size, _ := g.Spec.Option("size")
		return slices.Contains(ccgc.Games(), g.Spec.ID()) && g.Spec.ID() != "gomoku" && g.Start == "" && size != "7" && size != "11" && size != "19"
	}
	return true
}

func formatOfFile(t *testing.T, path, spec string) string {
	t.Helper()
	if filepath.Ext(path) != ".txt" {
		f, err := records().Find(path, "")
		if err != nil {
			t.Fatal(err)
		}
		return f.ID
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return formats.Sniff(data, game.Spec(spec))
}

// partial are what formats keep of a game, where that is not everything.
var partial = map[string]struct{ noNames, noResult, noMoves, noSpec bool }{
	"moves":  {noNames: true},
	"pos":    {noNames: true, noSpec: true},
	"offset": {noNames: true, noSpec: true},
	"wthor":  {noNames: true},
	"obf":    {noNames: true, noMoves: true, noResult: true},
	"psq":    {noSpec: true},
	"pgn":    {noMoves: true},
	"ccgc":   {noSpec: true},
}

// roundTrip writes a game and reads it again.
func roundTrip(f formats.Format, g *record.Game) error {
	var b bytes.Buffer
	if err := f.Write(&b, []*record.Game{g}); err != nil {
		return err
	}
	again, err := records().Read("again"+f.Exts[0], b.Bytes(), g.Spec, f.ID)
	if err != nil || len(again) != 1 {
		return fmt.Errorf("%d games came back: %w", len(again), err)
	}
	l, err := replay.Play(again[0], games.OpenSpec)
	if err != nil {
		return err
	}
	if l.Illegal != nil {
		return l.Illegal
	}
	got, lost := l.Record(), partial[f.ID]
	switch {
	case got.Spec != g.Spec && !lost.noSpec:
		return fmt.Errorf("%s came back as %s", g.Spec, got.Spec)
	case got.Names != g.Names && !lost.noNames:
		return fmt.Errorf("names %q came back as %q", g.Names, got.Names)
	case !lost.noMoves && !slices.EqualFunc(got.Steps, g.Steps, func(a, b record.Step) bool { return a.Move == b.Move && a.By == b.By }):
		return fmt.Errorf("%d decisions came back as %d others", len(g.Steps), len(got.Steps))
	case !lost.noResult && !sameResult(got.Result, g.Result):
		return fmt.Errorf("result %v came back as %v", g.Result, got.Result)
	case got.Start != g.Start && !lost.noMoves:
		return fmt.Errorf("start %q came back as %q", g.Start, got.Start)
	}
	return nil
}

func sameResult(a, b *game.Result) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Points == b.Points && a.HasBoard == b.HasBoard && (!a.HasBoard || a.Board == b.Board)
}
