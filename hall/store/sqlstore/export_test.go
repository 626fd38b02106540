package sqlstore

import (
	"context"

	"kibitz/hall/store"
)

// Plan returns what SQLite says of how it finds the games of a query.
func (d *DB) Plan(ctx context.Context, q store.GameQuery) (steps []string, err error) {
	_, err = d.once(ctx, d.read, &d.d.Read, func(x *tx) (err error) {
		at := search{most: 100}
		if at.before, err = readCursor(q.Cursor); err != nil {
			return err
		}
		if q.HasPosition {
			at.among = []int64{}
		}
		from, args, err := games{x, positions{x}}.find(&q, at)
		if err != nil {
			return err
		}
		steps, err = x.plan("SELECT "+names(gameCols(&numbered{}))+" "+from, args)
		return err
	})
	return steps, err
}

// LoosePlan returns what SQLite says of how it finds the records of loose games.
func (d *DB) LoosePlan(ctx context.Context) (steps []string, err error) {
	_, err = d.once(ctx, d.read, &d.d.Read, func(x *tx) (err error) {
		steps, err = x.plan("SELECT l.n, r.positions "+looseOnes, nil)
		return err
	})
	return steps, err
}

func (x *tx) plan(query string, args []any) (steps []string, err error) {
	if args, err = x.prepare(args); err != nil {
		return nil, err
	}
	r, err := x.query("EXPLAIN QUERY PLAN "+query, args)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for r.Next() {
		var a, b, c int
		var step string
		if err := r.Scan(&a, &b, &c, &step); err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, r.Err()
}
