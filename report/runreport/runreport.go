// Package runreport makes the report of a run from its folder: a page, tables, results for
// rating programs, records.
package runreport

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kibitz/game/wire"
	"kibitz/internal/wholefile"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/formats"
	"kibitz/report"
	"kibitz/rules"
)

// Options say what Write writes; without files it is the page and the tables in the folder
// of the run.
type Options struct {
	HTML, CSV, PGN, Title string
	Moves                 bool
	// Boards is how many games the page shows move by move, 0 for none.
	Boards int
	// Review, if not nil, judges the turns of the games that the page shows move by move; nil where
	// nothing can be judged.
	Review func(*record.Game) (*wire.Review, error)
	// Program is the version of the program that makes the report, Open opens the rules of
	// a game by its text.
	Program string
	Open    func(text string) (rules.Rules, error)
}

// Boards is the number of games that the page of a run shows move by move if nobody says.
const Boards = 30

// Done tells what Write did.
type Done struct {
	Files   []string
	Games   int
	Running int
	// Torn is how many bytes at the end of the journal are no whole event, Faults
	// the damaged lines.
	Torn   int
	Faults []error
}

// Write writes the report of the run in the folder dir, which may still go
// on. It is for the end of every match as well as for the command.
func Write(dir string, now time.Time, o Options) (*Done, error) {
	if o.HTML+o.CSV+o.PGN == "" {
		o.HTML, o.CSV = filepath.Join(dir, "report.html"), dir
	}
	run, err := openReport(dir, now, &o)
	if err != nil {
		return nil, err
	}
	out := &files{done: &Done{}}
	var moves *os.File
	var end func() error
	games, standings, moveTable := o.tables()
	if o.Moves {
		moveTable = cmp.Or(moveTable, filepath.Join(dir, "moves.csv"))
		if moves, err = os.Create(moveTable + ".part"); err != nil {
			return nil, err
		}
		run.config.Moves, end = report.MovesCSV(moves)
	}
	c := report.NewCollector(run.config)
	out.done.Torn, out.done.Faults, err = readEvents(run.journal, c.Add)
	if moves != nil {
		err = errors.Join(err, end(), moves.Close())
		if err == nil {
			err = os.Rename(moveTable+".part", moveTable)
		}
		if err != nil {
			os.Remove(moveTable + ".part") //nolint:errcheck // the first error is the one to tell
		} else {
			out.done.Files = append(out.done.Files, moveTable)
		}
	}
	if err != nil {
		return nil, err
	}
	m := c.Model()
	out.done.Games, out.done.Running = len(m.Games), m.Running
	err = errors.Join(out.write(o.HTML, m.HTML), out.write(games, m.GamesCSV), out.write(standings, m.StandingsCSV), out.write(o.PGN, m.PGN))
	return out.done, err
}

func (o *Options) tables() (games, standings, moves string) {
	switch {
	case o.CSV == "":
		return "", "", ""
	case strings.EqualFold(filepath.Ext(o.CSV), ".csv"):
		stem := strings.TrimSuffix(o.CSV, filepath.Ext(o.CSV))
		return o.CSV, stem + "-standings.csv", stem + "-moves.csv"
	}
	return filepath.Join(o.CSV, "games.csv"), filepath.Join(o.CSV, "standings.csv"), filepath.Join(o.CSV, "moves.csv")
}

type files struct{ done *Done }

func (f *files) write(name string, fill func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := fill(&b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := wholefile.Write(name, b.Bytes()); err != nil {
		return err
	}
	f.done.Files = append(f.done.Files, name)
	return nil
}

// prefixTo returns the link that leads from a page to the folder of its run, with
// a slash at its end; empty if the page lies there.
func prefixTo(page, dir string) string {
	if page == "" {
		return ""
	}
	from, err1 := filepath.Abs(filepath.Dir(page))
	to, err2 := filepath.Abs(dir)
	rel, err3 := filepath.Rel(from, to)
	if errors.Join(err1, err2, err3) != nil {
		rel = to
	}
	if rel == "." {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/") + "/"
}

// FileError is what is wrong with a file for records before any is read.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// WriteRecords writes the finished games of a run, of which a file holds so many at most,
// into a file of any format, with the results that were ruled. Games that were annulled
// are left out, as by Options.PGN.
func WriteRecords(set *formats.Set, dir, name string, most int) (n int, err error) {
	files, isRun, err := folder.Records(dir)
	if err != nil {
		return 0, err
	}
	open, err := scanJournal(filepath.Join(dir, "journal"))
	if err != nil {
		return 0, err
	}
	if !isRun || len(files) == 0 {
		return 0, fmt.Errorf("%s: no finished game has a record here", dir)
	}
	rulings, err := folder.Rulings(dir)
	if err != nil {
		return 0, err
	}
	first, err := set.Load(nil, files[0], "", "")
	if err != nil {
		return 0, err
	}
	r, err := set.Open(first[0].Spec)
	if err != nil {
		return 0, err
	}
	out, err := set.NewFile(name, r, len(files)*most)
	if err != nil {
		return 0, &FileError{err}
	}
	if err := out.Begin(); err != nil {
		return 0, err
	}
	for _, file := range files {
		list, err := set.Load(nil, file, "", "")
		if err != nil {
			return n, err
		}
		for _, g := range list {
			if open.closed(g.Commitment) || !folder.Rule(g, rulings) {
				continue
			}
			if err := out.Add(g); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, out.Close()
}
