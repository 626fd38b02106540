package journal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/journal"
)

// The latest ruling counts, after it was written and read, and none of a game that
// is begun again.
func TestRulings(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	played := game.Win(game.First, game.ByTime, "A: late")
	file := filepath.Join(t.TempDir(), "journal")
	w, _, err := journal.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range []game.Result{game.Drawn("", ""), game.Win(game.Second, game.ByTime, "what it was")} {
		ev, err := journal.Overrule("g1", res, " Ada ", "the clock was broken\n", now)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(&ev); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	events, _, err := journal.ReadAll(data)
	if err != nil {
		t.Fatal(err)
	}
	var all journal.Rulings
	n := 0
	for i := range events {
		if all.Add(&events[i]) {
			n++
		}
	}
	got, ok := all.Of("g1")
	want := game.Win(game.Second, game.ByAdjudication, "set by Ada: the clock was broken")
	if n != 2 || !ok || got.By != "Ada" || got.Note != "the clock was broken" || got.Result != want {
		t.Errorf("%d rulings, %+v %v", n, got, ok)
	}
	if all.Result("g1", played) != want || all.Result("g2", played) != played {
		t.Error("the wrong result counts")
	}
	again := journal.Event{Game: "g1", Kind: journal.KindStart, Start: &journal.Start{}}
	if all.Add(&again) || all.Result("g1", played) != played {
		t.Error("a ruling outlives its game")
	}
}

func TestOverruleNeedsWhoAndWhy(t *testing.T) {
	for _, k := range [][4]string{{"", "Ada", "why", "identifier"}, {"g1", " ", "why", "who"}, {"g1", "Ada", "", "note"}} {
		if _, err := journal.Overrule(k[0], game.Result{}, k[1], k[2], time.Time{}); err == nil || !strings.Contains(err.Error(), k[3]) {
			t.Errorf("%q: %v", k, err)
		}
	}
}
