package storetest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"kibitz/hall/store"
)

func testRooms(t *testing.T, s store.Store) {
	r := store.Room{
		ID: "r1", Name: "Room", Owner: 4, Game: "othello", Listed: true, Open: true, Created: noon(), Changed: later(1),
		State: json.RawMessage("{ \"x\":\t1.50 }\n"),
	}
	do(t, s, func(x store.Tx) error { r.Version = 0; return x.AddRoom(&r) })
	get := func() store.Room {
		return read(t, s, func(x store.Tx) (store.Room, error) { return x.Room("r1") })
	}
	same(t, r.Version, int64(1))
	same(t, get(), r)
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { return x.AddRoom(&store.Room{ID: "r1"}) })
	refuse(t, s, store.ErrConflict, func(x store.Tx) error { return x.AddRoom(&store.Room{ID: "r2", Version: 1}) })
	miss(t, s, func(x store.Tx) error { _, err := x.Room("R1"); return err })
	old := r
	r.Name, r.Owner, r.Game, r.Listed, r.Open, r.Changed, r.State = "Other", 5, "gomoku", false, false, later(2), nil
	do(t, s, func(x store.Tx) error { r.Version = 1; return x.SetRoom(&r) })
	same(t, r.Version, int64(2))
	same(t, get(), r)
	refuse(t, s, store.ErrConflict, func(x store.Tx) error { return x.SetRoom(&old) })
	same(t, old.Version, int64(1))
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.SetRoom(&store.Room{ID: "none", Version: 1}) })
	same(t, get(), r)
}

func testRoomLists(t *testing.T, s store.Store) {
	var all []store.Room
	for i := range 12 {
		r := store.Room{
			ID: fmt.Sprintf("r%02d", i), Owner: int64(i % 3), Game: []string{"othello", "gomoku"}[i%2], Listed: i%4 != 0,
			Open: i < 9, Changed: later(i / 2),
		}
		do(t, s, func(x store.Tx) error { r.Version = 0; return x.AddRoom(&r) })
		all = append([]store.Room{r}, all...)
	}
	for _, c := range []struct {
		q    store.RoomQuery
		want func(store.Room) bool
	}{
		{store.RoomQuery{}, func(store.Room) bool { return true }},
		{store.RoomQuery{Open: true}, func(r store.Room) bool { return r.Open }},
		{store.RoomQuery{Listed: true, Open: true}, func(r store.Room) bool { return r.Open && r.Listed }},
		{store.RoomQuery{Game: "gomoku"}, func(r store.Room) bool { return r.Game == "gomoku" }},
		{store.RoomQuery{Owner: 2, Listed: true}, func(r store.Room) bool { return r.Owner == 2 && r.Listed }},
		{store.RoomQuery{Before: later(3)}, func(r store.Room) bool { return r.Changed.Before(later(3)) }},
		{store.RoomQuery{Before: later(3), BeforeID: "r07"}, func(r store.Room) bool { return r.ID < "r07" }},
	} {
		var want []store.Room
		for _, r := range all {
			if c.want(r) {
				want = append(want, r)
			}
		}
		same(t, read(t, s, func(x store.Tx) ([]store.Room, error) { return x.Rooms(c.q) }), want)
	}
	var paged []store.Room
	q := store.RoomQuery{Limit: 5}
	for {
		part := read(t, s, func(x store.Tx) ([]store.Room, error) { return x.Rooms(q) })
		if len(part) == 0 {
			break
		}
		paged = append(paged, part...)
		q.Before, q.BeforeID = part[len(part)-1].Changed, part[len(part)-1].ID
	}
	same(t, paged, all)
}

