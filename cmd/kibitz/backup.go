package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kibitz/internal/plain"
	"kibitz/store"
	"kibitz/store/postgres"
	"kibitz/store/sqlite"
)

// hallDatabase says where the database of a hall is.
type hallDatabase struct {
	Data string `default:"kibitz-hall" help:"Folder of the hall: database and queues." placeholder:"DIR"`
	DB   string `name:"db" env:"KIBITZ_DB" help:"A PostgreSQL database instead of the one in the folder, postgres://..." placeholder:"URL"`
}

// databaseFile is the database in the folder of a hall.
const databaseFile = "hall.db"

// open opens the database; one in a folder is made only if it may be, and where none may
// be made none is changed either.
func (d *hallDatabase) open(ctx context.Context, create bool) (store.Store, error) {
	file := filepath.Join(d.Data, databaseFile)
	if create {
		if d.DB != "" {
			return postgres.Open(ctx, d.DB)
		}
		if err := privateFolder(d.Data); err != nil {
			return nil, err
		}
		return sqlite.Open(ctx, file)
	}
	if d.DB != "" {
		return postgres.OpenAsIs(ctx, d.DB)
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--data %s: there is no hall in that folder: it has no %s", d.Data, databaseFile)
	}
	return sqlite.OpenAsIs(ctx, file)
}

type backupCmd struct {
	File string `arg:"" help:"File that is written; - is stdout."`
	hallDatabase
}

// Help returns the example that --help shows.
func (backupCmd) Help() string {
	return "Writes all that a hall keeps in its database into one file, as it stands at one moment; the hall may go on meanwhile.\n" +
		"The file holds what nobody else may read, the hashes of passwords among it.\n" +
		"Examples: kibitz backup hall.kbak --data /var/lib/kibitz\n" +
		"          kibitz backup - --db postgres://kibitz@db/hall | ssh elsewhere 'cat >hall.kbak'"
}

// Run writes the file.
func (c backupCmd) Run(a *app) (err error) {
	s, err := c.open(a.ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if c.File == "-" {
		rows, err := writeBackup(a.ctx, a.stdout, s, a.now())
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "kibitz: %s written\n", plain.Count(rows, "row"))
		return nil
	}
	var rows int
	if err := writeThrough(c.File, func(w io.Writer) (err error) {
		rows, err = writeBackup(a.ctx, w, s, a.now())
		return err
	}); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s written to %s\n", plain.Count(rows, "row"), c.File)
	return nil
}

// writeThrough lets a file appear when all of it is on the disk, for its owner alone;
// what is no regular file, a device or a pipe, is written to as it is.
func writeThrough(name string, write func(io.Writer) error) (err error) {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".part*") // 0600
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name()) //nolint:errcheck // the first error is the one to tell
	}
	return err
}

// writeBackup writes the content of a store and returns how many rows it has.
func writeBackup(ctx context.Context, w io.Writer, s store.Store, now time.Time) (rows int, err error) {
	b, err := newBackupWriter(w, now)
	if err != nil {
		return 0, err
	}
	if err := s.Dump(ctx, b); err != nil {
		return 0, errors.Join(err, b.discard())
	}
	return b.rows, b.finish()
}

// named is the database as its owner named it, without what is secret in an address.
func (d *hallDatabase) named() string {
	if d.DB == "" {
		return "--data " + d.Data
	}
	return "the database of --db"
}

type restoreCmd struct {
	File string `arg:"" help:"File that kibitz backup wrote; - is stdin."`
	hallDatabase
}

// Help returns the example that --help shows.
func (restoreCmd) Help() string {
	return "Fills the empty database of a hall from a file that kibitz backup wrote, all or nothing, be it SQLite or PostgreSQL.\n" +
		"The folder is made if there is none. Start the hall afterwards.\n" +
		"Examples: kibitz restore hall.kbak --data /var/lib/kibitz\n" +
		"          kibitz restore hall.kbak --db postgres://kibitz@db/hall"
}

// Run fills the database.
func (c restoreCmd) Run(a *app) (err error) {
	in, name := a.stdin, "stdin"
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // it was only read
		in, name = f, c.File
	}
	r, err := newBackupReader(in)
	if err != nil { // before a database is made
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.close()
	s, err := c.open(a.ctx, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	err = s.Load(a.ctx, r)
	if errors.Is(err, store.ErrConflict) {
		return fmt.Errorf("%s has a hall in it already, and restore fills an empty hall only: name another one; nothing was changed", c.named())
	}
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was restored", name, err)
	}
	fmt.Fprintf(a.stdout, "%s restored, as they stood on %s\n", plain.Count(r.rows, "row"), r.head.Time.UTC().Format(time.RFC3339))
	return nil
}
