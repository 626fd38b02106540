package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"kibitz/hall/store"
)

func TestCheckName(t *testing.T) {
	for name, good := range map[string]bool{
		"alice": true, "Zoë": true, "a1": true, "x.y-z_2": true, "王小明": true, "みどり": true, "김철수": true, "Kibitz王": true, "Dvořák": true,
		"a": false, "": false, strings.Repeat("a", 24): true, strings.Repeat("a", 25): false, ".a": false, "a.": false, "a--b": false,
		"a b": false, "a\x00b": false, "аlice": false /* Cyrillic */, "αbc": false, "ａｂ": false /* full width */, "ﬁne": false, "a\u0301b": false,
		"a\u200bb": false, "\u202eab": false, "abみ": false, "admin": false, "Admin": false, "guest-x": false, "a/b": false, "a%b": false,
		"<b>": false, "İa": false, "ıa": false, "a\xff": false, "①②": false, "١٢": false, "a😀": false,
	} {
		if err := CheckName(name); (err == nil) != good {
			t.Errorf("%q: %v, want good %v", name, err, good)
		} else if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: more than a line: %v", name, err)
		}
	}
}

func TestPasswords(t *testing.T) {
	ctx := context.Background()
	old, err := NewHasher(Cost{64, 1, 1}, 2, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	now, err := NewHasher(Cost{128, 2, 1}, 2, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := old.Hash(ctx, "a password")
	if err != nil {
		t.Fatal(err)
	}
	if other, _ := old.Hash(ctx, "a password"); other == hash {
		t.Error("the same salt twice")
	}
	for _, tc := range []struct {
		h        *Hasher
		hash, pw string
		ok, old  bool
	}{
		{old, hash, "a password", true, false},
		{now, hash, "a password", true, true},
		{old, hash, "A password", false, false},
		{old, "", "a password", false, false},
		{old, "$argon2id$broken", "", false, false},
	} {
		ok, stale, err := tc.h.Check(ctx, tc.hash, tc.pw)
		if err != nil || ok != tc.ok || stale != tc.old {
			t.Errorf("%q %q: %v %v %v", tc.hash, tc.pw, ok, stale, err)
		}
	}
	// A vector of the reference implementation (argon2 -id -t 2 -m 16 -p 1, salt "somesalt").
	const vector = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if ok, _, err := old.Check(ctx, vector, "password"); !ok || err != nil {
		t.Errorf("vector: %v %v", ok, err)
	}
	for _, h := range []*Hasher{old, now} { // what fits nobody costs as much as what does
		if c, good := costOf(h.dummy); c != h.cost || !good {
			t.Errorf("%q costs %+v, %v", h.dummy, c, good)
		}
	}
	if old.dummy == now.dummy {
		t.Error("the same hash for nobody twice")
	}
	if _, err := NewHasher(Cost{1 << 20, 1, 1}, 1, 0); err == nil {
		t.Error("a gigabyte per password is accepted")
	}
}

func TestHasherIsBounded(t *testing.T) {
	h, err := NewHasher(Cost{64, 1, 1}, 1, 10*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	leave, err := h.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Hash(t.Context(), "x"); !errors.Is(err, ErrBusy) {
		t.Errorf("a second password at once: %v", err)
	}
	leave()
	h.wait = time.Minute
	if _, err := h.Hash(t.Context(), "x"); err != nil {
		t.Error(err)
	}
}

func TestOneTime(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	marked := markOnce("hash", now.Add(time.Hour))
	for _, tc := range []struct {
		stored string
		at     time.Time
		hash   string
		once   bool
	}{
		{"hash", now, "hash", false}, {marked, now, "hash", true}, {marked, now.Add(time.Hour), "", true}, {"once:x:hash", now, "", true}, {"once:", now, "", true}, {"", now, "", false},
	} {
		if hash, once := unmark(tc.stored, tc.at); hash != tc.hash || once != tc.once {
			t.Errorf("%q at %s: %q %v", tc.stored, tc.at, hash, once)
		}
	}
}

func TestLockTime(t *testing.T) {
	for n, want := range map[int]time.Duration{0: 0, 4: 0, 5: 30 * time.Second, 6: time.Minute, 7: 2 * time.Minute, 11: 32 * time.Minute, 12: time.Hour, 1 << 20: time.Hour} {
		if got := lockTime(n, lockAfter); got != want {
			t.Errorf("%d failures: %s, want %s", n, got, want)
		}
	}
	f := NewFailures(LoginRule(), 2)
	now := time.Unix(0, 0)
	for range addressLockAfter {
		f.Fail("a", now)
	}
	if f.Locked("a", now) != lockFirst || f.Locked("b", now) != 0 {
		t.Error("the address is not locked")
	}
	now = now.Add(2 * time.Hour)
	f.Fail("a", now)
	if f.Locked("a", now) != 0 {
		t.Error("failures of long ago count")
	}
	for i := range 100 {
		f.Fail(fmt.Sprint(i), now)
	}
	if len(f.keys) > 2 || f.order.Len() > 2 {
		t.Errorf("%d keys are remembered", len(f.keys))
	}
}

func TestLimiter(t *testing.T) {
	l := NewLimiter(2, 3, 10)
	now := time.Unix(1000, 0)
	for i, want := range []bool{true, true, true, false} {
		if _, ok := l.Allow("a", now); ok != want {
			t.Errorf("request %d: %v", i, ok)
		}
	}
	wait, ok := l.Allow("a", now)
	if ok || wait != 500*time.Millisecond {
		t.Errorf("wait %s", wait)
	}
	if _, ok := l.Allow("a", now.Add(wait)); !ok {
		t.Error("the wait was too short")
	}
	for i := range 1000 {
		l.Allow(fmt.Sprint(i), now)
	}
	if l.Len() != 10 {
		t.Errorf("%d keys are remembered", l.Len())
	}
	if _, ok := NewLimiter(-1, 0, 1).Allow("a", now); !ok {
		t.Error("no limit limits")
	}
}

// The table of roles, in full.
func TestGranted(t *testing.T) {
	person := func(r store.Role) Caller { return Caller{ID: 1, Kind: store.Person, Role: r} }
	token := func(c Caller) Caller { c.Token = true; return c }
	must := person(store.AdminRole)
	must.MustChange = true
	for _, tc := range []struct {
		name string
		c    Caller
		want string
	}{
		{"nobody", Caller{}, "look enter"},
		{"guest", Caller{ID: 1, Kind: store.Guest, Role: store.AdminRole}, "look enter self play"},
		{"player", person(store.PlayerRole), "look enter self play keep secure roster bots export organise"},
		{"a role that nobody knows", person("emperor"), "look enter self play keep secure roster bots export organise"},
		{"player's program", token(person(store.PlayerRole)), "look self play keep roster bots export organise"},
		{"bot", token(Caller{ID: 1, Kind: store.Bot, Role: store.BotRole}), "look self play keep export"},
		{"bot with a role", token(Caller{ID: 1, Kind: store.Bot, Role: store.AdminRole}), "look self play keep export"},
		{"arbiter", person(store.ArbiterRole), "look enter self play keep secure roster bots import export organise direct"},
		{"admin", person(store.AdminRole), "look enter self play keep secure roster bots import export organise direct inspect administer"},
		{"admin's program", token(person(store.AdminRole)), "look self play keep roster bots import export organise direct inspect"},
		{"admin with a one-time password", must, "look self"},
	} {
		if got := strings.Join(Granted(tc.c).Names(), " "); got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

func TestBearer(t *testing.T) {
	token, err := newSecret(bytes.NewReader(make([]byte, 64)), TokenPrefix)
	if err != nil {
		t.Fatal(err)
	}
	for head, good := range map[string]bool{
		"Bearer " + token: true, "bearer  " + token: true, "Basic " + token: false, token: false, strings.TrimSuffix("Bearer x", "x"): false, "Bearer " + token + "x": false,
		"Bearer kin_" + token[4:]: false, "Bearer " + token[:40]: false, "": false,
	} {
		if got, ok := ParseBearer(head); ok != good || ok && got != token {
			t.Errorf("%q: %q %v", head, got, ok)
		}
	}
}

// FuzzStoredHash: stored hashes that say anything are never dear to check, and fit no
// password by having no key.
func FuzzStoredHash(f *testing.F) {
	f.Add("$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	f.Add("$argon2id$v=19$m=4294967295,t=1,p=1$$")
	f.Add("$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$")
	h, err := NewHasher(Cost{64, 1, 1}, 1, time.Minute)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, good := costOf(s)
		if good && !c.ok() {
			t.Fatalf("%+v", c)
		}
		if good && (c.Memory > 64 || c.Time > 1) {
			return // would take long to try
		}
		if ok, _, err := h.Check(t.Context(), s, "a password that nobody has"); ok || err != nil {
			t.Fatalf("%q: %v, %v", s, ok, err)
		}
	})
}

// FuzzBearer: Authorization headers.
func FuzzBearer(f *testing.F) {
	f.Add("Bearer kib_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, head string) {
		if token, ok := ParseBearer(head); ok && (!strings.HasPrefix(token, TokenPrefix) || len(token) != 47) {
			t.Fatalf("%q is a token: %q", head, token)
		}
	})
}

// FuzzName: names; a good one needs no escaping anywhere.
func FuzzName(f *testing.F) {
	f.Add("alice")
	f.Add("王小明")
	f.Fuzz(func(t *testing.T, s string) {
		if CheckName(s) == nil && strings.ContainsAny(s, "\"'<>&%/\\?#;= \t\r\n\x00") {
			t.Fatalf("%q is a name", s)
		}
	})
}

// Ten wrong codes within a minute lock an address for ten minutes, fewer do not.
func TestGuesses(t *testing.T) {
	f := NewFailures(GuessRule(), 8)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for range 3 {
		for range 9 {
			f.Fail("a", now)
		}
		if d := f.Locked("a", now); d != 0 {
			t.Errorf("nine lock for %v", d)
		}
		now = now.Add(61 * time.Second)
	}
	for range 10 {
		f.Fail("a", now)
		now = now.Add(6 * time.Second)
	}
	if d := f.Locked("a", now); d != 10*time.Minute-6*time.Second {
		t.Errorf("ten lock for %v", d)
	}
	if d := f.Locked("b", now); d != 0 {
		t.Errorf("another address is locked for %v", d)
	}
	now = now.Add(10 * time.Minute)
	f.Fail("a", now)
	if d := f.Locked("a", now); d != 0 {
		t.Errorf("locked again for %v", d)
	}
}
