package sqlite

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"kibitz/hall/store"
	"kibitz/hall/store/storetest"
)

func open1(t testing.TB, path string) store.Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	return storetest.Opened(t, s, err)
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return open1(t, filepath.Join(t.TempDir(), "a hall?#%.db")) })
}

func TestNewer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hall.db")
	if err := open1(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("INSERT INTO goose_db_version(version_id, is_applied) VALUES (99999, 1)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "99999") {
		t.Errorf("opened %v: %v", s, err)
	}
}

// A store that is opened as it is can be read beside the hall that writes it, changes
// nothing, and is of this program's version.
func TestOpenAsIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hall.db")
	hall := open1(t, path)
	s, err := OpenAsIs(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	user := &store.User{Name: "ann", Kind: store.Person, Role: store.PlayerRole, Created: time.Unix(1, 0)}
	if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.AddUser(user) }); err == nil {
		t.Error("what is opened to read can be written")
	}
	if err := hall.Update(t.Context(), func(tx store.Tx) error { return tx.AddUser(user) }); err != nil {
		t.Fatal(err)
	}
	if err := s.View(t.Context(), func(tx store.Tx) error { _, err := tx.User(user.ID); return err }); err != nil {
		t.Errorf("what the hall has written: %v", err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, tt := range [][2]string{
		{"DELETE FROM goose_db_version WHERE version_id > 0", "version 0 and this program is of version"},
		{"INSERT INTO goose_db_version(version_id, is_applied) VALUES (99999, 1)", "version 99999 and this program knows"},
		{"DROP TABLE goose_db_version", "there is no hall in it"},
	} {
		if _, err := db.Exec(tt[0]); err != nil {
			t.Fatal(err)
		}
		before := schema(t, db)
		if s, err := OpenAsIs(t.Context(), path); err == nil || !strings.Contains(err.Error(), tt[1]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("after %s: opened %v: %v", tt[0], s, err)
		}
		if after := schema(t, db); after != before {
			t.Errorf("after %s the tables were\n%s\nand are\n%s", tt[0], before, after)
		}
	}
}

// schema is what makes the tables of a database, and of which version it says it is.
func schema(t *testing.T, db *sql.DB) (out string) {
	t.Helper()
	if err := db.QueryRow("SELECT group_concat(coalesce(sql, name), ';') FROM sqlite_schema").Scan(&out); err != nil {
		t.Fatal(err)
	}
	var version sql.NullString
	_ = db.QueryRow("SELECT group_concat(version_id) FROM goose_db_version").Scan(&version) // there may be no such table
	return out + version.String
}

func TestNotOpened(t *testing.T) {
	dir := t.TempDir()
	noise := filepath.Join(dir, "noise")
	if err := os.WriteFile(noise, []byte(strings.Repeat("this is no database ", 300)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", dir, filepath.Join(dir, "no", "such", "folder.db"), noise} {
		s, err := Open(t.Context(), path)
		if err == nil {
			t.Errorf("%q: opened %v", path, s)
		} else if path != "" && !strings.Contains(err.Error(), path) {
			t.Errorf("%q is not named: %v", path, err)
		}
	}
	if b, err := os.ReadFile(noise); err != nil || !strings.HasPrefix(string(b), "this is no") {
		t.Errorf("a file that is no database was changed: %.20q %v", b, err)
	}
}

// TestDown takes the tables back and makes them again.
func TestDown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hall.db")
	if err := open1(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	db := down(t, path, 0)
	var n int
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d tables and indexes are left: %v", n, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open1(t, path).Check(t.Context(), false); err != nil {
		t.Error(err)
	}
}

// down takes a database back to the version that it had once.
func down(t *testing.T, path string, version int64) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.DownTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	return db
}

// TestPositionsOfOldHall has games of a hall from before there were runs of positions found by them.
func TestPositionsOfOldHall(t *testing.T) {
	const rows = 6 // the last version in which each position was a row
	path := filepath.Join(t.TempDir(), "hall.db")
	s := open1(t, path)
	var list []store.Played
	for n := range int64(600) {
		id := fmt.Sprint(n)
		list = append(list, store.Played{
			Game: store.Game{ID: id, Spec: "othello", State: store.Over}, Record: []byte(id),
			Positions: []store.Position{{Key: 1}, {Key: -n, Ply: 1}, {Key: n % 7, Ply: 2}},
		})
	}
	if err := s.Update(t.Context(), func(x store.Tx) error { _, err := x.AddPlayed(list); return err }); err != nil {
		t.Fatal(err)
	}
	found := func(s store.Store) (all [][]string) {
		for _, key := range []int64{1, 5, -5, -599, 700} {
			var ids []string
			err := s.View(t.Context(), func(x store.Tx) error {
				games, err := x.FindGames(store.GameQuery{HasPosition: true, Position: key, Limit: 1000})
				for _, g := range games.Games {
					ids = append(ids, g.ID)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, ids)
		}
		return all
	}
	want := found(s)
	if len(want[0]) != 600 || len(want[2]) != 1 || len(want[4]) != 0 {
		t.Fatalf("%d, %d and %d games, want 600, 1 and none", len(want[0]), len(want[2]), len(want[4]))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := down(t, path, rows).Close(); err != nil {
		t.Fatal(err)
	}
	if got := found(open1(t, path)); !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func BenchmarkStore(b *testing.B) {
	storetest.Bench(b, func(b *testing.B) store.Store { return open1(b, filepath.Join(b.TempDir(), "hall.db")) })
}
