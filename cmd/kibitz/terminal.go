package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

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

// surviveClosedOutput makes a reader of stdout that goes away an error of the next
// write instead of the end of the program, until release is called. Children are
// not concerned.
func surviveClosedOutput() (release func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGPIPE)
	return func() { signal.Stop(ch) }
}

// readIfThere reads a file; one that is not there is empty.
func readIfThere(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
