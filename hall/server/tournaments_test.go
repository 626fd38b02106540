package server

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/admin"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/records"
	"kibitz/hall/store"
	"kibitz/tournament"
)

// A tournament is played to its end; every game counts once, and the secret is told
// only then.
func TestTournament(t *testing.T) {
	h := newContestHall(t)
	ann, bob := h.register("ann"), h.register("bob")
	v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2", "bot=3"}, "concurrency": 2, "repeat": true, "openingsFile": obj{"name": "../a.txt", "text": "x"}})
	if v.State != "entering" || len(v.Entries) != 3 || v.Openings != 1 || v.Secret != "" || len(v.Commitment) != 64 || !v.You.Director {
		t.Fatalf("%+v", v)
	}
	if n := h.playAll(); n != 0 {
		t.Fatalf("%d games before the start", n)
	}
	h.command(ann, v.ID, 200, obj{"do": "start"})
	if len(h.q.jobs) != 2 {
		t.Fatalf("jobs %q", h.q.jobs)
	}
	h.command(ann, v.ID, 200, obj{"do": "pause"})
	first, _ := h.q.take()
	if err := h.play(first); err != nil {
		t.Fatal(err)
	}
	if got := h.look(bob, v.ID); got.State != "paused" || len(got.Playing) != 1 || got.Over != 1 || got.Secret != "" || got.You.Director || len(h.q.jobs) != 1 {
		t.Fatalf("%+v, jobs %q", got, h.q.jobs)
	}
	h.command(ann, v.ID, 200, obj{"do": "resume"})
	if n := h.playAll(); n != 5 {
		t.Errorf("%d games after the first", n)
	}
	got := h.look(bob, v.ID)
	if got.State != "finished" || got.Over != 6 || got.All != 6 || len(got.Secret) != 64 {
		t.Errorf("%+v", got)
	}
	var games records.GamesPage
	bob.do("GET", "/api/v1/games?tournament="+v.ID, nil).want(200).into(&games)
	for _, g := range games.Games {
		if g.State != "over" || g.Opening != "from a.txt" || g.Seats[0].Subject == "" || !g.Rated {
			t.Errorf("%+v", g)
		}
	}
	if len(games.Games) != 6 {
		t.Errorf("%d games", len(games.Games))
	}
	var cross director.CrossView
	bob.do("GET", tournamentsPath+"/"+v.ID+"/crosstable", nil).want(200).into(&cross)
	if len(cross.Meetings) != 3 || len(cross.Meetings[0].Games) != 2 || cross.Meetings[0].Pairs == nil {
		t.Errorf("%+v", cross)
	}
	var plan director.ScheduleView
	bob.do("GET", tournamentsPath+"/"+v.ID+"/schedule?from=3&limit=2", nil).want(200).into(&plan)
	if plan.Known != 6 || len(plan.Games) != 2 || plan.Games[0].Number != 3 || plan.Games[0].ID != v.ID+"-3" || plan.Games[0].State != "over" {
		t.Errorf("%+v", plan)
	}
	h.check(v.ID, 6)
}

// check holds the standings to those that a schedule has that follows the list of
// events alone, and wants each game to have ended as often as it was handed out.
func (h *contestHall) check(id string, games int) {
	h.testHall.t.Helper()
	list, err := h.t.Events(context.Background(), store.TournamentEventQuery{Tournament: id}, director.Public)
	if err != nil {
		h.testHall.t.Fatal(err)
	}
	var set contest.Config
	var plan tournament.Plan
	var got []contest.Row
	err = h.t.Look(context.Background(), id, func(_ *store.Tournament, s *contest.State) error {
		set, plan, got = s.Settings, s.Plan(), s.Standings()
		return nil
	})
	if err != nil {
		h.testHall.t.Fatal(err)
	}
	begun, handed, over := map[string]contest.Game{}, map[string]int{}, map[string]int{}
	var log []tournament.Event
	for _, e := range list {
		switch {
		case e.Game != nil && e.Kind == contest.Begin:
			begun[e.Game.Label()] = *e.Game
			handed[e.Game.Label()]++
		case e.Over != nil:
			g := begun[(&contest.Game{Index: e.Over.Index, Replays: e.Over.Replays}).Label()]
			over[g.Label()]++
			log = append(log, tournament.Event{Finished: tournament.Finished{
				Pairing: tournament.Pairing{Index: g.Index, First: g.First, Second: g.Second, Round: g.Round, Pair: g.Pair}, Plies: e.Over.Plies,
				Result: game.Result{Points: e.Over.Points, Reason: e.Over.Reason},
			}})
		case e.Order != nil:
			log = append(log, tournament.Event{Order: e.Order})
			if e.Order.Kind == tournament.Enter {
				plan.Engines--
			}
		}
	}
	for label, n := range over {
		if n != handed[label] {
			h.testHall.t.Errorf("game %s was handed out %d times and has %d results", label, handed[label], n)
		}
	}
	if len(begun) != len(over) || games > 0 && len(over) != games {
		h.testHall.t.Errorf("%d games were handed out, %d have ended; want %d", len(begun), len(over), games)
	}
	d := tournament.NewDirector(plan, tournament.Points(set.Points))
	if err := d.Resume(log, func(tournament.Finished) {}); err != nil {
		h.testHall.t.Fatal(err)
	}
	for i, r := range d.Ranking(set.TieBreaks) {
		if e := d.Standings().Entry(r.Engine); got[i].Entry != r.Engine+1 || got[i].Points != r.Points || got[i].Games != e.Games || got[i].Rank != r.Rank {
			h.testHall.t.Errorf("tournament %s: place %d is %+v, by the list of events %+v", id, i+1, got[i], r)
		}
	}
}

