package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/hall/store"
)

func testUsers(t *testing.T, s store.Store) {
	a := store.User{
		Name: "Ann", Kind: store.Bot, Role: store.BotRole, Password: "$argon2id$x", Owner: 7, Created: noon(), Seen: later(1), Disabled: true,
		Failed: 3, LockedUntil: later(5), Settings: json.RawMessage(`{"b" : 1, "a":[1.0, 1e2]}`),
	}
	b := user("Bob")
	do(t, s, func(x store.Tx) error {
		if err := x.AddUser(&a); err != nil {
			return err
		}
		return x.AddUser(&b)
	})
	if a.ID == b.ID || a.ID <= 0 || b.ID <= a.ID {
		t.Fatalf("numbers %d and %d", a.ID, b.ID)
	}
	same(t, read(t, s, func(x store.Tx) (store.User, error) { return x.User(a.ID) }), a)
	same(t, read(t, s, func(x store.Tx) (store.User, error) { return x.User(b.ID) }), b)
	same(t, read(t, s, func(x store.Tx) (store.User, error) { return x.UserNamed("aNN") }), a)
	miss(t, s, func(x store.Tx) error { _, err := x.User(99); return err })
	miss(t, s, func(x store.Tx) error { _, err := x.UserNamed("Carl"); return err })
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { u := user("BOB"); return x.AddUser(&u) })

	a.Name, a.Kind, a.Role, a.Password, a.Owner, a.Seen, a.Disabled, a.Failed, a.LockedUntil, a.Settings = "ANN", store.Person,
		store.AdminRole, "", 0, later(9), false, 0, time.Time{}, nil
	changed := a
	changed.Created = later(99)
	do(t, s, func(x store.Tx) error { return x.SetUser(&changed) })
	same(t, read(t, s, func(x store.Tx) (store.User, error) { return x.UserNamed("ann") }), a)
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { a.Name = "boB"; return x.SetUser(&a) })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { u := user("Dora"); u.ID = 99; return x.SetUser(&u) })
	same(t, read(t, s, func(x store.Tx) (store.User, error) { return x.User(a.ID) }).Name, "ANN")
}

