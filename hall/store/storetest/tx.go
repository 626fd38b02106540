package storetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"kibitz/hall/store"
)

func refused(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%v, want %v", err, want)
	}
}

// change writes a bit of everything.
func change(x store.Tx, id string) error {
	u := user(id)
	room := store.Room{ID: id}
	for _, step := range []func() error{
		func() error { return x.AddUser(&u) },
		func() error { return x.AddRoom(&room) },
		func() error { return x.AddChallenge(&store.Challenge{Code: id, Owner: u.ID}, 1) },
		func() error { return x.AddMessage(&store.Message{Room: id, Text: "hello"}) },
		func() error {
			return play(x, newGame(id), store.Ending{
				Record: []byte("r"), Positions: []store.Position{{Key: 1}},
				Consoles: [2][]byte{[]byte("p"), nil}, Result: won(1, 0, "five"),
			})
		},
		func() error { return x.SetRating(&store.Rating{Subject: id}) },
		func() error { return x.AddTournament(&store.Tournament{ID: id}) },
		func() error { return x.AddTournamentEvent(id, &store.TournamentEvent{Seq: 1}) },
		func() error { return x.SetEngine(&store.Engine{Name: id}) },
		func() error { return x.AddEntry(&store.Entry{Action: id}) },
		func() error { return x.SetSession([]byte(id), 0, nil, later(1)) },
		func() error { return x.AddRequest(&store.Request{Key: id}) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// rows lists all that a store holds.
func rows(t testing.TB, s store.Store) []string {
	t.Helper()
	var l list
	if err := s.Dump(t.Context(), &l); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range l {
		// The numbers of what was undone may be left out, they are not content.
		if r.table != "counter" {
			out = append(out, r.table+" "+string(r.row))
		}
	}
	return out
}

func testAllOrNothing(t *testing.T, s store.Store) {
	do(t, s, func(x store.Tx) error { return change(x, "base") })
	before := rows(t, s)
	if len(before) < 14 {
		t.Fatalf("only %d rows were written", len(before))
	}
	broken := errors.New("broken")
	refuse(t, s, broken, func(x store.Tx) error {
		if err := change(x, "error"); err != nil {
			return err
		}
		return broken
	})
	same(t, rows(t, s), before)

	func() {
		defer func() {
			if r := recover(); r != "panic" {
				t.Errorf("recovered %v", r)
			}
		}()
		_ = s.Update(t.Context(), func(x store.Tx) error {
			if err := change(x, "panic"); err != nil {
				return err
			}
			panic("panic")
		})
	}()
	same(t, rows(t, s), before)

	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Update(context.WithoutCancel(t.Context()), func(x store.Tx) error {
			if err := change(x, "exit"); err != nil {
				return err
			}
			runtime.Goexit()
			return nil
		})
	}()
	<-done
	same(t, rows(t, s), before)
	do(t, s, func(x store.Tx) error { return change(x, "after") })
}

// testGoOn has errors of the contract within a transaction that goes on.
func testGoOn(t *testing.T, s store.Store) {
	do(t, s, func(x store.Tx) error { return change(x, "there") })
	do(t, s, func(x store.Tx) error {
		u := user("THERE")
		g := newGame("there")
		_, missing := x.Game("none")
		_, began := x.BeginAttempt(store.Attempt{Game: "there", Attempt: 1})
		for _, c := range []struct{ err, want error }{
			{x.AddUser(&u), store.ErrTaken},
			{x.AddRoom(&store.Room{ID: "there"}), store.ErrTaken},
			{x.SetRoom(&store.Room{ID: "there", Version: 9}), store.ErrConflict},
			{x.AddGame(&g), store.ErrTaken},
			{missing, store.ErrNotFound},
			{began, store.ErrConflict},
			{x.SetGame(&g, store.Parked), store.ErrConflict},
			{x.AddTournament(&store.Tournament{ID: "there"}), store.ErrTaken},
			{x.AddTournamentEvent("there", &store.TournamentEvent{Seq: 1}), store.ErrConflict},
			{x.AddRequest(&store.Request{Key: "there"}), store.ErrTaken},
			{x.AddMessage(&store.Message{Room: "none"}), store.ErrNotFound},
			{x.AddToken(&store.Token{User: 99}), store.ErrNotFound},
			{x.AddSaved(&store.Saved{ID: "s", User: 99}), store.ErrNotFound},
			{x.RemoveEngine("none"), store.ErrNotFound},
		} {
			if !errors.Is(c.err, c.want) {
				return fmt.Errorf("%w, want %w", c.err, c.want)
			}
		}
		u = user("new")
		return x.AddUser(&u)
	})
	see(t, s, func(x store.Tx) error { _, err := x.UserNamed("new"); return err })
}

func testView(t *testing.T, s store.Store) {
	do(t, s, func(x store.Tx) error { return change(x, "a") })
	before := rows(t, s)
	for name, write := range map[string]func(x store.Tx) error{
		"user":    func(x store.Tx) error { u := user("b"); return x.AddUser(&u) },
		"session": func(x store.Tx) error { return x.SetSession([]byte("b"), 0, nil, noon()) },
		"remove":  func(x store.Tx) error { return x.RemoveGame("a") },
	} {
		if err := s.View(t.Context(), write); err == nil {
			t.Errorf("%s: changed within a view", name)
		}
		_ = s.View(t.Context(), func(x store.Tx) error { _ = write(x); return nil })
	}
	same(t, rows(t, s), before)

	// What a view has begun to read stays as it was.
	see(t, s, func(x store.Tx) error {
		if _, err := x.Game("a"); err != nil {
			return err
		}
		if err := s.Update(t.Context(), func(x store.Tx) error { return change(x, "b") }); err != nil {
			return err
		}
		if _, err := x.UserNamed("b"); !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("a view sees what was written after it began: %w", err)
		}
		p, err := x.FindGames(store.GameQuery{})
		if err == nil && len(p.Games) != 1 {
			err = fmt.Errorf("a view sees %d games", len(p.Games))
		}
		return err
	})
	see(t, s, func(x store.Tx) error { _, err := x.UserNamed("b"); return err })

	// A transaction that somebody keeps is of no use.
	var kept store.Tx
	see(t, s, func(x store.Tx) error { kept = x; return nil })
	if _, err := kept.Game("a"); err == nil {
		t.Error("a transaction can be used after its end")
	}
}

func testCancelled(t *testing.T, s store.Store) {
	do(t, s, func(x store.Tx) error { return change(x, "a") })
	before := rows(t, s)
	for name, swallow := range map[string]bool{"told": false, "swallowed": true} {
		ctx, cancel := context.WithCancel(t.Context())
		err := s.Update(ctx, func(x store.Tx) error {
			if err := change(x, "b"); err != nil {
				return err
			}
			cancel()
			err := change(x, "c")
			if err == nil {
				t.Errorf("%s: a cancelled transaction still writes", name)
			}
			if swallow {
				return nil
			}
			return err
		})
		if err == nil {
			t.Errorf("%s: a cancelled transaction was acknowledged", name)
		}
		same(t, rows(t, s), before)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Update(ctx, func(x store.Tx) error { return change(x, "d") }); err == nil {
		t.Error("a transaction was begun although it was cancelled before")
	}
	if err := s.View(ctx, func(x store.Tx) error { _, err := x.Game("a"); return err }); err == nil {
		t.Error("a view was begun although it was cancelled before")
	}
	// Cancelled when all is written, but not committed.
	ctx, cancel = context.WithCancel(t.Context())
	if err := s.Update(ctx, func(x store.Tx) error { defer cancel(); return change(x, "e") }); err == nil {
		t.Error("a transaction that was cancelled before its end was acknowledged")
	}
	same(t, rows(t, s), before)
	do(t, s, func(x store.Tx) error { return change(x, "b") })
}

// together runs a function some times at the same time.
func together(t testing.TB, n int, fn func(i int)) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { fn(i) })
	}
	all.Wait()
}

