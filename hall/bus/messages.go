// Package bus carries what halls and workers tell each other: jobs, results, live
// events, and the questions and answers of seats that are not at the worker.
//
// It is NATS with JetStream, started within the process or reached at an address.
// Queue and streams are delivery alone: a message may come twice or late, and what
// counts is decided by whoever owns the truth, the hall's database. That is why
// every game has a numbered attempt, and why each message of a game names it.
//
// A Bus consists of parts, each with its own streams and subjects: a Queue of games that
// wait, a Registry of workers, Attempts (begin, signs of life, orders), Results, Logs of
// games that run, LiveEvents for those who watch, Seats and their consoles, Analyses, and
// Topics for everybody. They share one connection (conn) and, where it matters who has a
// game, what is known of that (owners).
package bus

import (
	"encoding/json"
	"time"

	"kibitz/game"
	"kibitz/journal"
)

// Job is a game that waits for a worker.
type Job struct {
	Game string `json:"game"`
	// Needs are what the worker must have, sorted: a free place of the kind that PlaceOf
	// tells, and engines, by their hashes; empty if any worker can play it.
	Needs []string `json:"needs,omitempty"`
	// Try tells one publication of the same game from another: the same Game and Try
	// are kept once, and only the latest begins the game.
	Try int `json:"try,omitempty"`
	// Ticket is a secret of the job: whoever has it was given the job.
	Ticket string `json:"ticket,omitempty"`
}

// The kinds of place that a game may take at a worker.
const (
	// PlaceAlone is for games of engines of the worker: one of them always thinks.
	PlaceAlone = "place-alone"
	// PlaceProgram is for games of an engine of the worker against somebody from
	// outside: its process runs while that one thinks.
	PlaceProgram = "place-program"
	// PlacePeople is for games of which the worker has a built-in engine at most.
	PlacePeople = "place-people"
)

// PlaceOf is the kind of place that a game between such seats takes.
func PlaceOf(a, b SeatKind) string {
	outside := func(k SeatKind) bool { return k == PersonSeat || k == RemoteSeat }
	switch {
	case !outside(a) && !outside(b):
		return PlaceAlone
	case a == EngineSeat || b == EngineSeat:
		return PlaceProgram
	default:
		return PlacePeople
	}
}

// ProgramsPerSlot is how many games of PlaceProgram a worker plays at a time for each slot: each
// has a process, that is its memory.
const ProgramsPerSlot = 8

// Begin is a worker's request to play a game that was delivered to it.
type Begin struct {
	Game   string `json:"game"`
	Worker string `json:"worker"`
	// Try and Ticket are those of the job.
	Try    int    `json:"try,omitempty"`
	Ticket string `json:"ticket,omitempty"`
	// Ask tells one delivery of the worker from another: the same question again begins the
	// game once, and has the same answer.
	Ask string `json:"ask,omitempty"`
}

// Begun is the hall's answer.
type Begun struct {
	// Play is nil if there is nothing to play: the game is over or aborted, or another
	// job is to begin it.
	Play *Play `json:"play,omitempty"`
}

// SeatKind says who sits in a seat.
type SeatKind string

// The kinds of seat.
const (
	BotSeat    SeatKind = "bot"    // a built-in engine
	EngineSeat SeatKind = "engine" // an engine of the worker
	PersonSeat SeatKind = "person" // a person behind a hall
	RemoteSeat SeatKind = "remote" // an engine behind a hall
)

