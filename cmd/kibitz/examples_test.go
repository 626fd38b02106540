package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"kibitz/internal/testbin"
)

// examplesPage has what kibitz check says of the engines below examples.
const examplesPage = "../../docs/measured/examples.md"

// TestExamples builds the engines that people copy and holds each to its protocol: nothing
// fails, nothing is a warning. With -update it writes the page.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("eleven engines are checked")
	}
	t.Parallel()
	dir := t.TempDir()
	goEngine, remove, err := testbin.Build("kibitz/examples/engine")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	var list []struct{ file, game, proto, cmd string }
	for _, e := range []struct{ proto, game string }{
		{"piskvork", "gomoku"}, {"nboard", "othello"}, {"sau", "connect6"}, {"dctp", "darkchess"}, {"gtp", "nogo"},
	} {
		python, err := filepath.Abs("../../examples/python/" + e.proto + ".py")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list,
			struct{ file, game, proto, cmd string }{"python/" + e.proto + ".py", e.game, e.proto, "python3 " + python},
			struct{ file, game, proto, cmd string }{"c/" + e.proto + ".c", e.game, e.proto, filepath.Join(dir, e.proto)})
	}
	for _, proto := range []string{"nboard", "gtp"} {
		list = append(list, struct{ file, game, proto, cmd string }{"engine/main.go", "othello", proto, goEngine + " " + proto})
	}
	rows := make([]string, len(list))
	counts := regexp.MustCompile(`(\d+) pass, 0 fail, 0 warning, (\d+) skipped`)
	var all sync.WaitGroup
	atOnce := make(chan struct{}, 2) // each of them has bounds of time
	for i, e := range list {
		all.Go(func() {
			atOnce <- struct{}{}
			defer func() { <-atOnce }()
			source, err := os.ReadFile("../../examples/" + e.file)
			if err != nil {
				t.Error(err)
				return
			}
			lines := strings.Count(string(source), "\n")
			if lines >= 150 || !strings.Contains(string(source), "(0BSD)") {
				t.Errorf("%s has %d lines: below 150, and a line with its licence, make it easy to copy", e.file, lines)
			}
			switch filepath.Ext(e.file) {
			case ".py":
				if _, err := exec.LookPath("python3"); err != nil {
					t.Error("not tested without python3:", e.file)
					return
				}
			case ".c":
				out, err := exec.Command("gcc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-o", e.cmd, "../../examples/"+e.file).CombinedOutput()
				if err != nil {
					t.Errorf("gcc %s: %v\n%s", e.file, err, out)
					return
				}
			}
			status, out, errs := command(t, "check", "--game", e.game, "--engine", fmt.Sprintf("cmd='%s' proto=%s", e.cmd, e.proto))
			m := counts.FindStringSubmatch(out)
			if status != 0 || m == nil {
				t.Errorf("%s: status %d %s\n%s", e.file, status, errs, out)
				return
			}
			rows[i] = fmt.Sprintf("| [%s](../../examples/%s) | %s | %s | %d | %s | 0 | 0 | %s |\n", e.file, e.file, e.game, e.proto, lines, m[1], m[2])
		})
	}
	all.Wait()
	page := "# Engines to copy\n\nWhat `kibitz check` finds in the engines below `examples/`. Skipped is what they answer too fast to be\n" +
		"stopped in, and swap2, which Piskvork leaves to the manager.\n\n" +
		"| engine | game | protocol | lines | pass | fail | warning | skipped |\n|---|---|---|---|---|---|---|---|\n" +
		strings.Join(rows, "")
	if t.Failed() {
		return
	}
	if *update {
		if err := os.WriteFile(examplesPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// How much is too fast to be tested depends on the machine.
	even := func(s string) string {
		return regexp.MustCompile(`\d+ \| 0 \| 0 \| \d+`).ReplaceAllString(s, "")
	}
	if was, err := os.ReadFile(examplesPage); err != nil || even(string(was)) != even(page) {
		t.Errorf("docs/measured/examples.md is not what is found (%v): run this test with -update\n%s", err, page)
	}
}
