package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/record"
	recordfolder "kibitz/record/folder"
	"kibitz/run/folder"
	"kibitz/run/result"
)

// Runs that are killed again and again, at random moments, and taken up each time
// are in the end what they would have been: the same pairings, the same openings,
// each game once, and where nothing is dealt anew the same moves.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs are killed for seconds")
	}
	fault := faultProgram(t)
	engine := fmt.Sprintf("cmd='%s -mode none' name=F", fault)
	openings := filepath.Join(t.TempDir(), "openings.txt")
	if err := os.WriteFile(openings, []byte("a1 b2 c3\nc3 d4\ne5 a1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		kills int
		games int
		dealt bool // games that were broken off are dealt anew
		args  []string
	}{
		{"pairs", 25, 300, false, []string{"--game", "gomoku:size=6", "--engine", engine, "--engine", "bot=random name=B", "--games", "300", "--repeat", "--openings", "file=" + openings, "--concurrency", "3"}},
		{"swiss", 15, 48, false, []string{"--game", "othello", "--each", "bot=random", "--engine", "name=A", "--engine", "name=B", "--engine", "name=C", "--engine", "name=D", "--engine", "name=E", "--engine", "name=F bot=1 depth=1", "--format", "swiss", "--rounds", "4", "--games", "4", "--concurrency", "2"}},
		{"shuffles", 10, 60, true, []string{"--game", "darkchess:noeat=20", "--each", "bot=random", "--engine", "name=A", "--engine", "name=B", "--games", "60", "--repeat", "--concurrency", "2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := slices.Concat(c.args, []string{"--quiet", "--seed", "7", "--secret", strings.Repeat("5a", 32)})
			calm := filepath.Join(dir, "calm")
			if out, err := exec.Command("kibitz", append(append([]string{"match"}, args...), "--out", calm)...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			killed := filepath.Join(dir, "killed")
			runKilled(t, killed, append(append([]string{"match"}, args...), "--out", killed), c.kills)
			want, got := recordsOfRun(t, calm), recordsOfRun(t, killed)
			if len(want) != c.games {
				t.Errorf("the undisturbed run has %d games instead of %d", len(want), c.games)
			}
			compareRuns(t, want, got, c.dealt)
			if out, err := exec.Command("kibitz", "verify", "--quiet", killed).CombinedOutput(); err != nil {
				t.Errorf("verify: %v\n%s", err, out)
			}
			compareSummaries(t, calm, killed)
		})
	}
}

// TestGrown gives a run that is over more games, kills it again and again meanwhile, and
// compares it with one that had them from the start.
func TestGrown(t *testing.T) {
	if testing.Short() {
		t.Skip("runs are killed for seconds")
	}
	t.Parallel()
	openings := filepath.Join(t.TempDir(), "openings.txt")
	if err := os.WriteFile(openings, []byte("a1 b2\nc3 d4\ne5 a1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		first, then []string
		args        []string
		dealt       bool
	}{
		{"games", []string{"--games", "10"}, []string{"--games", "60"}, []string{"--game", "nogo:size=5", "--each", "bot=random", "--engine", "name=A", "--engine", "name=B", "--engine", "name=C", "--openings", "file=" + openings, "--repeat"}, false},
		{"rounds", []string{"--rounds", "3"}, []string{"--rounds", "60"}, []string{"--game", "nogo:size=5", "--each", "bot=random", "--engine", "name=A", "--engine", "name=B", "--engine", "name=C", "--format", "gauntlet", "--games", "1"}, false},
		{"shuffles", []string{"--games", "6"}, []string{"--games", "60"}, []string{"--game", "darkchess:noeat=20", "--each", "bot=random", "--engine", "name=A", "--engine", "name=B", "--repeat"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := slices.Concat([]string{"match"}, c.args, []string{"--quiet", "--concurrency", "2", "--seed", "7", "--secret", strings.Repeat("5a", 32)})
			calm, grown := filepath.Join(dir, "calm"), filepath.Join(dir, "grown")
			for folder, size := range map[string][]string{calm: c.then, grown: c.first} {
				if out, err := exec.Command("kibitz", slices.Concat(args, size, []string{"--out", folder})...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			runKilled(t, grown, slices.Concat([]string{"resume", "--quiet", grown}, c.then), 8)
			// However early the first kill came, the run is asked once more.
			if out, err := exec.Command("kibitz", slices.Concat([]string{"resume", "--quiet", grown}, c.then)...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want, got := recordsOfRun(t, calm), recordsOfRun(t, grown)
			compareRuns(t, want, got, c.dealt)
			compareSummaries(t, calm, grown)
			if out, err := exec.Command("kibitz", "verify", "--quiet", grown).CombinedOutput(); err != nil {
				t.Errorf("verify: %v\n%s", err, out)
			}
			if _, err := os.Stat(filepath.Join(grown, folder.SecretFile)); err == nil {
				t.Error("the secret is kept although the run is over")
			}
		})
	}
}

// runKilled runs a command, kills it, and takes the run up again until it ends by
// itself. Kills come late enough for a game to end now and then.
func runKilled(t *testing.T, dir string, args []string, kills int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, uint64(kills)))
	for n := 0; ; n++ {
		cmd := exec.Command("kibitz", args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if n < kills {
			time.Sleep(time.Duration(20+rng.IntN(100)) * time.Millisecond)
			cmd.Process.Kill() // it may have ended
		}
		err := cmd.Wait()
		if _, missing := os.Stat(filepath.Join(dir, "run.toml")); missing != nil {
			if n > 3*kills {
				t.Fatalf("never begins\n%s", out.Bytes())
			}
			os.RemoveAll(dir) // killed before there was a run: begun anew
			continue
		}
		args = []string{"resume", "--quiet", dir}
		if err == nil {
			t.Logf("killed %d times", n)
			return
		}
		if n >= kills || cmd.ProcessState.Exited() {
			t.Fatalf("after %d kills: %v\n%s", n, err, out.Bytes())
		}
	}
}

// recordsOfRun returns the records of a run, each of which must be there once, as
// its result in the journal.
func recordsOfRun(t *testing.T, dir string) map[string]*record.Game {
	t.Helper()
	files, _, err := recordfolder.Records(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*record.Game{}
	for _, name := range files {
		list, err := loadRecords(&app{}, name, "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range list {
			if out[g.ID] != nil {
				t.Errorf("%s: game %s is recorded twice", dir, g.ID)
			}
			out[g.ID] = g
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	events, report, err := journal.ReadAll(data)
	if err != nil || len(report.Faults) > 0 || report.Torn > 0 {
		t.Errorf("%s: the journal is damaged: %v %+v", dir, err, report.Faults)
	}
	ended := map[string]int{}
	for i := range events {
		if r := events[i].Result; r != nil && r.Result.Reason != game.ByAbort {
			ended[events[i].Game]++
		}
	}
	for id, n := range ended {
		if n != 1 || out[id] == nil {
			t.Errorf("%s: game %s ended %d times, recorded: %v", dir, id, n, out[id] != nil)
		}
	}
	return out
}

func compareRuns(t *testing.T, want, got map[string]*record.Game, dealt bool) {
	t.Helper()
	other := 0
	defer func() {
		if other > 0 {
			t.Errorf("%d games went another way", other)
		}
	}()
	if len(want) != len(got) {
		t.Errorf("%d games instead of %d", len(got), len(want))
	}
	for id, w := range want {
		g := got[id]
		if g == nil {
			t.Errorf("game %s was not played", id)
			continue
		}
		if g.Names != w.Names || g.Start != w.Start || fmt.Sprint(g.Tags) != fmt.Sprint(w.Tags) || g.Round != w.Round {
			t.Errorf("game %s: %v %q %v round %s instead of %v %q %v round %s", id, g.Names, g.Start, g.Tags, g.Round, w.Names, w.Start, w.Tags, w.Round)
		}
		if dealt {
			continue
		}
		if a, b := movesOf(g), movesOf(w); a != b || fmt.Sprint(*g.Result) != fmt.Sprint(*w.Result) {
			if other++; other == 1 {
				t.Errorf("game %s went %s %v instead of %s %v", id, a, *g.Result, b, *w.Result)
			}
		}
	}
}

func movesOf(g *record.Game) string {
	var b strings.Builder
	for _, s := range g.Steps {
		fmt.Fprint(&b, s.By, s.Move, s.Opening, s.Forced, s.Refused, " ")
	}
	return b.String()
}

// compareSummaries compares what was counted in all.
func compareSummaries(t *testing.T, a, b string) {
	t.Helper()
	read := func(dir string) (s result.Summary) {
		data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
		if err == nil {
			err = json.Unmarshal(data, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	x, y := read(a), read(b)
	if x.Games != y.Games || x.Extra.Unfinished != y.Extra.Unfinished {
		t.Errorf("%d games, %d unfinished instead of %d, %d", y.Games, y.Extra.Unfinished, x.Games, x.Extra.Unfinished)
	}
	for i := range y.Engines {
		if y.Engines[i].Games != x.Engines[i].Games {
			t.Errorf("%s has %d games instead of %d", y.Engines[i].Name, y.Engines[i].Games, x.Engines[i].Games)
		}
	}
}