func testMessages(t *testing.T, s store.Store) {
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.AddMessage(&store.Message{Room: "r"}) })
	do(t, s, func(x store.Tx) error {
		for _, id := range []string{"r", "q"} {
			if err := x.AddRoom(&store.Room{ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
	var all []store.Message
	for i := range 9 {
		m := store.Message{
			Room: []string{"r", "r", "q"}[i%3], At: later(i), User: int64(i), Name: fmt.Sprint("n", i),
			Channel: []string{"all", "players"}[i%2], Text: fmt.Sprint("text ", i),
		}
		do(t, s, func(x store.Tx) error { return x.AddMessage(&m) })
		if len(all) > 0 && m.ID <= all[len(all)-1].ID {
			t.Fatalf("number %d after %d", m.ID, all[len(all)-1].ID)
		}
		all = append(all, m)
	}
	pick := func(is ...int) (out []store.Message) {
		for _, i := range is {
			out = append(out, all[i])
		}
		return out
	}
	for _, c := range []struct {
		channels []string
		after    int64
		limit    int
		want     []store.Message
	}{
		{nil, 0, 0, pick(0, 1, 3, 4, 6, 7)},
		{nil, all[1].ID, 0, pick(3, 4, 6, 7)},
		{nil, all[1].ID, 2, pick(3, 4)},
		{nil, -1, 2, pick(6, 7)},
		{[]string{"players"}, 0, 0, pick(1, 3, 7)},
		{[]string{"players"}, -1, 2, pick(3, 7)},
		{[]string{"players", "all"}, all[6].ID, 9, pick(7)},
		{[]string{"none"}, 0, 0, nil},
		{nil, all[8].ID, 0, nil},
	} {
		same(t, read(t, s, func(x store.Tx) ([]store.Message, error) { return x.Messages("r", c.channels, c.after, c.limit) }), c.want)
	}
}

func testSaved(t *testing.T, s store.Store) {
	ann := addUser(t, s, "Ann")
	a := store.Saved{
		ID: "a", User: ann, Name: "mine", Spec: "othello:size=6", Position: "---\n-x-", Moves: []string{"d3", "\"c5\""},
		Created: noon(),
	}
	b := store.Saved{ID: "b", User: ann, Created: later(1)}
	do(t, s, func(x store.Tx) error {
		if err := x.AddSaved(&a); err != nil {
			return err
		}
		return x.AddSaved(&b)
	})
	same(t, read(t, s, func(x store.Tx) (store.Saved, error) { return x.Saved("a") }), a)
	same(t, read(t, s, func(x store.Tx) ([]store.Saved, error) { return x.SavedBy(ann) }), []store.Saved{b, a})
	same(t, read(t, s, func(x store.Tx) ([]store.Saved, error) { return x.SavedBy(9) }), []store.Saved(nil))
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { return x.AddSaved(&store.Saved{ID: "a", User: ann}) })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.AddSaved(&store.Saved{ID: "c", User: 99}) })
	do(t, s, func(x store.Tx) error { return x.RemoveSaved("a") })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.RemoveSaved("a") })
	miss(t, s, func(x store.Tx) error { _, err := x.Saved("a"); return err })
}

func testRatings(t *testing.T, s store.Store) {
	rate := func(subject, speed string, value, deviation float64, games int) store.Rating {
		r := store.Rating{
			Subject: subject, Name: "Name of " + subject, Game: "othello", Speed: speed, Value: value, Deviation: deviation, Volatility: 0.06,
			Games: games, Wins: 1, Draws: 2, Losses: 3, At: later(games), LastGame: fmt.Sprint("g", games),
		}
		do(t, s, func(x store.Tx) error { return x.SetRating(&r) })
		return r
	}
	key := store.RatingKey{Subject: "user/1", Game: "othello", Speed: "blitz"}
	miss(t, s, func(x store.Tx) error { _, err := x.Rating(key); return err })
	rate("user/1", "blitz", 1500, 350, 1)
	a := rate("user/1", "blitz", 1662.125, 290.25, 2)
	rapid := rate("user/1", "rapid", 1400, 60, 5)
	b := rate("engine/x", "blitz", 1700, 100, 3)
	c := rate("user/2", "blitz", 1700, 50, 4)
	same(t, read(t, s, func(x store.Tx) (store.Rating, error) { return x.Rating(key) }), a)
	same(t, read(t, s, func(x store.Tx) ([]store.Rating, error) { return x.RatingsOf("user/1") }), []store.Rating{a, rapid})
	lead := func(deviation float64, limit int) []store.Rating {
		return read(t, s, func(x store.Tx) ([]store.Rating, error) { return x.Leaders("othello", "blitz", deviation, limit) })
	}
	same(t, lead(1000, 0), []store.Rating{b, c, a})
	same(t, lead(100, 0), []store.Rating{b, c})
	same(t, lead(99, 0), []store.Rating{c})
	same(t, lead(1000, 1), []store.Rating{b})
	same(t, read(t, s, func(x store.Tx) ([]store.RatingPoint, error) { return x.History(key) }), []store.RatingPoint{
		{At: later(1), Game: "g1", Value: 1500, Deviation: 350}, {At: later(2), Game: "g2", Value: 1662.125, Deviation: 290.25},
	})
	same(t, read(t, s, func(x store.Tx) ([]store.RatingPoint, error) { return x.History(store.RatingKey{}) }), []store.RatingPoint(nil))
}

