package main

import (
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
)

// Every game is in the gallery; one for which no exhibit was chosen is played at random.
func TestEveryGame(t *testing.T) {
	shown := map[string]bool{}
	for _, x := range exhibits() {
		shown[x.name] = true
	}
	for _, g := range games.All() {
		if !shown[g.ID] {
			t.Errorf("%s is in no exhibit", g.ID)
		}
		r, err := games.Open(g.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, dealt := r.(rules.Shuffler); dealt {
			continue
		}
		moves, err := random(g.ID)
		if err != nil {
			t.Fatal(err)
		}
		x := exhibit{name: g.ID, game: g.ID, moves: moves, to: game.ToFirst, plies: 8}
		if frames, err := x.frames(); err != nil || len(frames) < 3 {
			t.Errorf("%s at random: %d frames, %v", g.ID, len(frames), err)
		}
	}
}
