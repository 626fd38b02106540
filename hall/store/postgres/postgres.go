// Package postgres keeps halls in a PostgreSQL database that they share.
//
// Transactions read a snapshot (repeatable read). One that meets what another has
// changed since then is tried again, so that no change is lost.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"kibitz/hall/store"
	"kibitz/hall/store/sqlstore"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Connections of one hall that write, and as many that read; more transactions wait for
// one.
const (
	maxOpen = 8
	// maxProbes is for tries whether the database works.
	maxProbes = 3
)

// After so many milliseconds the database ends a transaction in which nothing happens.
// One that writes has locked rows that other halls wait for, so a hall that was cut off
// in the middle of it holds them up for no longer; what it wanted to write is not
// written. One that reads is in nobody's way, and its reader may be slow.
const (
	idleWrite = "5000"
	idleRead  = "60000"
)

// The states of SQL that are told apart, see
// https://www.postgresql.org/docs/current/errcodes-appendix.html.
const (
	serialization  = "40001"
	deadlock       = "40P01"
	unique         = "23505" // here only if two do the same thing at the same time
	foreign        = "23503" // as unique
	duplicateTable = "42P07"
	tooMuch        = "54000"
	diskFull       = "53100"
)

// Open opens the store at an address (postgres://user:password@host/database, or a
// connection string of libpq) and makes its tables if there are none. Several halls
// may open the same.
func Open(ctx context.Context, url string) (*sqlstore.DB, error) {
	db, err := connect(ctx, url, idleWrite, nil, func(db *sql.DB, files fs.FS) error { return migrate(ctx, db, files) })
	if err != nil {
		return nil, err
	}
	if err := db.Settle(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// OpenAsIs opens a store to read, with its tables as they are: it refuses those of
// another version, and halls that run with it are not disturbed.
func OpenAsIs(ctx context.Context, url string) (*sqlstore.DB, error) {
	return connect(ctx, url, idleWrite, map[string]string{"default_transaction_read_only": "on"}, func(db *sql.DB, files fs.FS) error {
		return sqlstore.CheckVersion(ctx, db, files)
	})
}

func connect(ctx context.Context, url, idle string, holds map[string]string, tables func(*sql.DB, fs.FS) error) (*sqlstore.DB, error) {
	cfg, err := parse(url)
	if err != nil {
		return nil, err
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "kibitz"
	}
	maps.Copy(cfg.RuntimeParams, holds)
	write, read, prober := pool(cfg, idle), pool(cfg, idleRead), pool(cfg, idle)
	prober.SetMaxOpenConns(maxProbes) // of its own: others may all be waited for
	if err := prepare(ctx, read, tables); err != nil {
		return nil, errors.Join(fmt.Errorf("database %q on %s: %w", cfg.Database, cfg.Host, err), write.Close(), read.Close(), prober.Close())
	}
	return sqlstore.New(write, read, sqlstore.Dialect{
		Numbered:   true,
		Find:       "strpos",
		List:       "(SELECT value::bigint AS n FROM json_array_elements_text(?::text::json))",
		Lock:       " FOR NO KEY UPDATE",
		Patient:    "SET LOCAL idle_in_transaction_session_timeout = " + idleRead,
		Write:      sql.TxOptions{Isolation: sql.LevelRepeatableRead},
		Read:       sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
		Retry:      retry,
		Refused:    refused,
		Closed:     pgconn.SafeToRetry,
		Gone:       gone,
		Probe:      probe,
		Prober:     prober,
		Counter:    counter,
		SetCounter: setCounter,
	}), nil
}

// parse reads an address. Its errors name no password.
func parse(url string) (*pgx.ConnConfig, error) {
	cfg, err := pgx.ParseConfig(url)
	if scheme, _, is := strings.Cut(url, "://"); is && scheme != "postgres" && scheme != "postgresql" {
		err = fmt.Errorf("%.20q is no database of a hall", scheme)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: want that of a PostgreSQL, postgres://USER@HOST/NAME; without one it is SQLite, in the hall's folder", err)
	}
	return cfg, nil
}

// pool returns connections whose transactions may be idle for so long.
func pool(cfg *pgx.ConnConfig, idle string) *sql.DB {
	c := cfg.Copy()
	c.RuntimeParams["idle_in_transaction_session_timeout"] = idle
	db := stdlib.OpenDB(*c)
	db.SetMaxOpenConns(maxOpen)
	db.SetMaxIdleConns(maxOpen) // to connect takes several answers of the server
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db
}

// prepare looks at the database, and makes its tables or looks at them, too.
func prepare(ctx context.Context, db *sql.DB, tables func(*sql.DB, fs.FS) error) error {
	var encoding string
	if err := db.QueryRowContext(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("its encoding is %s; it has to be made with UTF8", encoding)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return tables(db, files)
}

// migrate brings the tables up to date. Of several halls that begin at the same time
// one does it, and the others wait.
func migrate(ctx context.Context, db *sql.DB, files fs.FS) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := sqlstore.Migrate(ctx, db, goose.DialectPostgres, files, goose.WithSessionLocker(locker))
		// The table of versions itself is made before the lock is taken.
		if c := code(err); c != duplicateTable && c != unique || try == 10 {
			return err
		}
	}
}

// code returns the state of SQL, empty for other errors.
func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

func retry(err error) bool {
	switch code(err) {
	case serialization, deadlock, unique, foreign:
		return true
	}
	return false
}

func refused(err error) string {
	if code(err) == tooMuch {
		return "too much for the database"
	}
	return ""
}

// gone tells what the server's own state is to blame for: everything that it did not
// say itself, and of what it says that it has no space, memory or connections (class 53), is
// told to stop or starts (57P), cannot reach its files (58), or has lost the connection
// (08). Contexts that end are of whoever asks.
func gone(err error) error {
	var e *pgconn.PgError
	switch {
	case errors.As(err, &e):
		switch class := e.Code[:min(2, len(e.Code))]; {
		case e.Code == diskFull:
			return store.ErrFull
		case class == "53" || class == "58" || class == "08" || strings.HasPrefix(e.Code, "57P"):
			return store.ErrUnavailable
		}
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	}
	var network net.Error
	if errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || pgconn.SafeToRetry(err) {
		return store.ErrUnavailable
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return store.ErrUnavailable
	}
	return nil
}

// probe commits a message to the server's log that no table has, and reads as much as a page
// does, in three answers. With deep it fills a table before that goes with the transaction.
func probe(ctx context.Context, db *sql.DB, deep bool) error {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	query := "SELECT pg_logical_emit_message(true, 'kibitz', 'probe'), repeat('x', 16384)"
	if deep {
		// Text of chance: what can be compressed would be small.
		query = "CREATE TEMPORARY TABLE kibitz_space (x text) ON COMMIT DROP;" +
			"INSERT INTO kibitz_space SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 64), generate_series(1, 512) g GROUP BY " +
			"g % 64;" + query
	}
	if _, err := t.ExecContext(ctx, query); err != nil {
		return err
	}
	return t.Commit()
}

func sequence(table, column string) string { return table + "_" + column + "_seq" }

func counter(table, column string) string {
	return "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM " + sequence(table, column)
}

func setCounter(e sqlstore.Execer, table, column string, last int64) error {
	return e.Exec("SELECT setval('"+sequence(table, column)+"', ?)", last)
}
