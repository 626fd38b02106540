package main

import (
	"crypto/rand"

	"kibitz/player"
	"kibitz/rules"
	"kibitz/run/engines"
)

// engineSpec is an engine as the command line describes it.
type engineSpec = engines.Spec

// launcher starts the engines of this command.
func (a *app) launcher() *engines.Launcher {
	return &engines.Launcher{
		Now: a.now, Random: rand.Reader, Guards: &a.guards, Tell: a.tell,
		Warn:  a.warn,
		Human: func(r rules.Rules, shared bool) player.Player { return a.newPerson(r, shared, nil) },
	}
}
