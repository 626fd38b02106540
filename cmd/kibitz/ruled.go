package main

import (
	"path/filepath"

	"kibitz/internal/plain"
	"kibitz/record"
)

// ruledOf returns the ruling in force on a game of a file in the folder of a run,
// for people, empty without one.
func ruledOf(file string, g *record.Game) (string, error) {
	dir := filepath.Dir(file)
	if filepath.Base(dir) != "games" {
		return "", nil
	}
	rulings, err := rulingsOf(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	r, ok := rulings.Of(g.ID)
	if !ok {
		return "", nil
	}
	return plain.Ruling(r, seatNames(g)), nil
}