// Who may do what with a tournament.
func TestTournamentRoles(t *testing.T) {
	h := newContestHall(t)
	boss, ann, bob, guest := h.admin(), h.register("ann"), h.register("bob"), h.guest()
	judge := h.register("judge")
	h.setRole(boss, judge, "arbiter")
	robot := h.bot(bob, "robot")
	for _, page := range []string{"/api/v1/openapi.json", "/api/v1/docs"} {
		if a := boss.do("GET", page, nil).want(200); !strings.Contains(a.body, tournamentsPath+"/{tournament}/crosstable") {
			t.Errorf("%s does not describe tournaments", page)
		}
	}
	guest.do("POST", tournamentsPath, obj{"game": "othello"}).want(403)
	h.client().do("POST", tournamentsPath, obj{"game": "othello"}).want(401)
	ann.do("POST", tournamentsPath, obj{"game": "chess"}).want(422)
	v := h.make(ann, obj{"game": "othello", "open": true, "late": true})
	entries := tournamentsPath + "/" + v.ID + "/entries"
	guest.do("POST", entries, obj{"engine": "bot=1"}).want(403)
	bob.do("POST", entries, obj{"engine": "bot=1"}).want(201)
	bob.do("POST", entries, obj{"engine": "bot=2"}).want(403)
	robot.do("POST", entries, obj{"engine": "bot=1"}).want(201).into(&v)
	if len(v.Entries) != 2 || v.Entries[1].Name != "Nbot=1#2" || v.Entries[1].By != "robot" || len(v.You.Entries) != 1 {
		t.Errorf("%+v", v.Entries)
	}
	ann.do("POST", entries, obj{"engine": "pela"}).want(422)
	ann.do("POST", entries, obj{"engine": "engine=edax"}).want(422)
	boss.do("PUT", "/api/v1/admin/engines/edax", obj{"games": []string{"gomoku"}, "enabled": true, "spec": "cmd=edax", "hash": "00ff"}).want(204)
	if a := ann.do("POST", entries, obj{"engine": "engine=edax"}).want(422); !strings.Contains(a.body, "does not play othello") {
		t.Error(a.body)
	}
	boss.do("PUT", "/api/v1/admin/engines/edax", obj{"games": []string{"othello"}, "enabled": true, "spec": "cmd=edax", "hash": "00ff"}).want(204)
	ann.do("POST", entries, obj{"engine": "engine=edax"}).want(201)
	robot.do("DELETE", entries+"/1", nil).want(403)
	bob.do("DELETE", entries+"/1", nil).want(200)
	bob.do("POST", entries, obj{"engine": "bot=4"}).want(201)
	for _, do := range []string{"start", "pause", "cancel", "concurrency", "pair", "replay"} {
		h.command(bob, v.ID, 403, obj{"do": do})
	}
	h.command(robot, v.ID, 403, obj{"do": "start"})
	h.command(judge, v.ID, 200, obj{"do": "start"})
	bob.do("POST", entries, obj{"engine": "bot=9", "byes": 1}).want(403)
	h.command(judge, v.ID, 422, obj{"do": "concurrency", "concurrency": 0})
	h.command(judge, v.ID, 409, obj{"do": "start"})
	h.command(judge, v.ID, 422, obj{"do": "withdraw", "entry": 77})
	var log []admin.AuditEntry
	boss.do("GET", "/api/v1/admin/audit?subject="+v.ID, nil).want(200).into(&log)
	var did []string
	for _, e := range log {
		did = append(did, e.Action)
	}
	if want := []string{"tournament-start", "tournament-enter", "tournament-withdraw", "tournament-enter", "tournament-enter", "tournament-enter", "tournament-made"}; !slices.Equal(did, want) {
		t.Errorf("audit log %q, want %q", did, want)
	}
	hidden := h.make(ann, obj{"game": "othello", "unlisted": true, "engines": []string{"bot=1", "bot=2"}, "start": true})
	for _, path := range []string{"", "/schedule", "/crosstable", "/log", "/events"} {
		bob.do("GET", tournamentsPath+"/"+hidden.ID+path, nil).want(404)
	}
	h.command(bob, hidden.ID, 404, obj{"do": "start"})
	for by, want := range map[*client]int{ann: 200, judge: 200, bob: 404, guest: 404} {
		by.do("GET", "/api/v1/games/"+hidden.ID+"-1", nil).want(want)
		var found records.GamesPage
		by.do("GET", "/api/v1/games?tournament="+hidden.ID, nil).want(200).into(&found)
		if (len(found.Games) == 1) != (want == 200) {
			t.Errorf("%d games of a tournament that is not listed are found", len(found.Games))
		}
	}
	var list []director.TournamentListed
	bob.do("GET", tournamentsPath, nil).want(200).into(&list)
	if len(list) != 1 || list[0].ID != v.ID || list[0].State != "playing" {
		t.Errorf("%+v", list)
	}
	ann.do("GET", tournamentsPath+"?mine=true", nil).want(200).into(&list)
	if len(list) != 2 {
		t.Errorf("%+v", list)
	}
}