// Play is all that a worker needs to play one attempt of a game. It holds the seed of
// chance: only the worker reads it.
type Play struct {
	Game    string    `json:"game"`
	Attempt int       `json:"attempt"`
	Spec    game.Spec `json:"spec"`
	Seats   [2]Seat   `json:"seats"`
	// Event is what the game is part of, for its record. Round and Pair place it in a
	// tournament, from 1; 0 if it is in none.
	Event string `json:"event,omitempty"`
	Round int    `json:"round,omitempty"`
	Pair  int    `json:"pair,omitempty"`
	Rated bool   `json:"rated,omitempty"`
	// Position is the text of the position it begins from, Opening are decisions
	// already made, in the journal's form.
	Position    string   `json:"position,omitempty"`
	Opening     []string `json:"opening,omitempty"`
	OpeningName string   `json:"openingName,omitempty"`
	// Seed is the dealer's, Commitment what was published about it. Reveal lets the
	// record have the seed: no other game is dealt from it.
	Seed       []byte `json:"seed,omitempty"`
	Commitment string `json:"commitment,omitempty"`
	Reveal     bool   `json:"reveal,omitempty"`
	Rules      Rules  `json:"rules"`
	// Keep asks for the arbiter's events in the log, so that the game can be taken up
	// where it stopped (games with people and remote engines).
	Keep bool `json:"keep,omitempty"`
	// Show asks for live events; Lines lets spectators see what engines say while the
	// game runs, and is ignored where the game hides anything.
	Show  bool `json:"show,omitempty"`
	Lines bool `json:"lines,omitempty"`
	// Open lets those who sit in the game see it too.
	Open bool `json:"open,omitempty"`
	// Kibitzer is a third engine, which comments on the game for those who look on:
	// "bot=3", or the name of an engine of a worker with the hash KibitzerHash. It is
	// ignored where the game hides anything.
	Kibitzer     string `json:"kibitzer,omitempty"`
	KibitzerHash string `json:"kibitzerHash,omitempty"`
	// Console asks for what passes between engines and their hosts to be kept until the
	// end; with Lines it is told while the game runs.
	Console bool `json:"console,omitempty"`
	// Paused is which arbiter has paused the game, empty for none.
	Paused string `json:"paused,omitempty"`
	// Resume holds the arbiter's events of an earlier attempt, as lines of a journal:
	// the game goes on from there, with the clocks as they were.
	Resume [][]byte `json:"resume,omitempty"`
}

// Seat is a seat of a game to be played.
type Seat struct {
	Kind SeatKind `json:"kind"`
	Name string   `json:"name"`
	// Engine is the engine's specification as on the command line, without clocks:
	// "bot=3", or the name of an engine of the worker.
	Engine string `json:"engine,omitempty"`
	// Hash is that of the engine's executable, empty for any.
	Hash string `json:"hash,omitempty"`
	// Clock are the words of the seat's time control as on the command line:
	// "tc=300+3 st=30".
	Clock string `json:"clock,omitempty"`
	// Grace is how long a person or a remote engine may be away before it loses by
	// disconnect, unless a clock of its own decides; a person who has made no move ends
	// the game then without a result. 0 is for ever.
	Grace time.Duration `json:"grace,omitempty"`
}

// Rules are the referee's rules of a game.
type Rules struct {
	Retries  int           `json:"retries,omitempty"`
	MaxMoves int           `json:"maxMoves,omitempty"`
	Stall    time.Duration `json:"stall,omitempty"`
	Undo     bool          `json:"undo,omitempty"`
	// NoDraw refuses offers of a draw, NoAbort requests to abort.
	NoDraw  bool `json:"noDraw,omitempty"`
	NoAbort bool `json:"noAbort,omitempty"`
	// Draw and Resign end games by the scores of engines, Exact those whose result is
	// certain.
	Draw   DrawRule   `json:"draw,omitzero"`
	Resign ResignRule `json:"resign,omitzero"`
	Exact  bool       `json:"exact,omitempty"`
}

// Result is the end of an attempt.
type Result struct {
	Game    string `json:"game"`
	Attempt int    `json:"attempt"`
	Worker  string `json:"worker"`
	// Sender is under whose name it came, by its subject: see Owns.
	Sender  string      `json:"-"`
	Result  game.Result `json:"result"`
	Plies   int         `json:"plies"`
	Seconds [2]float64  `json:"seconds"`
	// Hints is how many hints each seat was given.
	Hints [2]int    `json:"hints,omitzero"`
	Begun time.Time `json:"begun"`
	Ended time.Time `json:"ended"`
	// Host is the name of the worker for people, Hashes are those of the engines of the
	// worker that played in the seats.
	Host   string    `json:"host,omitempty"`
	Hashes [2]string `json:"hashes,omitzero"`
	// Record is in Kibitz's own format, compressed with zstd.
	Record []byte `json:"record,omitempty"`
	// Consoles are what passed between the engines of the seats and their hosts, compressed
	// with zstd: lines of JSON, a Console without lines and then each ConsoleLine.
	Consoles [2][]byte `json:"consoles,omitzero"`
	// Parked tells that the attempt was broken off to be taken up later; Result is
	// then no verdict.
	Parked bool `json:"parked,omitempty"`
	// Fault says why the worker could not play to a verdict, for people: no seat's
	// fault.
	Fault string `json:"fault,omitempty"`
	// Why is that of a Fault, and of a result without a verdict.
	Why game.Why `json:"why,omitzero"`
}

