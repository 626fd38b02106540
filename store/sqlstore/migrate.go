package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

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
