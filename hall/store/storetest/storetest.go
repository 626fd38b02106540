// Package storetest holds every database of a hall to the contract of store.Store.
package storetest

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/hall/store"
)

// Opened returns a store that was just opened and closes it at the end of the test; an
// error of the opening ends the test.
func Opened[S io.Closer](t testing.TB, s S, err error) S {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Run holds a database to the contract, first with one caller, then with several at the
// same time. Open returns an empty store of its own each time and closes it at the end of
// the test.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	each(t, "one caller", open, []part{
		{"users", testUsers},
		{"user lists", testUserLists},
		{"tokens", testTokens},
		{"audit", testAudit},
		{"sessions", testSessions},
		{"expired", testExpired},
		{"requests", testRequests},
		{"rooms", testRooms},
		{"room lists", testRoomLists},
		{"messages", testMessages},
		{"saved", testSaved},
		{"challenges", testChallenges},
		{"games", testGames},
		{"set game", testSetGame},
		{"begin attempt", testBegin},
		{"end attempt", testEnd},
		{"records", testRecords},
		{"explore", testExplore},
		{"remove game", testRemoveGame},
		{"find", testFind},
		{"pages", testPages},
		{"tally", testTally},
		{"common position", testCommonPosition},
		{"played", testPlayed},
		{"ratings", testRatings},
		{"tournaments", testTournaments},
		{"tournament lists", testTournamentLists},
		{"tournament events", testTournamentEvents},
		{"engines", testEngines},
		{"worker tokens", testWorkerTokens},
		{"text", testText},
		{"values", testValues},
		{"long text", testLong},
		{"errors that leave a transaction", testGoOn},
		{"view", testView},
		{"closed", testClosed},
		{"model", testModel},
		{"dump", func(t *testing.T, s store.Store) { Copy(t, s, open(t)) }},
		{"load", func(t *testing.T, s store.Store) { testLoad(t, s, open) }},
	})
	each(t, "several callers", open, []part{
		{"looks", testLooks},
		{"challenges of an account", testChallengeLimit},
		{"all or nothing", testAllOrNothing},
		{"cancelled", testCancelled},
		{"counters", testCounters},
		{"versions", testVersions},
		{"first one", testFirstOne},
		{"numbers of messages", testMessageOrder},
		{"one end", testOneEnd},
	})
}

// part is a test of the contract, with a store of its own.
type part struct {
	name string
	test func(t *testing.T, s store.Store)
}

// each runs parts side by side, as tests of one name.
func each(t *testing.T, name string, open func(t *testing.T) store.Store, parts []part) {
	t.Run(name, func(t *testing.T) {
		for _, p := range parts {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.test(t, open(t))
			})
		}
	})
}

// noon is when tests take place.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC) }

func later(minutes int) time.Time { return noon().Add(time.Duration(minutes) * time.Minute) }

func do(t testing.TB, s store.Store, fn func(x store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func see(t testing.TB, s store.Store, fn func(x store.Tx) error) {
	t.Helper()
	if err := s.View(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// refuse wants that a change fails with an error and changes nothing.
func refuse(t testing.TB, s store.Store, want error, fn func(x store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); !errors.Is(err, want) {
		t.Fatalf("%v, want %v", err, want)
	}
}

// miss wants that what is read is not there.
func miss(t testing.TB, s store.Store, fn func(x store.Tx) error) {
	t.Helper()
	if err := s.View(t.Context(), fn); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("%v, want %v", err, store.ErrNotFound)
	}
}

func same(t testing.TB, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

func read[T any](t testing.TB, s store.Store, fn func(x store.Tx) (T, error)) (v T) {
	t.Helper()
	see(t, s, func(x store.Tx) (err error) {
		v, err = fn(x)
		return err
	})
	return v
}

// user returns an account that is not stored yet.
func user(name string) store.User {
	return store.User{Name: name, Kind: store.Person, Role: store.PlayerRole, Created: noon(), Seen: noon()}
}

// addUser stores an account and returns its number.
func addUser(t testing.TB, s store.Store, name string) int64 {
	t.Helper()
	u := user(name)
	do(t, s, func(x store.Tx) error { return x.AddUser(&u) })
	if u.ID <= 0 {
		t.Fatalf("a user with the number %d", u.ID)
	}
	return u.ID
}

// newGame returns a game that is not stored yet.
func newGame(id string) store.Game {
	return store.Game{
		ID: id, Spec: "othello", State: store.Queued, Speed: "blitz", Created: noon(),
		Seats: [2]store.Seat{{Name: "Ann"}, {Name: "Bob"}},
	}
}

func addGames(t testing.TB, s store.Store, list ...store.Game) {
	t.Helper()
	do(t, s, func(x store.Tx) error {
		for i := range list {
			if err := x.AddGame(&list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// play stores a game, begins and ends it.
func play(x store.Tx, g store.Game, e store.Ending) error {
	g.State = store.Queued
	if err := x.AddGame(&g); err != nil {
		return err
	}
	if _, err := x.BeginAttempt(store.Attempt{Game: g.ID, Attempt: 1, Worker: "w", Now: g.Created}); err != nil {
		return err
	}
	e.Game, e.Attempt = g.ID, 1
	if ok, err := x.EndAttempt(&e); err != nil || !ok {
		return errors.Join(err, fmt.Errorf("game %s: ended %v", g.ID, ok))
	}
	return nil
}

func won(first, second float64, reason game.Reason) game.Result {
	return game.Result{Points: [2]float64{first, second}, Reason: reason}
}
