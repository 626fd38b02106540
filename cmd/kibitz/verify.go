package main

import (
	"fmt"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record/folder"
	"kibitz/record/formats"
	"kibitz/record/replay/verify"
	"kibitz/rules"
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
	total, bad, faulty := 0, 0, 0
	var unread error
	seeds := verify.NewBook(games.OpenSpec)
	if err := checkReading(c.Game, c.From); err != nil {
		return err
	}
	var want rules.Rules
	if c.Game != "" {
		var err error
		if want, err = games.Open(c.Game); err != nil {
			return err
		}
	}
	var files []string
	for _, name := range c.Files {
		list, isRun, err := folder.Records(name)
		if err == nil && isRun {
			err = seeds.ReadJournal(name)
		}
		if err != nil {
			return err
		}
		files = append(files, list...)
	}
	for _, name := range files {
		list, err := loadRecords(a, name, c.Game, c.From)
		if err != nil {
			faulty++
			a.warn(plain.OneLine(err))
		}
		if err != nil && len(list) == 0 && unread == nil {
			unread = err
		}
		for i, g := range list {
			total++
			title := formats.Label(name, i, len(list), g)
			v, l := seeds.Game(name, g)
			v.Number = i + 1
			v.Add(verify.OtherGame(l, c.Game, want))
			v.Add(seeds.Check(title, g, l))
			if !v.Right() {
				bad++
			}
			if !c.JSON {
				v.Print(a.stdout, title, c.Quiet)
			} else if err := plain.JSONLine(a.stdout, v); err != nil {
				return err
			}
		}
	}
	issues, open := seeds.Settle()
	for _, text := range issues {
		a.warn(text)
	}
	bad += len(issues)
	for _, text := range seeds.Unrecorded() {
		a.warn(text)
	}
	if open > 0 && !c.Quiet {
		fmt.Fprintf(a.stderr, "kibitz: the seeds of %s are not among these files; give the folder of the run\n",
			plain.Count(open, "shuffled game"))
	}
	if unread != nil && total == 0 {
		return errTold
	}
	switch {
	case faulty > 0:
		return badVerdict("%d of %s not right, %d of %s not read whole", bad, plain.Count(total, "game"), faulty, plain.Count(len(files), "file"))
	case bad > 0:
		return badVerdict("%d of %s not right", bad, plain.Count(total, "game"))
	}
	if c.Quiet && !c.JSON {
		fmt.Fprintf(a.stdout, "%s, all legal\n", plain.Count(total, "game"))
	}
	return nil
}
