package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"kibitz/hall/admin"
	"kibitz/hall/auth"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/hall/web"
)

// A session that somebody else chose or knew before login is worth nothing after it.
func TestSessionFixation(t *testing.T) {
	s := newSite(t, nil)
	c := s.client()
	c.cookie["kibitz"] = "chosen-by-another"
	c.do("POST", "/api/v1/account/guest", nil).want(201)
	asGuest := c.cookie["kibitz"]
	if asGuest == "chosen-by-another" || asGuest == "" {
		t.Fatalf("the session has the token that was brought: %q", asGuest)
	}
	c.do("POST", "/api/v1/account/claim", map[string]string{"name": "alice", "password": secret}).want(200)
	if c.cookie["kibitz"] == asGuest {
		t.Error("becoming an account keeps the session's token")
	}
	thief := s.client()
	thief.cookie["kibitz"] = asGuest
	thief.do("GET", "/api/v1/account", nil).want(401)
	before := c.cookie["kibitz"]
	c.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": secret}).want(200)
	if c.cookie["kibitz"] == before {
		t.Error("login keeps the session's token")
	}
	thief.cookie["kibitz"] = before
	thief.do("GET", "/api/v1/account", nil).want(401)
	after := c.cookie["kibitz"]
	c.do("POST", "/api/v1/account/logout", nil).want(204)
	thief.cookie["kibitz"] = after
	thief.do("GET", "/api/v1/account", nil).want(401)
}

func TestCookie(t *testing.T) {
	for _, secure := range []bool{false, true} {
		s := newSite(t, func(c *Config) { c.Secure = secure })
		a := s.client().do("POST", "/api/v1/account/guest", nil).want(201)
		got := a.head.Get("Set-Cookie")
		for _, word := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
			if !strings.Contains(got, word) {
				t.Errorf("secure %v: cookie without %s: %s", secure, word, got)
			}
		}
		if strings.Contains(got, "Secure") != secure || strings.HasPrefix(got, "__Host-kibitz=") != secure || strings.Contains(got, "Domain") {
			t.Errorf("secure %v: %s", secure, got)
		}
	}
}

