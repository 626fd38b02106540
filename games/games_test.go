package games_test

import (
	"testing"

	"kibitz/games"
	"kibitz/rules/rulestest"
)

// No game can skip the suite: it ranges over the list. The games' own tests run it
// at full length, with every value of every option and with combinations.
func TestConformance(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			rulestest.Run(t, g, rulestest.Quick())
		})
	}
}

// Games of the same rules can be played at the same time. What goes wrong there the race
// detector finds (scripts/test), by this test alone: rules start no goroutine.
func TestTogether(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			rulestest.Run(t, g, rulestest.Quick(), rulestest.Only("concurrency"))
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
