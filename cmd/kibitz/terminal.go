package main

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"kibitz/player"
	"kibitz/rules"
	"kibitz/term"
	"kibitz/term/person"
)

// coloured tells whether what is written to w is coloured: on terminals, and not where
// NO_COLOR is set.
func coloured(w io.Writer) bool { return term.IsTerminal(w) && os.Getenv("NO_COLOR") == "" }

// discs tells whether what is written to w may hold discs: a terminal of Unicode, in which
// they are one column wide.
func discs(w io.Writer) bool {
	set := strings.ToUpper(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
	wide := len(set) > 2 && slices.Contains([]string{"ZH_", "JA_", "KO_"}, set[:3])
	return term.IsTerminal(w) && strings.Contains(strings.ReplaceAll(set, "-", ""), "UTF8") && !wide
}

// newPerson returns somebody who plays at this terminal. Shared tells that the opponent
// sits there too. Adviser gives hints and may be nil.
func (a *app) newPerson(r rules.Rules, shared bool, adviser player.Player) *person.Person {
	return person.New(person.Desk{
		In: a.terminal, Out: a.stdout, Colour: coloured(a.stdout), Unicode: discs(a.stdout), Live: term.IsTerminal(a.stdin), Now: a.now,
		Adviser: adviser,
	}, r, shared)
}

// readIfThere reads a file; one that is not there is empty.
func readIfThere(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