func TestCrossSite(t *testing.T) {
	s := newSite(t, func(c *Config) { c.Options.Origins = []string{"https://board.example"} })
	c := s.register("alice")
	for _, tc := range []struct {
		head map[string]string
		want int
	}{
		{map[string]string{"Origin": "https://evil.example"}, 403},
		{map[string]string{"Origin": "null"}, 403},
		{map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{map[string]string{"Sec-Fetch-Site": "same-origin"}, 204},
		{map[string]string{"Origin": "http://hall.example"}, 204},
		{map[string]string{"Origin": "https://board.example", "Sec-Fetch-Site": "cross-site"}, 204},
		{map[string]string{}, 204},
	} {
		c.head = tc.head
		c.do("PUT", "/api/v1/account/settings", map[string]any{"a": 1}).want(tc.want)
		if a := c.do("POST", "/api/v1/account/end-other-sessions", nil).want(tc.want); tc.want == 403 && a.code() != "cross-origin" {
			t.Errorf("%v: code %q", tc.head, a.code())
		}
	}
	// A form of another page cannot pass for JSON either.
	c.head = map[string]string{"Content-Type": "text/plain"}
	c.do("PUT", "/api/v1/account/settings", `{"a":1}`).want(415)
}

// Nobody learns from a login whether there is an account.
func TestEnumeration(t *testing.T) {
	s := newSite(t, nil)
	boss := s.admin()
	s.register("alice")
	gone := s.register("gone")
	boss.do("PATCH", fmt.Sprintf("/api/v1/admin/users/%d", gone.id), map[string]any{"disabled": true}).want(200)
	s.bot(boss, "robot")
	guest := s.guest()
	var me accountView
	guest.do("GET", "/api/v1/account", nil).want(200).into(&me)
	told := func(name, password string) string {
		a := s.client().do("POST", "/api/v1/account/login", map[string]string{"name": name, "password": password}).want(401)
		if a.head.Get("Retry-After") != "" || a.head.Get("Set-Cookie") != "" {
			t.Errorf("%s: headers %v", name, a.head)
		}
		body, _, _ := strings.Cut(a.body, `"instance"`)
		return body
	}
	want := told("nobody-here", "wrong password")
	for range 8 { // past the lock
		if got := told("alice", "wrong password"); got != want {
			t.Fatalf("alice: %s\nnobody: %s", got, want)
		}
	}
	for name, password := range map[string]string{"alice": secret, "gone": secret, "robot": "wrong password", me.Name: "", "admin' OR 1=1 --": "x", "": ""} {
		if got := told(name, password); got != want {
			t.Errorf("%s: %s\nnobody: %s", name, got, want)
		}
	}
}

func TestLockout(t *testing.T) {
	s := newSite(t, nil)
	boss := s.admin()
	alice := s.register("alice")
	try := func(from, password string) int {
		c := s.client()
		c.from = from
		return c.do("POST", "/api/v1/account/login", map[string]string{"name": "Alice", "password": password}).status
	}
	for range 5 {
		try("192.0.2.7:1", "wrong wrong")
	}
	if got := try("192.0.2.8:1", secret); got != 401 {
		t.Errorf("the right password counts while the account is locked: %d", got)
	}
	alice.do("GET", "/api/v1/account", nil).want(200) // sessions go on
	s.later(31 * time.Second)
	if got := try("192.0.2.8:1", "wrong wrong"); got != 401 {
		t.Fatal(got)
	}
	s.later(31 * time.Second)
	if got := try("192.0.2.8:1", secret); got != 401 {
		t.Errorf("the second lock is no longer than the first: %d", got)
	}
	s.later(30 * time.Second)
	if got := try("192.0.2.8:1", secret); got != 200 {
		t.Errorf("the right password after the lock: %d", got)
	}
	for range 5 {
		try("192.0.2.7:1", "wrong wrong")
	}
	if got := try("192.0.2.8:1", secret); got != 200 { // where the account has logged in before
		t.Errorf("the owner is locked out by somebody else: %d", got)
	}
	if got := try("192.0.2.10:1", secret); got != 401 {
		t.Errorf("the owner's login elsewhere has ended the lock: %d", got)
	}
	const fresh = "another long enough password"
	alice.do("POST", "/api/v1/account/password", map[string]string{"old": secret, "new": fresh}).want(204)
	for range 5 {
		try("192.0.2.7:1", "wrong wrong")
	}
	boss.do("POST", fmt.Sprintf("/api/v1/admin/users/%d/unlock", alice.id), nil).want(204)
	if got := try("192.0.2.11:1", fresh); got != 200 {
		t.Errorf("unlocked: %d", got)
	}
	s.later(91 * 24 * time.Hour)
	for range 5 {
		try("192.0.2.7:1", "wrong wrong")
	}
	if got := try("192.0.2.8:1", fresh); got != 401 {
		t.Errorf("a place of three months ago is known: %d", got)
	}
	// An address that fails everywhere waits, whatever the name.
	for i := range 20 {
		c := s.client()
		c.from = "192.0.2.9:1"
		c.do("POST", "/api/v1/account/login", map[string]string{"name": fmt.Sprintf("name%d", i), "password": "wrong wrong"})
	}
	c := s.client()
	c.from = "192.0.2.9:2"
	a := c.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": secret}).want(429)
	if a.code() != "locked" || a.head.Get("Retry-After") == "" {
		t.Errorf("%s %v", a.body, a.head)
	}
}

func TestTokens(t *testing.T) {
	s := newSite(t, nil)
	boss := s.admin()
	alice := s.register("alice")
	bot := s.bot(alice, "robot")
	path := fmt.Sprintf("/api/v1/bots/%d/tokens", bot.id)
	var list []tokenView
	a := alice.do("GET", path, nil).want(200)
	a.into(&list)
	if strings.Contains(a.body, "kib_") || len(list) != 1 {
		t.Errorf("tokens are shown again: %s", a.body)
	}
	bot.do("GET", "/api/v1/account", nil).want(200)
	alice.do("DELETE", fmt.Sprintf("%s/%d", path, list[0].ID), nil).want(204)
	bot.do("GET", "/api/v1/account", nil).want(401)
	bot.do("GET", "/api/v1/engines", nil).want(401) // whoever sends a bad token is told, even where none is needed

	var short tokenView
	alice.do("POST", path, map[string]any{"name": "short", "days": 1}).want(201).into(&short)
	bot.token = short.Token
	bot.do("GET", "/api/v1/account", nil).want(200)
	s.later(25 * time.Hour)
	bot.do("GET", "/api/v1/account", nil).want(401)

	var next tokenView
	alice.do("POST", path, map[string]any{"name": "next"}).want(201).into(&next)
	bot.token = next.Token
	bot.do("GET", "/api/v1/account", nil).want(200)
	boss.do("PATCH", fmt.Sprintf("/api/v1/admin/users/%d", alice.id), map[string]any{"disabled": true}).want(200)
	bot.do("GET", "/api/v1/account", nil).want(401) // a bot goes with its owner
	alice.do("GET", "/api/v1/account", nil).want(401)

	// What is made with a token lasts no longer than the token.
	bob := s.register("bob")
	var own tokenView
	bob.do("POST", "/api/v1/account/tokens", map[string]any{"name": "week", "days": 7}).want(201).into(&own)
	program := s.client()
	program.token = own.Token
	var bots []botView
	program.do("POST", "/api/v1/bots", map[string]any{"names": []string{"later"}, "tokenDays": 0}).want(201).into(&bots)
	path = fmt.Sprintf("/api/v1/bots/%d/tokens", bots[0].ID)
	for days, want := range map[int]time.Duration{0: 0, 30: 0, 1: 6 * 24 * time.Hour} {
		var made tokenView
		program.do("POST", path, map[string]any{"name": "x", "days": days}).want(201).into(&made)
		if made.Expires == nil || own.Expires == nil || made.Expires.After(*own.Expires) || own.Expires.Sub(*made.Expires) > want+time.Minute {
			t.Errorf("a token of %d days ends %v, the one that it was made with %v", days, made.Expires, own.Expires)
		}
	}
	if first := bots[0].Token; first == nil || first.Expires == nil || first.Expires.After(*own.Expires) {
		t.Errorf("the first token of a bot: %+v", first)
	}

	// An invitation opens no door but registration's.
	var inv invitation
	boss.do("POST", "/api/v1/admin/invitations", nil).want(201).into(&inv)
	c := s.client()
	c.token = inv.Invitation
	c.do("GET", "/api/v1/account", nil).want(401)
}

func TestInvitations(t *testing.T) {
	s := newSite(t, func(c *Config) { c.Options.Registration = auth.Invited })
	var inv invitation
	s.admin().do("POST", "/api/v1/admin/invitations", nil).want(201).into(&inv)
	join := func(name, code string) answer {
		return s.client().do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret, "invitation": code})
	}
	join("alice", "").want(403)
	join("alice", "kin_wrong").want(403)
	join("alice", inv.Invitation).want(201)
	join("bob", inv.Invitation).want(403)
	closed := newSite(t, func(c *Config) { c.Options.Registration = auth.Closed; c.Options.NoGuests = true })
	closed.client().do("POST", "/api/v1/account/register", map[string]string{"name": "alice", "password": secret}).want(403)
	if a := closed.client().do("POST", "/api/v1/account/guest", nil).want(403); !strings.Contains(a.body, "this hall takes no guests: log in, or send a token") {
		t.Error(a.body)
	}
}

