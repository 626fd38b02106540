// Package protocol holds what all protocols share: how a host is configured, how
// the engine side is given its player, and the one table that maps what goes
// wrong on a connection to the reason of a verdict.
package protocol

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
)

// Protocol is one entry of the list of protocols.
type Protocol struct {
	// ID is the name on the command line, for example "piskvork".
	ID string
	// Games are the identifiers of the games that engines of this protocol play;
	// the protocol is the default of those in Default.
	Games, Default []string
	// Options are what option.X and dialect.X mean to it, for help and checks.
	Dialects []Dialect
	// Host returns a player that drives an engine. Nothing is started before the
	// player's first NewGame.
	Host func(Config) (player.Player, error)
	// Serve is the engine side: it answers a manager on conn until the manager
	// ends or ctx does.
	Serve func(ctx context.Context, conn link.Conn, s Server) error
	// Turn is the engine side of protocols without a connection (Launch.Folder),
	// whose Serve is nil: it answers the question that lies in the folder and
	// returns.
	Turn func(ctx context.Context, dir string, s Server) error
	// Scores tells whether engines report evaluations, and in which unit.
	Scores game.Unit
	// Start says from where engines of the protocol can begin a game.
	Start player.Start
	// Carries returns an error that says what of a game an engine cannot be told, as it
	// follows "engine X", under the switches given; nil where the protocol has words for
	// all of it.
	Carries func(spec game.Spec, dialect map[string]string) error
	// Returns says how an engine is told that its own move stands, as it follows "it came
	// back"; empty where it makes its answer on its own board itself.
	Returns string
	// Retries is how many illegal answers a game are given back where nobody says
	// otherwise: what managers of the protocol do.
	Retries int
	// Hint says what is likely wrong with a line that came where an answer was due; it
	// may be nil.
	Hint Hinter
	// Keeps is the option by which an engine is told a folder of which it may keep files from
	// game to game; empty if the protocol has none.
	Keeps string
	// Checks returns the requirements that engines of the protocol can be tested
	// for in the game of a board, with its moves written as the protocol writes them.
	// The checks play on the board, one after the other.
	Checks func(board player.Position) []Check
	// Launch says how an engine with these switches is started and reached; nil
	// means as a process on its standard input and output.
	Launch func(dialect map[string]string) Launch
}

// Launch says how the engines of a protocol are started and reached. The zero
// value is a process on its standard input and output.
type Launch struct {
	// CallBack: the engine finds an address at the end of its arguments and
	// connects to it; what is said travels in counted frames. NoName leaves its own
	// name out of the arguments.
	CallBack, NoName bool
	// Folder: the engine is started for each question and talks through files in
	// its folder, of which it is given a private copy (Config.Folder). MostBytes is
	// how much may be copied.
	Folder    bool
	MostBytes int64
}

// Folder is a private copy of an engine's folder.
type Folder interface {
	// Path is where the copy lies.
	Path() string
	// Dial starts the engine in it. Its standard output is for people.
	Dial(ctx context.Context) (link.Conn, error)
	// Close removes the copy.
	Close() error
}

// LaunchOf returns how an engine of p with these switches is started.
func (p *Protocol) LaunchOf(dialect map[string]string) Launch {
	if p.Launch == nil {
		return Launch{}
	}
	return p.Launch(dialect)
}

// Dialect is a switch of a protocol; docs/protocols says what each means.
type Dialect struct {
	Key     string
	Default string
	Values  []string // empty: any
}

// Restart says when an engine's process is started anew.
type Restart uint8

// The policies: Auto keeps a healthy process between games where the protocol
// can start a new game in it.
const (
	RestartAuto Restart = iota
	RestartEachGame
	RestartNever
)

// Option is one option.X=value of an engine, in the order given.
type Option struct{ Key, Value string }

