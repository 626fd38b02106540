package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/hall/entry"
	"kibitz/internal/wholefile"
	"kibitz/run"
	"kibitz/run/engines"
)

type runCmd struct {
	File        string  `arg:"" name:"file.toml" help:"What kibitz match --save wrote, the run.toml of a run, or one written by hand."`
	Out         string  `help:"Folder for journal, records and logs; default: that of the file, else a dated one." placeholder:"DIR"`
	Concurrency *int    `help:"Games at a time, in the place of the file's." placeholder:"N"`
	Seed        *uint64 `help:"Seed of everything random, in the place of the file's." placeholder:"N"`
	showFlags
}

// showFlags are flags of how a run is shown.
type showFlags struct {
	JSON   bool `name:"json" help:"One JSON object for each game, then a summary."`
	Quiet  bool `help:"Print nothing but the final table (or nothing with --json)."`
	Strict bool `help:"Exit with 1 if there was any warning or forfeit."`
	Board  bool `help:"Show the final position of each game."`
	TUI    bool `name:"tui" help:"Show boards, standings and figures on the whole terminal while games run."`
}

// over sets what is asked for beyond what a match says already.
func (f *showFlags) over(c *run.Settings) {
	c.JSON, c.Quiet, c.Strict, c.Board = c.JSON || f.JSON, c.Quiet || f.Quiet, c.Strict || f.Strict, c.Board || f.Board
	c.TUI = c.TUI || f.TUI
}

// Help returns the example that --help shows.
func (runCmd) Help() string {
	return "Example: kibitz match --game othello --engine bot=3 --engine bot=5 --save othello.toml && kibitz run othello.toml\n\n" +
		"The file holds the flags of kibitz match under their own names, and a table for each engine."
}

// Run plays what a file says.
func (c runCmd) Run(a *app) error {
	f, err := run.ReadFile(c.File)
	if err != nil {
		return err
	}
	s, err := f.Settings()
	if err != nil {
		return err
	}
	if c.Out != "" {
		s.Out = c.Out
	}
	if s.Out != "" { // counts from here, wherever the run was started at first
		if s.Out, err = filepath.Abs(s.Out); err != nil {
			return err
		}
	}
	if c.Concurrency != nil {
		s.Concurrency = *c.Concurrency
	}
	if s.Secret, err = f.Text(run.KeySecret); err != nil {
		return err
	}
	if c.Seed != nil {
		s.Seed, s.Secret = *c.Seed, ""
	}
	c.over(s)
	if s.Folder, err = f.Folder(); err != nil {
		return err
	}
	r, err := a.newRun(*s)
	if err != nil {
		return f.Place(err)
	}
	if err := r.Open(a.ctx); err != nil {
		return f.Place(err)
	}
	return a.playRun(r)
}

// hallEngine reports whether an engine is a program that is not on this machine and could
// be one of a hall, which has it under that name: stand plays in its place where the rest
// of the match is checked.
func hallEngine(each, words engines.Words) (stand engines.Words, is bool) {
	command, is := words.Get("cmd")
	if !is {
		return nil, false
	}
	cmd, err := engines.SplitCommand(command)
	if err != nil || len(cmd) == 0 || strings.ContainsAny(cmd[0], `/\`) {
		return nil, false
	}
	if _, err := engines.Folder("").Locate(cmd[0]); err == nil {
		return nil, false
	}
	if _, err := entry.Parse(each.String(), words.String()); err != nil {
		return nil, false
	}
	return words.Without("cmd").With("bot", "random"), true
}

// save writes a match into a file for kibitz run, after making sure that it could
// be played here, or by a hall that has the programs that are not here.
func (c *matchCmd) save(a *app) error {
	checked, away := c.Settings, false
	checked.Engine = slices.Clone(c.Engine)
	for i, words := range c.Engine {
		if stand, is := hallEngine(c.Each, words); is {
			checked.Engine[i], away = stand, true
		}
	}
	say := a.saying(&c.Settings)
	if _, err := run.New(checked, a.runDeps(say)); err != nil {
		return err
	}
	b, err := c.Write()
	if err != nil {
		return err
	}
	if err := wholefile.Write(c.Save, b); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	if away && !c.Quiet {
		say(c.Save + " written; not all of its programs are on this machine: a hall that offers them takes it")
		return nil
	}
	if !c.Quiet {
		say(fmt.Sprintf("%s written; kibitz run %s plays it", c.Save, c.Save))
	}
	return nil
}
