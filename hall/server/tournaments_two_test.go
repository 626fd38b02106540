package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/store"
	"kibitz/hall/store/postgres"
	"kibitz/hall/store/sqlite"
	"kibitz/internal/pgtest"
)

// TestTwoHalls lets two halls with one database play a tournament while a director gives
// orders to both. No game is handed out twice, every result counts once, and both halls
// come to the same standings.
func TestTwoHalls(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "hall.db")
		twoHalls(t, func() (store.Store, error) { return sqlite.Open(t.Context(), name) })
	})
	t.Run("postgres", func(t *testing.T) {
		if testing.Short() {
			t.Skip("starts PostgreSQL")
		}
		url := pgtest.Start(t).Database(t, "")
		twoHalls(t, func() (store.Store, error) { return postgres.Open(t.Context(), url) })
	})
}

// pair is two halls and the jobs that both publish.
type pair struct {
	halls [2]*contestHall
	jobs  chan string
	stop  chan struct{}
	// played counts what was begun, by game.
	mu     sync.Mutex
	played map[string]int
	turn   atomic.Int64
}

// hall returns one hall after the other.
func (p *pair) hall() *contestHall { return p.halls[p.turn.Add(1)%2] }

func newPair(t *testing.T, open func() (store.Store, error)) *pair {
	p := &pair{jobs: make(chan string, 10_000), stop: make(chan struct{}), played: map[string]int{}}
	for i := range p.halls {
		db, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		var h *contestHall
		s := newSite(t, func(cfg *Config) {
			cfg.Store = db
			h = withTournaments(cfg, db)
		})
		s.store, h.testHall, h.q.out = db, s, p.jobs
		p.halls[i] = h
	}
	return p
}

// work plays jobs: begun at one hall, ended at the other, and told to both.
func (p *pair) work(t *testing.T) {
	for {
		select {
		case id := <-p.jobs:
			if err := p.play(id); err != nil {
				t.Error(err)
				return
			}
		case <-p.stop:
			return
		}
	}
}

func (p *pair) play(id string) error {
	ctx := context.Background()
	b, err := p.hall().p.Begin(ctx, bus.Begin{Game: id, Worker: "w", Ticket: ticketOf(p.halls[0].db, id)})
	if err != nil || b.Play == nil {
		return err
	}
	p.mu.Lock()
	p.played[id]++
	p.mu.Unlock()
	r := bus.Result{Game: id, Attempt: b.Play.Attempt, Worker: "w", Result: verdict(id), Plies: 60, Begun: time.Now(), Ended: time.Now(), Record: []byte("r")}
	var wait sync.WaitGroup
	var all [2]error
	for i := range p.halls { // it is delivered twice, at the same time
		wait.Go(func() { all[i] = p.halls[i].p.Result(ctx, r) })
	}
	wait.Wait()
	return errors.Join(all[:]...)
}

func twoHalls(t *testing.T, open func() (store.Store, error)) {
	p := newPair(t, open)
	a, b := p.halls[0], p.halls[1]
	ann := a.register("ann")
	v := a.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2", "bot=3", "bot=4", "bot=5"}, "games": 6, "repeat": true, "concurrency": 4, "start": true})
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() { p.work(t) })
	}
	given := 0
	for n := range 60 {
		c := []obj{
			{"do": "pause"},
			{"do": "resume"},
			{"do": "concurrency", "concurrency": 1 + n%6},
			{"do": "replay", "game": 1 + n%20},
			{"do": "overrule", "game": 2 + n%20, "result": "draw", "note": "tried"},
			{"do": "pair", "entry": 1 + n%5, "opponent": 1 + (n+1)%5, "games": 2},
		}[n%6]
		if p.order(t, ann, v.ID, c) {
			given++
		}
	}
	p.order(t, ann, v.ID, obj{"do": "resume"})
	for a.stateOf(v.ID) != contest.Finished && !t.Failed() {
		for _, h := range p.halls {
			if err := h.t.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	close(p.stop)
	work.Wait()
	for id, n := range p.played {
		if n != 1 {
			t.Errorf("game %s was begun %d times", id, n)
		}
	}
	a.check(v.ID, 0)
	b.check(v.ID, 0)
	if x, y := a.table(v.ID), b.table(v.ID); x != y || given < 10 {
		t.Errorf("%d orders; the halls have\n%s\n%s", given, x, y)
	}
}

// order gives a command to one of the halls; it may be one that is not possible now.
func (p *pair) order(t *testing.T, by *client, id string, words obj) bool {
	t.Helper()
	there := *by
	there.s = p.hall().testHall
	a := there.do("POST", tournamentsPath+"/"+id+"/commands", words)
	if a.status != 200 && (a.status != 409 || a.code() != "not-now") {
		t.Fatalf("%v: %d %s", words, a.status, a.body)
	}
	return a.status == 200
}

func (h *contestHall) stateOf(id string) (out contest.Phase) {
	h.testHall.t.Helper()
	if err := h.t.Look(context.Background(), id, func(_ *store.Tournament, s *contest.State) error { out = s.Phase; return nil }); err != nil {
		h.testHall.t.Fatal(err)
	}
	return out
}

// table is how everyone stands.
func (h *contestHall) table(id string) (out string) {
	h.testHall.t.Helper()
	err := h.t.Look(context.Background(), id, func(_ *store.Tournament, s *contest.State) error {
		out = fmt.Sprint(string(jsonOf(s.Standings())), string(jsonOf(s.Cross())))
		return nil
	})
	if err != nil {
		h.testHall.t.Fatal(err)
	}
	return out
}
