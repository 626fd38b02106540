package main

import (
	"fmt"
	"slices"
)

// laterCommands belong to the command line's contract and are not there yet: saying
// so is better than calling them unknown.
var laterCommands = []string{"join"}

// later returns the error for a command of the contract that this version lacks, nil
// for any other.
func later(args []string) error {
	if len(args) > 0 && slices.Contains(laterCommands, args[0]) {
		return fmt.Errorf("%s: this version does not have that command yet; kibitz --help lists those it has", args[0])
	}
	return nil
}
