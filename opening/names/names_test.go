package names_test

import (
	"testing"

	"kibitz/games"
	"kibitz/opening/names"
	"kibitz/record/gamebase/index"
	"kibitz/rules"
)

// Every line can be played, and no two lead to images of one position.
func TestNames(t *testing.T) {
	for spec, want := range map[string]int{"othello": 67, "gomoku:rule=renju": 26, "gomoku": 0, "gomoku:rule=renju,size=19": 0, "connect6": 0} {
		r, err := games.Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		k := index.Keyer(r)
		n, seen, called := 0, map[int64]string{}, map[string]bool{}
		for moves, name := range names.Of(r) {
			s, err := rules.Start(r, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range moves {
				m, err := r.ParseMove(text)
				if err == nil {
					_, err = s.Apply(m, nil)
				}
				if err != nil {
					t.Fatalf("%s, %s: %s: %v", spec, name, text, err)
				}
			}
			key := index.Place(k, s).Key
			if seen[key] != "" || called[name] {
				t.Errorf("%s: %s and %s are one opening", spec, seen[key], name)
			}
			seen[key], called[name] = name, true
			n++
		}
		if n != want {
			t.Errorf("%s has %d openings, want %d", spec, n, want)
		}
	}
}
