package games_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/rules/rulestest"
)

// No game can skip the suite: its own tests run it, at full length, with every value of
// every option and with combinations.
func TestConformanceIsRun(t *testing.T) {
	for _, g := range games.All() {
		files, err := filepath.Glob(filepath.Join(g.ID, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		run := 0
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			run += strings.Count(string(text), "rulestest.Run(t, "+g.ID+".Game()")
		}
		if run != 1 {
			t.Errorf("%s is examined %d times", g.ID, run)
		}
	}
}

// Games of the same rules can be played at the same time. What goes wrong there the race
// detector finds (scripts/test), by this test alone: rules start no goroutine.
func TestTogether(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			rulestest.Run(t, g, rulestest.Only("concurrency"))
		})
	}
}

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range games.All() {
		if seen[g.ID] {
			t.Errorf("two games are called %q", g.ID)
		}
		seen[g.ID] = true
		if r, err := games.Open(g.ID); err != nil || r.Spec().ID() != g.ID {
			t.Errorf("%s cannot be opened by its name: %v", g.ID, err)
		}
	}
}
