// Package record holds what a record of a finished or broken-off game says, in no
// particular format. Formats live in the folders below: each is a pure reader and
// writer between bytes and these values. They know coordinates but no rules;
// whether a record is legal is the business of package replay.
package record

import (
	"fmt"
	"time"

	"kibitz/game"
)

// Game is one game as a record tells it.
type Game struct {
	ID string
	// Spec is the game and its options, as far as the format says them.
	Spec game.Spec
	// Start is the position from which the steps begin, in the game's text form;
	// empty for the initial position.
	Start string
	Names [2]string
	// Engines are what the engines in the seats call themselves, empty where that is not known.
	Engines [2]string
	// Ratings are as written, empty if unknown.
	Ratings [2]string
	Event   string
	Place   string
	Round   string
	Date    string // as written; writers use "2006-01-02 15:04:05"
	// Clocks are the time controls in the command line's form ("60+0.5"), Final what they
	// stood at in the end, nil where that is not known.
	Clocks [2]string
	Final  [2]*Clock
	Steps  []Step
	// Commitment is the hash of the seed of the dealer's shuffle, published before
	// the game, Seed that seed once it may be known; both in hexadecimal, empty
	// where there is none.
	Commitment, Seed string
	// Result is nil for an unfinished game, or when the record does not say.
	Result *game.Result
	// Resources are what the engines of the seats used, Evidence the lines that show
	// the fault of a game that was forfeited.
	Resources [2]Resources
	Evidence  []string
	// Tags are what the format holds beyond these fields, in order.
	Tags    []Tag
	Comment string
	// Warnings are what a lenient reader passed over.
	Warnings []string
	// Line is where the game begins in its file, from 1; 0 if unknown.
	Line int
}

// Resources are what the processes of a seat used in a game: processor time of all
// their threads, and the largest resident size in bytes, 0 if unknown. The zero value
// is that of a seat of which nothing is known.
type Resources struct {
	Known  bool
	CPU    time.Duration
	Memory int64
}

// Clock is what a seat's clock showed: what was left of the running budget, what was used in
// the game, turns until the budget is renewed, byo-yomi periods left, and the stage.
type Clock struct {
	Left, Total           time.Duration
	Moves, Periods, Stage int
}

// Step is one decision.
type Step struct {
	// By is the seat that decided; Nobody if the format does not say, in which
	// case replay finds it.
	By   game.Seat
	Move game.Move
	Used time.Duration
	// Timed tells that Used was recorded.
	Timed bool
	// Error is the transmission error: half of what the referee waited longer than
	// the player's host measured; 0 if there is none.
	Error time.Duration
	Info  *game.Info
	// Opening marks steps that were given, not chosen.
	Opening bool
	// Forced marks a pass that the referee played.
	Forced bool
	// Refused marks an attempt that the rules did not let stand: it changed
	// nothing, and the same seat went on. Formats that cannot say so leave it out.
	Refused bool
	Comment string
	// Variations are other continuations from before this step.
	Variations [][]Step
	// Line is where the step stands in its file, from 1; 0 if unknown.
	Line, Column int
}

// Tag is one piece of information without a field of its own.
type Tag struct{ Key, Value string }

// SeatNames are the players' names, or the seats where a record has none.
func (g *Game) SeatNames() [2]string {
	n := g.Names
	for s := range n {
		if n[s] == "" {
			n[s] = game.Seat(s).String()
		}
	}
	return n
}

// FullNames are SeatNames, each with what its engine calls itself where that is another name.
func (g *Game) FullNames() [2]string {
	n := g.SeatNames()
	for s, own := range g.Engines {
		if own != "" && own != n[s] {
			n[s] += " (" + own + ")"
		}
	}
	return n
}

// Tag returns the value of the first tag with the key.
func (g *Game) Tag(key string) (string, bool) {
	for _, t := range g.Tags {
		if t.Key == key {
			return t.Value, true
		}
	}
	return "", false
}

// Error is a fault in a file, with its place.
type Error struct {
	File         string // may be empty
	Line, Column int    // from 1; 0 if unknown
	Msg          string
}

// Error returns "file:line:column: message" with what is known.
func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += fmt.Sprintf(":%d", e.Line)
		if e.Column > 0 {
			where += fmt.Sprintf(":%d", e.Column)
		}
	}
	if where == "" {
		return e.Msg
	}
	if where[0] == ':' {
		where = "line " + where[1:]
	}
	return where + ": " + e.Msg
}

// Errorf builds an Error at a line and column.
func Errorf(line, column int, format string, args ...any) *Error {
	return &Error{Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
}

// mostMillis keeps sums of times far from overflow: 100,000 hours.
const mostMillis = 100_000 * 3600 * 1000

// Millis returns a time that a record gives in milliseconds: none below 0, and at
// most 100,000 hours, whatever the record says.
func Millis(n int64) time.Duration {
	return time.Duration(min(max(n, 0), mostMillis)) * time.Millisecond
}
