// Package sqlite keeps a hall in one SQLite file.
//
// One connection writes, in transactions that take the lock at once; others read
// beside it (WAL). What Update has acknowledged is on the disk.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"

	"kibitz/hall/store"
	"kibitz/hall/store/sqlstore"
)

//go:embed migrations/*.sql
var migrations embed.FS

// readers is how many transactions read at a time; more wait.
const readers = 8

// The results of SQLite that are told apart, see https://sqlite.org/rescode.html.
const (
	busy     = 5
	locked   = 6
	readOnly = 8
	ioError  = 10
	corrupt  = 11
	full     = 13
	cantOpen = 14
	tooBig   = 18
	noFile   = 26
)

// Open opens a store in a file and makes it if there is none.
func Open(ctx context.Context, path string) (*sqlstore.DB, error) {
	if path == "" {
		return nil, errors.New("the name of a file is wanted for the database")
	}
	if err := private(path); err != nil {
		return nil, err
	}
	db, err := open(path, url.Values{"_txlock": {"immediate"}}, func(db *sql.DB, files fs.FS) error {
		return sqlstore.Migrate(ctx, db, goose.DialectSQLite3, files)
	})
	if err != nil {
		return nil, err
	}
	if err := db.Settle(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return db, nil
}

// private makes a database and the files beside it readable by their owner alone, whatever
// made them: they hold hashes of passwords and what games hide. SQLite gives the files
// beside a new database its mode.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm", path + "-journal"} {
		info, err := os.Stat(name)
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(name, info.Mode().Perm()&0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// OpenAsIs opens a store to read, with its tables as they are: it refuses those of
// another version, and a hall that runs with it is not disturbed.
func OpenAsIs(ctx context.Context, path string) (*sqlstore.DB, error) {
	return open(path, readOnlyPragma(), func(db *sql.DB, files fs.FS) error { return sqlstore.CheckVersion(ctx, db, files) })
}

// readOnlyPragma is what holds for connections that change nothing.
func readOnlyPragma() url.Values { return url.Values{"_pragma": {"query_only(1)"}} }

func open(path string, holds url.Values, prepare func(*sql.DB, fs.FS) error) (*sqlstore.DB, error) {
	db, err := opened(path, holds, prepare)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return db, nil
}

func opened(path string, holds url.Values, prepare func(*sql.DB, fs.FS) error) (db *sqlstore.DB, err error) {
	write, err := sql.Open("sqlite", dsn(path, holds))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, write.Close())
		}
	}()
	write.SetMaxOpenConns(1)
	if err := sound(write); err != nil {
		return nil, err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := prepare(write, files); err != nil {
		return nil, err
	}
	read, err := sql.Open("sqlite", dsn(path, readOnlyPragma()))
	if err != nil {
		return nil, err
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	return sqlstore.New(write, read, sqlstore.Dialect{
		Ready:   true,
		Find:    "instr",
		List:    "(SELECT value AS n FROM json_each(?))",
		Retry:   func(err error) bool { return code(err) == busy || code(err) == locked },
		Refused: refused,
		Gone:    gone,
		Probe:   func(ctx context.Context, db *sql.DB, deep bool) error { return probe(ctx, db, path, deep) },
		Counter: func(table, _ string) string {
			return "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '" + table + "'"
		},
		SetCounter: setCounter,
	}), nil
}

// ErrDamaged tells that the file is not what SQLite has written.
var ErrDamaged = errors.New("the database is damaged")

// sound looks at all pages of a file before anything is changed in it: one with a fault
// would else answer most requests and fail at some.
func sound(db *sql.DB) error {
	var found string
	err := db.QueryRow("PRAGMA quick_check(1)").Scan(&found)
	switch {
	case err == nil && found == "ok":
		return nil
	case err == nil:
		err = errors.New(strings.ReplaceAll(found, "\n", " "))
	case code(err) != corrupt && code(err) != noFile:
		return err
	}
	return fmt.Errorf("%w (%w): keep a copy of the file, then restore the latest backup into an empty folder; "+
		"without a backup \"sqlite3 hall.db .recover | sqlite3 new.db\" saves what can be read", ErrDamaged, err)
}

// dsn names a file and what holds for its connections.
func dsn(path string, q url.Values) string {
	for _, p := range []string{
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "cache_size(-32768)",
		"temp_store(MEMORY)",
	} {
		q.Add("_pragma", p)
	}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: q.Encode()}
	return u.String()
}

// code returns the primary result of SQLite, 0 for other errors.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

func refused(err error) string {
	if code(err) == tooBig {
		return "too big for the database"
	}
	return ""
}

// gone tells what the state of file and disk is to blame for. A damaged file is not:
// it does not heal.
func gone(err error) error {
	switch code(err) {
	case full:
		return store.ErrFull
	case ioError, cantOpen, readOnly:
		return store.ErrUnavailable
	}
	return nil
}

// probeSize is how large the file is that shows that there is space, in bytes.
const probeSize = 1 << 20

// probe writes the first page as it is. With deep it writes and removes a file beside the
// database before: what the log beside it takes may fit into the space that it has.
func probe(ctx context.Context, db *sql.DB, path string, deep bool) error {
	if deep {
		if err := space(filepath.Dir(path)); err != nil {
			return fmt.Errorf("%w: %w", store.ErrFull, err)
		}
	}
	_, err := db.ExecContext(ctx, "PRAGMA user_version = 0")
	return err
}

// space reports whether a folder takes a file.
func space(dir string) error {
	f, err := os.CreateTemp(dir, ".space-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeSize))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

func setCounter(e sqlstore.Execer, table, _ string, last int64) error {
	// There is no key by which a row could be replaced.
	if err := e.Exec("DELETE FROM sqlite_sequence WHERE name = ?", table); err != nil {
		return err
	}
	return e.Exec("INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)", table, last)
}
