// Package journal holds the events of runs and games as an append-only log.
//
// Everything that a referee decides and learns is an Event with an audience: who
// may read it. Whoever passes events on (a bus, a server, a record) passes on
// those that Audience.Includes its reader and nothing else; the journal on disk
// holds them all.
//
// On disk an event is one line of JSON that ends with a checksum, so that a line
// torn by a crash is recognised (see Writer and Read). The lines of a game are
// enough to rebuild it: see Folder.
package journal

import (
	"encoding/json"
	"time"

	"kibitz/clock"
	"kibitz/game"
)

// Version is the version of the format that Writer writes. Readers refuse newer
// ones; fields may be added without a new version.
const Version = 1

// Kind says what an event tells.
type Kind string

// The kinds, each with the field of Event that holds its data.
const (
	KindRun      Kind = "run"      // Run: a run begins or goes on
	KindStart    Kind = "start"    // Start: a game begins
	KindDecision Kind = "decision" // Decision: steps were applied
	KindNotices  Kind = "notices"  // Notices: what one audience learned of a decision it may not see in full
	KindSaid     Kind = "said"     // Said: what a player reported with its decision
	KindView     Kind = "view"     // View: the board as the audience may see it
	KindRewind   Kind = "rewind"   // Rewind: decisions were taken back
	KindWarning  Kind = "warning"  // Warning: odd, but no verdict
	KindResult   Kind = "result"   // Result: the game is over
	KindEvidence Kind = "evidence" // Evidence: what explains a result
	KindRuling   Kind = "ruling"   // Ruling: a person set another result
	KindReveal   Kind = "reveal"   // Reveal: the seed behind a commitment
	KindOrder    Kind = "order"    // Order: an organiser changed the schedule
	KindAsks     Kind = "asks"     // Asks: what the seats ask of each other; told live and never kept
	KindHints    Kind = "hints"    // Hints: how many hints a person was given; for the log of a game alone
	KindPresence Kind = "presence" // Presence: whether the person of a seat is there; told live and never kept
	KindWait     Kind = "wait"     // Wait: nobody's clock runs, for a reason; told live, and kept in the log of a game if it is paused
)

// Event is one fact. Exactly one of the pointers is set, the one of its kind.
// What they point to belongs to the sender and is valid only during the call that
// passes the event; whoever keeps it copies it.
type Event struct {
	// Seq counts the events of one journal from 1; the Writer sets it.
	Seq  uint64
	Time time.Time
	// Game is the game's identifier, empty for events of the run.
	Game string
	To   game.Audience
	Kind Kind

	Run      *Run
	Start    *Start
	Decision *Decision
	Notices  *Notices
	Said     *Said
	View     *game.View
	Rewind   *Rewind
	Warning  *Warning
	Result   *Result
	Evidence *Evidence
	Ruling   *Ruling
	Reveal   *Reveal
	Order    *Order
	Wait     *Wait
	Presence *Presence
	Asks     *Asks
	Hints    *Hints
}

// Run describes a run so that it can be repeated and resumed.
type Run struct {
	ID      string `json:"id,omitempty"`
	Program string `json:"program,omitempty"` // name and version
	// Config is whatever the run needs to be repeated; the journal does not look
	// into it.
	Config json.RawMessage `json:"config,omitempty"`
	// Commitment is the hash of the run's secret, in hexadecimal.
	Commitment string `json:"commitment,omitempty"`
	// Resumed counts how often the run has been taken up again.
	Resumed int `json:"resumed,omitempty"`
	// Files are those of the engines, by their paths, each with its size and when it was written.
	Files map[string]string `json:"files,omitempty"`
}

// Start says what a game begins with.
type Start struct {
	Spec  game.Spec
	Names [2]string
	// Controls are the time controls of the seats.
	Controls [2]clock.Control
	// Position is the text of the position it starts from, empty for the initial
	// one; ToMove is the seat on turn there.
	Position string
	ToMove   game.Seat
	// Round, Pair and Attempt place the game in its run, each from 1; 0 if it has
	// none. Attempt counts how often the game was begun.
	Round, Pair, Attempt int
	// Opening names the opening line, for people.
	Opening string
	// Commitment is the hash of the dealer's seed in hexadecimal, if the game has
	// chance.
	Commitment string
	Rated      bool
}

// Clock is a seat's clock without its control.
type Clock struct {
	Left    time.Duration // of the running budget
	Total   time.Duration // used in the game so far
	Moves   int           // turns until the running budget is renewed
	Periods int           // byo-yomi periods left
	Stage   clock.Stage
}

// ClockOf returns what the journal keeps of a clock.
func ClockOf(k clock.Clock) Clock {
	return Clock{Left: k.Left, Total: k.Total, Moves: k.Moves, Periods: k.Periods, Stage: k.Stage}
}

// Decision is what one answer, or the dealer, or the referee for a seat, did. An
// event of this kind may be read only by those who may know every step; others
// get Notices.
type Decision struct {
	By    game.Seat
	Steps []game.Move
	// Refused tells that the only step is an attempt that did not stand.
	Refused bool
	// Forced tells that the referee played it for the seat, Opening that it was
	// given and not chosen.
	Forced, Opening bool
	Used            time.Duration
	// Late is how much of the answer's delay was the referee's own; it is not in
	// Used.
	Late time.Duration
	// Error is the transmission error: half of what the referee waited longer than
	// the player's host measured, 0 for players without a host.
	Error  time.Duration
	Clocks [2]Clock
	Next   game.Turn
	// Ended tells that By's turn is complete.
	Ended bool
}

// Notices is what an audience learned of a decision.
type Notices struct {
	By      game.Seat
	Notices []game.Notice
	Used    time.Duration
	Clocks  [2]Clock
	Next    game.Turn
}