func TestPasswordChangeEndsSessions(t *testing.T) {
	s := newSite(t, nil)
	one := s.register("alice")
	two := s.client()
	two.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": secret}).want(200)
	old := one.cookie["kibitz"]
	one.do("POST", "/api/v1/account/password", map[string]string{"old": "not this one", "new": "a new password"}).want(401)
	two.do("GET", "/api/v1/account", nil).want(200)
	one.do("POST", "/api/v1/account/password", map[string]string{"old": secret, "new": "a new password"}).want(204)
	two.do("GET", "/api/v1/account", nil).want(401)
	one.do("GET", "/api/v1/account", nil).want(200)
	two.cookie["kibitz"] = old
	two.do("GET", "/api/v1/account", nil).want(401)
	two.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": secret}).want(401)
	two.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": "a new password"}).want(200)
	one.do("POST", "/api/v1/account/end-other-sessions", nil).want(204)
	two.do("GET", "/api/v1/account", nil).want(401)
	one.do("GET", "/api/v1/account", nil).want(200)
}

func TestReset(t *testing.T) {
	s := newSite(t, nil)
	boss := s.admin()
	alice := s.register("alice")
	reset := func() string {
		var p onePassword
		boss.do("POST", fmt.Sprintf("/api/v1/admin/users/%d/reset-password", alice.id), nil).want(200).into(&p)
		return p.Password
	}
	pass := reset()
	alice.do("GET", "/api/v1/account", nil).want(401)
	alice.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": secret}).want(401)
	alice.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": pass}).want(200)
	if a := alice.do("GET", "/api/v1/bots", nil).want(403); a.code() != "must-change-password" {
		t.Error(a.body)
	}
	alice.do("POST", "/api/v1/account/password", map[string]string{"old": pass, "new": "mine again"}).want(204)
	alice.do("GET", "/api/v1/bots", nil).want(200)
	pass = reset()
	s.later(73 * time.Hour)
	alice.do("POST", "/api/v1/account/login", map[string]string{"name": "alice", "password": pass}).want(401)
	var log []admin.AuditEntry
	boss.do("GET", "/api/v1/admin/audit?action=password-reset", nil).want(200).into(&log)
	if len(log) != 2 || log[0].Subject != "alice" || log[0].Actor != boss.id {
		t.Errorf("audit: %+v", log)
	}
}

