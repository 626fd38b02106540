package plain

import (
	"testing"

	"kibitz/game"
	"kibitz/journal"
)

func TestRuling(t *testing.T) {
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
		if got := Ruling(c.ruling, names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestEval(t *testing.T) {
	for _, c := range []struct {
		eval game.Eval
		want string
	}{
		{game.Eval{}, "?"},
		{game.Eval{Unit: game.Discs, Lo: 2.5, Hi: 2.5}, "+2.5"},
		{game.Eval{Unit: game.Discs}, "0"},
		{game.Eval{Unit: game.Discs, Lo: 1, Hi: 3}, "+1..+3"},
		{game.Eval{Unit: game.WinChance, Lo: 0.532, Hi: 0.532}, "53.2%"},
		{game.Eval{Unit: game.MateIn, Lo: -3, Hi: -3}, "loss in 3"},
	} {
		if got := Eval(c.eval); got != c.want {
			t.Errorf("%+v: %q, want %q", c.eval, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	if a, b := Count(1, "turn"), Count(2, "turn"); a != "1 turn" || b != "2 turns" {
		t.Error(a, b)
	}
}
