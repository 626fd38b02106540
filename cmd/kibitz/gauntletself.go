package main

import (
	"kibitz/run/ladder"
)

type gauntletSelfCmd struct{ ladder.Options }

// Help returns the example that --help shows.
func (gauntletSelfCmd) Help() string {
	return "Examples:\n  kibitz gauntlet-self othello --games 40\n" +
		"  kibitz gauntlet-self gomoku --levels 4-9 --engine 'cmd=./pbrain-mine name=Mine levels=4-6' --page strength.md\n\n" +
		"Neighbouring levels play each other, and outside engines play the levels they are set against. Ratings come from all games of a " +
		"ladder together; its lowest level has 0."
}

// Run plays the ladders, or what is left of them.
func (c gauntletSelfCmd) Run(a *app) error {
	with := a.runDeps(nil)
	with.Watchers = nil // what a match says of itself stays in its folder
	return c.Play(a.ctx, &ladder.World{Stdout: a.stdout, Stderr: a.stderr, Deps: with})
}
