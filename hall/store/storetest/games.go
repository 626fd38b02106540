package storetest

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/store"
)

// full is a game in which every field is set.
func full(id string) store.Game {
	return store.Game{
		ID: id, Spec: "gomoku:rule=renju,size=15", Room: "room", Tournament: "cup", Index: 3, State: store.Over, Attempt: 2, Worker: "w1",
		Seats: [2]store.Seat{{Name: "Ann", User: 4}, {Name: "Bot", User: 5, Engine: "bot=3"}}, Rated: true, Speed: "blitz", Opening: "26 Kansei",
		Created: noon(), Begun: later(1), Ended: later(2), Hidden: true, Listed: true, Job: json.RawMessage(`{"seed" : "AAE="}`),
		Result: game.Result{Points: [2]float64{0.5, 0.25}, Board: [2]float64{-3, 4.5}, HasBoard: true, Reason: "five", Detail: "in one line"},
		Plies:  61, Seconds: [2]float64{1.5, 2.25}, Ruled: true, Note: "by the arbiter",
	}
}

func at(t testing.TB, s store.Store, id string) store.Game {
	t.Helper()
	return read(t, s, func(x store.Tx) (store.Game, error) { return x.Game(id) })
}

func testGames(t *testing.T, s store.Store) {
	a := full("a")
	plain := store.Game{ID: "b", State: store.Queued}
	addGames(t, s, a, plain)
	same(t, at(t, s, "a"), a)
	same(t, at(t, s, "b"), plain)
	miss(t, s, func(x store.Tx) error { _, err := x.Game("A"); return err })
	add := func(id, room, tournament string, index int) func(store.Tx) error {
		return func(x store.Tx) error {
			return x.AddGame(&store.Game{ID: id, Room: room, Tournament: tournament, Index: index, State: store.Queued})
		}
	}
	refuse(t, s, store.ErrTaken, add("a", "", "", 0))
	refuse(t, s, store.ErrTaken, add("c", "room", "", 3))
	refuse(t, s, store.ErrTaken, add("c", "", "cup", 3))
	refuse(t, s, store.ErrTaken, add("c", "room", "other", 3))
	do(t, s, add("c", "room", "other", 4))
	do(t, s, add("d", "cup", "room", 3))
	do(t, s, add("e", "", "", 0))
}

func testSetGame(t *testing.T, s store.Store) {
	g := newGame("g")
	addGames(t, s, g)
	set := full("g")
	set.State, set.Ended = store.Parked, time.Time{}
	want := g
	want.State, want.Worker, want.Rated, want.Listed, want.Job, want.Result, want.Ruled, want.Note = set.State, set.Worker, set.Rated,
		set.Listed, set.Job, set.Result, set.Ruled, set.Note
	refuse(t, s, store.ErrConflict, func(x store.Tx) error { return x.SetGame(&set, store.Running) })
	same(t, at(t, s, "g"), g)
	do(t, s, func(x store.Tx) error { return x.SetGame(&set, store.Queued) })
	same(t, at(t, s, "g"), want)
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.SetGame(&store.Game{ID: "none"}, store.Queued) })
	set.State, set.Ended = store.Over, later(7)
	do(t, s, func(x store.Tx) error { return x.SetGame(&set, store.Parked) })
	want.State, want.Ended = store.Over, later(7)
	same(t, at(t, s, "g"), want)
	set.Ended = later(8)
	do(t, s, func(x store.Tx) error { return x.SetGame(&set, store.Over) })
	same(t, at(t, s, "g"), want)

	// A game that is played again is as if it had not been played.
	end := store.Ending{
		Result: won(1, 0, "five"), Plies: 9, Seconds: [2]float64{1, 2}, Ended: later(3), Record: []byte("record"),
		Positions: []store.Position{{Key: 5}}, Consoles: [2][]byte{nil, []byte("printed")},
	}
	do(t, s, func(x store.Tx) error { return play(x, newGame("h"), end) })
	h := at(t, s, "h")
	h.State, h.Result, h.Note = store.Queued, game.Result{}, "again"
	do(t, s, func(x store.Tx) error { return x.SetGame(&h, store.Over) })
	h.Plies, h.Seconds, h.Ended = 0, [2]float64{}, time.Time{}
	same(t, at(t, s, "h"), h)
	miss(t, s, func(x store.Tx) error { _, err := x.Record("h"); return err })
	miss(t, s, func(x store.Tx) error { _, err := x.Console("h", 1); return err })
	same(t, find(t, s, store.GameQuery{Position: 5, HasPosition: true}), []string(nil))
	do(t, s, func(x store.Tx) error {
		_, err := x.BeginAttempt(store.Attempt{Game: "h", Attempt: 2, Worker: "v", Now: later(9)})
		if err != nil {
			return err
		}
		end.Game, end.Attempt, end.Record = "h", 2, []byte("second")
		_, err = x.EndAttempt(&end)
		return err
	})
	same(t, string(read(t, s, func(x store.Tx) ([]byte, error) { return x.Record("h") })), "second")
	same(t, string(read(t, s, func(x store.Tx) ([]byte, error) { return x.Console("h", 1) })), "printed")
	miss(t, s, func(x store.Tx) error { _, err := x.Console("h", 0); return err })
	same(t, find(t, s, store.GameQuery{Position: 5, HasPosition: true}), []string{"h"})
}

