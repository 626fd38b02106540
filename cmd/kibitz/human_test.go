package main

import (
	"bytes"
	"testing"

	"kibitz/game"
	"kibitz/games"
)

// TestPointsOfNotices: a person reads points as they stand at the edges of the board,
// also where a point alone is no move.
func TestPointsOfNotices(t *testing.T) {
	for spec, want := range map[string]string{
		"surakarta": "You captured d3\n",
		"connect6":  "You captured d4\n",
		"phantomgo": "You captured d6\n",
	} {
		r, err := games.Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		h := newHuman(&app{stdout: &out}, r)
		view := r.New().View(game.ToFirst)
		h.latest = &view
		h.notice(game.Notice{Kind: game.Took, By: game.First, Points: []game.Point{game.Pt(3, 3)}})
		if out.String() != want {
			t.Errorf("%s: %q instead of %q", spec, out.String(), want)
		}
	}
}