func TestOversized(t *testing.T) {
	s := newSite(t, full)
	boss := s.admin()
	big := strings.Repeat("x", 70<<10)
	for _, tc := range []struct {
		method, path string
		body         any
		want         []int
	}{
		{"POST", "/api/v1/account/login", map[string]string{"name": "a", "password": big}, []int{413}},
		{"PUT", "/api/v1/account/settings", map[string]string{"a": big[:20<<10]}, []int{413}},
		{"POST", "/api/v1/saved", map[string]string{"spec": "othello", "name": strings.Repeat("n", 200)}, []int{422}},
		{"POST", "/api/v1/bots", map[string]any{"names": make([]string, 101)}, []int{422}},
		{"GET", "/api/v1/games?player=" + big[:200], nil, []int{422}},
		{"GET", "/api/v1/games?limit=100000", nil, []int{422}},
		{"GET", "/api/v1/games?unknown=1", nil, []int{422}},
		{"GET", "/api/v1/games?cursor=!%20!", nil, []int{422}},
		{"POST", "/api/v1/games/import", strings.Repeat("x", records.ImportBody+1), []int{413}},
	} {
		a := boss.do(tc.method, tc.path, tc.body)
		if a.status != tc.want[0] {
			t.Errorf("%s %.60s: %d, want %v: %.200s", tc.method, tc.path, a.status, tc.want, a.body)
		}
	}
	// The same without a length, as chunks.
	req := httptest.NewRequest(http.MethodPost, "/api/v1/account/login", strings.NewReader(`{"name":"a","password":"`+big+`"}`))
	req.ContentLength = -1
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Request-Id", "mine")
	w := httptest.NewRecorder()
	s.hall.router.Handler().ServeHTTP(w, req)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("chunks: %d: %s", w.Code, w.Body)
	}
}