// follower reads lines of a stream.
type follower struct {
	t     *testing.T
	lines *bufio.Scanner
	id    int
}

// follow opens the stream of a tournament, behind an event if after is not empty.
func (h *contestHall) follow(t *testing.T, id, after string) *follower {
	t.Helper()
	srv := httptest.NewServer(h.hall.router.Handler())
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+tournamentsPath+"/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/x-ndjson")
	if after != "" {
		req.Header.Set("Last-Event-ID", after)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res, err)
	}
	t.Cleanup(func() { res.Body.Close() })
	f := &follower{t: t, lines: bufio.NewScanner(res.Body)}
	f.lines.Buffer(nil, 1<<20)
	return f
}

// next returns the next event with its number.
func (f *follower) next() (kind string, data json.RawMessage) {
	f.t.Helper()
	for f.lines.Scan() {
		var e struct {
			ID, Event string
			Data      json.RawMessage
		}
		if len(f.lines.Bytes()) == 0 {
			continue
		}
		if err := json.Unmarshal(f.lines.Bytes(), &e); err != nil {
			f.t.Fatal(err)
		}
		f.id, _ = strconv.Atoi(e.ID)
		return e.Event, e.Data
	}
	f.t.Fatal("the stream has ended", f.lines.Err())
	return "", nil
}

// A viewer sees how a tournament stands, then every event; who comes again is told what
// he missed.
func TestTournamentStream(t *testing.T) {
	h := newContestHall(t)
	ann := h.register("ann")
	v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "games": 4})
	f := h.follow(t, v.ID, "")
	if kind, _ := f.next(); kind != "state" || f.id != 2 {
		t.Fatal(kind, f.id)
	}
	h.command(ann, v.ID, 200, obj{"do": "start"})
	h.playAll()
	see := func(f *follower, last int) (kinds []string) {
		for {
			kind, data := f.next()
			if kind != "state" {
				if last++; f.id != last {
					t.Fatalf("event %d comes after %d", f.id, last-1)
				}
				kinds = append(kinds, kind)
				continue
			}
			var now director.TournamentNow
			if err := json.Unmarshal(data, &now); err != nil || f.id != last || now.Seq != int64(last) {
				t.Fatal(err, f.id, last)
			}
			if now.State == "finished" {
				if now.Over != 4 || len(now.Standings) != 2 || len(now.Playing) != 0 {
					t.Errorf("%+v", now)
				}
				return kinds
			}
		}
	}
	all := see(f, 2)
	if want := []string{"start", "begin", "result", "begin", "result", "begin", "result", "begin", "result", "finish"}; !slices.Equal(all, want) {
		t.Errorf("events %q", all)
	}
	if again := see(h.follow(t, v.ID, "7"), 7); !slices.Equal(again, all[5:]) {
		t.Errorf("who comes again behind event 7 is told %q", again)
	}
	far := h.follow(t, v.ID, "")
	if kind, _ := far.next(); kind != "state" || far.id != 12 {
		t.Error(kind, far.id)
	}
}

