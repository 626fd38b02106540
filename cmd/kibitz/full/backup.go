package full

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"kibitz/cmd/kibitz/outside"

	"kibitz/hall/store"
	"kibitz/hall/store/backup"
	"kibitz/hall/store/halldir"
	"kibitz/internal/plain"
	"kibitz/internal/wholefile"
)

// hallDatabase says where the database of a hall is.
type hallDatabase struct {
	Data string `default:"kibitz-hall" help:"Folder of the hall: database and queues." placeholder:"DIR"`
	DB   string `name:"db" env:"KIBITZ_DB" help:"A PostgreSQL database instead of the one in the folder, postgres://..." placeholder:"URL"`
}

// open opens the database; none is made or changed unless it may be.
func (d *hallDatabase) open(ctx context.Context, create bool) (store.Store, error) {
	s, err := halldir.Database{Dir: d.Data, URL: d.DB}.Open(ctx, create)
	return s, ofData(err)
}

// ofData names the flag that an error of a hall's folder is about.
func ofData(err error) error {
	if _, ok := errors.AsType[*halldir.Error](err); ok {
		return fmt.Errorf("--data %w", err)
	}
	return err
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
func (c backupCmd) Run(w *outside.World) (err error) {
	s, err := c.open(w.Ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if c.File == "-" {
		rows, err := backup.Write(w.Ctx, w.Stdout, s, w.Version, w.Now())
		if err != nil {
			return err
		}
		fmt.Fprintf(w.Stderr, "kibitz: %s written\n", plain.Count(rows, "row"))
		return nil
	}
	var rows int
	if err := wholefile.Through(c.File, func(out io.Writer) (err error) {
		rows, err = backup.Write(w.Ctx, out, s, w.Version, w.Now())
		return err
	}); err != nil {
		return err
	}
	fmt.Fprintf(w.Stdout, "%s written to %s\n", plain.Count(rows, "row"), c.File)
	return nil
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
func (c restoreCmd) Run(w *outside.World) (err error) {
	in, name := w.Stdin, "stdin"
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // it was only read
		in, name = f, c.File
	}
	r, err := backup.NewReader(in)
	if err != nil { // before a database is made
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	s, err := c.open(w.Ctx, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	err = s.Load(w.Ctx, r)
	if errors.Is(err, store.ErrConflict) {
		return fmt.Errorf("%s has a hall in it already, and restore fills an empty hall only: name another one; nothing was changed", c.named())
	}
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was restored", name, err)
	}
	fmt.Fprintf(w.Stdout, "%s restored, as they stood on %s\n", plain.Count(r.Rows(), "row"), r.Head.Time.UTC().Format(time.RFC3339))
	return nil
}