// Pulse is a sign of life of a worker that plays a game, and the hall's answer to it.
type Pulse struct {
	Game    string `json:"game"`
	Attempt int    `json:"attempt"`
	Worker  string `json:"worker"`
}

// Worker is an entry of the registry.
type Worker struct {
	// ID is unique, Name is for people.
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Version string    `json:"version"`
	Slots   int       `json:"slots"`
	Busy    int       `json:"busy"`
	Games   []string  `json:"games"`
	Engines []Engine  `json:"engines,omitempty"`
	Since   time.Time `json:"since"`
	// Draining tells that it takes no further games.
	Draining bool `json:"draining,omitempty"`
}

// Engine is an engine that a worker has.
type Engine struct {
	Name  string   `json:"name"`
	Hash  string   `json:"hash"`
	Games []string `json:"games"`
	// Stopped says why the worker does not play it any more: its program is another one
	// than when the worker began. Empty as long as it does.
	Stopped string `json:"stopped,omitempty"`
	// About is what the engine says of itself, known after its first game on the worker.
	About string `json:"about,omitempty"`
}

// Live is an event of a running game for one audience.
type Live struct {
	Game    string `json:"game"`
	Attempt int    `json:"attempt"`
	// To is game.ToFirst, ToSecond or Public. What is for a seat alone is carried by
	// events of the seat's audience, in order with the public ones.
	To game.Audience `json:"to"`
	// Seq counts the events of this audience in the attempt from 1, without gaps, so
	// that nobody can count what he was not told.
	Seq uint64 `json:"seq"`
	// Line is the event as a line of a journal.
	Line []byte `json:"line"`
}

// SeatState is what a person in a seat may know beside the live events: whether an
// answer is wanted, and which. Each replaces the one before.
type SeatState struct {
	Game    string    `json:"game"`
	Attempt int       `json:"attempt"`
	Seat    game.Seat `json:"seat"`
	Seq     uint64    `json:"seq"`
	// Prompt is the number of the question that waits, 0 for none; Ply is how many decisions were
	// made before it.
	Prompt int `json:"prompt,omitempty"`
	Ply    int `json:"ply,omitempty"`
	// Legal are the decisions that may be made, in the journal's form.
	Legal    []string  `json:"legal,omitempty"`
	Deadline time.Time `json:"deadline,omitzero"`
	// Held is from when no time counts, because no hall can take a move; zero while it
	// counts.
	Held time.Time `json:"held,omitzero"`
	// Rejected is "refused" or "illegal" if the last answer was, Again how often.
	Rejected string `json:"rejected,omitempty" enum:"refused,illegal"`
	Again    int    `json:"again,omitempty"`
	// Asks is what both seats ask of each other, at most one thing each.
	Asks []journal.Ask `json:"asks,omitempty"`
	// DrawFrom is how many turns of its own the seat must have made before it may offer a draw.
	DrawFrom int  `json:"drawFrom,omitempty"`
	Over     bool `json:"over,omitempty"`
	// Away tells that nobody is known to be there: whoever is says so again.
	Away bool `json:"away,omitempty"`
	// Hint is what is advised about the question that waits, nil if nobody asked for it.
	// Hints is how many hints the seat was given in the game.
	Hint  *Hint `json:"hint,omitempty"`
	Hints int   `json:"hints,omitempty"`
	// Sure asks whether the seat's latest turn was meant, nil if there is no reason to.
	Sure *Sure `json:"sure,omitempty"`
}

// Sure is a turn that lost much: how many decisions were made before it, and what it lost of the
// chance to win, in percent.
type Sure struct {
	Ply  int     `json:"ply"`
	Lost float64 `json:"lost"`
}

// How much a Hint tells.
const (
	HintNear = 1 // near what the best decision is
	HintMove = 2 // the decision
	HintWhy  = 3 // and why
	HintList = 4 // and what else comes into question
)

// How many decisions a HintList has: without a word of it, and at most.
const (
	HintLines = 5
	MostLines = 50
)

