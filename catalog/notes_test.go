package catalog_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
)

// Boards have words for every note that a game makes, or show it themselves: those of games
// played some way are met, and each that the board knows is met.
func TestNotesAreKnown(t *testing.T) {
	data, err := os.ReadFile("../hall/web/words/lang/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var words map[string]json.RawMessage
	if err := json.Unmarshal(data, &words); err != nil {
		t.Fatal(err)
	}
	met := map[game.NoteCode]bool{game.NoteSwap2: false, game.NoteSecond: false, game.NoteForbidden: false} // which turn and board tell too
	if err := eachKey(words, func(key string) {
		if code, ok := strings.CutPrefix(key, "note."); ok {
			met[game.NoteCode(code)] = false
		}
	}); err != nil {
		t.Fatal(err)
	}
	specs := []string{"gomoku:rule=renju", "gomoku:opening=swap2"}
	for _, g := range games.All() {
		specs = append(specs, g.ID)
	}
	for _, spec := range specs {
		for seed := range 12 {
			for _, note := range notesOf(t, spec, seed) {
				if _, ok := met[note.Code]; !ok || note.Text == "" {
					t.Errorf("%s notes %+v, which boards do not know", spec, note)
				}
				met[note.Code] = true
			}
		}
	}
	for code, found := range met {
		if !found {
			t.Errorf("no game notes %q", code)
		}
	}
}

// eachKey calls fn for each key of nested objects.
func eachKey(object map[string]json.RawMessage, fn func(string)) error {
	for key, value := range object {
		fn(key)
		if len(value) > 0 && value[0] == '{' {
			var inner map[string]json.RawMessage
			if err := json.Unmarshal(value, &inner); err != nil {
				return err
			}
			if err := eachKey(inner, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// notesOf plays a game some way.
func notesOf(t *testing.T, spec string, seed int) (out []game.Note) {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	s := r.New()
	for n := range 400 {
		v := s.View(game.Arbiter)
		out = append(out, v.Notes...)
		legal := s.Legal(nil)
		if c, ok := s.(rules.Chance); ok && s.Turn().Seat == game.Dealer {
			for _, o := range c.Outcomes(nil) {
				legal = append(legal, o.Move)
			}
		}
		if len(legal) == 0 {
			break
		}
		if _, err := s.Apply(legal[(n*n*37+n*(seed*5+11)+seed*3)%len(legal)], nil); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