// What a director orders has its effect on the schedule and on the hall's games, and
// stands in the list of events.
func TestTournamentDirected(t *testing.T) {
	h := newContestHall(t)
	ann, bob := h.register("ann"), h.register("bob")
	v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2", "bot=3"}, "concurrency": 2, "start": true})
	game := func(id string) (g records.GameView) {
		t.Helper()
		bob.do("GET", "/api/v1/games/"+id, nil).want(200).into(&g)
		return g
	}
	one, two := h.next(), h.next()
	if err := h.play(one); err != nil {
		t.Fatal(err)
	}
	h.command(ann, v.ID, 422, obj{"do": "overrule", "game": 1, "result": "draw"})
	h.command(ann, v.ID, 200, obj{"do": "overrule", "game": 1, "result": "second", "note": "the wrong program"})
	if g := game(one); !g.Ruled || g.Note != "ann: the wrong program" || g.Result.Points != [2]float64{0, 1} || g.Result.Reason != "adjudication" {
		t.Errorf("overruled: %+v", g)
	}
	h.command(ann, v.ID, 409, obj{"do": "replay", "game": 2})
	h.command(ann, v.ID, 200, obj{"do": "abort", "game": 2})
	if g := game(two); g.State != "aborted" || !slices.Contains(h.q.stopped, two+" abort") {
		t.Errorf("aborted: %+v, orders %q", g, h.q.stopped)
	}
	if err := h.play(two); err != nil { // its worker comes too late
		t.Fatal(err)
	}
	if g := game(two); g.State != "aborted" {
		t.Errorf("a game that was given up is %s", g.State)
	}
	key := obj{"do": "replay", "game": 2}
	ann.head["Idempotency-Key"] = "0123456789abcdef0123"
	h.command(ann, v.ID, 200, key)
	if a := h.command(ann, v.ID, 200, key); a.head.Get("Idempotency-Replayed") != "true" {
		t.Error("the same request is followed twice")
	}
	delete(ann.head, "Idempotency-Key")
	h.command(ann, v.ID, 200, obj{"do": "forfeit", "game": 6, "entry": 3, "note": "was not there"})
	ann.do("POST", tournamentsPath+"/"+v.ID+"/entries", obj{"engine": "bot=4"}).want(201)
	h.command(ann, v.ID, 200, obj{"do": "pair", "entry": 1, "opponent": 4, "games": 2})
	bob.do("DELETE", tournamentsPath+"/"+v.ID+"/entries/3", nil).want(403)
	h.command(ann, v.ID, 200, obj{"do": "withdraw", "entry": 3, "remaining": "award"})
	h.playAll()
	got := h.look(ann, v.ID)
	if got.State != "finished" || got.Over != 14 {
		t.Errorf("%+v", got)
	}
	if g := game(v.ID + "-2-2"); g.State != "over" || g.Index != 1_000_001 {
		t.Errorf("played again: %+v", g)
	}
	h.command(ann, v.ID, 409, obj{"do": "replay", "game": 1})
	h.command(ann, v.ID, 200, obj{"do": "overrule", "game": 1, "result": "nobody", "note": "both were wrong"})
	if n := h.look(ann, v.ID).Over; n != 13 {
		t.Errorf("%d games count after one was overruled for nobody", n)
	}
	h.check(v.ID, 0)

	off := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "concurrency": 2, "start": true})
	h.command(ann, off.ID, 200, obj{"do": "cancel"})
	off = h.look(ann, off.ID)
	if off.State != "cancelled" || len(off.Playing) != 0 || off.Secret == "" || h.playAll() != 2 || h.look(ann, off.ID).Over != 0 {
		t.Errorf("cancelled: %+v", off)
	}
}

