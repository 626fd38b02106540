package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"kibitz/game/wire"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/report/runreport"
	"kibitz/run/folder"
)

type reportCmd struct {
	Dir    string   `arg:"" help:"Folder of a run."`
	HTML   string   `name:"html" help:"Write the page into this file." placeholder:"FILE"`
	CSV    string   `name:"csv" help:"Write tables into this folder, or the games into this file and the others beside it." placeholder:"FILE|DIR"`
	PGN    string   `name:"pgn" help:"Write results for rating programs into this file; White is the first seat." placeholder:"FILE"`
	Moves  bool     `help:"Write the table of all moves too."`
	Record []string `sep:"none" help:"Write all finished games into this file; the extension says how. Repeatable." placeholder:"FILE"`
	Title  string   `help:"Title of the page." placeholder:"T"`
	Review string   `help:"Judge the turns of the games that the page shows move by move by this engine: words as for kibitz analyze, for example 'bot=9 depth=8'." placeholder:"S"`
	Boards int      `default:"30" help:"How many games the page shows move by move."`
}

// Help returns the example that --help shows.
func (reportCmd) Help() string {
	return "Without flags DIR gets report.html, games.csv and standings.csv.\n" +
		"Examples: kibitz report run\n          kibitz report run --html page.html --title 'Autumn cup' --pgn cup.pgn"
}

type reportOptions = runreport.Options

const reportBoards = runreport.Boards

// writeReport writes the report of the run in the folder dir, which may still go on. It is
// for the end of every match as well as for the command.
func writeReport(dir string, now time.Time, o reportOptions) (*runreport.Done, error) {
	o.Program, o.Open = version, games.Open
	return runreport.Write(dir, now, o)
}

// Run writes the report of a run.
func (c reportCmd) Run(a *app) error {
	if c.Boards < 0 {
		return fmt.Errorf("--boards %d: must not be negative", c.Boards)
	}
	o := runreport.Options{HTML: c.HTML, CSV: c.CSV, PGN: c.PGN, Title: c.Title, Moves: c.Moves, Boards: c.Boards}
	end, err := c.review(a, &o)
	if err != nil {
		return err
	}
	defer end()
	var done *runreport.Done
	if c.HTML+c.CSV+c.PGN != "" || c.Moves || len(c.Record) == 0 {
		if done, err = writeReport(c.Dir, a.now(), o); err != nil {
			return err
		}
		tell(a, done)
	}
	for _, name := range c.Record {
		n, err := runreport.WriteRecords(records(), c.Dir, name, folder.BlockGames)
		if _, ok := errors.AsType[*runreport.FileError](err); ok {
			return fmt.Errorf("--record: %w", err)
		}
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

// review lets an engine judge the games of the page.
func (c *reportCmd) review(a *app, o *reportOptions) (end func(), err error) {
	if c.Review == "" {
		return func() {}, nil
	}
	e, err := analyst("engine", c.Review)
	if err != nil {
		return nil, fmt.Errorf("--review: %w", err)
	}
	done, err := a.launcher().Ready(a.ctx, e)
	if err != nil {
		return nil, err
	}
	n := newAnalyst(a, e)
	o.Review = func(g *record.Game) (*wire.Review, error) { return n.Review(a.ctx, g) }
	return func() {
		n.Close()
		done()
	}, nil
}

func tell(a *app, done *runreport.Done) {
	text := "report of " + plain.Count(done.Games, "game")
	if done.Running > 0 {
		text += fmt.Sprintf(" (%d more begun, nothing of them is told)", done.Running)
	}
	if done.Torn > 0 {
		text += fmt.Sprintf(", the last %s of the journal are an unfinished event", plain.Count(done.Torn, "byte"))
	}
	fmt.Fprintf(a.stderr, "%s: %s\n", text, strings.Join(done.Files, ", "))
}
