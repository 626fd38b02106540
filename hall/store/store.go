// Package store says what a hall keeps in its database, and in which steps.
//
// The database is the truth of a hall: queues deliver and streams tell, but what
// counts is what stands here. Everything that belongs together is changed in one
// transaction (Update); what is read together is read in one (View). The two
// databases, hall/store/sqlite and hall/store/postgres, are held to one suite, storetest.
//
// A store knows no rules of a game, of a room or of access: it keeps values and
// finds them again. Settings that it does not search are JSON of their owner, kept
// byte by byte.
//
// Text is UTF-8 without NUL; what else it holds is replaced by U+FFFD. Without regard
// to case is as strings.EqualFold has it. Lists and bytes that are empty may come
// back as nil. What is removed or changed and is not there is ErrNotFound, where
// nothing else is said.
package store

import (
	"context"
	"errors"
	"fmt"
)

// Errors that callers tell apart. They are wrapped by errors that name the thing.
var (
	// ErrNotFound: there is no such thing.
	ErrNotFound = errors.New("not found")
	// ErrTaken: a name, a key or a number is in use by another thing.
	ErrTaken = errors.New("taken")
	// ErrConflict: the thing was changed since it was read; read it again.
	ErrConflict = errors.New("changed by somebody else meanwhile")
	// ErrInvalid: what was given cannot be kept or asked for: a cursor that no page
	// gave, a name of more than 1000 bytes by which something is found, a number that
	// is none.
	ErrInvalid = errors.New("not valid")
	// ErrUnavailable: the database itself cannot do that at present, whatever is asked
	// of it: it is gone, does not answer, or takes no writes.
	ErrUnavailable = errors.New("the database cannot be used at present")
	// ErrFull, which is ErrUnavailable too: it has no space left.
	ErrFull = fmt.Errorf("%w: no space is left", ErrUnavailable)
)

// Store is the database of a hall. Its methods may be called by any goroutine.
type Store interface {
	// View reads in one consistent snapshot. Nothing can be changed in it.
	View(ctx context.Context, fn func(Tx) error) error
	// Update writes all or nothing: nothing if fn returns an error. fn may be called
	// again when the database asks for that, so it has no effect but through Tx, and
	// whoever must be told of a change is told after Update has returned. Updates have
	// the effect that they would have one after the other as far as they change the
	// same things: none works on what another has changed meanwhile.
	//
	// The errors above leave the transaction as it was, and fn may go on. After any
	// other error of a method it is lost, and Update returns that error whatever fn
	// does. If the connection breaks while it is committed, nobody knows whether it
	// was: what is written is written so that doing it again does no harm.
	//
	// Within fn no method of the store is called, but those of Tx by one goroutine.
	Update(ctx context.Context, fn func(Tx) error) error
	// Check reports whether the database takes a write, by one that changes nothing that
	// is kept; with deep by one of a megabyte, which shows that there is space. Where a
	// write of this process goes on and another one would have to wait for it, it reads.
	Check(ctx context.Context, deep bool) error
	// Dump writes the whole content in a form that Load of either database reads.
	// It is one consistent snapshot, and row after row: memory does not grow with it.
	Dump(ctx context.Context, w Writer) error
	// Load fills an empty store with what Dump wrote, all or nothing. ErrConflict if
	// the store is not empty.
	Load(ctx context.Context, r Reader) error
	Close() error
}

// Read returns what fn reads in one view of a store.
func Read[T any](ctx context.Context, s Store, fn func(Tx) (T, error)) (v T, err error) {
	err = s.View(ctx, func(tx Tx) (err error) {
		v, err = fn(tx)
		return err
	})
	return v, err
}

// Get returns what a method of Tx reads by its argument, such as Tx.User.
func Get[A, T any](ctx context.Context, s Store, read func(Tx, A) (T, error), arg A) (T, error) {
	return Read(ctx, s, func(tx Tx) (T, error) { return read(tx, arg) })
}

// Writer takes the rows of a dump in order: the table, then the row's columns as
// JSON.
type Writer interface {
	Row(table string, row []byte) error
}

// Reader gives the rows of a dump in order and ends with io.EOF.
type Reader interface {
	Row() (table string, row []byte, err error)
}

// Tx is a transaction: all that can be done in one, by subject. A function that needs one
// subject alone takes that.
type Tx interface {
	Accounts
	Sessions
	Rooms
	Challenges
	Games
	Ratings
	Tournaments
	Engines
	WorkerTokens
	Requests
}