// No two accounts look the same, whichever came first, also when they come at the same time.
func testLooks(t *testing.T, s store.Store) {
	a, b, guest := user("alice"), user("a1ice"), user("guest")
	guest.Kind = store.Guest
	do(t, s, func(x store.Tx) error {
		for _, u := range []*store.User{&a, &b, &guest} {
			if err := x.AddUser(u); err != nil {
				return err
			}
		}
		return nil
	})
	unlooked := func(after int64, limit int) (out []string) {
		for _, u := range read(t, s, func(x store.Tx) ([]store.User, error) { return x.Unlooked(after, limit) }) {
			out = append(out, u.Name)
		}
		return out
	}
	same(t, unlooked(0, 9), []string{"alice", "a1ice"})
	same(t, unlooked(0, 1), []string{"alice"})
	same(t, unlooked(a.ID, 9), []string{"a1ice"})
	do(t, s, func(x store.Tx) error { return x.SetLook(b.ID, "allce") })
	do(t, s, func(x store.Tx) error { return x.SetLook(b.ID, "allce") })
	same(t, unlooked(0, 9), []string{"alice"})
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { return x.SetLook(a.ID, "allce") })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.SetLook(99, "new") })
	same(t, read(t, s, func(x store.Tx) (store.User, error) { return x.UserLooking("allce") }).Name, "a1ice")
	miss(t, s, func(x store.Tx) error { _, err := x.UserLooking("other"); return err })
	do(t, s, func(x store.Tx) error { return x.SetLook(b.ID, "other") })
	do(t, s, func(x store.Tx) error { return x.SetLook(a.ID, "allce") })
	same(t, read(t, s, func(x store.Tx) (store.User, error) { return x.UserLooking("allce") }).Name, "alice")

	var wait sync.WaitGroup
	var added atomic.Int32
	for i := range 8 {
		wait.Go(func() {
			u := user(fmt.Sprint("twin", i))
			err := s.Update(t.Context(), func(x store.Tx) error {
				if err := x.AddUser(&u); err != nil {
					return err
				}
				return x.SetLook(u.ID, "twln")
			})
			if err == nil {
				added.Add(1)
			} else if !errors.Is(err, store.ErrTaken) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := added.Load(); n != 1 {
		t.Errorf("%d accounts look the same", n)
	}
}

func testUserLists(t *testing.T, s store.Store) {
	names := []string{"ann", "Anna", "bob", "Ångström", "an%", "an_", "zoë", "Zoé"}
	for i, n := range names {
		u := user(n)
		if i%2 == 1 {
			u.Kind, u.Owner = store.Bot, 5
		}
		do(t, s, func(x store.Tx) error { return x.AddUser(&u) })
	}
	list := func(q store.UserQuery) (out []string) {
		for _, u := range read(t, s, func(x store.Tx) ([]store.User, error) { return x.Users(q) }) {
			out = append(out, u.Name)
		}
		return out
	}
	same(t, list(store.UserQuery{}), []string{"an%", "an_", "ann", "Anna", "bob", "Zoé", "zoë", "Ångström"})
	same(t, list(store.UserQuery{Prefix: "AN"}), []string{"an%", "an_", "ann", "Anna"})
	same(t, list(store.UserQuery{Prefix: "an%"}), []string{"an%"})
	same(t, list(store.UserQuery{Prefix: "åNG"}), []string{"Ångström"})
	same(t, list(store.UserQuery{Prefix: "x"}), []string(nil))
	same(t, list(store.UserQuery{Kind: store.Bot}), []string{"an_", "Anna", "Zoé", "Ångström"})
	same(t, list(store.UserQuery{Owner: 5, Prefix: "a"}), []string{"an_", "Anna"})
	same(t, list(store.UserQuery{Limit: 2}), []string{"an%", "an_"})
	same(t, list(store.UserQuery{Limit: 2, After: "AN_"}), []string{"ann", "Anna"})
	same(t, list(store.UserQuery{After: "ZOË"}), []string{"Ångström"})
}

func testTokens(t *testing.T, s store.Store) {
	ann, bob := addUser(t, s, "Ann"), addUser(t, s, "Bob")
	k := store.Token{User: ann, Name: "laptop", Hash: []byte{0, 1, 255}, Created: noon(), Expires: later(60)}
	l := store.Token{User: ann, Name: "laptop", Hash: []byte{0, 1, 254}, Created: noon()}
	do(t, s, func(x store.Tx) error {
		if err := x.AddToken(&k); err != nil {
			return err
		}
		return x.AddToken(&l)
	})
	same(t, read(t, s, func(x store.Tx) (store.Token, error) { return x.TokenHashed([]byte{0, 1, 255}) }), k)
	same(t, read(t, s, func(x store.Tx) ([]store.Token, error) { return x.Tokens(ann) }), []store.Token{k, l})
	same(t, read(t, s, func(x store.Tx) ([]store.Token, error) { return x.Tokens(bob) }), []store.Token(nil))
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { return x.AddToken(&store.Token{User: bob, Hash: k.Hash}) })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.AddToken(&store.Token{User: 99, Hash: []byte("x")}) })
	do(t, s, func(x store.Tx) error { return x.TouchToken(k.ID, later(3)) })
	k.Used = later(3)
	same(t, read(t, s, func(x store.Tx) ([]store.Token, error) { return x.Tokens(ann) }), []store.Token{k, l})
	do(t, s, func(x store.Tx) error { return x.RemoveToken(k.ID) })
	miss(t, s, func(x store.Tx) error { _, err := x.TokenHashed(k.Hash); return err })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.RemoveToken(k.ID) })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.TouchToken(k.ID, noon()) })
}

