package server

import (
	"net/http"
	"strings"
	"testing"
)

// A name that looks like that of another account, or like one of the hall's own, is refused
// to people, to guests who stay, and to bots.
func TestLookalikes(t *testing.T) {
	s := newSite(t, nil)
	alice := s.register("alice")
	s.register("oliver")
	for _, name := range []string{"alíce", "Àlice", "alicé", "a1ice", "0liver", "0l1ver", "ålice", "ołiver"} {
		c := s.client()
		a := c.do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret})
		if a.status != http.StatusConflict || !strings.Contains(a.body, "looks like") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		alice.do("POST", "/api/v1/bots", map[string]any{"names": []string{name}}).want(409)
		s.guest().do("POST", "/api/v1/account/claim", map[string]string{"name": name, "password": secret}).want(409)
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
