// Package outside is what a command of kibitz is given of the world outside of it, for
// commands that are packages of their own.
package outside

import (
	"context"
	"io"
	"time"

	"kibitz/player"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/rules"
	"kibitz/run/engines"
)

// World is the world outside: what tests pass another one of in.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Now            func() time.Time
	// Ctx ends when everything must stop at once; Drain is closed when running games may
	// end but no new ones start.
	Ctx   context.Context
	Drain <-chan struct{}
	// SetTemp sets where temporary files of the process go; nil where that must not change.
	SetTemp func(dir string) error
	// Warn tells people beside the output of a command what they do not expect.
	Warn func(text string)
	// Launcher starts engines, which Guards keep in their cells.
	Launcher func() *engines.Launcher
	Guards   *engines.Guards
	// Sitter makes the people of this terminal, and has what they type between games.
	Sitter func() (person func(r rules.Rules, adviser player.Player) player.Player, typed <-chan string)
	// Version is the release of the program.
	Version string
	// Load reads the games of a file, of a game and in a format that the command line names
	// or not; - is stdin. CheckReading tells why no file could be read so, Save writes games
	// into the file of --out.
	Load func(name, spec, format string) ([]*record.Game, error)
	// LoadParts hands them on in parts, until each returns false.
	LoadParts    func(name, spec, format string, each func([]*record.Game) bool) error
	CheckReading func(spec, format string) error
	Save         func(f *formats.Format, file string, list []*record.Game) error
	// Told is the error of unusable arguments that were explained already.
	Told error
}