// Said is what a player reported with its decision; it is for the arbiter, who
// may show it where the room allows.
type Said struct {
	By    game.Seat
	Info  game.Info
	Lines []game.Info
	// Ply is set by a kibitzer, whose By is nobody: how many steps were made before the
	// position that it speaks of.
	Ply int
	// Live tells that the player still thinks; such events are for viewers, and no
	// journal keeps them. Name is then what the engine calls itself, empty if it does not.
	Live bool
	Name string
}

// Rewind takes back the latest Steps steps, the dealer's included.
type Rewind struct {
	Steps  int
	By     game.Seat // who asked
	Clocks [2]Clock
	Next   game.Turn
}

// Warning is something odd about a seat, or about nobody.
type Warning struct {
	Seat game.Seat
	Text string
	// Retry tells that an illegal answer of the seat was given back, of which only so
	// many are in a game.
	Retry bool
}

// ForProcessor is the reason of a wait: all processors of the machine on which the engine
// on turn thinks are taken by engines of other games.
const ForProcessor = "processor"

// ForPause is the reason of a wait: the game is paused. ForAnswer tells that it will be, after the answer
// of the engine that thinks: its clock runs.
const (
	ForPause  = "pause"
	ForAnswer = "answer"
)

// Wait tells that a game waits, or with no reason that it goes on.
type Wait struct {
	For string `json:"for,omitempty"`
	// Before is how many come first, Of how many wait in all.
	Before int `json:"before,omitempty"`
	Of     int `json:"of,omitempty"`
	// About is for how many seconds it waits by what is known, 0 if too little is.
	About int `json:"about,omitempty"`
	// By is who has paused the game, and Ruled that he is an arbiter. Clocks are how they stand then, or
	// from what they go on.
	By     string    `json:"by,omitempty"`
	Ruled  bool      `json:"ruled,omitempty"`
	Clocks *[2]Clock `json:"clocks,omitempty"`
}

// Hints is how many hints a seat was given in the game until now.
type Hints struct {
	By    game.Seat `json:"by"`
	Count int       `json:"count"`
}

// Presence tells whether the person or the joined engine of a seat is there, until the next of that seat.
type Presence struct {
	Seat game.Seat `json:"seat"`
	Away bool      `json:"away,omitempty"`
	// Since is when he came or was heard last.
	Since time.Time `json:"since"`
	// Lapses is when his absence ends the game, Ends how: by a loss ("disconnect") or without a
	// result ("abort"). Zero and empty where it does not.
	Lapses time.Time   `json:"lapses,omitzero"`
	Ends   game.Reason `json:"ends,omitempty"`
}

// Asks is all that the seats ask of each other from now on, at most one thing each. A
// higher Num replaces a lower one.
type Asks struct {
	Num  int   `json:"num"`
	List []Ask `json:"list,omitempty"`
}

// Ask is what a seat asks of the other one. It stands until that one answers or moves.
type Ask struct {
	// Num counts what was asked in the attempt, from 1.
	Num int       `json:"num"`
	By  game.Seat `json:"by"`
	// What is "draw", "undo", "abort", "pause" or "resume"; Ply is how many decisions stay after an "undo".
	What string `json:"what" enum:"draw,undo,abort,pause,resume"`
	Ply  int    `json:"ply,omitempty"`
	// Since is when it was asked, At after how many decisions, Until with how many it
	// stands at the most, as far as is known: it grows while the asker's own turn goes on.
	Since time.Time `json:"since"`
	At    int       `json:"at"`
	Until int       `json:"until"`
}

// Result is the end of a game.
type Result struct {
	Result game.Result
	// Plies counts the steps, without the dealer's and without refused attempts.
	Plies int
	// Used is the thinking time of both seats, Late the largest delay of the
	// referee itself.
	Used     [2]time.Duration
	Late     time.Duration
	Warnings int
	// Resources are what the seats' processes consumed.
	Resources [2]Resources
	// Engines are what the engines call themselves, empty where that is the name of the seat
	// or is not known.
	Engines [2]string
	// Clocks are as they stood at the end, with the time of a turn that ended without a
	// move; nil in journals that do not tell.
	Clocks *[2]Clock
}

// Resources are what the processes behind a seat consumed in a game, from the moment
// in which both players were ready. The zero value is that of a seat without any, or
// where nobody can tell.
type Resources struct {
	Known bool
	// CPU is processor time of all their threads.
	CPU time.Duration
	// Memory is the largest resident size in bytes, 0 if unknown; where the system
	// cannot forget it, that of earlier games of the process counts.
	Memory int64
}

// resourcesOf reads the numbers that stand for a seat.
func resourcesOf(cpu, memory int64) Resources {
	if cpu < 0 {
		return Resources{}
	}
	return Resources{Known: true, CPU: time.Duration(cpu), Memory: max(0, memory)}
}

// Evidence is what explains a result: the latest lines of a seat's engine.
type Evidence struct {
	Seat  game.Seat
	Lines []string
	// Final is the text of the last position.
	Final string
}

// Ruling is the result that a person set in the place of another.
type Ruling struct {
	Result game.Result
	By     string
	Note   string
}

// Reveal publishes what a commitment was made for.
type Reveal struct {
	Commitment string `json:"commitment"`
	Seed       string `json:"seed"`
}

// Order is what an organiser ordered of the schedule, in its place among the
// results.
type Order struct {
	// Order is what the schedule was told; the journal does not look into it.
	Order json.RawMessage `json:"order"`
	// Engine specifies one that enters.
	Engine string `json:"engine,omitempty"`
	By     string `json:"by,omitempty"`
}
