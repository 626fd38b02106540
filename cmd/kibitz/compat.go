package main

import (
	"errors"
	"fmt"
	"os"

	"kibitz/report/runreport"
	"kibitz/run"
	"kibitz/run/compat"
	"kibitz/run/compat/cgomoku"
	"kibitz/run/compat/cutechess"
	"kibitz/run/compat/fastchess"
	"kibitz/run/compat/gogui"
	"kibitz/run/openings"
)

// compatCmd plays what was written for another program, and answers in its lines.
type compatCmd struct {
	Out  string   `help:"Keep journal, records and logs in this folder; without it nothing but the files that the options name is kept." placeholder:"DIR"`
	Args []string `arg:"" name:"program" passthrough:"partial" help:"c-gomoku-cli, cutechess-cli, fastchess or gogui-twogtp, then its own options."`
}

// Help returns the example that --help shows.
func (compatCmd) Help() string {
	return "Examples:\n  kibitz compat c-gomoku-cli -each tc=60/5 -engine cmd=./pbrain-a -engine cmd=./pbrain-b -rule 1 -games 100 -repeat " +
		"-openings file=openings.txt\n" +
		"  kibitz compat cutechess-cli -variant gomoku -each tc=60+0.5 -engine cmd=./pbrain-a -engine cmd=./pbrain-b -rounds 100\n" +
		"  kibitz compat gogui-twogtp -game nogo -black './a --gtp' -white './b --gtp' -size 9 -alternate -auto -games 100 -sgffile nogo\n\n" +
		"What becomes of every option stands in docs/compat.md."
}

// Run hands over to the program that is meant.
func (c compatCmd) Run(a *app) error {
	play, ok := map[string]func(*compat.Env, []string) error{
		"c-gomoku-cli": cgomoku.Run, "cutechess-cli": cutechess.Run, "fastchess": fastchess.Run, "gogui-twogtp": gogui.Run,
	}[c.Args[0]]
	if !ok {
		return fmt.Errorf("compat %s: unknown; known are c-gomoku-cli, cutechess-cli, fastchess and gogui-twogtp", c.Args[0])
	}
	return play(&compat.Env{
		Context: a.ctx, Stdout: a.stdout, Stderr: a.stderr, Now: a.now, Version: version, Processor: runreport.Processor(),
		Launcher: a.launcher(), Openings: openings.Files(),
		Play: func(s run.Settings, begin func(*compat.Start) (*run.Compat, error)) error { return c.play(a, s, begin) },
	}, c.Args[1:])
}

// play plays a match in the lines of another program. Without a folder nothing of ours is
// kept.
func (c compatCmd) play(a *app, s run.Settings, begin func(*compat.Start) (*run.Compat, error)) error {
	if s.Out = c.Out; s.Out == "" {
		var err error
		if s.Out, err = os.MkdirTemp("", "kibitz-compat-"); err != nil {
			return badVerdict("%v", err)
		}
		defer os.RemoveAll(s.Out) //nolint:errcheck // a temporary folder
	}
	r, err := run.New(s, a.runDeps(a.saying(&s)))
	if err != nil {
		return unplayable(err)
	}
	start := &compat.Start{Rules: r.Rules(), Openings: r.Openings(), Count: r.Count}
	other, err := begin(start)
	if err == nil {
		err = r.Compat(other, start.Openings)
	}
	if err != nil {
		return unplayable(err)
	}
	if err := r.Open(a.ctx); err != nil {
		return asVerdict(err)
	}
	if err := a.playRun(r); r.Failed() != nil {
		return err
	}
	return nil
}

// unplayable makes an error one of exit status 2: the options, or the files that they
// name, cannot be what is meant, and nothing was played.
func unplayable(err error) error {
	if msg, bad := asBad(err); bad {
		return errors.New(msg)
	}
	return err
}

// asVerdict makes an error one of exit status 1.
func asVerdict(err error) error {
	if _, bad := asBad(err); bad {
		return err
	}
	return badVerdict("%v", err)
}
