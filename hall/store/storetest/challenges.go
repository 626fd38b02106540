package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/hall/store"
)

func testChallenges(t *testing.T, s store.Store) {
	ann, bob := addUser(t, s, "Ann"), addUser(t, s, "Bob")
	challenge := func(code string, owner int64, created time.Time) store.Challenge {
		return store.Challenge{
			Code: code, Owner: owner, Open: true, Created: created, Expires: created.Add(time.Hour), State: json.RawMessage(`{"x": 1}`),
		}
	}
	a, b := challenge("a", ann, noon()), challenge("b", ann, later(1))
	for _, c := range []*store.Challenge{&a, &b} {
		do(t, s, func(x store.Tx) error { c.Version = 0; return x.AddChallenge(c, 2) })
	}
	get := func(code string) store.Challenge {
		return read(t, s, func(x store.Tx) (store.Challenge, error) { return x.Challenge(code) })
	}
	open := func(owner int64, now time.Time) []store.Challenge {
		return read(t, s, func(x store.Tx) ([]store.Challenge, error) { return x.OpenChallenges(owner, now) })
	}
	same(t, a.Version, int64(1))
	same(t, get("a"), a)
	miss(t, s, func(x store.Tx) error { _, err := x.Challenge("A"); return err })
	same(t, open(ann, later(2)), []store.Challenge{b, a})
	same(t, open(ann, noon().Add(time.Hour)), []store.Challenge{b})
	same(t, open(bob, noon()), []store.Challenge(nil))
	asked := challenge("asked", bob, noon())
	asked.Asked = ann
	do(t, s, func(x store.Tx) error { asked.Version = 0; return x.AddChallenge(&asked, 1) })
	of := func(user int64, now time.Time) []store.Challenge {
		return read(t, s, func(x store.Tx) ([]store.Challenge, error) { return x.AskedChallenges(user, now) })
	}
	same(t, of(ann, noon()), []store.Challenge{asked})
	same(t, of(ann, noon().Add(time.Hour)), []store.Challenge(nil))
	same(t, of(bob, noon()), []store.Challenge(nil))
	asked.Open = false
	do(t, s, func(x store.Tx) error { asked.Version = 1; return x.SetChallenge(&asked) })
	same(t, of(ann, noon()), []store.Challenge(nil))
	add := func(c store.Challenge, most int) func(x store.Tx) error {
		return func(x store.Tx) error { return x.AddChallenge(&c, most) }
	}
	refuse(t, s, store.ErrConflict, add(challenge("c", ann, later(2)), 2))
	refuse(t, s, store.ErrTaken, add(challenge("a", bob, later(2)), 1))
	refuse(t, s, store.ErrNotFound, add(challenge("c", 99, later(2)), 1))
	do(t, s, add(challenge("c", ann, noon().Add(time.Hour)), 2)) // a has expired

	old := a
	a.Open, a.Room, a.State = false, "r", []byte(`{"over":true}`)
	do(t, s, func(x store.Tx) error { a.Version = 1; return x.SetChallenge(&a) })
	same(t, get("a"), a)
	same(t, open(ann, noon()), []store.Challenge{get("c"), b})
	refuse(t, s, store.ErrConflict, func(x store.Tx) error { return x.SetChallenge(&old) })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.SetChallenge(&store.Challenge{Code: "none", Version: 1}) })
}

// testChallengeLimit has an account add more than it may at once.
func testChallengeLimit(t *testing.T, s store.Store) {
	ann := addUser(t, s, "Ann")
	var added atomic.Int64
	together(t, 8, func(i int) {
		err := s.Update(t.Context(), func(x store.Tx) error {
			return x.AddChallenge(&store.Challenge{Code: fmt.Sprint("c", i), Owner: ann, Open: true, Created: noon(), Expires: later(1)}, 3)
		})
		switch {
		case err == nil:
			added.Add(1)
		case !errors.Is(err, store.ErrConflict):
			t.Error(err)
		}
	})
	same(t, int(added.Load()), 3)
}
