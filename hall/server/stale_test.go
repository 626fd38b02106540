package server

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

// stale is a caller that was somebody once, and what it is now.
type stale struct {
	name string
	*client
	// refused tells that it is refused everywhere, as a bad token is; else it is nobody.
	refused bool
}

// stales returns callers whose sessions and tokens are good no more.
func (s *testHall) stales(boss *client) []stale {
	s.t.Helper()
	set := func(c *client, change map[string]any) {
		boss.do("PATCH", fmt.Sprintf("/api/v1/admin/users/%d", c.id), change).want(200)
	}
	// Each was an admin, and so could do nearly everything.
	was := func(name string) *client {
		c := s.register(name)
		s.setRole(boss, c, "admin")
		return c
	}
	// Sessions that the store still has must not count either: of a disabled account, and
	// of an account whose password was changed behind the service's back.
	disabled, changed, out, ended, reset := was("disabled"), was("changed"), was("loggedout"), was("ended"), was("reset")
	for _, c := range []*client{disabled, changed} {
		err := s.store.Update(s.t.Context(), func(tx store.Tx) error {
			u, err := tx.User(c.id)
			if err != nil {
				return err
			}
			if c == disabled {
				u.Disabled = true
			} else {
				u.Password = ""
			}
			return tx.SetUser(&u)
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	kept := map[string]string{}
	maps.Copy(kept, out.cookie)
	out.do("POST", "/api/v1/account/logout", nil).want(204)
	out.cookie = kept
	again := s.client()
	again.do("POST", "/api/v1/account/login", map[string]string{"name": "ended", "password": secret}).want(200)
	again.do("POST", "/api/v1/account/end-other-sessions", nil).want(204)
	boss.do("POST", fmt.Sprintf("/api/v1/admin/users/%d/reset-password", reset.id), nil).want(200)
	forged := s.client()
	forged.cookie["kibitz"] = "c2Vzc2lvbiBvZiBub2JvZHkgYXQgYWxsLCBub25lIQ"

	offToken, lateToken, revoked := s.program(was("offtoken")), s.client(), s.client()
	set(offToken, map[string]any{"disabled": true})
	late := was("late")
	var tok tokenView
	late.do("POST", "/api/v1/account/tokens", map[string]any{"name": "t", "days": 1}).want(201).into(&tok)
	lateToken.token = tok.Token
	gone := was("gone")
	gone.do("POST", "/api/v1/account/tokens", map[string]any{"name": "t"}).want(201).into(&tok)
	revoked.token = tok.Token
	gone.do("DELETE", fmt.Sprintf("/api/v1/account/tokens/%d", tok.ID), nil).want(204)
	keeper := was("keeper")
	ownerOff := s.bot(keeper, "keptbot")
	set(keeper, map[string]any{"disabled": true})
	made := s.client()
	made.token = "kib_" + strings.Repeat("A", 43)
	basic := s.client()
	basic.head["Authorization"] = "Basic YWRtaW46YWRtaW4="
	return []stale{
		{"session of a disabled account", disabled, false},
		{"session under another password", changed, false},
		{"session after logout", out, false},
		{"session that was ended elsewhere", ended, false},
		{"session before a reset", reset, false},
		{"session that nobody has opened", forged, false},
		{"token of a disabled account", offToken, true},
		{"token that has expired", lateToken, true},
		{"token that was revoked", revoked, true},
		{"token of a bot whose owner is disabled", ownerOff, true},
		{"token that nobody has made", made, true},
		{"basic authorization", basic, true},
	}
}

// route returns a route by its pattern.
func (h *house) route(pattern string) router.Route {
	for _, r := range h.hall.router.Routes() {
		if r.Pattern() == pattern {
			return r
		}
	}
	return router.Route{}
}

// lets reports whether the request of a row makes somebody of whoever sends it, or is good
// for one sender alone.
func (h *house) lets(r *row) bool {
	return strings.HasSuffix(r.route, "/accept") || h.route(r.route).Need&auth.Enter != 0 && r.want[anon] < 400 && !strings.HasPrefix(r.route, "GET ")
}

// Whoever is not good any more is nobody, on every route; a token that is not good is
// refused even where none is needed.
func TestRoutesByTheStale(t *testing.T) {
	h := newHouse(t, build{idle: true})
	boss := h.admin()
	h.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1}, `{"game":"over1"}`)
	c := h.assemble(0, boss)
	list := h.stales(boss)
	expired := h.register("expired")
	h.setRole(boss, expired, "admin")
	list = append(list, stale{"session that has expired", expired, false})
	mine := map[string]string{}
	h.later(25 * time.Hour)
	rows := coreRows()
	for i := range rows {
		r := &rows[i]
		if h.lets(r) {
			continue // whoever logs in is somebody
		}
		for _, who := range list {
			if who.name == "session that has expired" {
				continue
			}
			want := r.want[anon]
			if who.refused && r.route != "GET /assets/" { // scripts and styles ask nobody who he is
				want = 401
			}
			maps.Copy(mine, who.cookie)
			if a := r.asked(c, who.client); a.status != want {
				t.Errorf("%s by a %s: %d, want %d: %s", r.route, who.name, a.status, want, a.body)
			}
			for k := range mine { // a route may take the cookie back
				who.cookie[k] = mine[k]
			}
			clear(mine)
		}
	}
	h.later(31 * 24 * time.Hour)
	for i := range rows {
		r := &rows[i]
		if h.lets(r) {
			continue
		}
		cookie := maps.Clone(expired.cookie)
		a := r.asked(c, expired)
		expired.cookie = cookie // a page may make a guest of whoever is nobody
		if a.status != r.want[anon] {
			t.Errorf("%s by a session that has expired: %d, want %d: %s", r.route, a.status, r.want[anon], a.body)
		}
	}
}

// Whoever has a password that an admin set may do nothing but change it and log out,
// and look at what everybody may see.
func TestRoutesBeforeThePasswordIsChanged(t *testing.T) {
	h := newHouse(t, build{idle: true})
	boss := h.admin()
	h.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1}, `{"game":"over1"}`)
	c := h.assemble(0, boss)
	who := h.register("forgetful")
	h.setRole(boss, who, "admin")
	var p onePassword
	boss.do("POST", fmt.Sprintf("/api/v1/admin/users/%d/reset-password", who.id), nil).want(200).into(&p)
	who.do("POST", "/api/v1/account/login", map[string]string{"name": "forgetful", "password": p.Password}).want(200)
	rows := coreRows()
	for i := range rows {
		r := &rows[i]
		need := h.route(r.route).Need
		if need&^(auth.Look|auth.Self) == 0 {
			if need&auth.Self != 0 || !strings.HasPrefix(r.route, "GET ") || r.route == "GET /metrics" {
				continue // what it may do is done below
			}
			if a := r.asked(c, who); a.status != r.want[anon] {
				t.Errorf("%s: %d, want what everybody gets, %d: %.300s", r.route, a.status, r.want[anon], a.body)
			}
			continue
		}
		a := r.asked(c, who)
		if api := strings.Contains(r.route, "/api/"); a.status != 403 || api && a.code() != "must-change-password" {
			t.Errorf("%s: %d, want 403: %.300s", r.route, a.status, a.body)
		}
	}
	who.do("GET", "/metrics", nil).want(403)
	who.do("GET", "/api/v1/account", nil).want(200)
	who.do("POST", "/api/v1/account/password", map[string]string{"old": p.Password, "new": secret}).want(204)
	who.do("GET", "/api/v1/admin/users", nil).want(200)
}
