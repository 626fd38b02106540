package main

import (
	"testing"

	"kibitz/game"
	"kibitz/journal"
)

func TestRuledText(t *testing.T) {
	names := [2]string{"A", "B"}
	win := game.Win(game.Second, game.ByAdjudication, "x")
	for _, c := range []struct {
		ruling journal.Ruling
		want   string
	}{
		{journal.Ruling{Result: win, By: "Ada", Note: "late"}, "B wins, Ada: late"},
		{journal.Ruling{Result: win, By: "Ada", Note: "Ada: late"}, "B wins, Ada: late"},
		{journal.Ruling{Result: win, By: "Ada"}, "B wins, Ada"},
		{journal.Ruling{Result: win, Note: "late"}, "B wins, late"},
		{journal.Ruling{Result: win}, "B wins"},
		{journal.Ruling{Result: game.Drawn(game.ByAdjudication, "x"), By: "Ada", Note: "both had the same bug"}, "draw, Ada: both had the same bug"},
		{journal.Ruling{Result: game.Result{Reason: game.ByAbort}, Note: "an engine has withdrawn"}, "counts for nobody, an engine has withdrawn"},
	} {
		if got := ruledText(c.ruling, names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
