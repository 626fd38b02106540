package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/shlex"
)

// measured is what differs from run to run: seconds, rates, a column of seconds.
var measured = regexp.MustCompile(`\d+\.\d{3}\b|[\d.]+ million/s|\d+\.\d s\b`)

// TestPages runs the examples of the pages on analysis and on game bases, which
// stand behind "$ kibitz"; files that they name are the blocks before them. With
// -update it writes what they print.
func TestPages(t *testing.T) {
	for _, page := range []struct {
		name  string
		files map[string]string // by how their block begins
		most  int
	}{
		{"analysis.md", map[string]string{"--OOOOX": "two.obf"}, 3},
		{"gamebase.md", map[string]string{"f5d6": "games.moves", "(;GM": "more.ggf"}, 6},
	} {
		t.Run(page.name, func(t *testing.T) {
			file, err := filepath.Abs("../../docs/" + page.name)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if err := os.WriteFile("game.moves", []byte("f5f4e3d6c5\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			blocks, n := strings.Split(string(data), "\n```"), 0
			for i := 1; i < len(blocks); i += 2 {
				text := strings.TrimPrefix(blocks[i], "\n")
				for begin, name := range page.files {
					if strings.HasPrefix(text, begin) {
						if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
							t.Fatal(err)
						}
					}
				}
				if line, want, _ := strings.Cut(text, "\n"); strings.HasPrefix(line, "$ kibitz ") {
					n++
					blocks[i] = "\n" + line + "\n" + example(t, line, want)
				}
			}
			if n != page.most {
				t.Errorf("%d examples were found, want %d", n, page.most)
			}
			if *update {
				if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n```")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// example runs a command and compares what it prints.
func example(t *testing.T, line, want string) string {
	t.Helper()
	args, err := shlex.Split(strings.TrimPrefix(line, "$ kibitz "))
	if err != nil {
		t.Fatal(err)
	}
	status, out, errs := command(t, args...)
	if status != 0 || errs != "" {
		t.Errorf("%s: status %d, %s", line, status, errs)
	}
	out = strings.TrimRight(out, "\n")
	even := func(s string) string { return measured.ReplaceAllString(s, "#") }
	if even(out) != even(want) && !*update {
		t.Errorf("%s prints\n%s\nwant\n%s", line, out, want)
	}
	return out
}