func testTournaments(t *testing.T, s store.Store) {
	a := store.Tournament{
		ID: "t1", Name: "Cup", Owner: 3, Game: "othello", State: store.Entering, Listed: true, Created: noon(), Changed: later(1),
		Settings: json.RawMessage(`{"rounds":7}`), Secret: []byte{0, 1, 2},
	}
	do(t, s, func(x store.Tx) error { a.Version = 0; return x.AddTournament(&a) })
	get := func() store.Tournament {
		return read(t, s, func(x store.Tx) (store.Tournament, error) { return x.Tournament("t1") })
	}
	same(t, a.Version, int64(1))
	same(t, get(), a)
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { return x.AddTournament(&store.Tournament{ID: "t1"}) })
	refuse(t, s, store.ErrConflict, func(x store.Tx) error { return x.AddTournament(&store.Tournament{ID: "t2", Version: 3}) })
	miss(t, s, func(x store.Tx) error { _, err := x.Tournament("t2"); return err })
	old := a
	a.Name, a.Owner, a.Game, a.State, a.Listed, a.Changed, a.Settings, a.Secret = "Open", 4, "gomoku", store.Finished, false, later(2), nil,
		[]byte{9}
	do(t, s, func(x store.Tx) error { a.Version = 1; return x.SetTournament(&a) })
	same(t, a.Version, int64(2))
	same(t, get(), a)
	refuse(t, s, store.ErrConflict, func(x store.Tx) error { return x.SetTournament(&old) })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.SetTournament(&store.Tournament{ID: "none"}) })
}

func testTournamentLists(t *testing.T, s store.Store) {
	states := []store.TournamentState{store.Entering, store.Ready, store.Playing, store.Paused, store.Finished, store.Cancelled}
	var all []store.Tournament
	for i := range 12 {
		a := store.Tournament{
			ID: fmt.Sprintf("t%02d", i), Owner: int64(i % 3), Game: []string{"othello", "gomoku"}[i%2], State: states[i%6],
			Listed: i%4 != 0, Created: later(i / 2),
		}
		do(t, s, func(x store.Tx) error { a.Version = 0; return x.AddTournament(&a) })
		all = append([]store.Tournament{a}, all...)
	}
	for _, c := range []struct {
		q    store.TournamentQuery
		want func(store.Tournament) bool
	}{
		{store.TournamentQuery{}, func(store.Tournament) bool { return true }},
		{store.TournamentQuery{States: states[2:4]}, func(a store.Tournament) bool {
			return a.State == store.Playing ||
				a.State == store.Paused
		}},
		{store.TournamentQuery{States: states[3:5]}, func(a store.Tournament) bool {
			return a.State == store.Paused ||
				a.State == store.Finished
		}},
		{store.TournamentQuery{Game: "gomoku", Listed: true}, func(a store.Tournament) bool { return a.Game == "gomoku" && a.Listed }},
		{store.TournamentQuery{Owner: 1}, func(a store.Tournament) bool { return a.Owner == 1 }},
		{store.TournamentQuery{Before: later(2)}, func(a store.Tournament) bool { return a.Created.Before(later(2)) }},
		{store.TournamentQuery{Before: later(2), BeforeID: "t05"}, func(a store.Tournament) bool { return a.ID < "t05" }},
	} {
		var want []store.Tournament
		for _, a := range all {
			if c.want(a) {
				want = append(want, a)
			}
		}
		same(t, read(t, s, func(x store.Tx) ([]store.Tournament, error) { return x.Tournaments(c.q) }), want)
	}
	same(t, len(read(t, s, func(x store.Tx) ([]store.Tournament, error) { return x.Tournaments(store.TournamentQuery{Limit: 4}) })), 4)
}

