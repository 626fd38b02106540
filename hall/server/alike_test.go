package server

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kibitz/hall/store"
)

// A name that looks like that of another account, or like one of the hall's own, is refused
// to people, to guests who stay, and to bots.
func TestLookalikes(t *testing.T) {
	s := newSite(t, nil)
	alice := s.register("alice")
	s.register("oliver")
	for _, name := range []string{"alíce", "Àlice", "alicé", "a1ice", "0liver", "0l1ver", "ålice", "ołiver", "aiice", "aIice", "ollver"} {
		c := s.client()
		a := c.do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret})
		if a.status != http.StatusConflict || !strings.Contains(a.body, "looks like") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{name}}).want(409)
		s.guest().do("POST", "/api/v1/account/claim", map[string]string{"name": name, "password": secret}).want(409)
	}
	for n := range 2 { // whose a name is, is not said wrongly
		if a := alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{"walter"}}).want(201 + 208*n); strings.Contains(a.body, "another account") {
			t.Errorf("a bot of one's own: %s", a.body)
		}
	}
	// Whichever comes first, the other one is refused.
	for _, pair := range [][2]string{{"a1do", "aldo"}, {"álex", "alex"}, {"modem", "modern"}, {"エドガ", "工ドガ"}, {"カ丸", "力丸"}, {"0tto", "Otto"}, {"bo丨t", "bolt"}} {
		s.client().do("POST", "/api/v1/account/register", map[string]string{"name": pair[0], "password": secret}).want(201)
		if a := s.client().do("POST", "/api/v1/account/register", map[string]string{"name": pair[1], "password": secret}).want(409); !strings.Contains(a.body, "looks like") {
			t.Errorf("%s: %s", pair, a.body)
		}
	}
	for _, name := range []string{"ádmin", "r00t", "suppört"} {
		if a := s.client().do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret}).want(422); !strings.Contains(a.body, "own") {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	for _, name := range []string{"jiří", "王小明", "안녕하세요", "がぎぐ", "player1", "bob2000"} {
		s.client().do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret}).want(201)
	}
}

// A guest takes a name of its own, and another one later; not that of somebody else.
func TestGuestTakesName(t *testing.T) {
	s := newSite(t, nil)
	s.register("alice")
	g := s.guest()
	rename := func(name string) answer {
		return g.do("PUT", "/api/v1/account/name", map[string]string{"name": name})
	}
	for name, want := range map[string]int{"alice": 409, "a1ice": 409, "ádmin": 422, "x": 422, "guest-abc": 422} {
		rename(name).want(want)
	}
	for _, name := range []string{"walter", "petra"} {
		rename(name).want(200)
		if a := g.do("GET", "/api/v1/account", nil).want(200); !strings.Contains(a.body, `"name":"`+name+`"`) {
			t.Errorf("renamed to %s: %s", name, a.body)
		}
	}
	s.client().do("POST", "/api/v1/account/register", map[string]string{"name": "pétra", "password": secret}).want(409)
	s.client().do("POST", "/api/v1/account/register", map[string]string{"name": "walter", "password": secret}).want(201)
	g.do("POST", "/api/v1/account/claim", map[string]string{"name": "petra", "password": secret}).want(200)
}

// Of many who want names that look the same at one time, one gets his.
func TestLookalikesAtOnce(t *testing.T) {
	s := newSite(t, nil)
	var wait sync.WaitGroup
	var got atomic.Int32
	for _, name := range []string{"lili", "1ili", "Iili", "l1li", "lílí", "liłi"} {
		c := s.client()
		wait.Go(func() {
			switch a := c.do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret}); a.status {
			case http.StatusCreated:
				got.Add(1)
			case http.StatusConflict:
			default:
				t.Errorf("%s: %d %s", name, a.status, a.body)
			}
		})
	}
	wait.Wait()
	if got.Load() != 1 {
		t.Errorf("%d of them", got.Load())
	}
}

// Accounts from before looks were kept stay, and new ones may not look like them.
func TestLookalikesFromBefore(t *testing.T) {
	s := newSite(t, nil)
	if err := s.store.Update(t.Context(), func(tx store.Tx) error {
		for _, name := range []string{"carol", "car0l", "dave"} {
			if err := tx.AddUser(&store.User{Name: name, Kind: store.Person, Role: store.PlayerRole}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.hall.KeepLooks(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cárol", "dåve"} {
		s.client().do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret}).want(409)
	}
}
