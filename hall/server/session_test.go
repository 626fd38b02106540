package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/hall/store"
	"kibitz/hall/store/postgres"
	"kibitz/hall/store/sqlite/sqlitetest"
	"kibitz/internal/pgtest"
)

// sessionless is a store that keeps no session while it is full, and all else.
type sessionless struct {
	store.Store
	full atomic.Bool
}

func (s *sessionless) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, func(tx store.Tx) error {
		if s.full.Load() {
			tx = noSession{tx}
		}
		return fn(tx)
	})
}

type noSession struct{ store.Tx }

func (noSession) SetSession([]byte, int64, []byte, time.Time) error { return store.ErrFull }

// What opens a session does nothing if that cannot be kept: it is refused once, without a cookie, and can
// be done again.
func TestSessionNotKept(t *testing.T) {
	var st *sessionless
	s := newSite(t, func(c *Config) {
		st = &sessionless{Store: c.Store}
		c.Store = st
	})
	const account = "/api/v1/account"
	again := map[string]string{"name": "ann", "password": secret}
	named := func(name string) map[string]string { return map[string]string{"name": name, "password": secret} }
	guest := s.client()
	guest.do("POST", account+"/guest", nil).want(http.StatusCreated)
	other := s.client()
	other.do("POST", account+"/register", named("eve")).want(http.StatusCreated)
	for _, tt := range []struct {
		by       *client
		path     string
		body     map[string]string
		want     int
		loggedIn bool
	}{
		{s.client(), "/register", again, http.StatusCreated, false},
		{s.client(), "/login", again, http.StatusOK, false},
		{s.client(), "/guest", nil, http.StatusCreated, false},
		{guest, "/claim", named("bob"), http.StatusOK, true},
		{other, "/password", map[string]string{"old": secret, "new": "another " + secret}, http.StatusNoContent, true},
	} {
		st.full.Store(true)
		a := tt.by.do("POST", account+tt.path, tt.body)
		st.full.Store(false)
		if a.status < http.StatusInternalServerError || a.head.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %v of a session that is not kept", tt.path, a.status, a.head)
		}
		if is := tt.by.do("GET", account, nil).status == http.StatusOK; is != tt.loggedIn {
			t.Errorf("%s: logged in afterwards: %v", tt.path, is)
		}
		if a := tt.by.do("POST", account+tt.path, tt.body); a.status != tt.want || a.head.Get("Set-Cookie") == "" {
			t.Errorf("%s: again: %d %s", tt.path, a.status, a.body)
		}
		if a := tt.by.do("GET", account, nil); a.status != http.StatusOK {
			t.Errorf("%s: not logged in: %s", tt.path, a.body)
		}
	}
	var made []store.Entry
	err := s.store.View(t.Context(), func(tx store.Tx) (err error) {
		made, err = tx.Audit(store.AuditQuery{Action: "account-created", Limit: 10})
		return err
	})
	if err != nil || len(made) != 4 { // admin, eve, ann, bob
		t.Errorf("accounts were made: %+v %v", made, err)
	}
}

// unanswered is a store whose answers are lost, each once: what it was asked has been done.
type unanswered struct {
	store.Store
	lost map[string]bool
}

var errUnanswered = errors.New("no answer")

func (s *unanswered) lose(what string, err error) error {
	if err != nil || s.lost[what] {
		return err
	}
	s.lost[what] = true
	return errUnanswered
}

func (s *unanswered) View(ctx context.Context, fn func(store.Tx) error) error {
	return s.lose("view", s.Store.View(ctx, fn))
}

func (s *unanswered) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.lose("update", s.Store.Update(ctx, fn))
}

// The password of the first account is not lost with the answer of a database that goes away.
func TestFirstAdminUnanswered(t *testing.T) {
	st := &unanswered{sqlitetest.Open(t), map[string]bool{}}
	h, err := New(Config{Store: st, Now: time.Now, Log: slog.New(slog.DiscardHandler), Options: Options{Cost: cheap()}})
	if err != nil {
		t.Fatal(err)
	}
	again := func(ctx context.Context, do func(context.Context) error) error {
		err := do(ctx)
		for errors.Is(err, errUnanswered) {
			err = do(ctx)
		}
		return err
	}
	password, err := h.FirstAdmin(t.Context(), again)
	if err != nil || password == "" || len(st.lost) != 2 {
		t.Errorf("password %q, %v, lost %v", password, err, st.lost)
	}
	if other, err := h.FirstAdmin(t.Context(), again); err != nil || other != "" {
		t.Errorf("a second first account: %q, %v", other, err)
	}
}

// overtaken is a store that does something else before the next change.
type overtaken struct {
	store.Store
	first func()
}

func (s *overtaken) Update(ctx context.Context, fn func(store.Tx) error) error {
	if first := s.first; first != nil {
		s.first = nil
		first()
	}
	return s.Store.Update(ctx, fn)
}

// Of two admins who take the role from each other, or disable each other, one stays.
func TestAdminsAtOnce(t *testing.T) {
	for name, change := range map[string]obj{"role": {"role": "player"}, "disabled": {"disabled": true}} {
		var st *overtaken
		s := newSite(t, func(cfg *Config) { st = &overtaken{Store: cfg.Store}; cfg.Store = st })
		boss, bob := s.admin(), s.register("bob")
		s.setRole(boss, bob, "admin")
		st.first = func() { bob.do("PATCH", fmt.Sprintf("/api/v1/admin/users/%d", boss.id), change).want(200) }
		boss.do("PATCH", fmt.Sprintf("/api/v1/admin/users/%d", bob.id), change).want(403)
		if a := bob.do("GET", "/api/v1/account", nil).want(200); !strings.Contains(a.body, `"role":"admin"`) {
			t.Errorf("%s: nobody is an admin: %s", name, a.body)
		}
	}
}

// However many requests come at once, an account has no more bots and tokens than it may have.
func TestQuotaAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL")
	}
	t.Parallel()
	st, err := postgres.Open(t.Context(), pgtest.Start(t).Database(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	s := newSite(t, func(cfg *Config) { cfg.Store = st })
	ann := s.register("ann")
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			c := s.client()
			maps.Copy(c.cookie, ann.cookie)
			c.do("POST", "/api/v1/account/tokens", obj{"name": fmt.Sprint("token ", i)})
			c.do("POST", "/api/v1/bots", obj{"names": []string{"bot" + string(rune('a'+i))}})
		})
	}
	wait.Wait()
	for _, path := range []string{"/api/v1/account/tokens", "/api/v1/bots"} {
		var list []any
		if ann.do("GET", path, nil).want(200).into(&list); len(list) != 10 {
			t.Errorf("%s: there are %d, want 10", path, len(list))
		}
	}
}
