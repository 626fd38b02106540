package server

import (
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/director"
	"kibitz/hall/records"
)

// A name is one program within a tournament: that of most workers when its first game is
// handed out. Other programs of the name are not handed its games and are named; as long
// as no worker has the program the tournament waits, and says for what.
func TestTournamentPrograms(t *testing.T) {
	h := withPages(t)
	h.stand() // a game that waits for a second says so
	boss := h.admin()
	boss.do("PUT", "/api/v1/admin/engines/edax", obj{"games": []string{"othello"}, "enabled": true}).want(204)
	v := h.make(boss, obj{"game": "othello", "engines": []string{"engine=edax", "bot=1"}, "games": 4, "concurrency": 4, "start": true})
	sweep := h.sweeper()
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
		Begun: h.now(), Ended: h.now(), Record: enc.EncodeAll([]byte(`{"game":"good"}`), nil),
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
	// Who enters late by the same name is the same program, whatever most workers have by then.
	h.q.workers = []bus.Worker{bustest.Having("w1", "edax=aa"), bustest.Having("w2", "edax=bb"), bustest.Having("w3", "edax=aa")}
	boss.do("POST", "/api/v1/tournaments/"+v.ID+"/entries", obj{"engine": "engine=edax"}).want(201)
	sweep()
	if v = h.look(boss, v.ID); len(v.Entries) != 3 || v.Entries[2].Hash != "bb" {
		t.Errorf("entries %+v", v.Entries)
	}
}

// Two engines that no worker offers together are told of from the time when they are entered, until
// one worker has both. Who never meets, and who is merely away, is not.
func TestTournamentEnginesApart(t *testing.T) {
	h := withPages(t)
	h.stand() // a game that waits for a second says so
	boss := h.admin()
	for _, name := range []string{"good", "crash", "gone"} {
		boss.do("PUT", "/api/v1/admin/engines/"+name, obj{"games": []string{"othello"}, "enabled": true}).want(204)
	}
	h.q.workers = []bus.Worker{bustest.Having("w1", "good=aa"), bustest.Having("w2", "crash=bb")}
	sweep := h.sweeper()
	sweep()
	const apart = "waiting: no worker offers both crash (worker w2) and good (worker w1)"
	told := func(v director.TournamentView) bool {
		return len(v.Waiting) == 1 && strings.HasPrefix(v.Waiting[0], apart)
	}
	for _, c := range []struct {
		form obj
		told bool
	}{
		{obj{"engines": []string{"engine=good", "engine=crash", "bot=1"}}, true},
		{obj{"engines": []string{"bot=1", "engine=good", "engine=crash"}, "format": "gauntlet"}, false},
		{obj{"engines": []string{"engine=good", "engine=crash"}, "format": "gauntlet"}, true},
		{obj{"engines": []string{"engine=good", "engine=gone"}}, false},
	} {
		c.form["game"] = "othello"
		if v := h.look(boss, h.make(boss, c.form).ID); told(v) != c.told || !c.told && len(v.Waiting) != 0 {
			t.Errorf("%v: waits for %q", c.form, v.Waiting)
		}
	}
	v := h.make(boss, obj{"game": "othello", "engines": []string{"bot=1", "engine=good", "engine=crash"}, "games": 1, "start": true})
	if v = h.look(boss, v.ID); !told(v) {
		t.Errorf("before its games are handed out it waits for %q", v.Waiting)
	}
	h.command(boss, v.ID, 200, obj{"do": "concurrency", "concurrency": 3})
	sweep()
	if v = h.look(boss, v.ID); !told(v) || len(v.Playing) != 3 {
		t.Errorf("waits for %q, playing %+v", v.Waiting, v.Playing)
	}
	for _, l := range v.Playing {
		var g records.GameView
		if boss.do("GET", "/api/v1/games/"+l.ID, nil).want(200).into(&g); strings.HasPrefix(g.Waiting, apart) != (g.Seats[0].Engine != "bot=1" && g.Seats[1].Engine != "bot=1") {
			t.Errorf("%s waits for %q", l.ID, g.Waiting)
		}
	}
	if page := h.page(boss, "/tournaments/"+v.ID); !strings.Contains(page, "crash – good: no worker has both.") {
		t.Error("the page does not tell")
	}
	h.q.workers = append(h.q.workers, bustest.Having("w3", "good=aa", "crash=bb"))
	sweep()
	if v = h.look(boss, v.ID); len(v.Waiting) != 0 {
		t.Errorf("waits for %q", v.Waiting)
	}
}
