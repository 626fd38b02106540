package sqlstore

import (
	"context"
	"database/sql"
	"sync"
)

// ready are the queries of one row that transactions of View ask, each read by the
// database once for a connection and not at each look. They are made ready between
// transactions: one that waits for a second connection may wait for ever. Of nil nothing
// is ready.
type ready struct {
	mu     sync.RWMutex
	stmts  map[string]*sql.Stmt
	wanted map[string]bool
}

// get returns a query that is ready, nil for one that is not yet.
func (r *ready) get(query string) *sql.Stmt {
	if r == nil {
		return nil
	}
	r.mu.RLock()
	s, known := r.stmts[query]
	r.mu.RUnlock()
	if !known {
		r.mu.Lock()
		r.wanted[query] = true
		r.mu.Unlock()
	}
	return s
}

// make readies what was wanted. A query that cannot be made ready is asked as it is.
func (r *ready) make(ctx context.Context, db *sql.DB) {
	if r == nil {
		return
	}
	r.mu.RLock()
	n := len(r.wanted)
	r.mu.RUnlock()
	if n == 0 {
		return
	}
	r.mu.Lock()
	wanted := r.wanted
	r.wanted = map[string]bool{}
	for query := range wanted {
		r.stmts[query] = nil
	}
	r.mu.Unlock()
	for query := range wanted {
		if s, err := db.PrepareContext(ctx, query); err == nil {
			r.mu.Lock()
			r.stmts[query] = s
			r.mu.Unlock()
		}
	}
}
