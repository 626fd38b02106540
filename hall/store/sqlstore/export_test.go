package sqlstore

import (
	"context"

	"kibitz/hall/store"
)

// Plan returns what SQLite says of how it finds the games of a query.
func (d *DB) Plan(ctx context.Context, q store.GameQuery) (steps []string, err error) {
	_, err = d.once(ctx, d.read, &d.d.Read, func(x *tx) error {
		query, args, err := x.findQuery(&q)
		if err != nil {
			return err
		}
		steps, err = rows(x, func(s *string) []any {
			var a, b, c int
			return []any{&a, &b, &c, s}
		}, "EXPLAIN QUERY PLAN "+query, args...)
		return err
	})
	return steps, err
}
