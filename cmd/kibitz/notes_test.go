package main

import (
	"os"
	"regexp"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
)

// Boards know every note that a game makes, in whatever language: those of games played
// some way are among the forms of web/src/notes.ts, and each form is met.
func TestNotesAreKnown(t *testing.T) {
	data, err := os.ReadFile("../../web/src/notes.ts")
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	var forms []*regexp.Regexp
	for _, m := range regexp.MustCompile(`(?m)^  \[/(.+)/, '`).FindAllStringSubmatch(string(data), -1) {
		forms, met[m[1]] = append(forms, regexp.MustCompile(m[1])), false
	}
	specs := []string{"gomoku:rule=renju", "gomoku:opening=swap2"}
	for _, g := range games.All() {
		specs = append(specs, g.ID)
	}
	for _, spec := range specs {
		for seed := range 12 {
			for _, note := range notesOf(t, spec, seed) {
				known := false
				for _, f := range forms {
					if f.MatchString(note) {
						met[f.String()], known = true, true
					}
				}
				if !known {
					t.Errorf("%s notes %q, which boards do not know", spec, note)
				}
			}
		}
	}
	for form, found := range met {
		if !found {
			t.Errorf("no game notes %s", form)
		}
	}
}

// notesOf plays a game some way.
func notesOf(t *testing.T, spec string, seed int) (out []string) {
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
