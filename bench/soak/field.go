//go:build linux

package main

import (
	"fmt"
	"strings"
)

// field is a game in a protocol.
type field struct {
	game, proto string
	plies       int // after which a game is a draw
	// steady is set where the fault engine without a fault always plays the same game
	// against itself: nothing is dealt.
	steady bool
}

// fields lists what is played. With readfile every ply is a process.
func fields() []field {
	return []field{
		{"gomoku:size=9", "piskvork", 40, true},
		{"othello", "nboard", 40, true},
		{"nogo", "sau", 40, true},
		{"gomoku:size=9", "gtp", 40, true},
		{"darkchess", "dctp", 30, false},
		{"darkchess", "ponder", 30, false},
		{"darkchess", "ponder-old", 30, false},
		{"darkchess", "readfile", 10, false},
		{"connect6", "sau", 30, true},
		{"othello", "gtp", 40, true},
		{"amazons", "sau", 24, true},
	}
}

// entrant is an engine of a run.
type entrant struct {
	name  string
	fault *fault // nil if it is honest
	keys  []string
}

// String names the field.
func (f *field) String() string {
	id, _, _ := strings.Cut(f.game, ":")
	return id + "/" + f.proto
}

// program is the command line of the fault engine.
func (f *field) program(dir, mode string) string {
	spec := f.game
	if f.proto == "sau" {
		spec, _, _ = strings.Cut(spec, ":")
	}
	return fmt.Sprintf(`cmd = '"%s/engine/faultengine" -proto %s -game %s %s'`, dir, f.proto, spec, mode)
}

// gauntlet is how many engines meet all others.
const gauntlet = 2

// honest are the engines that do nothing wrong: two that meet all, then three more.
func (f *field) honest(dir string, bots bool) []entrant {
	scan := f.program(dir, "-mode none")
	proto := fmt.Sprintf("proto = '%s'", f.proto)
	own := fmt.Sprintf(`cmd = '"%s/own/kibitz" engine %s --proto %s --level 1'`, dir, f.game, f.proto)
	if !bots {
		return []entrant{
			{"scan", nil, []string{scan, proto}},
			{"scan-anew", nil, []string{scan, proto, "restart = 'game'"}},
			{"scan-same", nil, []string{scan, proto, "restart = 'never'"}},
			{"scan-limited", nil, []string{scan, proto, "memory = '256M'", "network = 'off'", "files = 'ro'", "processes = 64"}},
		}
	}
	return []entrant{
		{"scan", nil, []string{scan, proto}},
		{"random", nil, []string{"bot = 'random'"}},
		{"level-1", nil, []string{"bot = 1"}},
		{"kibitz", nil, []string{own, proto, "restart = 'game'"}},
		{"scan-limited", nil, []string{scan, proto, "memory = '256M'", "network = 'off'", "files = 'ro'", "processes = 64"}},
	}
}
