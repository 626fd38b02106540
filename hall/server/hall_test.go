package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/store"
	"kibitz/hall/store/sqlite/sqlitetest"
	"kibitz/internal/syncbuf"
)

// cheap is a cost of passwords for tests.
func cheap() auth.Cost { return auth.Cost{Memory: 64, Time: 1, Threads: 1} }

// testHall is a hall under test.
type testHall struct {
	first string // password of admin
	t     *testing.T
	hall  *Hall
	store store.Store
	log   *syncbuf.Buffer
	// secrets is what clients sent and were given that nobody else may know.
	secrets secrets
	// ahead is added to the time of the world, or to the moment at which that stands.
	mu     sync.Mutex
	ahead  time.Duration
	stands time.Time
}

func (s *testHall) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stands.IsZero() {
		return s.stands.Add(s.ahead)
	}
	return time.Now().Add(s.ahead)
}

// stand lets the time of the hall stand, however long requests take, until it is let go. No stream
// may be open meanwhile: what bounds those is the time of the world.
func (s *testHall) stand() (letGo func()) {
	set := func(at time.Time) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stands = at
	}
	set(time.Now())
	return func() { set(time.Time{}) }
}

func (s *testHall) later(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead += d
}

// idleBus is a bus with one worker.
type idleBus struct{}

func (idleBus) Workers(context.Context) ([]bus.Worker, error) {
	return []bus.Worker{{ID: "w1", Name: "one", Slots: 2}}, nil
}

func (idleBus) Dismiss(string) {}

// newSite opens a hall on an empty database; change may alter its configuration.
func newSite(t *testing.T, change func(*Config)) *testHall {
	t.Helper()
	st := sqlitetest.Open(t)
	s := &testHall{t: t, store: st, log: &syncbuf.Buffer{}}
	cfg := Config{
		Store: st, Bus: idleBus{}, Now: s.now, Log: slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})), Version: "test",
		Options: Options{Cost: cheap(), AddressRate: -1, AccountRate: -1, EnterRate: -1},
	}
	if change != nil {
		change(&cfg)
	}
	var err error
	if s.hall, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	if s.first, err = s.hall.FirstAdmin(t.Context(), cfg.Health.Until); err != nil {
		t.Fatal(err)
	}
	s.secrets.add(s.first)
	t.Cleanup(func() { // after all that runs in the hall has ended
		for _, found := range s.secrets.in(s.log.String()) {
			t.Errorf("the log holds a secret: %s", found)
		}
	})
	return s
}

// client is a browser (with cookies) or a program (with a token).
type client struct {
	s      *testHall
	cookie map[string]string
	token  string
	id     int64
	head   map[string]string
	from   string
}

func (s *testHall) client() *client {
	return &client{s: s, cookie: map[string]string{}, head: map[string]string{}, from: "192.0.2.1:1234"}
}

// answer is what came back.
type answer struct {
	t      *testing.T
	status int
	head   http.Header
	body   string
}

// request makes a request; body is a string as it is, nil for none, or a value as JSON.
func (c *client) request(method, path string, body any) *http.Request {
	c.s.t.Helper()
	var r io.Reader
	kind := ""
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
		kind = "application/json"
	case url.Values:
		r = strings.NewReader(b.Encode())
		kind = "application/x-www-form-urlencoded"
	default:
		j, err := json.Marshal(b)
		if err != nil {
			c.s.t.Fatal(err)
		}
		r, kind = bytes.NewReader(j), "application/json"
	}
	req := httptest.NewRequest(method, path, r)
	req.RemoteAddr = c.from
	req.Host = "hall.example"
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for k, v := range c.cookie {
		req.AddCookie(&http.Cookie{Name: k, Value: v})
	}
	for k, v := range c.head {
		if k == "Host" {
			req.Host = v
			continue
		}
		req.Header.Set(k, v)
	}
	return req
}

// do sends a request; body is as that of request. As pages do, it sends again what the
// referee of a game did not answer in time, and what nobody heard: a referee that has just begun,
// or is busy, may not listen yet.
func (c *client) do(method, path string, body any) answer {
	c.s.t.Helper()
	for n := 0; ; n++ {
		a := c.once(method, path, body)
		switch {
		case n == 20 || a.status != http.StatusServiceUnavailable:
			return a
		case a.code() == "no-worker":
			time.Sleep(time.Second)
		case a.code() != "no-answer":
			return a
		}
	}
}

// once is do that sends nothing again.
func (c *client) once(method, path string, body any) answer {
	c.s.t.Helper()
	req := c.request(method, path, body)
	c.s.secrets.sent(req)
	w := httptest.NewRecorder()
	c.s.hall.router.Handler().ServeHTTP(w, req)
	res := w.Result()
	defer res.Body.Close()
	c.s.secrets.given(res.Header, w.Body.Bytes())
	for _, k := range res.Cookies() {
		if k.MaxAge < 0 || k.Value == "" {
			delete(c.cookie, k.Name)
		} else {
			c.cookie[k.Name] = k.Value
		}
	}
	return answer{c.s.t, res.StatusCode, res.Header, w.Body.String()}
}

// want fails the test unless the answer has the status.
func (a answer) want(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

// code returns the code of a problem.
func (a answer) code() string {
	var p struct{ Type string }
	_ = json.Unmarshal([]byte(a.body), &p)
	return strings.TrimPrefix(p.Type, "urn:kibitz:problem:")
}

// into reads the answer.
func (a answer) into(v any) {
	a.t.Helper()
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		a.t.Fatalf("%v in %s", err, a.body)
	}
}

const secret = "correct horse battery"

// register returns a browser with an account.
func (s *testHall) register(name string) *client {
	s.t.Helper()
	c := s.client()
	var v accountView
	c.do("POST", "/api/v1/account/register", map[string]string{"name": name, "password": secret}).want(201).into(&v)
	c.id = v.ID
	return c
}

// admin returns a browser of the first admin.
func (s *testHall) admin() *client {
	s.t.Helper()
	c := s.client()
	var v accountView
	c.do("POST", "/api/v1/account/login", map[string]string{"name": "admin", "password": s.first}).want(200).into(&v)
	c.id = v.ID
	return c
}

// guest returns a browser of a guest.
func (s *testHall) guest() *client {
	s.t.Helper()
	c := s.client()
	var v accountView
	c.do("POST", "/api/v1/account/guest", nil).want(201).into(&v)
	c.id = v.ID
	return c
}

// bot returns a program with the token of a new bot of owner.
func (s *testHall) bot(owner *client, name string) *client {
	s.t.Helper()
	c := s.client()
	var v []botView
	owner.do("POST", "/api/v1/bots", map[string]any{"names": []string{name}, "tokenDays": 0}).want(201).into(&v)
	c.token, c.id = v[0].Token.Token, v[0].ID
	return c
}

// program returns a program with a token of the account.
func (s *testHall) program(owner *client) *client {
	s.t.Helper()
	c := s.client()
	var v tokenView
	owner.do("POST", "/api/v1/account/tokens", map[string]any{"name": "program"}).want(201).into(&v)
	c.token, c.id = v.Token, owner.id
	return c
}

// setRole makes an account an arbiter or an admin.
func (s *testHall) setRole(admin, who *client, role string) {
	s.t.Helper()
	admin.do("PATCH", "/api/v1/admin/users/"+strconv.FormatInt(who.id, 10), map[string]string{"role": role}).want(200)
}
