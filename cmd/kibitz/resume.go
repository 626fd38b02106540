package main

import (
	"errors"
	"fmt"

	"kibitz/run"
)

type resumeCmd struct {
	Dir         string `arg:"" name:"dir" help:"Folder of a run that was stopped, by whatever means."`
	Concurrency *int   `help:"Games at a time, in the place of what the run had." placeholder:"N"`
	Games       *int   `help:"Games per pairing from now on, more than the run had; also for a run that is over." placeholder:"N"`
	Rounds      *int   `help:"Rounds from now on, more than the run had; also for a run that is over." placeholder:"N"`
	Salvage     bool   `help:"Go on although the journal is damaged or the secret lost: games that are whole or recorded count, the others are played again."`
	showFlags
}

// Help returns the example that --help shows.
func (resumeCmd) Help() string {
	return "Examples: kibitz resume kibitz-20260101-120000\n          kibitz resume kibitz-20260101-120000 --games 1000   (goes on to 1000 " +
		"games for each pairing)\n\n" +
		"Games that ended stay as they are and count once; those that were broken off are played again."
}

// Run goes on where a run stopped.
func (c resumeCmd) Run(a *app) error {
	r, err := c.take(a)
	if err != nil {
		return err
	}
	if err := checkTUI(a, r); err != nil {
		return errors.Join(err, r.Folder().Close())
	}
	return a.playRun(r)
}

func (c resumeCmd) take(a *app) (*run.Run, error) {
	talk := a.stdout
	with := a.runDeps(func(text string) { fmt.Fprintln(talk, text) })
	return run.Resume(c.Dir, c.Salvage, func(s *run.Settings) {
		if c.Concurrency != nil {
			s.Concurrency = *c.Concurrency
		}
		if c.Games != nil {
			s.Games = *c.Games
		}
		if c.Rounds != nil {
			s.Rounds = c.Rounds
		}
		c.over(s)
		talk = talkOf(a, s)
	}, with)
}
