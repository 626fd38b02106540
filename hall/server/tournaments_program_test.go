package server

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/play"
	"kibitz/hall/records"
)

// A name is one program within a tournament: that of most workers when its first game is
// handed out. Other programs of the name are not handed its games and are named; as long
// as no worker has the program the tournament waits, and says for what.
func TestTournamentPrograms(t *testing.T) {
	h := withPages(t)
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
	// A game that is over says on which worker, and by which program it was played.
	h.q.workers = []bus.Worker{bustest.Having("w2", "edax=bb")}
	sweep()
	b, err := h.p.Begin(t.Context(), bus.Begin{Game: jobs[0], Worker: "w2", Ticket: ticketOf(h.db, jobs[0])})
	if err != nil || b.Play == nil {
		t.Fatal(b.Play, err)
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := bus.Result{
		Game: jobs[0], Attempt: b.Play.Attempt, Worker: "w2", Host: "office", Result: verdict(jobs[0]), Plies: 60,
		Begun: time.Now(), Ended: time.Now(), Record: enc.EncodeAll([]byte(`{"game":"good"}`), nil),
	}
	i := slices.IndexFunc(b.Play.Seats[:], func(s bus.Seat) bool { return s.Kind == bus.EngineSeat })
	r.Hashes[i] = "bb"
	if err := h.p.Result(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	boss.do("GET", "/api/v1/games/"+jobs[0], nil).want(200).into(&g)
	if g.Worker != "office" || g.Seats[i].Hash != "bb" || g.Seats[1-i].Hash != "" {
		t.Errorf("played by %q, %+v", g.Worker, g.Seats)
	}
	page := h.page(boss, "/games/"+jobs[0])
	if !strings.Contains(page, "<dd>office</dd>") || !strings.Contains(page, "<code>bb</code>") {
		t.Errorf("the page names neither worker nor program: %s", page)
	}
}
