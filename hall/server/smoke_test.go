package server

import "testing"

func TestFirstSteps(t *testing.T) {
	s := newSite(t, nil)
	admin := s.admin()
	admin.do("GET", "/api/v1/account", nil).want(200)
	alice := s.register("alice")
	bot := s.bot(alice, "alicebot")
	bot.do("GET", "/api/v1/account", nil).want(200)
	alice.do("GET", "/api/v1/admin/users", nil).want(403)
	admin.do("GET", "/api/v1/admin/users", nil).want(200)
	s.client().do("GET", "/api/v1/account", nil).want(401)
	s.client().do("GET", "/api/v1/docs", nil).want(200)
	s.client().do("GET", "/api/v1/openapi.json", nil).want(200)
	s.client().do("GET", "/readyz", nil).want(200)
}