// testCounters has no update lost: a value that all raise by one.
func testCounters(t *testing.T, s store.Store) {
	const writers, rounds = 8, 10
	key := store.RatingKey{Subject: "user/1", Game: "othello", Speed: "blitz"}
	together(t, writers, func(int) {
		for range rounds {
			err := s.Update(t.Context(), func(x store.Tx) error {
				r, err := x.Rating(key)
				if errors.Is(err, store.ErrNotFound) {
					r = store.Rating{Subject: key.Subject, Game: key.Game, Speed: key.Speed}
				} else if err != nil {
					return err
				}
				r.Games++
				r.Value += 0.5
				return x.SetRating(&r)
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	r := read(t, s, func(x store.Tx) (store.Rating, error) { return x.Rating(key) })
	same(t, r.Games, writers*rounds)
	same(t, r.Value, 0.5*writers*rounds)
	history := read(t, s, func(x store.Tx) ([]store.RatingPoint, error) { return x.History(key) })
	same(t, len(history), writers*rounds)
	for i, p := range history {
		same(t, p.Value, 0.5*float64(i+1))
	}
}

// testVersions has a change refused if the room was changed since it was read.
func testVersions(t *testing.T, s store.Store) {
	const writers = 6
	do(t, s, func(x store.Tx) error { return x.AddRoom(&store.Room{ID: "r"}) })
	var barrier sync.WaitGroup
	barrier.Add(writers)
	var mu sync.Mutex
	won, lost := 0, 0
	together(t, writers, func(i int) {
		var r store.Room
		err := s.View(t.Context(), func(x store.Tx) (err error) { r, err = x.Room("r"); return err })
		barrier.Done()
		if err != nil {
			t.Error(err)
			return
		}
		barrier.Wait()
		r.Owner = int64(i)
		err = s.Update(t.Context(), func(x store.Tx) error { r := r; return x.SetRoom(&r) })
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			won++
		case errors.Is(err, store.ErrConflict):
			lost++
		default:
			t.Error(err)
		}
	})
	same(t, won, 1)
	same(t, lost, writers-1)
	same(t, read(t, s, func(x store.Tx) (store.Room, error) { return x.Room("r") }).Version, int64(2))
}

// testFirstOne has one of many that want the same name, number or key.
func testFirstOne(t *testing.T, s store.Store) {
	do(t, s, func(x store.Tx) error { return x.AddTournament(&store.Tournament{ID: "t"}) })
	for name, c := range map[string]struct {
		add  func(x store.Tx, i int) error
		want error
	}{
		"user": {func(x store.Tx, i int) error { u := user([]string{"Ann", "ANN"}[i%2]); return x.AddUser(&u) }, store.ErrTaken},
		"game": {func(x store.Tx, i int) error { g := newGame("g"); return x.AddGame(&g) }, store.ErrTaken},
		"number": {func(x store.Tx, i int) error {
			g := newGame(fmt.Sprint("r", i))
			g.Room, g.Opening = "r", "same"
			return x.AddGame(&g)
		}, store.ErrTaken},
		"request": {func(x store.Tx, i int) error { return x.AddRequest(&store.Request{User: 1, Key: "k"}) }, store.ErrTaken},
		"room":    {func(x store.Tx, i int) error { return x.AddRoom(&store.Room{ID: "r"}) }, store.ErrTaken},
		"event": {func(x store.Tx, i int) error {
			return x.AddTournamentEvent("t", &store.TournamentEvent{Seq: 1, By: int64(i)})
		}, store.ErrConflict},
	} {
		var mu sync.Mutex
		won := 0
		together(t, 5, func(i int) {
			err := s.Update(t.Context(), func(x store.Tx) error { return c.add(x, i) })
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if won != 1 {
			t.Errorf("%s: %d of 5 have it", name, won)
		}
	}
}

// testMessageOrder has somebody who reads what is new and misses nothing.
func testMessageOrder(t *testing.T, s store.Store) {
	const writers, each = 4, 10
	do(t, s, func(x store.Tx) error { return x.AddRoom(&store.Room{ID: "r"}) })
	stop := make(chan struct{})
	read := make(chan int)
	go func() {
		last, n := int64(0), 0
		for ended := false; ; {
			var part []store.Message
			if err := s.View(context.WithoutCancel(t.Context()), func(x store.Tx) (err error) {
				part,
					err = x.Messages("r", nil, last, 0)
				return err
			}); err != nil {
				t.Error(err)
			}
			if len(part) > 0 {
				n += len(part)
				last = part[len(part)-1].ID
			}
			if ended {
				read <- n
				return
			}
			select {
			case <-stop:
				ended = true
			case <-time.After(time.Millisecond):
			}
		}
	}()
	together(t, writers, func(i int) {
		for range each {
			err := s.Update(t.Context(), func(x store.Tx) error {
				if err := x.AddMessage(&store.Message{Room: "r"}); err != nil {
					return err
				}
				time.Sleep(time.Duration(i) * 200 * time.Microsecond)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	close(stop)
	same(t, <-read, writers*each)
}

// testOneEnd has attempts that begin and end in each other's way.
func testOneEnd(t *testing.T, s store.Store) {
	const games = 4
	for i := range games {
		addGames(t, s, newGame(fmt.Sprint("g", i)))
	}
	var mu sync.Mutex
	ends := map[string]int{}
	together(t, 2*games, func(i int) {
		id, worker := fmt.Sprint("g", i%games), fmt.Sprint("w", i)
		attempt := 0
		err := s.Update(t.Context(), func(x store.Tx) error {
			g, err := x.Game(id)
			if err != nil {
				return err
			}
			attempt = g.Attempt + 1
			_, err = x.BeginAttempt(store.Attempt{Game: id, Attempt: attempt, Worker: worker, Now: noon()})
			return err
		})
		if err != nil && !errors.Is(err, store.ErrConflict) {
			t.Error(err)
			return
		}
		for range 2 { // a result may come twice
			ok := false
			err = s.Update(t.Context(), func(x store.Tx) (err error) {
				ok, err = x.EndAttempt(&store.Ending{Game: id, Attempt: attempt, Record: []byte(worker)})
				if err != nil || !ok {
					return err
				}
				return x.AddEntry(&store.Entry{Subject: id, Action: "end"})
			})
			if err != nil {
				t.Error(err)
			}
			if ok {
				mu.Lock()
				ends[id]++
				mu.Unlock()
			}
		}
	})
	for i := range games {
		id := fmt.Sprint("g", i)
		same(t, ends[id], 1)
		same(t, len(read(t, s, func(x store.Tx) ([]store.Entry, error) { return x.Audit(store.AuditQuery{Subject: id}) })), 1)
		same(t, at(t, s, id).State, store.Over)
	}
}

func testClosed(t *testing.T, s store.Store) {
	for _, deep := range []bool{false, true, true} {
		if err := s.Check(t.Context(), deep); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Check(ctx, false); err == nil {
		t.Error("a cancelled check found nothing wrong")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context(), false); err == nil {
		t.Error("a closed store answers")
	}
	if err := s.Update(t.Context(), func(x store.Tx) error { return change(x, "a") }); err == nil {
		t.Error("a closed store writes")
	}
	if err := s.View(t.Context(), func(x store.Tx) error { _, err := x.Engines(); return err }); err == nil {
		t.Error("a closed store reads")
	}
}
