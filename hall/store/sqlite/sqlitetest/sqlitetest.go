// Package sqlitetest opens databases for tests. Their tables are made once for all tests of a
// package: making them takes longer than most tests.
package sqlitetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kibitz/hall/store/sqlite"
	"kibitz/hall/store/sqlstore"
	"kibitz/hall/store/storetest"
)

// Open opens a database without rows, in a file of its own, until the test ends.
func Open(t *testing.T) *sqlstore.DB {
	t.Helper()
	file, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "hall.db")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), name)
	storetest.Opened(t, db, err)
	return db
}

// empty is the file of a database without rows.
var empty = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "kibitz-hall-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	name := filepath.Join(dir, "hall.db")
	db, err := sqlite.Open(context.Background(), name)
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
})