// Games that nobody has begun are awarded at once when an engine withdraws or forfeits, and their
// jobs begin nothing any more; one that a worker has begun counts, and is awarded too if that worker
// does not come back.
func TestTournamentTakesBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		format string
		order  obj
		// begun are the games that a worker has begun, lost that it does not come back.
		begun int
		lost  bool
		// over are the games with a verdict after the order, awarded those that were not played.
		over, awarded int
	}{
		{"withdraws from a cup", "knockout", obj{"do": "withdraw", "entry": 2}, 0, false, 2, 2},
		{"withdraws while a game is played", "knockout", obj{"do": "withdraw", "entry": 2}, 1, false, 1, 1},
		{"withdraws, and the worker is lost", "knockout", obj{"do": "withdraw", "entry": 2}, 1, true, 2, 2},
		{"forfeits all", "roundrobin", obj{"do": "forfeit", "entry": 2, "opponent": 1}, 0, false, 2, 2},
		{"is annulled", "roundrobin", obj{"do": "withdraw", "entry": 2, "remaining": "annul"}, 0, false, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newContestHall(t)
			ann := h.register("ann")
			v := h.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "format": c.format, "concurrency": 2, "start": true})
			jobs := slices.Clone(h.q.jobs)
			if len(jobs) != 2 {
				t.Fatalf("jobs %q", jobs)
			}
			begin := func(id string) *bus.Play {
				t.Helper()
				b, err := h.p.Begin(t.Context(), bus.Begin{Game: id, Worker: "w", Ticket: ticketOf(h.db, id)})
				if err != nil {
					t.Fatal(err)
				}
				return b.Play
			}
			for _, id := range jobs[:c.begun] {
				if begin(id) == nil {
					t.Fatalf("%s is not begun", id)
				}
			}
			h.command(ann, v.ID, 200, c.order)
			for _, id := range jobs[c.begun:] {
				if begin(id) != nil {
					t.Errorf("%s is begun after it was taken back", id)
				}
			}
			if c.lost {
				r := bus.Result{Game: jobs[0], Attempt: 1, Worker: "w", Fault: "lost"}
				if err := h.p.Result(t.Context(), r); err != nil {
					t.Fatal(err)
				}
				if err := h.t.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			awarded := 0
			v = h.look(ann, v.ID)
			for _, r := range v.Standings {
				awarded += r.Unplayed
			}
			if finished := c.begun == 0 || c.lost; v.Over != c.over || awarded != 2*c.awarded || (v.State == "finished") != finished {
				t.Errorf("%s, %d over, %d awarded, playing %+v", v.State, v.Over, awarded/2, v.Playing)
			}
			if c.begun > 0 && !c.lost {
				r := bus.Result{Game: jobs[0], Attempt: 1, Worker: "w", Result: verdict(jobs[0]), Plies: 60, Begun: time.Now(), Ended: time.Now(), Record: []byte("r")}
				if err := h.p.Result(t.Context(), r); err != nil {
					t.Fatal(err)
				}
				if v = h.look(ann, v.ID); v.Over != 2 || v.State != "finished" {
					t.Errorf("after its game: %s, %d over", v.State, v.Over)
				}
			}
			h.check(v.ID, 0)
		})
	}
}

// Everyone can work out afterwards what a game was dealt from, and nobody before.
func TestTournamentSeeds(t *testing.T) {
	h := newContestHall(t)
	v := h.make(h.register("ann"), obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "start": true})
	seeds := map[string][]byte{}
	for {
		id, ok := h.q.take()
		if !ok {
			break
		}
		b, err := h.p.Begin(t.Context(), bus.Begin{Game: id, Worker: "w", Ticket: ticketOf(h.db, id)})
		if err != nil || b.Play == nil || b.Play.Event != "cup" || b.Play.Round != 1 {
			t.Fatal(b.Play, err)
		}
		seeds[id] = b.Play.Seed
		r := bus.Result{Game: id, Attempt: b.Play.Attempt, Worker: "w", Result: verdict(id), Plies: 60, Begun: time.Now(), Ended: time.Now(), Record: []byte("r")}
		if now := h.look(h.client(), v.ID); now.Secret != "" {
			t.Error("the secret is told while games run")
		}
		if err := h.p.Result(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	over := h.look(h.client(), v.ID)
	secret, err := hex.DecodeString(over.Secret)
	if err != nil || len(secret) != 32 || tournament.Commitment([32]byte(secret)) != v.Commitment {
		t.Fatalf("secret %q, commitment %q, %v", over.Secret, v.Commitment, err)
	}
	for id, seed := range seeds {
		_, number, _ := strings.Cut(id, "-")
		own := tournament.Seeds{Seed: over.Settings.Seed, Secret: [32]byte(secret)}.At("game " + number)
		if want := (tournament.Seeds{Secret: own}).At("game " + id + "/attempt 1/dealer"); !slices.Equal(seed, want[:]) {
			t.Errorf("game %s was dealt from another seed", id)
		}
	}
	if len(seeds) != 2 {
		t.Errorf("%d games", len(seeds))
	}
}
