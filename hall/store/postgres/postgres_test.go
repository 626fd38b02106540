package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kibitz/hall/store"
	"kibitz/hall/store/sqlite"
	"kibitz/hall/store/storetest"
	"kibitz/internal/pgtest"
)

// TestPostgres runs all tests that need a cluster on one.
func TestPostgres(t *testing.T) {
	c := pgtest.Start(t)
	t.Run("halls that begin at the same time", func(t *testing.T) { testBeginTogether(t, c) })
	template := c.Database(t, "")
	s, err := Open(t.Context(), template)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open := func(t *testing.T) store.Store { return open(t, c.Database(t, template)) }
	t.Run("store", func(t *testing.T) { storetest.Run(t, open) })
	t.Run("to SQLite", func(t *testing.T) { storetest.Copy(t, open(t), openFile(t)) })
	t.Run("from SQLite", func(t *testing.T) { storetest.Copy(t, openFile(t), open(t)) })
	t.Run("newer", func(t *testing.T) { testNewer(t, c.Database(t, template)) })
	t.Run("as it is", func(t *testing.T) { testAsIs(t, c.Database(t, "")) })
	t.Run("cut off", func(t *testing.T) { testCutOff(t, c.Database(t, template)) })
	t.Run("killed", func(t *testing.T) { testKilled(t, c, open(t)) })
}

func open(t testing.TB, url string) store.Store {
	t.Helper()
	s, err := Open(t.Context(), url)
	return storetest.Opened(t, s, err)
}

func openFile(t *testing.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"))
	return storetest.Opened(t, s, err)
}

// testCutOff has a hall that is cut off while it has a row that others wait for: they do
// not wait for long, and what it wanted to write is not written. One that reads may take
// its time.
func testCutOff(t *testing.T, url string) {
	cut, err := connect(t.Context(), url, "300", nil, func(*sql.DB, fs.FS) error { return nil })
	cutOff, other := storetest.Opened(t, cut, err), open(t, url)
	if err := other.Update(t.Context(), func(x store.Tx) error { return x.SetEngine(&store.Engine{Name: "e", Spec: "first"}) }); err != nil {
		t.Fatal(err)
	}
	locked, free := make(chan struct{}), make(chan struct{})
	ended := make(chan error)
	go func() {
		ended <- cutOff.Update(t.Context(), func(x store.Tx) error {
			err := x.SetEngine(&store.Engine{Name: "e", Spec: "cut off"})
			close(locked)
			<-free // nothing comes of it any more
			return err
		})
	}()
	<-locked
	read := cutOff.View(t.Context(), func(x store.Tx) error {
		if _, err := x.Engine("e"); err != nil {
			return err
		}
		if err := other.Update(t.Context(), func(x store.Tx) error { return x.SetEngine(&store.Engine{Name: "e", Spec: "second"}) }); err != nil {
			return err
		}
		e, err := x.Engine("e")
		if err == nil && e.Spec != "first" {
			err = fmt.Errorf("the engine that is read is %q", e.Spec)
		}
		return err
	})
	if read != nil {
		t.Error(read)
	}
	close(free)
	if err := <-ended; err == nil {
		t.Error("who was cut off has written")
	}
	if err := other.View(t.Context(), func(x store.Tx) error {
		e, err := x.Engine("e")
		if err == nil && e.Spec != "second" {
			err = fmt.Errorf("the engine is %q", e.Spec)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

func testBeginTogether(t *testing.T, c *pgtest.Cluster) {
	url := c.Database(t, "")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s, err := Open(t.Context(), url)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			err = s.Update(t.Context(), func(x store.Tx) error { return x.SetEngine(&store.Engine{Name: fmt.Sprint("e", i)}) })
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// testNewer has a database that a newer program has changed.
func testNewer(t *testing.T, url string) {
	s := open(t, url)
	if err := s.Check(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := raw(t, url, "INSERT INTO goose_db_version(version_id, is_applied) VALUES (99999, true)"); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), url); err == nil || !strings.Contains(err.Error(), "99999") {
		t.Errorf("opened %v: %v", s, err)
	}
}

// testAsIs opens a database to read, and one that an older program has made.
func testAsIs(t *testing.T, url string) {
	if s, err := OpenAsIs(t.Context(), url); err == nil || !strings.Contains(err.Error(), "there is no hall in it") {
		t.Errorf("an empty database: opened %v: %v", s, err)
	}
	open(t, url)
	s, err := OpenAsIs(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	user := &store.User{Name: "ann", Kind: store.Person, Role: store.PlayerRole, Created: time.Unix(1, 0)}
	if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.AddUser(user) }); err == nil {
		t.Error("what is opened to read can be written")
	}
	if err := raw(t, url, "DELETE FROM goose_db_version WHERE version_id > 0"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if s, err := OpenAsIs(t.Context(), url); err == nil || !strings.Contains(err.Error(), "version 0 and this program is of version") {
			t.Errorf("an older one: opened %v: %v", s, err)
		}
	}
}

// testKilled has the database killed while games are written.
func testKilled(t *testing.T, c *pgtest.Cluster, s store.Store) {
	var mu sync.Mutex
	told := map[string]bool{}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for w := range 3 {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				id := fmt.Sprint("g", w, " ", i)
				err := s.Update(ctx, func(x store.Tx) error {
					if err := x.AddGame(&store.Game{ID: id, State: store.Running}); err != nil {
						return err
					}
					_, err := x.EndAttempt(&store.Ending{Game: id, Record: []byte(id), Positions: []store.Position{{Key: 1}}})
					return err
				})
				if err == nil {
					mu.Lock()
					told[id] = true
					mu.Unlock()
				}
			}
		})
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		mu.Lock()
		n := len(told)
		mu.Unlock()
		if n > 30 {
			break
		}
	}
	c.Kill()
	cancel()
	all.Wait()
	if err := s.Check(t.Context(), false); err == nil {
		t.Error("a killed database answers")
	}
	c.Begin(t)
	found := map[string]bool{}
	err := s.View(t.Context(), func(x store.Tx) error {
		q := store.GameQuery{Position: 1, HasPosition: true, Limit: 1_000_000}
		p, err := x.FindGames(q)
		for _, g := range p.Games {
			if b, err := x.Record(g.ID); err != nil || string(b) != g.ID {
				return fmt.Errorf("record of %s: %q %w", g.ID, b, err)
			}
			found[g.ID] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(told) <= 30 {
		t.Errorf("only %d games were acknowledged", len(told))
	}
	for id := range told {
		if !found[id] {
			t.Errorf("game %s was acknowledged and is gone", id)
		}
	}
}

func TestAddress(t *testing.T) {
	for _, url := range []string{"postgres://kibitz:tellnobody@127.0.0.1:notaport/x", "postgres://kibitz:tellnobody@127.0.0.1:1/x?connect_timeout=1", "mysql://kibitz:tellnobody@h/x", "%"} {
		s, err := Open(t.Context(), url)
		if err == nil {
			s.Close()
			t.Errorf("%s: opened", url)
			continue
		}
		if strings.Contains(err.Error(), "tellnobody") {
			t.Errorf("the password is told: %v", err)
		}
	}
}

// raw runs a statement beside a store.
func raw(t *testing.T, url, query string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return err
	}
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), query)
	return err
}

func BenchmarkStore(b *testing.B) {
	c := pgtest.Start(b)
	storetest.Bench(b, func(b *testing.B) store.Store { return open(b, c.Database(b, "")) })
}
