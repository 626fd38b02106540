package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path"

	"github.com/pressly/goose/v3"
)

// Migrate brings the tables of a database up to date by the files of a folder. It
// refuses a database that a newer program has changed.
func Migrate(ctx context.Context, db *sql.DB, dialect goose.Dialect, files fs.FS, opts ...goose.ProviderOption) error {
	p, err := goose.NewProvider(dialect, db, files, append(opts, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return err
	}
	has, knows, err := p.GetVersions(ctx)
	switch {
	case err != nil:
		return err
	case has > knows:
		return fmt.Errorf("the database is of version %d and this program knows up to %d; take a newer one", has, knows)
	case has == knows:
		return nil
	}
	_, err = p.Up(ctx)
	return err
}

// CheckVersion refuses a database whose tables are not those that the files of a folder
// make. It changes nothing.
func CheckVersion(ctx context.Context, db *sql.DB, files fs.FS) error {
	names, err := fs.Glob(files, "*.sql")
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no files of tables: %w", err)
	}
	var has, knows int64
	for _, name := range names {
		n, err := goose.NumericComponent(path.Base(name))
		if err != nil {
			return err
		}
		knows = max(knows, n)
	}
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM "+goose.DefaultTablename).Scan(&has); err != nil {
		return fmt.Errorf("there is no hall in it: %w", err)
	}
	switch {
	case has > knows:
		return fmt.Errorf("the database is of version %d and this program knows up to %d; take a newer one", has, knows)
	case has < knows:
		return fmt.Errorf("the database is of version %d and this program is of version %d: take the program of the hall that runs with it, "+
			"or start this one's first", has, knows)
	}
	return nil
}