// Config is what a host needs to drive one engine.
type Config struct {
	// Name is the engine's name in the run, used in messages.
	Name string
	// Dial starts the engine. No host works without it and Now.
	Dial link.Dialer
	// Folder makes a private copy of the engine's folder and starts the engine there
	// instead of Dial, for protocols whose engines talk through files; nil for others.
	Folder func(ctx context.Context) (Folder, error)
	// Now is the monotonic time source.
	Now func() time.Time
	// StartLimit bounds the time from the start of the process until the engine
	// is ready, ReplyLimit the time for an acknowledgement. Zero means the
	// protocol's default.
	StartLimit, ReplyLimit time.Duration
	Restart                Restart
	Options                []Option
	Dialect                map[string]string
	// Warn is told of what is odd but harmless, one line each; it may be nil.
	Warn func(text string)
	// Hint is that of the protocol, for checks; hosts have their own.
	Hint Hinter
}

// Switch returns the value of a dialect switch, or its default.
func (c *Config) Switch(list []Dialect, key string) string {
	if v, ok := c.Dialect[key]; ok {
		return v
	}
	for _, d := range list {
		if d.Key == key {
			return d.Default
		}
	}
	return ""
}

// CheckDialects returns an error that names a switch which the protocol does not
// have, or a value it cannot take.
func (c *Config) CheckDialects(id string, list []Dialect) error {
	for key, v := range c.Dialect {
		i := slices.IndexFunc(list, func(d Dialect) bool { return d.Key == key })
		if i < 0 {
			var known []string
			for _, d := range list {
				known = append(known, d.Key)
			}
			return fmt.Errorf("protocol %s has no switch dialect.%s: known are %s", id, key, strings.Join(known, " "))
		}
		if d := list[i]; len(d.Values) > 0 && !slices.Contains(d.Values, v) {
			return fmt.Errorf("dialect.%s=%s: must be one of %s", key, v, strings.Join(d.Values, " "))
		}
	}
	return nil
}

// NoOptions returns an error if the engine was given options that its protocol has
// no words for.
func (c *Config) NoOptions(id string) error {
	if len(c.Options) == 0 {
		return nil
	}
	return fmt.Errorf("option.%s=%s: the protocol %s has no words for options; write them into cmd", c.Options[0].Key, c.Options[0].Value, id)
}

// Warnf passes a remark on, if anybody listens. It may hold an engine's words.
func (c *Config) Warnf(format string, args ...any) {
	if c.Warn != nil {
		c.Warn(game.Shown(fmt.Sprintf(format, args...), mostText))
	}
}

// Server is what the engine side of a protocol plays with.
type Server struct {
	Player   player.Player
	Position player.Position
	Now      func() time.Time
	// CPUTime is the processor time that the program has used; nil if nobody can tell.
	CPUTime func() time.Duration
	// ReadFile returns the content of a file that the manager names; nil if the manager
	// may not have files read.
	ReadFile func(name string) ([]byte, error)
	// Name, Version and Author introduce the engine.
	Name, Version, Author string
	// Game is the specification that the engine was started for; a protocol that
	// names rules itself overrides its options.
	Game   game.Spec
	Limits player.Limits
	// Log is told of what the manager said that could not be understood; it may
	// be nil.
	Log func(text string)
	// Dialect are the switches for the engine side.
	Dialect map[string]string
}

// Limited returns which limit the process of a connection has run into, empty if
// none.
func Limited(conn link.Conn) string {
	if g, ok := conn.(link.Guarded); ok {
		return g.Limited()
	}
	return ""
}

// AtFault reports whether a seat lost a game by a fault of its own: a forfeit, not
// the game's own end, a resignation or an adjudication. Hosts start the process
// anew after one, unless they are told never to.
func AtFault(r game.Result, s game.Seat) bool {
	return s.IsPlayer() && r.Winner() == s.Other() && r.Reason.Forfeit() && r.Reason != game.ByDisconnect
}

// Evidence returns the latest stderr lines of a connection's process, how it ended
// and the limit that it ran into, nil for other connections.
func Evidence(conn link.Conn) []string {
	p, ok := conn.(link.Process)
	if !ok {
		return nil
	}
	lines := slices.Clone(p.Stderr())
	if exit, gone := p.Exited(); gone {
		lines = append(lines, exit.String())
	}
	if text := Limited(conn); text != "" {
		lines = append(lines, "limit: "+text)
	}
	return lines
}

// EndGame shows the connection's observer what it holds back, so that the last
// answer of a game is in that game's log. Hosts call it in Over; conn may be nil.
func EndGame(conn link.Conn) {
	if f, ok := conn.(link.Flusher); ok {
		f.Flush()
	}
}