func testBegin(t *testing.T, s store.Store) {
	g := newGame("g")
	addGames(t, s, g)
	begin := func(n int, worker string, minutes int) (got store.Game, err error) {
		err = s.Update(t.Context(), func(x store.Tx) (err error) {
			got, err = x.BeginAttempt(store.Attempt{Game: "g", Attempt: n, Worker: worker, Now: later(minutes)})
			return err
		})
		return got, err
	}
	for i, c := range []struct {
		attempt int
		worker  string
		state   store.GameState // set before, if not empty
		want    error
	}{
		{attempt: 0, worker: "a", want: store.ErrConflict},
		{attempt: -1, worker: "a", want: store.ErrConflict},
		{attempt: 1, worker: "a"},
		{attempt: 1, worker: "a"},
		{attempt: 1, worker: "b", want: store.ErrConflict},
		{attempt: 2, worker: "b"},
		{attempt: 1, worker: "a", want: store.ErrConflict},
		{attempt: 2, worker: "b", state: store.Parked, want: store.ErrConflict},
		{attempt: 3, worker: "b"},
		{attempt: 3, worker: "b", state: store.Queued, want: store.ErrConflict},
		{attempt: 7, worker: "c"},
		{attempt: 8, worker: "c", state: store.Aborted, want: store.ErrConflict},
		{attempt: 8, worker: "c", state: store.Over, want: store.ErrConflict},
	} {
		if c.state != "" {
			do(t, s, func(x store.Tx) error {
				g, err := x.Game("g")
				if err != nil {
					return err
				}
				was := g.State
				g.State = c.state
				return x.SetGame(&g, was)
			})
		}
		before := at(t, s, "g")
		got, err := begin(c.attempt, c.worker, i)
		if c.want != nil {
			if refused(t, err, c.want); got.ID != "" {
				t.Fatalf("step %d: %v", i, got)
			}
			same(t, at(t, s, "g"), before)
			continue
		}
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		want := g
		want.State, want.Attempt, want.Worker, want.Begun = store.Running, c.attempt, c.worker, later(2)
		same(t, got, want)
		same(t, at(t, s, "g"), want)
	}
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error {
		_, err := x.BeginAttempt(store.Attempt{Game: "none", Attempt: 1})
		return err
	})
}

func testEnd(t *testing.T, s store.Store) {
	end := func(id string, attempt int, record string) bool {
		return changed(t, s, func(x store.Tx) (bool, error) {
			return x.EndAttempt(&store.Ending{
				Game: id, Attempt: attempt, Result: game.Result{
					Points: [2]float64{0, 1}, Board: [2]float64{2, 3}, HasBoard: true, Reason: game.ByTime,
					Detail: "late",
				},
				Plies: 12, Seconds: [2]float64{1.5, 2}, Ended: later(5), Record: []byte(record), Positions: []store.Position{{Key: 77, Ply: 1}},
			})
		})
	}
	begin := func(id string, attempt int) {
		do(t, s, func(x store.Tx) error {
			_, err := x.BeginAttempt(store.Attempt{Game: id, Attempt: attempt, Worker: "w", Now: later(1)})
			return err
		})
	}
	for _, id := range []string{"g", "parked", "aborted", "queued"} {
		addGames(t, s, newGame(id))
	}
	nothing := func(id string, attempt int) {
		t.Helper()
		before := at(t, s, id)
		if end(id, attempt, "late") {
			t.Fatalf("game %s: attempt %d has ended it", id, attempt)
		}
		same(t, at(t, s, id), before)
	}
	nothing("g", 0)
	nothing("g", 1)
	begin("g", 1)
	nothing("g", 2)
	begin("g", 2)
	nothing("g", 1)
	miss(t, s, func(x store.Tx) error { _, err := x.Record("g"); return err })
	if !end("g", 2, "good") {
		t.Fatal("the latest attempt has not ended the game")
	}
	want := newGame("g")
	want.State, want.Attempt, want.Begun, want.Ended, want.Plies, want.Seconds = store.Over, 2, later(1), later(5), 12, [2]float64{1.5, 2}
	want.Result = game.Result{Points: [2]float64{0, 1}, Board: [2]float64{2, 3}, HasBoard: true, Reason: game.ByTime, Detail: "late"}
	same(t, at(t, s, "g"), want)
	nothing("g", 2)
	nothing("g", 3)
	same(t, string(read(t, s, func(x store.Tx) ([]byte, error) { return x.Record("g") })), "good")
	same(t, find(t, s, store.GameQuery{Position: 77, HasPosition: true}), []string{"g"})

	for id, state := range map[string]store.GameState{"parked": store.Parked, "aborted": store.Aborted, "queued": store.Queued} {
		begin(id, 1)
		do(t, s, func(x store.Tx) error {
			g := newGame(id)
			g.State = state
			return x.SetGame(&g, store.Running)
		})
		if state != store.Parked {
			nothing(id, 1)
		} else if !end(id, 1, "parked") {
			t.Fatal("a parked game cannot be ended")
		}
	}
	if end("none", 1, "") {
		t.Fatal("a game that is not there was ended")
	}

	// A game from elsewhere.
	elsewhere := newGame("elsewhere")
	elsewhere.State, elsewhere.Begun = store.Running, time.Date(1977, 2, 3, 0, 0, 0, 0, time.UTC)
	do(t, s, func(x store.Tx) error { return x.AddGame(&elsewhere) })
	if !end("elsewhere", 0, "old") {
		t.Fatal("a game from elsewhere was not ended")
	}
	same(t, at(t, s, "elsewhere").Begun, elsewhere.Begun)
}

