package games_test

import (
	"testing"

	"kibitz/games"
	"kibitz/rules/rulestest"
)

// No game can skip the suite: it ranges over the list. The games' own tests run it
// at full length, with combinations of options.
func TestConformance(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			rulestest.Run(t, g, rulestest.Quick())
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
