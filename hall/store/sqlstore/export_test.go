package sqlstore

import (
	"context"

	"kibitz/hall/store"
)

// Plan returns what SQLite says of how it finds the games of a query.
func (d *DB) Plan(ctx context.Context, q store.GameQuery) (steps []string, err error) {
	_, err = d.once(ctx, d.read, &d.d.Read, func(x *tx) error {
		from, args, err := games{x, positions{x}}.find(&q)
		if err != nil {
			return err
		}
		if args, err = x.prepare(args); err != nil {
			return err
		}
		r, err := x.t.QueryContext(ctx, "EXPLAIN QUERY PLAN SELECT "+names(gameCols(&numbered{}))+" "+from, args...)
		if err != nil {
			return err
		}
		defer r.Close()
		for r.Next() {
			var a, b, c int
			var step string
			if err := r.Scan(&a, &b, &c, &step); err != nil {
				return err
			}
			steps = append(steps, step)
		}
		return r.Err()
	})
	return steps, err
}
