package archive_test

import (
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/archive"
	"kibitz/journal"
)

// An opening has its name from every side and whatever way led there; after it the name stays.
func TestOpeningNames(t *testing.T) {
	h := archive.Archive{Open: games.Open}
	for _, tt := range []struct {
		spec  game.Spec
		moves []string
		want  string
	}{
		{"othello", nil, ""},
		{"othello", []string{"f5", "d6", "c3", "d3", "c4"}, "Tiger"},
		{"othello", []string{"e6", "f4", "c3", "c4", "d3"}, "Tiger"},
		{"othello", []string{"f5", "d6", "c3", "d3", "c4", "f4", "c5", "b3", "c2"}, "Rose-Bill"},
		{"gomoku:rule=renju", []string{"h8", "g7", "f6"}, "Chosei"},
		{"gomoku:rule=renju", []string{"h8", "h9", "i9", "a1", "o1"}, "Kagetsu"},
		{"gomoku:rule=renju", []string{"i9", "h9", "h8"}, "Kagetsu"},
		{"gomoku", []string{"h8", "h9", "i9"}, ""},
	} {
		r, err := games.Open(string(tt.spec))
		if err != nil {
			t.Fatal(err)
		}
		var moves []string
		for _, text := range tt.moves {
			m, err := r.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, journal.FormatMove(m))
		}
		b, err := h.Branches(t.Context(), tt.spec, "", moves)
		if err != nil || b.Opening != tt.want {
			t.Errorf("%s %v: %q, want %q, %v", tt.spec, tt.moves, b.Opening, tt.want, err)
		}
	}
}
