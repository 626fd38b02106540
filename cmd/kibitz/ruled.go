package main

import (
	"path/filepath"
	"strings"

	"kibitz/journal"
	"kibitz/record"
)

// ruledText says how a person overruled a game, by whom and why: "draw, Ada: both
// had the same bug".
func ruledText(r journal.Ruling, names [2]string) string {
	r.Result.Reason = "" // always the same
	text := "counts for nobody"
	if r.Result.Points != [2]float64{} {
		text = resultText(r.Result, names)
	}
	why := r.Note
	if r.By != "" && !strings.HasPrefix(why, r.By+": ") {
		why = strings.TrimSuffix(r.By+": "+why, ": ")
	}
	if why == "" {
		return text
	}
	return text + ", " + why
}

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
	return ruledText(r, seatNames(g)), nil
}