func TestTraversal(t *testing.T) {
	s := newSite(t, full)
	boss := s.admin()
	for _, path := range []string{
		"/api/v1/games/..%2f..%2fetc%2fpasswd", "/api/v1/games/..%5c..%5cx/record", "/api/v1/games/%00/view", "/api/v1/users/..%2fadmin",
		"/api/v1/saved/..%2f1", "/api/v1/games/.%2e/record", "/embed/..%2f..%2fx",
	} {
		if a := boss.do("GET", path, nil); a.status != 404 && a.status != 422 && a.status != 301 && a.status != 307 && a.body != "a page" {
			t.Errorf("%s: %d: %s", path, a.status, a.body)
		}
	}
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	f, _ := m.CreateFormFile("file", `..\..\etc/passwd.txt`)
	_, _ = f.Write([]byte("broken\n"))
	_ = m.Close()
	boss.head["Content-Type"] = m.FormDataContentType()
	a := boss.do("POST", "/api/v1/games/import", form.String()).want(200)
	if strings.Contains(a.body, "..") || !strings.Contains(a.body, "passwd") {
		t.Error(a.body)
	}
}

// What people write comes back as they wrote it, as JSON that no browser takes for a
// page, and changes nothing else.
func TestInjection(t *testing.T) {
	s := newSite(t, full)
	boss := s.admin()
	s.addGame(store.Game{ID: "over1", Listed: true, Attempt: 1, Opening: "tiger"}, `{}`)
	for _, evil := range []string{
		`'; DROP TABLE users; --`, `" OR "1"="1`, `%' OR 1=1 --`, `_%`, `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\x00b", `{{.}}`, `\u003cb\u003e`, "\u202eabc",
	} {
		a := s.client().do("POST", "/api/v1/account/register", map[string]string{"name": evil, "password": secret}).want(422)
		if !strings.HasPrefix(a.head.Get("Content-Type"), "application/problem+json") || a.head.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%q: %v", evil, a.head)
		}
		boss.do("POST", "/api/v1/bots", map[string]any{"names": []string{evil}}).want(422)
		q := "/api/v1/games?"
		for i, key := range []string{"game", "spec", "room", "tournament", "player", "opponent", "subject", "reason", "opening"} {
			if i > 0 {
				q = "/api/v1/games?"
			}
			a := boss.do("GET", q+key+"="+escape(evil), nil)
			if a.status != 200 && a.status != 422 || strings.Contains(a.body, "over1") {
				t.Errorf("%s=%q: %d %s", key, evil, a.status, a.body)
			}
		}
		for _, path := range []string{"users?prefix=", "users?after=~&prefix=", "admin/users?prefix=", "admin/audit?subject=", "ratings?subject=", "ratings/history?game=x&speed=blitz&subject=", "ratings/leaders?speed=blitz&game=", "statistics?by=game&player="} {
			a := boss.do("GET", "/api/v1/"+path+escape(evil), nil)
			if strings.TrimSpace(a.body) != "[]" {
				t.Errorf("%s%q: %s", path, evil, a.body)
			}
		}
		a = boss.do("POST", "/api/v1/saved", map[string]string{"spec": "othello", "name": evil}).want(201)
		var sv records.SavedView
		a.into(&sv)
		if want := strings.ReplaceAll(evil, "\x00", "\uFFFD"); sv.Name != evil && sv.Name != want {
			t.Errorf("saved %q as %q", evil, sv.Name)
		}
		boss.do("PUT", "/api/v1/account/settings", map[string]string{"x": evil}).want(204)
		boss.do("PUT", "/api/v1/admin/engines/"+escape(evil), map[string]any{"games": []string{evil}, "enabled": true, "spec": evil}).want(422)
		boss.do("PUT", "/api/v1/admin/engines/evil", map[string]any{"games": []string{evil}, "enabled": true, "spec": evil}).want(204)
		s.client().do("POST", "/api/v1/account/login", map[string]string{"name": evil, "password": evil}).want(401)
		boss.do("POST", "/api/v1/account/tokens", map[string]string{"name": "!" + evil}).want(422)
	}
	boss.do("GET", "/api/v1/users/admin", nil).want(200)
	if page := boss.do("GET", "/api/v1/docs", nil).want(200); strings.Contains(page.body, "<script") {
		t.Error("the page of the API has a script")
	}
}

func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

func TestHeaders(t *testing.T) {
	s := newSite(t, func(c *Config) {
		c.Pages = testPages()
	})
	s.hall.router.Handle(router.Route{Method: "GET", Path: "/panic", Need: auth.Look}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("at the page") }))
	c := s.client()
	for path, frames := range map[string]string{"/": "'none'", "/api/v1/docs": "'none'", "/embed/game/1": "*", "/api/v1/none": "'none'"} {
		head := c.do("GET", path, nil).head
		policy := head.Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, "frame-ancestors "+frames) || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "script-src 'self'") {
			t.Errorf("%s: %s", path, policy)
		}
		if head.Get("X-Content-Type-Options") != "nosniff" || head.Get("Referrer-Policy") == "" || head.Get("X-Request-Id") == "" {
			t.Errorf("%s: %v", path, head)
		}
	}
	first := c.do("GET", "/", nil)
	own := regexp.MustCompile(`<style>([^<]+)</style>`).FindAllStringSubmatch(first.body, -1)
	if len(own) != 2 || strings.Contains(first.body, `<link rel="stylesheet" href`) {
		t.Errorf("%d styles within the first page, which is to wait for no other", len(own))
	}
	for _, m := range own {
		sum := sha256.Sum256([]byte(m[1]))
		if source := " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(first.head.Get("Content-Security-Policy"), source) {
			t.Errorf("a style of the first page is not allowed: %s", source)
		}
	}
	page := c.do("GET", "/tournaments", nil)
	styles := regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`).FindAllStringSubmatch(page.body, -1)
	if len(styles) != 2 {
		t.Errorf("%d styles of a list", len(styles))
	}
	for i, m := range styles {
		if got, want := page.head.Values("Link"), "<"+m[1]+">; rel=preload; as=style"; len(got) != len(styles) || got[i] != want {
			t.Errorf("Link: %q, no %s", got, want)
		}
		// The same for everybody, and short: it is a fifth of a small file, a dozen times for a page.
		head := c.do("GET", m[1], nil).head
		if head.Get("X-Content-Type-Options") != "nosniff" || head.Get("Vary") != "Accept-Encoding" || len(head) > 9 {
			t.Errorf("%s: %v", m[1], head)
		}
	}
	a := c.do("GET", "/panic?token=kib_secretsecret", nil).want(500)
	if strings.Contains(a.body, "at the page") {
		t.Error(a.body)
	}
	c.head["Authorization"] = "Bearer kib_secretsecret"
	c.do("POST", "/api/v1/account/login?password=kib_secretsecret", map[string]string{"name": "a", "password": "kib_secretsecret"})
	if log := s.log.String(); strings.Contains(log, "kib_secret") || !strings.Contains(log, "at the page") || !strings.Contains(log, `"route":"GET /panic"`) {
		t.Errorf("log: %s", log)
	}
}

