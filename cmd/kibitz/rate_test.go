package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/shlex"

	"kibitz/game"
	"kibitz/rating/field"
	"kibitz/record"
)

var update = flag.Bool("update", false, "write the outputs of docs/rating.md")

// goldenGames writes the games of rating/testdata/field.txt as records.
func goldenGames(t *testing.T, file string) (want map[string][]float64) {
	t.Helper()
	data, err := os.ReadFile("../../rating/testdata/field.txt")
	if err != nil {
		t.Fatal(err)
	}
	want = map[string][]float64{}
	var list []*record.Game
	for line := range strings.Lines(string(data)) {
		col := strings.Split(line, "|")
		if len(col) != 3 || line[0] == '#' {
			continue
		}
		var n []float64
		for w := range strings.FieldsSeq(col[len(col)-1]) {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			n = append(n, x)
		}
		if strings.TrimSpace(col[0]) != "game" {
			for w := range strings.FieldsSeq(col[1]) {
				x, _ := strconv.ParseFloat(w, 64)
				want[strings.TrimSpace(col[0])] = append(want[strings.TrimSpace(col[0])], x)
			}
			continue
		}
		who, number := strings.Fields(col[1]), 0
		for kind, k := range n { // wins, draws, losses of the first named
			for range int(k) {
				names, winner := [2]string{who[0], who[1]}, game.Seat(kind/2)
				if number%2 == 1 {
					names, winner = [2]string{who[1], who[0]}, 1-winner
				}
				result := game.Win(winner, game.ByResign, "")
				if kind == 1 {
					result = game.Drawn(game.ByAgreement, "")
				}
				list = append(list, &record.Game{Spec: "othello", ID: fmt.Sprint(len(list) + 1), Names: names, Round: "1", Result: &result})
				number++
			}
		}
	}
	var b bytes.Buffer
	if err := records().WriteNative(&b, list); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return want
}

// command runs one command line and returns its status and output.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: time.Now, ctx: t.Context()}
	status = executeFull(a, args)
	return status, out.String(), errs.String()
}

// TestRateGolden takes the golden cross table through records and the command line.
func TestRateGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "games.jsonl")
	want := goldenGames(t, file)
	for _, c := range []struct {
		name string
		args []string
		near float64
	}{
		{"elo", nil, 5e-5},
		{"ordo", []string{"--system", "ordo"}, 5e-5},
		{"bayeselo", []string{"--system", "bayeselo"}, 5e-3},
		// BayesElo's command "mm 1 1".
		{"bayeselo fitted", []string{"--system", "bayeselo", "--first-seat", "auto", "--draw-elo", "auto"}, 0.5},
	} {
		status, out, errs := command(t, append([]string{"rate", file, "--json"}, c.args...)...)
		if status != 0 || errs != "" {
			t.Fatalf("%s: status %d, %s", c.name, status, errs)
		}
		var got field.Ratings
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		if got.Games != 480 || len(got.Pairings) != 6 || len(got.Players) != 4 {
			t.Fatalf("%s: %s", c.name, out)
		}
		for i, name := range []string{"Alpha", "Beta", "Gamma", "Delta"} {
			p := got.Players[i]
			if p.Name != name || p.Games != 240 || math.Abs(*p.Elo-want[c.name][i]) > c.near {
				t.Errorf("%s: %s %v, want %s %v", c.name, p.Name, *p.Elo, name, want[c.name][i])
			}
		}
		if pair := want["bayeselo advantage, draw"]; c.name == "bayeselo fitted" &&
			(math.Abs(*got.DrawElo-pair[1]) > 0.05 || math.Abs(*got.FirstSeat.Elo-pair[0]) > 0.05) {
			t.Errorf("draws %v, first seat %v, want %v", *got.DrawElo, *got.FirstSeat.Elo, pair)
		}
		if first := got.FirstSeat; c.name == "ordo" && math.Abs(*first.Elo-want["ordo advantage"][0]) > 5e-3 {
			t.Errorf("first seat: %v", *first.Elo)
		}
	}
}

// TestRatingExamples runs the examples of docs/rating.md; -update writes what they
// print.
func TestRatingExamples(t *testing.T) {
	page, err := filepath.Abs("../../docs/rating.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	goldenGames(t, filepath.Join(dir, "games.jsonl"))
	t.Chdir(dir)
	blocks, n := strings.Split(string(data), "\n```"), 0
	for i := 1; i < len(blocks); i += 2 {
		line, want, _ := strings.Cut(strings.TrimPrefix(blocks[i], "\n"), "\n")
		words, ok := strings.CutPrefix(line, "$ kibitz ")
		if !ok {
			continue
		}
		n++
		args, err := shlex.Split(words)
		if err != nil {
			t.Fatal(err)
		}
		status, out, errs := command(t, args...)
		if status != 0 || errs != "" {
			t.Errorf("%s: status %d, %s", line, status, errs)
		}
		if out = strings.TrimRight(out, "\n"); out != want && !*update {
			t.Errorf("%s prints\n%s\nwant\n%s", line, out, want)
		}
		blocks[i] = "\n" + line + "\n" + out
	}
	if n < 5 {
		t.Errorf("only %d examples were found", n)
	}
	if *update {
		if err := os.WriteFile(page, []byte(strings.Join(blocks, "\n```")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
