package server

import (
	"slices"
	"strings"
	"testing"

	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/play"
	"kibitz/hall/records"
)

// A name is one program within a tournament: that of most workers when its first game is
// handed out. Other programs of the name are not handed its games and are named; as long
// as no worker has the program the tournament waits, and says for what.
func TestTournamentPrograms(t *testing.T) {
	h := newContestHall(t)
	boss := h.admin()
	boss.do("PUT", "/api/v1/admin/engines/edax", obj{"games": []string{"othello"}, "enabled": true}).want(204)
	v := h.make(boss, obj{"game": "othello", "engines": []string{"engine=edax", "bot=1"}, "games": 4, "concurrency": 4, "start": true})
	s := play.NewReaper(h.p)
	sweep := func() {
		t.Helper()
		if _, err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.t.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	const none = "waiting: no worker offers edax"
	if v = h.look(boss, v.ID); !slices.Equal(v.Waiting, []string{none}) || len(h.q.jobs) != 0 || v.Over != 0 {
		t.Fatalf("waits for %q, jobs %q", v.Waiting, h.q.jobs)
	}
	h.q.workers = []bus.Worker{bustest.Having("w1", "edax=aa"), bustest.Having("w2", "edax=bb"), bustest.Having("w3", "edax=bb")}
	sweep()
	jobs := slices.Clone(h.q.jobs)
	if len(jobs) != 4 {
		t.Fatalf("jobs %q", jobs)
	}
	for _, id := range jobs {
		if !slices.Contains(h.q.needs[id], "bb") {
			t.Errorf("game %s needs %q", id, h.q.needs[id])
		}
	}
	const other = "worker w1 has another program named edax, with hash aa, and is not handed its games"
	if v = h.look(boss, v.ID); len(v.Waiting) != 0 || !slices.Equal(v.Others, []string{other}) || v.Entries[0].Hash != "bb" {
		t.Errorf("waits for %q, others %q, entries %+v", v.Waiting, v.Others, v.Entries)
	}
	// Most workers have another program now: the tournament stays with the one that it has.
	h.q.workers = []bus.Worker{bustest.Having("w1", "edax=aa"), bustest.Having("w2", "edax=aa"), bustest.Having("w3", "edax!=bb")}
	sweep()
	v = h.look(boss, v.ID)
	if len(v.Waiting) != 1 || !strings.HasPrefix(v.Waiting[0], "waiting: no worker offers edax with hash bb (worker w1 has another program") || v.Entries[0].Hash != "bb" {
		t.Errorf("waits for %q", v.Waiting)
	}
	var g records.GameView
	boss.do("GET", "/api/v1/games/"+jobs[0], nil).want(200).into(&g)
	if len(v.Waiting) == 0 || g.Waiting != v.Waiting[0] {
		t.Errorf("the game waits for %q", g.Waiting)
	}
}