func testRecords(t *testing.T, s store.Store) {
	record := bytes.Repeat([]byte{0, 255, '\'', 10, 13}, 20_000)
	many := make([]store.Position, 0, 301)
	for i := range 301 {
		many = append(many, store.Position{Key: int64(i%150)*0x0123456789abcde - 1<<62, Ply: i})
	}
	do(t, s, func(x store.Tx) error {
		if err := play(x, newGame("big"), store.Ending{Record: record, Positions: many}); err != nil {
			return err
		}
		if err := play(x, newGame("bare"), store.Ending{}); err != nil {
			return err
		}
		return play(x, newGame("keys"), store.Ending{Positions: many[:3]})
	})
	got := read(t, s, func(x store.Tx) ([]byte, error) { return x.Record("big") })
	if !bytes.Equal(got, record) {
		t.Fatalf("%d bytes came back as %d others", len(record), len(got))
	}
	for _, id := range []string{"bare", "keys", "none"} {
		miss(t, s, func(x store.Tx) error { _, err := x.Record(id); return err })
	}
	for i, p := range many {
		want := []string{"big"}
		if i%150 < 3 {
			want = []string{"keys", "big"}
		}
		if i%29 == 0 || i < 5 {
			same(t, find(t, s, store.GameQuery{Position: p.Key, HasPosition: true}), want)
		}
	}
}

func testRemoveGame(t *testing.T, s store.Store) {
	g := newGame("g")
	g.Room, g.Index, g.Tournament = "r", 4, "t"
	end := store.Ending{Record: []byte("r"), Positions: []store.Position{{Key: 1}, {Key: 2}, {Key: -3}}}
	do(t, s, func(x store.Tx) error { return play(x, g, end) })
	do(t, s, func(x store.Tx) error { return play(x, newGame("other"), end) })
	for _, state := range []store.GameState{store.Queued, store.Running, store.Parked} {
		h := newGame(string(state))
		h.State = state
		addGames(t, s, h)
		refuse(t, s, store.ErrConflict, func(x store.Tx) error { return x.RemoveGame(h.ID) })
	}
	do(t, s, func(x store.Tx) error { return x.RemoveGame("g") })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.RemoveGame("g") })
	miss(t, s, func(x store.Tx) error { _, err := x.Game("g"); return err })
	miss(t, s, func(x store.Tx) error { _, err := x.Record("g"); return err })
	for _, key := range []int64{1, 2, -3} {
		same(t, find(t, s, store.GameQuery{Position: key, HasPosition: true}), []string{"other"})
	}
	// Its name and its numbers are free again, and its result does not come back.
	if changed(t, s, func(x store.Tx) (bool, error) { return x.EndAttempt(&store.Ending{Game: "g", Attempt: 1}) }) {
		t.Fatal("a removed game was ended")
	}
	addGames(t, s, g)
	aborted := newGame("aborted")
	aborted.State = store.Aborted
	addGames(t, s, aborted)
	do(t, s, func(x store.Tx) error { return x.RemoveGame("aborted") })
}
