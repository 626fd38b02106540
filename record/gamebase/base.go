package gamebase

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Base is an open game base. It may be used by several goroutines; one writes at a
// time.
type Base struct {
	db    *sql.DB
	plies int
}

// application marks the files of game bases in their header ("Kbas").
const (
	application = 0x4b626173
	version     = 2
)

const schema = `
CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE game(
  id INTEGER PRIMARY KEY, print BLOB NOT NULL UNIQUE, spec INTEGER NOT NULL REFERENCES name, start TEXT NOT NULL,
  first INTEGER NOT NULL REFERENCES name, second INTEGER NOT NULL REFERENCES name, event INTEGER NOT NULL REFERENCES name,
  source INTEGER NOT NULL REFERENCES name, round TEXT NOT NULL, place TEXT NOT NULL, date TEXT NOT NULL, year INTEGER NOT NULL,
  opening TEXT NOT NULL, winner INTEGER, points0 REAL, points1 REAL, board0 REAL, board1 REAL, reason TEXT NOT NULL, detail TEXT NOT NULL,
  plies INTEGER NOT NULL, moves BLOB NOT NULL) STRICT;
CREATE INDEX game_first ON game(first);
CREATE INDEX game_second ON game(second);
CREATE INDEX game_date ON game(date);
` + schemaRuns

// schemaRuns are the tables of positions, since version 2.
const schemaRuns = `
CREATE TABLE run(id INTEGER PRIMARY KEY, tallies INTEGER NOT NULL) STRICT;
CREATE TABLE block(run INTEGER NOT NULL REFERENCES run, first INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY(run, first)) STRICT, WITHOUT ROWID;
`

// Create opens a base and makes it if there is none. Plies bounds how many
// decisions of each game are indexed, 0 is all; it is fixed when the base is made,
// and another number for a base that exists is an error, unless it is below 0, which
// takes what is there (all for a new base).
func Create(ctx context.Context, name string, plies int) (*Base, error) {
	b, err := open(ctx, name, "rwc")
	if err != nil {
		return nil, err
	}
	if err := b.create(ctx, plies); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), b.db.Close())
	}
	return b, nil
}

// Open opens a base that exists.
func Open(ctx context.Context, name string) (*Base, error) {
	switch _, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such game base", name)
	case err != nil:
		return nil, err
	}
	b, err := open(ctx, name, "rw")
	if err != nil {
		return nil, err
	}
	old, err := b.check(ctx, b.db)
	if err == nil && old {
		err = b.renew(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), b.db.Close())
	}
	return b, nil
}

func open(ctx context.Context, name, mode string) (*Base, error) {
	q := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(60000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)", "cache_size(-16384)", "temp_store(MEMORY)",
	}}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: name}).EscapedPath(), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err == nil {
		err = db.PingContext(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, plain(err))
	}
	return &Base{db: db}, nil
}

// plain words the errors of the library that people meet.
func plain(err error) string {
	if text := err.Error(); text == "file is not a database (26)" || text == "file is not a database" {
		return "this is no game base"
	}
	return err.Error()
}

// create makes the tables of a new base.
func (b *Base) create(ctx context.Context, plies int) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	var tables int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return errors.New(plain(err))
	}
	if tables > 0 {
		old, err := b.check(ctx, tx)
		if err != nil {
			return err
		}
		if plies >= 0 && plies != b.plies {
			return fmt.Errorf("the base indexes %s of each game; that cannot be changed to %s", pliesText(b.plies), pliesText(plies))
		}
		if !old {
			return nil
		}
		if err := renewWithin(ctx, tx); err != nil {
			return err
		}
		return tx.Commit()
	}
	b.plies = max(0, plies)
	for _, q := range []string{schema, fmt.Sprintf("PRAGMA application_id=%d", application), fmt.Sprintf("PRAGMA user_version=%d", version)} {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO setting VALUES('plies', ?)", strconv.Itoa(b.plies)); err != nil {
		return err
	}
	return tx.Commit()
}

func pliesText(n int) string {
	if n == 0 {
		return "all positions"
	}
	return fmt.Sprintf("the first %d plies", n)
}

// asker is a database or a transaction of it.
type asker interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// check refuses files that are something else; old tells that it is a base of version 1.
func (b *Base) check(ctx context.Context, db asker) (old bool, err error) {
	var app, v int
	if err := db.QueryRowContext(ctx,
		"SELECT a.application_id, v.user_version FROM pragma_application_id a, pragma_user_version v").Scan(&app, &v); err != nil {
		return false, errors.New(plain(err))
	}
	if app != application {
		return false, errors.New("this is no game base")
	}
	if v < 1 || v > version {
		return false, fmt.Errorf("this is a game base of version %d; this program reads version %d", v, version)
	}
	var plies string
	if err := db.QueryRowContext(ctx, "SELECT value FROM setting WHERE key='plies'").Scan(&plies); err != nil {
		return false, err
	}
	b.plies, err = strconv.Atoi(plies)
	return v < version, err
}

// renew brings a base of version 1 to the present version.
func (b *Base) renew(ctx context.Context) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()                                   //nolint:errcheck // after a commit there is nothing to roll back
	if old, err := b.check(ctx, tx); err != nil || !old { // somebody else was quicker
		return err
	}
	if err := renewWithin(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

func renewWithin(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, schemaRuns); err != nil {
		return err
	}
	if err := readOld(ctx, tx); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("DROP TABLE played; PRAGMA user_version=%d", version))
	return err
}

// Plies returns how many decisions of each game are indexed, 0 for all.
func (b *Base) Plies() int { return b.plies }

// Close closes the base; afterwards it is one file.
func (b *Base) Close() error {
	_, err := b.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, b.db.Close())
}
