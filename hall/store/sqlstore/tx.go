package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kibitz/hall/store"
)

// tx is a transaction: what statements go through. The types of the subjects, such as
// rooms and games, are made of it.
type tx struct {
	ctx context.Context
	t   *sql.Tx
	d   *Dialect
	// failed is the first error of the database, or that the transaction is over.
	// PostgreSQL takes nothing more in a transaction in which something failed; so
	// that both are alike, neither does.
	failed error
	// stmts are those statements that a transaction runs again and again.
	stmts map[string]*sql.Stmt
	// ready are queries of one row that need not be read again.
	ready *ready
}

func (x *tx) query(query string, args []any) (*sql.Rows, error) {
	return x.t.QueryContext(x.ctx, query, args...)
}

// kept returns a statement that the database has read once for the transaction, whose end
// closes it.
func (x *tx) kept(query string) (*sql.Stmt, error) {
	s := x.stmts[query]
	if s != nil {
		return s, nil
	}
	s, err := x.t.PrepareContext(x.ctx, query)
	if err != nil {
		return nil, err
	}
	if x.stmts == nil {
		x.stmts = map[string]*sql.Stmt{}
	}
	x.stmts[query] = s
	return s, nil
}

// queryKept asks for rows by such a statement.
func (x *tx) queryKept(query string, args []any) (*sql.Rows, error) {
	s, err := x.kept(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(x.ctx, args...)
}

// subjects is a transaction as store.Tx has it.
type subjects struct {
	accounts
	sessions
	rooms
	challenges
	games
	ratings
	tournaments
	engines
	workerTokens
	requests
}

func bySubject(x *tx) store.Tx {
	return subjects{
		accounts{x},
		sessions{x},
		rooms{x},
		challenges{x},
		games{x, positions{x}},
		ratings{x},
		tournaments{x},
		engines{x},
		workerTokens{x},
		requests{x},
	}
}

// end makes a transaction that is kept by mistake useless.
func (x *tx) end() {
	if x.failed == nil {
		x.failed = errors.New("the transaction is over")
	}
}

// fail notes an error of the database.
func (x *tx) fail(err error) error {
	if text := x.d.Refused(err); text != "" {
		err = fmt.Errorf("%w: %s", store.ErrInvalid, text)
	}
	x.failed = err
	return err
}

// exec changes rows and returns how many.
func (x *tx) exec(query string, args ...any) (int64, error) {
	list, err := x.prepare(args)
	if err != nil {
		return 0, err
	}
	res, err := x.t.ExecContext(x.ctx, x.d.bind(query), list...)
	if err != nil {
		return 0, x.fail(err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return 0, x.fail(err)
	}
	return n, nil
}

// row reads one row and tells whether there is one.
func (x *tx) row(dest []any, query string, args ...any) (bool, error) {
	list, err := x.prepare(args)
	if err != nil {
		return false, err
	}
	if s := x.ready.get(query); s != nil {
		err = x.t.StmtContext(x.ctx, s).QueryRowContext(x.ctx, list...).Scan(into(dest)...)
	} else {
		err = x.t.QueryRowContext(x.ctx, x.d.bind(query), list...).Scan(into(dest)...)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, x.fail(err)
	}
	return true, nil
}

// has tells whether a query finds anything.
func (x *tx) has(query string, args ...any) (bool, error) {
	var one int64
	return x.row([]any{&one}, query, args...)
}

func (x *tx) prepare(args []any) ([]any, error) {
	if x.failed != nil {
		return nil, x.failed
	}
	out := make([]any, len(args))
	for i, a := range args {
		v, err := value(a)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// bind writes the placeholders of a query as the database wants them.
func (d *Dialect) bind(query string) string {
	if !d.Numbered {
		return query
	}
	var b strings.Builder
	b.Grow(len(query) + 32)
	n := 0
	for {
		i := strings.IndexByte(query, '?')
		if i < 0 {
			b.WriteString(query)
			return b.String()
		}
		n++
		b.WriteString(query[:i])
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
		query = query[i+1:]
	}
}

// marks returns n placeholders between commas.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// limit is how many rows are meant.
func limit(n int) int {
	if n <= 0 {
		return 100
	}
	return n
}
