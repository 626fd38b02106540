package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/hall/forms"
	"kibitz/internal/wholefile"
	"kibitz/journal"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/tournament"
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
func (f *showFlags) over(c *matchCmd) {
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
	m := &matchCmd{Settings: *s}
	if c.Out != "" {
		m.Out = c.Out
	}
	if m.Out != "" { // counts from here, wherever the run was started at first
		if m.Out, err = filepath.Abs(m.Out); err != nil {
			return err
		}
	}
	if c.Concurrency != nil {
		m.Concurrency = *c.Concurrency
	}
	if m.Secret, err = f.Text(run.KeySecret); err != nil {
		return err
	}
	if c.Seed != nil {
		m.Seed, m.Secret = *c.Seed, ""
	}
	c.over(m)
	if m.Folder, err = f.Folder(); err != nil {
		return err
	}
	r, err := newMatchRun(a, m)
	if err != nil {
		return f.Place(err)
	}
	if err := r.open(); err != nil {
		return f.Place(err)
	}
	_, err = r.play()
	return err
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
	if _, err := (forms.Maker{}).Entry(nil, each.String(), words.String()); err != nil {
		return nil, false
	}
	return words.Without("cmd").With("bot", "random"), true
}

// save writes a match into a file for kibitz run, after making sure that it could
// be played here, or by a hall that has the programs that are not here.
func (c *matchCmd) save(a *app) error {
	checked, away := *c, false
	checked.Engine = slices.Clone(c.Engine)
	for i, words := range c.Engine {
		if stand, is := hallEngine(c.Each, words); is {
			checked.Engine[i], away = stand, true
		}
	}
	r, err := newMatchRun(a, &checked)
	if err != nil {
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
		fmt.Fprintf(r.talk, "%s written; not all of its programs are on this machine: a hall that offers them takes it\n", c.Save)
		return nil
	}
	if !c.Quiet {
		fmt.Fprintf(r.talk, "%s written; kibitz run %s plays it\n", c.Save, c.Save)
	}
	return nil
}

// runFile returns run.toml: everything needed to repeat the run. The secret makes
// the same shuffles and is told when the run is over.
func (r *matchRun) runFile(secret bool) ([]byte, error) {
	s := r.cmd.Settings
	s.Openings = s.Openings.Kept(filepath.Join(r.dir.Path, run.OpeningsFile))
	s.Game, s.Seed, s.Rounds, s.Seeds, s.Secret = string(r.rules.Spec()), r.seeds.Seed, &r.plan.Rounds, r.plan.Seeds, ""
	dir, err := s.Folder.Abs(".")
	if err != nil {
		return nil, err
	}
	further := []run.Setting{{Key: run.KeyFolder, Value: dir}, {Key: run.KeyVersion, Value: version}}
	if r.foreign != nil {
		further = append(further, run.Setting{Key: run.KeyCompat, Value: r.foreign.Program})
	}
	if secret {
		further = append(further, run.Setting{Key: run.KeySecret, Value: hex.EncodeToString(r.seeds.Secret[:])})
	}
	return s.Write(further...)
}

// writeRun begins the run's folder: how to repeat it, and the head of the journal.
// A run that is taken up has the first already.
func (r *matchRun) writeRun() error {
	b, err := r.runFile(false)
	if err != nil {
		return err
	}
	if r.earlier == nil {
		if err := r.dir.KeepSecret(r.seeds.Secret); err != nil {
			return err
		}
		if err := r.keepOpenings(); err != nil {
			return err
		}
		if err := r.dir.File("run.toml", b); err != nil {
			return err
		}
	}
	config, err := json.Marshal(string(b))
	if err != nil {
		return err
	}
	return r.dir.Journal.Append(&journal.Event{
		Time: r.a.now(), To: game.Arbiter, Kind: journal.KindRun,
		Run: &journal.Run{
			Program: "kibitz " + version, Config: config, Commitment: tournament.Commitment(r.seeds.Secret), Resumed: r.earlier.times(),
		},
	})
}

// keepOpenings writes the openings that were made for the run into its folder, so
// that it can be taken up and repeated with them.
func (r *matchRun) keepOpenings() error {
	if r.opened == nil || r.opened.made == nil {
		return nil
	}
	return r.dir.File(run.OpeningsFile, r.opened.made)
}