func testAudit(t *testing.T, s store.Store) {
	var all []store.Entry
	do(t, s, func(x store.Tx) error {
		all = nil
		for i := range 10 {
			e := store.Entry{
				At: later(i), Actor: int64(i % 3), Action: []string{"login", "logout"}[i%2], Subject: fmt.Sprint("user ", i%4),
				Detail: fmt.Sprint("detail ", i), From: "[::1]:80",
			}
			if err := x.AddEntry(&e); err != nil {
				return err
			}
			all = append([]store.Entry{e}, all...)
		}
		return nil
	})
	for _, c := range []struct {
		q    store.AuditQuery
		want func(e store.Entry) bool
		most int
	}{
		{store.AuditQuery{}, func(store.Entry) bool { return true }, 99},
		{store.AuditQuery{Actor: 2}, func(e store.Entry) bool { return e.Actor == 2 }, 99},
		{store.AuditQuery{Action: "login"}, func(e store.Entry) bool { return e.Action == "login" }, 99},
		{store.AuditQuery{Subject: "user 3"}, func(e store.Entry) bool { return e.Subject == "user 3" }, 99},
		{store.AuditQuery{Actor: 1, Action: "logout", Subject: "user 3"}, func(e store.Entry) bool {
			return e.Actor == 1 &&
				e.Action == "logout" && e.Subject == "user 3"
		}, 99},
		{store.AuditQuery{Limit: 3}, func(store.Entry) bool { return true }, 3},
		{store.AuditQuery{Limit: 3, Before: all[2].ID}, func(e store.Entry) bool { return e.ID < all[2].ID }, 3},
	} {
		var want []store.Entry
		for _, e := range all {
			if c.want(e) && len(want) < c.most {
				want = append(want, e)
			}
		}
		same(t, read(t, s, func(x store.Tx) ([]store.Entry, error) { return x.Audit(c.q) }), want)
	}
}

func testSessions(t *testing.T, s store.Store) {
	set := func(hash string, user int64, data string, expires time.Time) {
		do(t, s, func(x store.Tx) error { return x.SetSession([]byte(hash), user, []byte(data), expires) })
	}
	get := func(hash string, now time.Time) string {
		return string(read(t, s, func(x store.Tx) ([]byte, error) { return x.Session([]byte(hash), now) }))
	}
	gone := func(hash string, now time.Time) {
		t.Helper()
		miss(t, s, func(x store.Tx) error { _, err := x.Session([]byte(hash), now); return err })
	}
	set("a", 0, "one\x00\xff", later(10))
	same(t, get("a", later(9)), "one\x00\xff")
	gone("a", later(10))
	gone("b", noon())
	set("a", 1, "two", later(20))
	same(t, get("a", later(10)), "two")
	set("b", 1, "b", later(20))
	set("c", 1, "", later(20))
	set("d", 2, "d", later(20))
	set("e", 0, "e", later(20))
	do(t, s, func(x store.Tx) error { return x.RemoveSessionsOf(1, []byte("b")) })
	gone("a", noon())
	gone("c", noon())
	same(t, get("b", noon())+get("d", noon())+get("e", noon()), "bde")
	do(t, s, func(x store.Tx) error { return x.RemoveSessionsOf(1, nil) })
	do(t, s, func(x store.Tx) error { return x.RemoveSessionsOf(0, nil) })
	gone("b", noon())
	same(t, get("d", noon())+get("e", noon()), "de")
	do(t, s, func(x store.Tx) error { return x.RemoveSession([]byte("d")) })
	do(t, s, func(x store.Tx) error { return x.RemoveSession([]byte("d")) })
	gone("d", noon())
}