// Hint is what an adviser says who knows what the seat knows.
type Hint struct {
	// Prompt is the number of the question, Level how much is told of it: 0 while the adviser
	// thinks.
	Prompt int `json:"prompt"`
	Level  int `json:"level"`
	// From is the engine of the other seat if the question is where that is to play: it suggests
	// Steps.
	From string `json:"from,omitempty"`
	// Failed tells that nothing comes of it.
	Failed bool `json:"failed,omitempty"`
	// Near are the decisions of which the best one is one, Steps the best one, in the
	// journal's form.
	Near  []string    `json:"near,omitempty"`
	Steps []string    `json:"steps,omitempty"`
	Why   *HintReason `json:"why,omitempty"`
	// Lines are the best decisions, each the first of its line, in order of value.
	Lines []HintReason `json:"lines,omitempty"`
}

// HintReason is what the adviser found: bounds of the value as the seat sees it, and the line
// that he expects.
type HintReason struct {
	Unit  int      `json:"unit,omitempty"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	Line  []string `json:"line,omitempty"`
}

// SeatInput is what a person in a seat decides. Sent twice it has effect once.
type SeatInput struct {
	Game string    `json:"game"`
	Seat game.Seat `json:"seat"`
	// Prompt is the number of the question that Steps answer.
	Prompt int      `json:"prompt,omitempty"`
	Steps  []string `json:"steps,omitempty"`
	// For says of which position that question was: without it the number alone does.
	For *Position `json:"for,omitempty"`
	// Act is instead of steps: "resign", "draw", "undo", "abort" (which ask where the
	// opponent can be asked, as "pause" and "resume" do), "accept", "decline", "withdraw", "now" and "limit", which
	// have an engine move at once or in Limit milliseconds, or "hint" and "judge", which
	// are for the seat alone and tell no opponent.
	Act string `json:"act,omitempty"`
	// ID names an act: the same one again has no effect, and the same answer.
	ID string `json:"id,omitempty"`
	// Ply is how many decisions stay after an "undo", those of the opening and of chance
	// included; without it the seat's own latest turn is taken back, and all after it.
	Ply *int `json:"ply,omitempty"`
	// Ask is the number of what is accepted or declined, 0 for what is asked at present.
	Ask   int `json:"ask,omitempty"`
	Limit int `json:"limit,omitempty"`
	// Lines is how many decisions a "hint" lists at once; without it each hint tells a little more.
	Lines int `json:"lines,omitempty"`
	// Look asks for the latest SeatState, as Data of the answer and without its Seq, and
	// changes nothing.
	Look bool `json:"look,omitempty"`
	// Presence tells that the seat's owner is there ("present", repeated while he is) or
	// has gone ("gone").
	Presence string `json:"presence,omitempty"`
	// Waited is how long the hall had Steps before it passed them on, or needed until it could
	// show the seat to an owner who came, which is not the owner's time; it is what Passed
	// returns, which is called then and may be nil.
	Waited time.Duration        `json:"waited,omitempty"`
	Passed func() time.Duration `json:"-"`
	// Sent is by what the worker knows how long it was under way, and adds that to Waited.
	Sent string `json:"sent,omitempty"`
}

// Position is where an answer belongs that may come late: the attempt of the game, and how many
// decisions were made before its question.
type Position struct {
	Attempt int `json:"attempt"`
	Ply     int `json:"ply"`
}

// Acted is the Data of the answer to an act that was not refused: it has happened
// ("done"), or the opponent is asked ("asked"), under the number Ask.
type Acted struct {
	Effect string `json:"effect"`
	Ask    int    `json:"ask,omitempty"`
}

// Reply answers a question over the bus.
type Reply struct {
	// Error is a line for people, empty if all went well.
	Error string `json:"error,omitempty"`
	// Code tells errors apart: "not-asked", "not-legal", "overtaken", "refused", "not-here",
	// "stale". Why says more of what a seat is refused.
	Code string          `json:"code,omitempty"`
	Why  game.Why        `json:"why,omitzero"`
	Data json.RawMessage `json:"data,omitempty"`
}

// Order is what a hall tells the worker that plays a game: to end it without a verdict, to put it aside,
// to end it with Result, to pause it as By wants, or to let it go on if an arbiter has paused it.
type Order struct {
	Game   string       `json:"game"`
	Kind   string       `json:"kind"`
	Result *game.Result `json:"result,omitempty"`
	By     string       `json:"by,omitempty"`
}

// The kinds of orders.
const (
	OrderAbort   = "abort"
	OrderPark    = "park"
	OrderVerdict = "verdict"
	OrderPause   = "pause"
	OrderResume  = "resume"
)
