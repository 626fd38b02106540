// Package readfile speaks ReadFile, the oldest protocol of the NTPU dark chess client:
// for every ply the engine finds the game so far in board.txt of its folder, is
// started there without arguments, writes its ply to move.txt and exits.
//
//   - first 0
//   - time 893
//   - 1. d7(p) a3(K)        1
//   - 2. b1(p)              d3
//   - Comment 0 0           d3
//     0
//
// board.txt is the business of record/boardtxt. The engine does not run in the
// opponent's time and remembers nothing but what it writes into its folder.
//
// Sources: the manual of the client (December 2019), packages of the client, public
// engines and their files.
package readfile

import (
	"strconv"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// ID is the name of the protocol.
const ID = "readfile"

// Names of the files.
const (
	BoardFile = "board.txt"
	MoveFile  = "move.txt"
)

// Protocol returns the entry for the list of protocols.
func Protocol() protocol.Protocol {
	return protocol.Protocol{
		ID:       ID,
		Games:    []string{"darkchess"},
		Dialects: dialects(),
		Host:     func(c protocol.Config) (player.Player, error) { return NewHost(c) },
		Turn:     Turn,
		Returns:  "in " + BoardFile,
		Scores:   game.NoUnit,
		Start:    player.FromPosition,
		Checks:   Checks,
		Launch:   launch,
	}
}

func dialects() []protocol.Dialect {
	return []protocol.Dialect{
		{Key: "time", Default: "remaining"},
		{Key: "unit", Default: "s", Values: []string{"s", "ms"}},
		{Key: "untimed", Default: "900000"},
		{Key: "eol", Default: "lf", Values: []string{"lf", "crlf"}},
		{Key: "copy", Default: "1024"},
	}
}

// launch: a bad number is told by NewHost.
func launch(dialect map[string]string) protocol.Launch {
	c := protocol.Config{Dialect: dialect}
	mb, err := strconv.ParseInt(c.Switch(dialects(), "copy"), 10, 32)
	if err != nil || mb < 0 {
		mb = 0
	}
	return protocol.Launch{Folder: true, MostBytes: mb << 20}
}