func TestRates(t *testing.T) {
	s := newSite(t, func(c *Config) { c.Options.AddressRate, c.Options.EnterRate = 2, 6 })
	c := s.client()
	count := func(n int, fn func() answer) (ok int) {
		for range n {
			switch a := fn(); a.status {
			case 429:
				if a.head.Get("Retry-After") == "" {
					t.Error("429 without Retry-After")
				}
			default:
				ok++
			}
		}
		return ok
	}
	s.stand() // two a second come anew
	if ok := count(30, func() answer { return c.do("GET", "/healthz", nil) }); ok != 12 {
		t.Errorf("%d requests of an address passed, want 12", ok)
	}
	// Files of pages are not counted: a page that lacks one is broken.
	if ok := count(30, func() answer { return c.do("GET", web.Prefix+"none.js", nil) }); ok != 30 {
		t.Errorf("%d requests for files passed, want 30", ok)
	}
	c.from = "192.0.2.2:1"
	c.do("GET", "/healthz", nil).want(200)
	s.later(time.Minute)
	if ok := count(10, func() answer { return c.do("POST", "/api/v1/account/guest", nil) }); ok != 3 {
		t.Errorf("%d guests of an address, want 3", ok)
	}
}

func TestMetricsAccess(t *testing.T) {
	s := newSite(t, func(c *Config) { c.Options.MetricsToken = "for prometheus" })
	for _, tc := range []struct {
		from  string
		head  map[string]string
		token string
		want  int
	}{
		{"192.0.2.1:1", nil, "", 403},
		{"127.0.0.1:1", nil, "", 403}, // under the hall's public name
		{"127.0.0.1:1", map[string]string{"Host": "localhost:8080"}, "", 200},
		{"[::1]:1", map[string]string{"Host": "[::1]:8080"}, "", 200},
		{"127.0.0.1:1", map[string]string{"Host": "localhost", "X-Forwarded-For": "127.0.0.1"}, "", 403},
		{"127.0.0.1:1", map[string]string{"Host": "localhost", "Via": "1.1 x"}, "", 403},
		{"192.0.2.1:1", nil, "for prometheus", 200},
		{"192.0.2.1:1", nil, "for prometheu", 401},
	} {
		c := s.client()
		c.from, c.token = tc.from, tc.token
		if tc.head != nil {
			c.head = tc.head
		}
		a := c.do("GET", "/metrics", nil).want(tc.want)
		if tc.want == 200 && !strings.Contains(a.body, "kibitz_http_request_seconds_bucket") {
			t.Errorf("%.200s", a.body)
		}
	}
	c := s.client()
	c.token = "for prometheus"
	c.do("GET", "/api/v1/account", nil).want(401)
}

