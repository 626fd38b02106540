package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/internal/wholefile"
	"kibitz/record/folder"
	"kibitz/report"
)

type reportCmd struct {
	Dir    string   `arg:"" help:"Folder of a run."`
	HTML   string   `name:"html" help:"Write the page into this file." placeholder:"FILE"`
	CSV    string   `name:"csv" help:"Write tables into this folder, or the games into this file and the others beside it." placeholder:"FILE|DIR"`
	PGN    string   `name:"pgn" help:"Write results for rating programs into this file; White is the first seat." placeholder:"FILE"`
	Moves  bool     `help:"Write the table of all moves too."`
	Record []string `sep:"none" help:"Write all finished games into this file; the extension says how. Repeatable." placeholder:"FILE"`
	Title  string   `help:"Title of the page." placeholder:"T"`
	Boards int      `default:"30" help:"How many games the page shows move by move."`
}

// Help returns the example that --help shows.
func (reportCmd) Help() string {
	return "Without flags DIR gets report.html, games.csv and standings.csv.\n" +
		"Examples: kibitz report run\n          kibitz report run --html page.html --title 'Autumn cup' --pgn cup.pgn"
}

// reportOptions say what writeReport writes; the zero value is the page and the
// tables in the folder of the run.
type reportOptions struct {
	HTML, CSV, PGN, Title string
	Moves                 bool
	// Boards is how many games the page shows move by move, 0 for none.
	Boards int
}

// reportBoards is the number of games that the page of a run shows move by move
// if nobody says.
const reportBoards = 30

// reportDone tells what writeReport did.
type reportDone struct {
	Files   []string
	Games   int
	Running int
	// Torn is how many bytes at the end of the journal are no whole event, Faults
	// the damaged lines.
	Torn   int
	Faults []error
}

// Run writes the report of a run.
func (c reportCmd) Run(a *app) error {
	if c.Boards < 0 {
		return fmt.Errorf("--boards %d: must not be negative", c.Boards)
	}
	o := reportOptions{HTML: c.HTML, CSV: c.CSV, PGN: c.PGN, Title: c.Title, Moves: c.Moves, Boards: c.Boards}
	var done *reportDone
	var err error
	if c.HTML+c.CSV+c.PGN != "" || c.Moves || len(c.Record) == 0 {
		if done, err = writeReport(c.Dir, a.now(), o); err != nil {
			return err
		}
		tell(a, done)
	}
	for _, name := range c.Record {
		n, err := writeRunRecords(a, c.Dir, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "%s written to %s\n", plain.Count(n, "game"), name)
	}
	if done != nil && len(done.Faults) > 0 {
		return badVerdict("the journal is damaged: %s (kibitz verify says more); the report is of the rest", done.Faults[0])
	}
	return nil
}

// tell says what was written.
func tell(a *app, done *reportDone) {
	text := "report of " + plain.Count(done.Games, "game")
	if done.Running > 0 {
		text += fmt.Sprintf(" (%d more begun, nothing of them is told)", done.Running)
	}
	if done.Torn > 0 {
		text += fmt.Sprintf(", the last %s of the journal are an unfinished event", plain.Count(done.Torn, "byte"))
	}
	fmt.Fprintf(a.stderr, "%s: %s\n", text, strings.Join(done.Files, ", "))
}

// writeReport writes the report of the run in the folder dir, which may still go
// on. It is for the end of every match as well as for the command.
func writeReport(dir string, now time.Time, o reportOptions) (*reportDone, error) {
	if o.HTML+o.CSV+o.PGN == "" {
		o.HTML, o.CSV = filepath.Join(dir, "report.html"), dir
	}
	run, err := openReport(dir, now, &o)
	if err != nil {
		return nil, err
	}
	out := &reportFiles{done: &reportDone{}}
	var moves *os.File
	var end func() error
	games, standings, moveTable := o.tables()
	if o.Moves {
		if moveTable == "" {
			moveTable = filepath.Join(dir, "moves.csv")
		}
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

// tables returns the names of the tables.
func (o *reportOptions) tables() (games, standings, moves string) {
	switch {
	case o.CSV == "":
		return "", "", ""
	case strings.EqualFold(filepath.Ext(o.CSV), ".csv"):
		stem := strings.TrimSuffix(o.CSV, filepath.Ext(o.CSV))
		return o.CSV, stem + "-standings.csv", stem + "-moves.csv"
	}
	return filepath.Join(o.CSV, "games.csv"), filepath.Join(o.CSV, "standings.csv"), filepath.Join(o.CSV, "moves.csv")
}

// reportFiles are the files that are written.
type reportFiles struct{ done *reportDone }

func (f *reportFiles) write(name string, fill func(io.Writer) error) error {
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

// writeRunRecords writes the finished games of a run into a file of any format.
func writeRunRecords(a *app, dir, name string) (n int, err error) {
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
	first, err := loadRecords(a, files[0], "", "")
	if err != nil {
		return 0, err
	}
	r, err := games.OpenSpec(first[0].Spec)
	if err != nil {
		return 0, err
	}
	out, err := records().NewFile(name, r, len(files)*blockGames)
	if err != nil {
		return 0, fmt.Errorf("--record: %w", err)
	}
	if err := out.Begin(); err != nil {
		return 0, err
	}
	for _, file := range files {
		list, err := loadRecords(a, file, "", "")
		if err != nil {
			return n, err
		}
		for _, g := range list {
			if open.closed(g.Commitment) {
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
