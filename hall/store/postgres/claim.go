package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// claimKey is that of the lock by which halls know of each other in a database: "kibitz".
const claimKey = 0x6b6962_69747a

// Claim takes part in the database at an address until release is called or the process ends: alone, or
// with others that are not alone either. It is false if others are in the way.
func Claim(ctx context.Context, url string, alone bool) (ok bool, release func() error, err error) {
	cfg, err := parse(url)
	if err != nil {
		return false, nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return false, nil, err
	}
	query := "SELECT pg_try_advisory_lock_shared($1)"
	if alone {
		query = "SELECT pg_try_advisory_lock($1)"
	}
	err = conn.QueryRow(ctx, query, claimKey).Scan(&ok)
	return ok, func() error { return conn.Close(context.Background()) }, err
}
