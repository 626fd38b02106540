package main

import (
	"fmt"
	"slices"
	"strings"
)

// laterCommands and laterFlags belong to the command line's contract and are not
// there yet: saying so is better than calling them unknown.
var (
	laterCommands = []string{"run", "resume", "analyze", "solve", "serve", "join", "worker"}
	laterFlags    = []string{"--preset", "--affinity", "--tui", "--save"}
)

// later returns the error for a part of the contract that this version lacks, nil
// if the arguments ask for none.
func later(args []string) error {
	if len(args) == 0 {
		return nil
	}
	if slices.Contains(laterCommands, args[0]) {
		return fmt.Errorf("%s: this version does not have that command yet; kibitz --help lists those it has", args[0])
	}
	if args[0] != "match" {
		return nil
	}
	for _, a := range args[1:] {
		name, _, _ := strings.Cut(a, "=")
		if slices.Contains(laterFlags, name) {
			return fmt.Errorf("match %s: this version does not have that flag yet; kibitz match --help lists those it has", name)
		}
	}
	return nil
}
