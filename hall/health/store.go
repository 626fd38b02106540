package health

import (
	"context"
	"errors"
	"time"

	"kibitz/hall/store"
)

const (
	// readAway is how long reading may take while the database is away: one whose disk is
	// full can still be read.
	readAway = time.Second
	// longestWrite is how long a transaction that writes may take, with what it waits for. A
	// connection may be silent while others answer, and who has begun such a transaction
	// keeps others waiting. The largest, of an import, takes a few seconds.
	longestWrite = 30 * time.Second
)

// errSilent ends a transaction that took longer than that.
var errSilent = errors.New("a transaction did not end in 30 s")

// Guard returns the store as a hall uses it: while the database is away nothing is
// written and nobody waits, and what goes on when it goes ends then.
func Guard(s store.Store, m *Monitor) store.Store { return &guarded{s, m} }

type guarded struct {
	store.Store
	m *Monitor
}

// View reads. While the database is away it is tried all the same, for a second.
func (g *guarded) View(ctx context.Context, fn func(store.Tx) error) error {
	g.m.Use()
	within, cancel := g.m.Within(ctx, Database, readAway)
	defer cancel()
	return g.judge(ctx, within, g.Store.View(within, fn))
}

// Update writes.
func (g *guarded) Update(ctx context.Context, fn func(store.Tx) error) error {
	g.m.Use()
	within, cancel, away := g.m.During(ctx, Database)
	defer cancel()
	if away != nil {
		g.m.Refused()
		return away
	}
	within, end := context.WithTimeoutCause(within, longestWrite, errSilent)
	defer end()
	began := g.m.cfg.Now()
	err := g.Store.Update(within, fn)
	if err == nil {
		g.m.Worked(Database, began)
	}
	return g.judge(ctx, within, err)
}

// judge makes of an error that comes from the database being away one that says so.
func (g *guarded) judge(ctx, within context.Context, err error) error {
	silent := errors.Is(context.Cause(within), errSilent)
	switch {
	case err == nil || errors.Is(err, ErrAway):
		return err
	case ctx.Err() == nil && within.Err() != nil && !silent:
		g.m.Refused()
		return Cause(within, err)
	case silent || errors.Is(err, store.ErrUnavailable):
		err = g.m.Failed(Database, err)
		g.m.Refused()
	}
	return err
}

// DatabasePart is the database as a Monitor watches it.
func DatabasePart(s store.Store) Part {
	return Part{Name: Database, Try: s.Check, Say: sayDatabase}
}

func sayDatabase(err error) (why, do string) {
	switch {
	case errors.Is(err, store.ErrFull):
		return "takes no writes: its disk is full", "make space on the disk of the database"
	case errors.Is(err, context.DeadlineExceeded):
		return "does not answer in time", ""
	case errors.Is(err, store.ErrUnavailable):
		return "cannot be reached", ""
	default:
		return "cannot be used", "see the log of the hall"
	}
}