func testTournamentEvents(t *testing.T, s store.Store) {
	add := func(seq int64) func(x store.Tx) error {
		return func(x store.Tx) error {
			return x.AddTournamentEvent("t", &store.TournamentEvent{
				Seq: seq, At: later(int(seq)), Kind: "result", By: 2,
				Data: json.RawMessage(fmt.Sprintf(`{"n": %d}`, seq)),
			})
		}
	}
	refuse(t, s, store.ErrNotFound, add(1))
	do(t, s, func(x store.Tx) error {
		for _, id := range []string{"t", "u"} {
			if err := x.AddTournament(&store.Tournament{ID: id}); err != nil {
				return err
			}
		}
		return nil
	})
	refuse(t, s, store.ErrConflict, add(0))
	refuse(t, s, store.ErrConflict, add(2))
	do(t, s, add(1))
	refuse(t, s, store.ErrConflict, add(1))
	do(t, s, add(2))
	do(t, s, func(x store.Tx) error {
		return x.AddTournamentEvent("u", &store.TournamentEvent{Seq: 1, At: time.Time{}})
	})
	events := func(id string, after int64) []store.TournamentEvent {
		return read(t, s, func(x store.Tx) ([]store.TournamentEvent, error) {
			return x.TournamentEvents(store.TournamentEventQuery{Tournament: id, After: after})
		})
	}
	two := store.TournamentEvent{Seq: 2, At: later(2), Kind: "result", By: 2, Data: json.RawMessage(`{"n": 2}`)}
	same(t, events("t", 1), []store.TournamentEvent{two})
	same(t, len(events("t", 0)), 2)
	same(t, events("u", 0), []store.TournamentEvent{{Seq: 1}})
	same(t, events("none", 0), []store.TournamentEvent(nil))
	for seq, kind := range []string{"pause", "result", "resume", "result"} {
		do(t, s, func(x store.Tx) error {
			return x.AddTournamentEvent("t", &store.TournamentEvent{Seq: int64(seq + 3), At: later(9), Kind: kind})
		})
	}
	for _, c := range []struct {
		q    store.TournamentEventQuery
		want []int64
	}{
		{store.TournamentEventQuery{Limit: 2}, []int64{1, 2}},
		{store.TournamentEventQuery{After: 1, Before: 5, Limit: 9}, []int64{2, 3, 4}},
		{store.TournamentEventQuery{Latest: true, Limit: 2}, []int64{6, 5}},
		{store.TournamentEventQuery{Latest: true, Before: 5, Limit: 2}, []int64{4, 3}},
		{store.TournamentEventQuery{Kinds: []string{"pause", "resume"}, Latest: true}, []int64{5, 3}},
		{store.TournamentEventQuery{Kinds: []string{"none"}}, nil},
	} {
		c.q.Tournament = "t"
		var got []int64
		for _, e := range read(t, s, func(x store.Tx) ([]store.TournamentEvent, error) { return x.TournamentEvents(c.q) }) {
			got = append(got, e.Seq)
		}
		same(t, got, c.want)
	}
}

func testEngines(t *testing.T, s store.Store) {
	a := store.Engine{Name: "b", Spec: "cmd=./x proto=gtp", Hash: "abc", Games: []string{"othello", "gomoku"}, Enabled: true, Added: noon()}
	b := store.Engine{Name: "a", Games: []string{}}
	for _, e := range []store.Engine{a, b} {
		do(t, s, func(x store.Tx) error { return x.SetEngine(&e) })
	}
	same(t, read(t, s, func(x store.Tx) ([]store.Engine, error) { return x.Engines() }), []store.Engine{b, a})
	a.Spec, a.Hash, a.Games, a.Enabled, a.Added = "cmd=./y", "", nil, false, later(1)
	do(t, s, func(x store.Tx) error { return x.SetEngine(&a) })
	same(t, read(t, s, func(x store.Tx) (store.Engine, error) { return x.Engine("b") }), a)
	miss(t, s, func(x store.Tx) error { _, err := x.Engine("c"); return err })
	do(t, s, func(x store.Tx) error { return x.RemoveEngine("b") })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.RemoveEngine("b") })
	same(t, read(t, s, func(x store.Tx) ([]store.Engine, error) { return x.Engines() }), []store.Engine{b})
}
