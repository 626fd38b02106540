// Package sqlstore keeps a hall in a database that speaks SQL.
//
// There is one set of queries: each subject, such as rooms or games, has a type with its
// own, all of them over the statements of one transaction (tx). A row is written and read
// as a list of columns with their values (col). What differs between databases is a
// Dialect; the packages hall/store/sqlite and hall/store/postgres open theirs, bring the
// tables up to date and hand both to New.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"kibitz/hall/store"
)

// Dialect is what databases differ in.
type Dialect struct {
	// Numbered placeholders are $1, $2; else they are question marks.
	Numbered bool
	// Ready has queries of one row kept ready; a driver may do that itself.
	Ready bool
	// Find names the function that is above 0 if its second text is in its first.
	Find string
	// List is a table of one column n, the numbers of a text that is a list of JSON.
	List string
	// Lock ends a query whose rows nobody else may change before the transaction ends.
	Lock string
	// Patient is a statement after which a transaction may be idle for longer, empty if
	// it may anyway.
	Patient string
	// Write and Read are the transactions of Update and View.
	Write, Read sql.TxOptions
	// Retry tells errors after which the same transaction may succeed.
	Retry func(error) bool
	// Refused returns what is wrong with a value that the database does not take,
	// empty for other errors.
	Refused func(error) string
	// Closed reports whether nothing was sent because the server had closed the
	// connection. It may be nil.
	Closed func(error) bool
	// Gone returns store.ErrFull or store.ErrUnavailable for an error that is the
	// database's own state, nil for others.
	Gone func(error) error
	// Probe writes what shows that the database can be written to; deep as
	// store.Store.Check has it. It has a pool of its own where others may be waited
	// for: Prober, which may be nil.
	Probe  func(ctx context.Context, db *sql.DB, deep bool) error
	Prober *sql.DB
	// Counter is a query for the last number that a table has given to a row, 0 for
	// none; SetCounter sets it, above 0.
	Counter    func(table, column string) string
	SetCounter func(e Execer, table, column string, last int64) error
}

// Execer runs statements.
type Execer interface {
	Exec(query string, args ...any) error
}

// DB is a store. Its methods may be called by any goroutine.
type DB struct {
	write, read *sql.DB
	d           Dialect
	// ready is nil where queries are not kept ready.
	ready *ready
	// turn spreads transactions that get into each other's way.
	turn atomic.Uint64
}

// maxTries bounds how often a transaction is tried.
const maxTries = 100

// New returns a store that writes to one pool of connections and reads from
// another, which may be the same. It owns both.
func New(write, read *sql.DB, d Dialect) *DB {
	out := &DB{write: write, read: read, d: d}
	if d.Ready {
		out.ready = &ready{stmts: map[string]*sql.Stmt{}, wanted: map[string]bool{}}
	}
	return out
}

// View implements store.Store.
func (d *DB) View(ctx context.Context, fn func(store.Tx) error) error {
	d.ready.make(ctx, d.read)
	_, err := d.once(ctx, d.read, &d.d.Read, func(x *tx) error {
		x.ready = d.ready
		return fn(bySubject(x))
	})
	return err
}

// Update implements store.Store.
func (d *DB) Update(ctx context.Context, fn func(store.Tx) error) error {
	for try := 1; ; try++ {
		again, err := d.once(ctx, d.write, &d.d.Write, func(x *tx) error { return fn(bySubject(x)) })
		if !again || ctx.Err() != nil {
			return err
		}
		if try == maxTries {
			return fmt.Errorf("given up after %d tries: %w", try, err)
		}
		if err := d.pause(ctx, try); err != nil {
			return err
		}
	}
}

// once runs a transaction and tells whether it is worth another try.
func (d *DB) once(ctx context.Context, db *sql.DB, opts *sql.TxOptions, fn func(*tx) error) (again bool, err error) {
	t, err := d.begin(ctx, db, opts)
	if err != nil {
		return d.d.Retry(err), d.gone(fmt.Errorf("begin: %w", err))
	}
	defer t.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	x := &tx{ctx: ctx, t: t, d: &d.d}
	defer x.end()
	err = fn(x)
	if x.failed != nil {
		// What the database refused has ended the transaction, whatever fn made of it.
		if err == nil {
			err = x.failed
		}
		return d.d.Retry(x.failed), d.gone(err)
	}
	if err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := t.Commit(); err != nil {
		return d.d.Retry(err), d.gone(fmt.Errorf("commit: %w", err))
	}
	return false, nil
}

// begin begins a transaction. Connections of the pool that the server has closed
// meanwhile are passed over.
func (d *DB) begin(ctx context.Context, db *sql.DB, opts *sql.TxOptions) (*sql.Tx, error) {
	for left := db.Stats().OpenConnections; ; left-- {
		t, err := db.BeginTx(ctx, opts)
		if err == nil || left <= 0 || d.d.Closed == nil || !d.d.Closed(err) {
			return t, err
		}
	}
}

// gone adds to an error that the database itself is away, where it is.
func (d *DB) gone(err error) error {
	if why := d.d.Gone(err); why != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	return err
}

// pause waits before a transaction is tried again, longer from try to try and not as
// long as others wait.
func (d *DB) pause(ctx context.Context, try int) error {
	most := min(100*time.Millisecond, time.Millisecond<<min(try, 7))
	share := 1 + d.turn.Add(1)*7%16
	t := time.NewTimer(most * time.Duration(share) / 16)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Check implements store.Store.
func (d *DB) Check(ctx context.Context, deep bool) error {
	db := d.d.Prober
	if db == nil {
		db = d.write
		if st := db.Stats(); st.InUse >= st.MaxOpenConnections && st.MaxOpenConnections > 0 {
			return d.reads(ctx) // what writes now tells by itself how it fares
		}
	}
	if err := d.d.Probe(ctx, db, deep); err != nil {
		return d.gone(fmt.Errorf("the database takes no writes: %w", err))
	}
	return nil
}

// reads reports whether the database answers.
func (d *DB) reads(ctx context.Context) error {
	var one int
	if err := d.read.QueryRowContext(ctx, "SELECT count(*) FROM openings WHERE opening_key = ''").Scan(&one); err != nil {
		return d.gone(fmt.Errorf("the database does not answer: %w", err))
	}
	return nil
}

// Close implements store.Store.
func (d *DB) Close() error {
	err := d.read.Close()
	if d.write != d.read {
		err = errors.Join(err, d.write.Close())
	}
	if d.d.Prober != nil {
		err = errors.Join(err, d.d.Prober.Close())
	}
	return err
}
