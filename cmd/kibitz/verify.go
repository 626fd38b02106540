package main

import (
	"fmt"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/replay/verify"
)

type verifyCmd struct {
	Files []string `arg:"" name:"file" help:"Records in any format, or the folder of a run; - reads stdin."`
	Game  string   `help:"Game with options: what formats do not say, and what the others must agree with." placeholder:"G"`
	From  string   `help:"Format of the files, if the extension does not say." placeholder:"F"`
	JSON  bool     `name:"json" help:"One JSON object for each game."`
	Quiet bool     `help:"Print only games that are not legal, and the totals."`
}

// Help returns the example that --help shows.
func (verifyCmd) Help() string { return "Example: kibitz verify run/games/*.json" }

// Run replays every game against the rules.
func (c verifyCmd) Run(a *app) error {
	if err := checkReading(c.Game, c.From); err != nil {
		return err
	}
	f := verify.Files{
		Book: verify.NewBook(games.OpenSpec), Game: c.Game, W: a.stdout, JSON: c.JSON, Quiet: c.Quiet, Warn: a.warn,
		Load: func(file string) ([]*record.Game, error) { return loadRecords(a, file, c.Game, c.From) },
	}
	if c.Game != "" {
		var err error
		if f.Rules, err = games.Open(c.Game); err != nil {
			return err
		}
	}
	files, err := f.Expand(c.Files)
	if err != nil {
		return err
	}
	if err := f.Judge(files); err != nil {
		return err
	}
	if f.Nothing() {
		return errTold
	}
	if fault := f.Fault(); fault != "" {
		return badVerdict("%s", fault)
	}
	if c.Quiet && !c.JSON {
		fmt.Fprintf(a.stdout, "%s, all legal\n", plain.Count(f.Games(), "game"))
	}
	return nil
}
