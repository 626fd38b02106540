// Package journal is the append-only list of what happened in games: versioned
// events, each addressed to an audience. A game can be rebuilt from its events.
//
// On disk an event is one line: a CRC-32 of the rest in eight hexadecimal digits,
// a blank, a JSON object. A line that was cut by a crash fails its checksum and
// ends the journal; what stands before it is whole.
package journal

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
)

// Version is the version of the events that this package writes.
const Version = 1

// Kind says what an event tells.
type Kind uint8

// The kinds of event.
const (
	// RunStarted opens the journal of a run: Text holds what is needed to repeat it.
	RunStarted Kind = iota + 1
	// GameStarted opens a game: Start.
	GameStarted
	// Decided tells a decision with its time: Decision. Its audience is Arbiter
	// in games that hide something, else Public.
	Decided
	// Told is one notice to one audience: Notice.
	Told
	// Warned is a remark of the referee: Text.
	Warned
	// Ended closes a game: Result.
	Ended
	// RunEnded closes the journal of a run that was played to its end.
	RunEnded
)

var kindNames = [...]string{"", "run", "game", "decision", "notice", "warning", "result", "end"}

// String returns the word for the kind that stands in the file.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// Event is one thing that happened. Which fields it uses depends on its kind.
type Event struct {
	Kind Kind
	// Game is the game's identifier, empty for events of the run.
	Game string
	// Seq numbers the events of a game (or of the run) from 1.
	Seq int64
	// At is the wall-clock time.
	At time.Time
	// To says who may read the event.
	To       game.Audience
	Start    *Start
	Decision *Decision
	Notice   *game.Notice
	Result   *game.Result
	// Text is the remark of a warning or the head of a run.
	Text string
}

// Start is everything that a game begins with.
type Start struct {
	Spec     game.Spec
	Names    [2]string
	Controls [2]clock.Control
	// Position is the start position in the game's text form, empty for the
	// initial one.
	Position string
	// Opening is the name of the opening and OpeningSteps what it consists of.
	Opening      string
	OpeningSteps []game.Move
	// Commitment is what was published about the dealer's seed before the game.
	Commitment string
	Round      int
	Pair       int
}

// Decision is what one answer did: all steps with the dealer's that followed.
type Decision struct {
	By     game.Seat
	Steps  []game.Move
	Forced bool
	// Used is the time charged, Late the referee's own lateness, which was not.
	Used, Late time.Duration
	// Left is what remains on the mover's clock, clock.Unlimited without one.
	Left time.Duration
	Info game.Info
}
