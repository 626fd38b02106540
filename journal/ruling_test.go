package journal_test

import (
	"os"
	"path/filepath"
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
	want := game.Win(game.Second, game.ByAdjudication, "set by Ada: the clock was broken")
	for _, res := range []game.Result{game.Drawn(game.ByAdjudication, "set by Ada: the clock was broken"), want} {
		ruling := &journal.Ruling{Result: res, By: "Ada", Note: "the clock was broken"}
		if err := w.Append(&journal.Event{Time: now, Game: "g1", To: game.Public, Kind: journal.KindRuling, Ruling: ruling}); err != nil {
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