// A client that sends its body a byte at a time is cut off.
func TestSlowClient(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	s := newSite(t, nil)
	s.hall.router.Handle(router.Route{Method: "POST", Path: "/slow", Need: 0, Time: 500 * time.Millisecond}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := new(bytes.Buffer).ReadFrom(r.Body); err != nil {
			http.Error(w, "slow", http.StatusRequestTimeout)
			return
		}
		_, _ = w.Write([]byte("whole"))
	}))
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = s.hall.Server()
	srv.Start()
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nab")
	_ = conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	buf := make([]byte, 200)
	n, err := conn.Read(buf)
	if err == nil && !strings.Contains(string(buf[:n]), "408") {
		t.Errorf("answer to a body that does not come: %s", buf[:n])
	}
	if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
		t.Error("the connection stays open")
	}
}

func TestSettingsRoundTrip(t *testing.T) {
	s := newSite(t, nil)
	c := s.register("alice")
	c.do("PUT", "/api/v1/account/settings", `{"dark":true}`).want(204)
	c.do("PUT", "/api/v1/account/settings", `[1]`).want(422)
	var v accountView
	c.do("GET", "/api/v1/account", nil).want(200).into(&v)
	var got map[string]any
	if err := json.Unmarshal(v.Settings, &got); err != nil || got["dark"] != true {
		t.Errorf("%s %v", v.Settings, err)
	}
}
