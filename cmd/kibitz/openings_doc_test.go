package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kibitz/games"
)

// TestOpeningExamples reads every list of docs/openings.md and runs its command.
func TestOpeningExamples(t *testing.T) {
	data, err := os.ReadFile("../../docs/openings.md")
	if err != nil {
		t.Fatal(err)
	}
	lists := regexp.MustCompile("(?s)```(openings|xot|offset) ([^\n]+)\n(.*?)```").FindAllStringSubmatch(string(data), -1)
	seen := map[string]bool{}
	for i, l := range lists {
		kind, spec, text := l[1], l[2], l[3]
		r, err := games.Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		seen[r.Spec().ID()] = true
		want := 0
		for line := range strings.Lines(text) {
			if line[0] != '#' {
				want++
			}
		}
		// By its name, and as a text that must be recognised.
		for _, ext := range []string{"." + kind, ".txt"} {
			name := filepath.Join(t.TempDir(), "list"+ext)
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := readOpenings("file="+name+" transform=true", r, 1); err != nil || len(got)%want != 0 || len(got) == 0 {
				t.Errorf("list %d, %s: %d openings, %v in\n%s", i, ext, len(got), err, text)
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("lists of %v only", seen)
	}
	for _, e := range regexp.MustCompile("(?s)```sh\n([^`]*)\n```\n\n```text\n([^`]*)```").FindAllStringSubmatch(string(data), -1) {
		status, out, errs := openingCommand(t, e[1]+" --quiet")
		if status != 0 || !strings.Contains(out, e[2]) {
			t.Errorf("%s\nstatus %d %s\n%s\nthe page says\n%s", e[1], status, errs, out, e[2])
		}
	}
}
