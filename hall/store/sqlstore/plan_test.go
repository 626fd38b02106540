package sqlstore_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/hall/store"
	"kibitz/hall/store/sqlite"
	"kibitz/hall/store/storetest"
)

// TestPlans has every search go by the index that is meant for it, and none through
// all games that need not.
func TestPlans(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"))
	storetest.Opened(t, s, err)
	steps, err := s.LoosePlan(t.Context())
	if want := []string{"SCAN l", "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)"}; err != nil || !slices.Equal(steps, want) {
		t.Errorf("loose games are found by %v, want %v: %v", steps, want, err)
	}
	day := time.Unix(1_700_000_000, 0)
	for name, c := range map[string]struct {
		q store.GameQuery
		// want are indexes in the order in which they are used; through says that games
		// are gone through from the last one until there are enough.
		want    []string
		through bool
	}{
		"all":                      {q: store.GameQuery{}, through: true},
		"over":                     {q: store.GameQuery{States: []store.GameState{store.Over}}, through: true},
		"listed":                   {q: store.GameQuery{Listed: true}, through: true},
		"latest":                   {q: store.GameQuery{Listed: true, States: []store.GameState{store.Over}, Latest: true}, want: []string{"games_played"}},
		"wins":                     {q: store.GameQuery{Outcome: "win"}, through: true},
		"living":                   {q: store.GameQuery{States: []store.GameState{store.Queued, store.Running}}, want: []string{"games_live"}},
		"room":                     {q: store.GameQuery{Room: "r", States: []store.GameState{store.Over}}, want: []string{"games_room"}},
		"tournament":               {q: store.GameQuery{Tournament: "r"}, want: []string{"games_tournament"}},
		"game":                     {q: store.GameQuery{Game: "r"}, want: []string{"games_game"}},
		"spec":                     {q: store.GameQuery{Spec: "r", Game: "r"}, want: []string{"games_spec"}},
		"player":                   {q: store.GameQuery{Player: "r", Game: "r"}, want: []string{"games_name1", "games_name2"}},
		"player in time":           {q: store.GameQuery{Player: "r", From: day, To: day}, want: []string{"games_name1", "games_name2"}},
		"subject":                  {q: store.GameQuery{Subject: "r", Outcome: "win"}, want: []string{"games_subject1", "games_subject2"}},
		"second":                   {q: store.GameQuery{Subject: "r", Seat: 2}, want: []string{"games_subject2"}},
		"opponent":                 {q: store.GameQuery{Opponent: "r"}, want: []string{"games_name2"}},
		"reason":                   {q: store.GameQuery{Reason: "r"}, want: []string{"games_reason"}},
		"day":                      {q: store.GameQuery{From: day, To: day}, want: []string{"games_played"}},
		"opening":                  {q: store.GameQuery{Opening: "r"}, want: []string{"games_opening"}},
		"position":                 {q: store.GameQuery{HasPosition: true}, want: []string{"SCAN json_each", "g USING INTEGER PRIMARY KEY (rowid=?)"}},
		"rare position, a player":  {q: store.GameQuery{HasPosition: true, Player: "r", Seat: 1}, want: []string{"SCAN json_each", "g USING INTEGER PRIMARY KEY (rowid=?)"}},
		"the next page":            {q: store.GameQuery{Player: "r", Seat: 1, Cursor: "7p1"}, want: []string{"games_name1 (name1_key=? AND rowid<?)"}},
		"the next of a position":   {q: store.GameQuery{HasPosition: true, Cursor: "7p1"}, want: []string{"SCAN json_each", "g USING INTEGER PRIMARY KEY (rowid=?)"}},
		"the next of all that are": {q: store.GameQuery{Cursor: "7p1"}, want: []string{"g USING INTEGER PRIMARY KEY (rowid<?)"}},
	} {
		steps, err := s.Plan(t.Context(), c.q)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plan := strings.Join(steps, "\n")
		if through := slices.Contains(steps, "SCAN g"); through != c.through {
			t.Errorf("%s: goes through all games: %v\n%s", name, through, plan)
		}
		rest := plan
		for _, w := range c.want {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				t.Errorf("%s: %s is not used, or out of order\n%s", name, w, plan)
			}
			rest = after
		}
	}
}
