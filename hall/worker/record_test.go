package worker

import (
	"context"
	"testing"
	"time"

	"kibitz/match"
)

// A record says on which worker, and by which programs a game was played, and what those call
// themselves where it is not the name of their seat.
func TestRecordNamesPrograms(t *testing.T) {
	p := bots("g", "othello")
	pt, err := steadySetup(0)(t.Context(), &p)
	if err != nil {
		t.Fatal(err)
	}
	g := &match.Game{ID: "g", Rules: pt.Rules, Sides: pt.Sides, Now: time.Now}
	g.Sides[1].Name = "Own 2 (ada)"
	r := recordOf(&p, g, &match.Outcome{}, &played{host: "office", hashes: [2]string{"aa", "bb"}, engines: [2]string{"Own 1", "Own 2"}})
	if r.Engines != [2]string{"Own 1", ""} {
		t.Errorf("engines %q", r.Engines)
	}
	for key, want := range map[string]string{"host": "office", "hash1": "aa", "hash2": "bb"} {
		if got, _ := r.Tag(key); got != want {
			t.Errorf("%s %q, want %q", key, got, want)
		}
	}
}

// BenchmarkPacked packs the record of a game of Othello.
func BenchmarkPacked(b *testing.B) {
	p := bots("g", "othello")
	pt, err := steadySetup(0)(context.Background(), &p)
	if err != nil {
		b.Fatal(err)
	}
	g := &match.Game{ID: "g", Rules: pt.Rules, Sides: pt.Sides, Now: time.Now}
	o := match.Play(context.Background(), g)
	w, err := New(Config{Bus: &line{hall: newHall()}, Build: steadySetup(0), ID: "w", Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := packed(w.pack, &p, g, &o, &played{begun: time.Unix(0, 0)}); err != nil {
			b.Fatal(err)
		}
	}
}
