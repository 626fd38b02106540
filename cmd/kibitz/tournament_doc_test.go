package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/shlex"

	"kibitz/run/folder"
	"kibitz/run/result"
	"kibitz/term"
)

// TestTournamentExamples plays every example of docs/tournaments.md and compares
// who met whom with what stands below it; "..." is for what depends on results.
func TestTournamentExamples(t *testing.T) {
	data, err := os.ReadFile("../../docs/tournaments.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```sh\n([^`]*)\n```\n\n```text\n([^`]*)\n```").FindAllSubmatch(data, -1)
	formats := map[string]bool{}
	for i, e := range examples {
		command, want := string(e[1]), strings.Split(string(e[2]), "\n")
		args, err := shlex.Split(command)
		if err != nil || args[0] != "kibitz" {
			t.Fatalf("%v in %s", err, command)
		}
		var out, errs bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: &term.Output{Writer: &out}, stderr: &errs, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
		args = append(args[1:], "--json", "--quiet", "--concurrency", "2", "--out", filepath.Join(t.TempDir(), fmt.Sprint(i)))
		if status := executeFull(a, args); status != 0 {
			t.Fatalf("status %d of %s: %s", status, command, errs.String())
		}
		got, n := playedRounds(t, out.Bytes())
		for _, line := range want {
			round, games, ok := strings.Cut(line, ": ")
			switch {
			case ok:
				begin, open := strings.CutSuffix(games, " ...")
				if played := strings.Join(got[round], " "); played != games && (!open || !strings.HasPrefix(played, begin)) {
					t.Errorf("%s\n%s: %s, the page says %s", command, round, played, games)
				}
				delete(got, round)
			case line == "...":
				clear(got)
			case line != fmt.Sprintf("%d games", n):
				t.Errorf("%s\n%d games, the page says %q", command, n, line)
			}
		}
		if len(got) > 0 {
			t.Errorf("%s\nnot on the page: %v", command, got)
		}
		m := regexp.MustCompile(`--format (\w+)`).FindStringSubmatch(command + " --format roundrobin")
		formats[m[1]] = true
	}
	if len(formats) != 7 {
		t.Errorf("examples of %v only", formats)
	}
}

// playedRounds returns the games of --json by rounds, in the order of their
// numbers, and how many there are.
func playedRounds(t *testing.T, out []byte) (map[string][]string, int) {
	t.Helper()
	games := map[string]result.Game{}
	for line := range bytes.Lines(out) {
		var g result.Game
		if !bytes.HasPrefix(line, []byte(`{"type":"game"`)) {
			continue
		}
		if err := json.Unmarshal(line, &g); err != nil {
			t.Fatal(err)
		}
		games[g.ID] = g
	}
	rounds := map[string][]string{}
	for i := range len(games) {
		g, ok := games[folder.GameName(i)]
		if !ok {
			t.Fatalf("game %s is missing", folder.GameName(i))
		}
		round := fmt.Sprintf("round %d", g.Round)
		rounds[round] = append(rounds[round], g.First+"-"+g.Second)
	}
	return rounds, len(games)
}
