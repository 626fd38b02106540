package sqlite

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"kibitz/store"
	"kibitz/store/storetest"
)

func open1(t testing.TB, path string) store.Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
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
	if _, err := p.DownTo(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d tables and indexes are left: %v", n, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open1(t, path).Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func BenchmarkStore(b *testing.B) {
	storetest.Bench(b, func(b *testing.B) store.Store { return open1(b, filepath.Join(b.TempDir(), "hall.db")) })
}