func testExpired(t *testing.T, s store.Store) {
	ids := map[string]int64{}
	now := noon().Add(2 * store.GuestStay)
	for _, name := range []string{"idle", "young", "seen", "session", "first", "second", "room", "closed", "person"} {
		u := user(name)
		u.Kind = store.Guest
		switch name {
		case "young":
			u.Created = now
		case "seen":
			u.Seen = now
		case "person":
			u.Kind = store.Person
		}
		do(t, s, func(x store.Tx) error { return x.AddUser(&u) })
		ids[name] = u.ID
	}
	g, h := newGame("g"), newGame("h")
	g.Seats[0].User, h.Seats[1].User = ids["first"], ids["second"]
	addGames(t, s, g, h)
	do(t, s, func(x store.Tx) error {
		for _, r := range []store.Room{{ID: "r", Owner: ids["room"], Open: true}, {ID: "c", Owner: ids["closed"]}} {
			if err := x.AddRoom(&r); err != nil {
				return err
			}
		}
		if err := x.SetSession([]byte("living"), ids["session"], nil, now.Add(1)); err != nil {
			return err
		}
		if err := x.SetSession([]byte("dead"), ids["idle"], nil, now); err != nil {
			return err
		}
		for _, r := range []store.Request{{Key: "dead", Expires: now}, {Key: "living", Expires: now.Add(time.Microsecond)}} {
			if err := x.AddRequest(&r); err != nil {
				return err
			}
		}
		for i, code := range []string{"dead", "living"} {
			c := store.Challenge{Code: code, Owner: ids["person"], Expires: now.Add(-store.ChallengeStay + time.Duration(i)*time.Microsecond)}
			if err := x.AddChallenge(&c, 1); err != nil {
				return err
			}
		}
		return x.SetSession([]byte("living"), ids["session"], nil, now.Add(time.Microsecond))
	})
	var n int
	do(t, s, func(x store.Tx) (err error) { n, err = x.RemoveExpired(now); return err })
	same(t, n, 5)
	miss(t, s, func(x store.Tx) error { _, err := x.Challenge("dead"); return err })
	see(t, s, func(x store.Tx) error { _, err := x.Challenge("living"); return err })
	for name, id := range ids {
		err := s.View(t.Context(), func(x store.Tx) error { _, err := x.User(id); return err })
		if gone := err != nil; gone != (name == "idle" || name == "closed") {
			t.Errorf("guest %q: %v", name, err)
		}
	}
	miss(t, s, func(x store.Tx) error { _, err := x.Request(0, "dead"); return err })
	see(t, s, func(x store.Tx) error { _, err := x.Request(0, "living"); return err })
	see(t, s, func(x store.Tx) error { _, err := x.Session([]byte("living"), now); return err })
}

func testRequests(t *testing.T, s store.Store) {
	r := store.Request{User: 1, Key: "k", Hash: []byte{1, 0}, Expires: later(1)}
	do(t, s, func(x store.Tx) error { return x.AddRequest(&r) })
	get := func() store.Request {
		return read(t, s, func(x store.Tx) (store.Request, error) { return x.Request(1, "k") })
	}
	same(t, get(), r)
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { return x.AddRequest(&r) })
	do(t, s, func(x store.Tx) error { return x.AddRequest(&store.Request{User: 2, Key: "k"}) })
	r.Status, r.Header, r.Body, r.Expires, r.Hash = 201, json.RawMessage(`{"X":["y"]}`), []byte("body\x00"), later(2), []byte{2}
	do(t, s, func(x store.Tx) error { return x.SetRequest(&r) })
	same(t, get(), r)
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.SetRequest(&store.Request{User: 1, Key: "other"}) })
	miss(t, s, func(x store.Tx) error { _, err := x.Request(1, "K"); return err })
	do(t, s, func(x store.Tx) error { return x.RemoveRequest(1, "k") })
	do(t, s, func(x store.Tx) error { return x.RemoveRequest(1, "k") })
	miss(t, s, func(x store.Tx) error { _, err := x.Request(1, "k"); return err })
	see(t, s, func(x store.Tx) error { _, err := x.Request(2, "k"); return err })
}
