package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"kibitz/rules"
	"kibitz/term"
	"kibitz/term/person"
)

// coloured tells whether what is written to w is coloured: on terminals, and not where
// NO_COLOR is set.
func coloured(w io.Writer) bool { return term.IsTerminal(w) && os.Getenv("NO_COLOR") == "" }

// newPerson returns somebody who plays at this terminal. Shared tells that the opponent
// sits there too.
func (a *app) newPerson(r rules.Rules, shared bool) *person.Person {
	desk := person.Desk{In: a.terminal, Out: a.stdout, Colour: coloured(a.stdout), Live: term.IsTerminal(a.stdin), Now: a.now}
	return person.New(desk, r, shared)
}

// readIfThere reads a file; one that is not there is empty.
func readIfThere(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
