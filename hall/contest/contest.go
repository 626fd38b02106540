// Package contest holds what a tournament of a hall is: a value that is made of its
// settings and of one list of events.
//
// Everything that happens is an event with a number: an engine is entered or taken off
// the list, the tournament starts, a game is handed out, a game ends, a director gives
// an order. What is played next and how everyone stands is a function of that list
// alone (package tournament), so that any hall that has read it knows the same, and a
// hall that was killed goes on from it.
//
// A tournament is in one phase at a time:
//
//	entering   engines are entered and taken off the list
//	playing    games are handed out and end; paused, none is handed out
//	finished   all games are over; results may still be overruled
//	cancelled  it was given up; games that ran count for nobody
//
// Directors are the account that made the tournament, arbiters and admins: what is
// played is theirs to decide. Others enter engines, and take back those that they have
// entered.
package contest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/rating"
	"kibitz/tournament"
)

// Phase says how far a tournament has come.
type Phase string

// The phases, see the package.
const (
	Entering  Phase = "entering"
	Playing   Phase = "playing"
	Finished  Phase = "finished"
	Cancelled Phase = "cancelled"
)

// Bounds of a tournament.
const (
	// MaxEntries is how many engines may be entered, MaxOpenings how many openings
	// there may be.
	MaxEntries  = 500
	MaxOpenings = 5000
	// MaxGames is how many games the plan may have.
	MaxGames = 200_000
	// MaxLimit is how many games may be played at a time.
	MaxLimit = 1000
	// MaxReplays is how often a game may be played again.
	MaxReplays = 100
)

// ErrBroken tells that an event does not fit those before it. Commands are refused with
// the kinds of package refuse.
var ErrBroken = errors.New("the list of events is broken")

func broken(e *Event, format string, args ...any) error {
	return fmt.Errorf("%w: event %d (%s): %s", ErrBroken, e.Seq, e.Kind, fmt.Sprintf(format, args...))
}

// Actor is the account that gives a command.
type Actor struct {
	ID   int64
	Name string
	// Director tells that it decides about the tournament.
	Director bool
}

// Config is what was decided when the tournament was made; whoever makes them has
// checked them.
type Config struct {
	Name string `json:"name"`
	// Game is a game with its options, in canonical form. Hidden tells that it has
	// facts that not everybody may know, Dealt that chance decides in it.
	Game   game.Spec `json:"game"`
	Hidden bool      `json:"hidden,omitempty"`
	Dealt  bool      `json:"dealt,omitempty"`

	// Format, Games, Rounds, Seeds, Repeat and FixedSeats are those of the plan; 0
	// rounds are as many as the format has if nobody says.
	Format     tournament.Format `json:"format"`
	Games      int               `json:"games"`
	Rounds     int               `json:"rounds,omitempty"`
	Seeds      int               `json:"seeds,omitempty"`
	Repeat     bool              `json:"repeat,omitempty"`
	FixedSeats bool              `json:"fixedSeats,omitempty"`
	// Seed is the public part of what is drawn by lot.
	Seed uint64 `json:"seed"`
	// Limit is how many games are played at a time to begin with.
	Limit     int                   `json:"concurrency"`
	Points    Points                `json:"points"`
	TieBreaks []tournament.TieBreak `json:"tiebreaks"`
	SPRT      *SPRT                 `json:"sprt,omitempty"`
	// Clock is the time control of who has none of his own, in the form of
	// clock.Control.
	Clock string `json:"clock"`
	Rated bool   `json:"rated"`
	// Rules are the referee's.
	Rules bus.Rules `json:"rules"`
	// Openings tells where the openings come from.
	Openings string `json:"openings,omitempty"`

	// Listed tournaments are shown to everyone. Open ones let any account enter up to
	// PerAccount engines, Late ones after the start too.
	Listed     bool `json:"listed"`
	Open       bool `json:"open,omitempty"`
	Late       bool `json:"late,omitempty"`
	PerAccount int  `json:"perAccount,omitempty"`
}

// plan is the schedule for so many engines and openings.
func (c *Config) plan(engines, openings int) tournament.Plan {
	p := tournament.Plan{
		Format: c.Format, Engines: engines, Games: c.Games, Rounds: c.Rounds, Seeds: c.Seeds, Openings: openings, Repeat: c.Repeat,
		FixedSeats: c.FixedSeats,
		Lot:        tournament.Seeds{Seed: c.Seed}.At("lots"), // no secret: whoever knows the seed can draw again
	}
	if p.Rounds == 0 {
		p.Rounds = 1
		if p.Format == tournament.SwissSystem {
			p.Rounds = tournament.SwissRounds(engines)
		}
	}
	if p.Format == tournament.Gauntlet && p.Seeds == 0 {
		p.Seeds = 1
	}
	return p
}

// Points are what results count.
type Points struct {
	Win  float64 `json:"win"`
	Draw float64 `json:"draw"`
	Loss float64 `json:"loss"`
}

// SPRT is a sequential test that ends the tournament, see rating.SPRT.
type SPRT struct {
	Model rating.Model `json:"model"`
	Elo0  float64      `json:"elo0"`
	Elo1  float64      `json:"elo1"`
	Alpha float64      `json:"alpha"`
	Beta  float64      `json:"beta"`
	// Corrected moves the bounds inwards as fishtest does.
	Corrected bool `json:"corrected,omitempty"`
}

// Opening is what a game begins from.
type Opening struct {
	Name string `json:"name"`
	// Position is the text of the position, empty for the initial one; Moves are
	// decisions made from it, in the journal's form.
	Position string   `json:"position,omitempty"`
	Moves    []string `json:"moves,omitempty"`
}

// Entry is an engine on the list.
type Entry struct {
	// Number counts from 1 in the order of entering and stays.
	Number int    `json:"number"`
	Name   string `json:"name"`
	// Kind is bus.BotSeat or bus.EngineSeat. Engine is a built-in engine with its
	// words ("bot=3") or the name of an engine of the hall, Hash that of its
	// executable, empty for any.
	Kind   bus.SeatKind `json:"kind"`
	Engine string       `json:"engine"`
	Hash   string       `json:"hash,omitempty"`
	// Clock is its own time control, empty for that of the tournament.
	Clock string `json:"clock,omitempty"`
	// User is the account that entered it, By its name.
	User int64  `json:"user,omitempty" doc:"the account that entered it; told to directors and to itself"`
	By   string `json:"by,omitempty"`
}

// Kind says what happened.
type Kind string

// The kinds of events.
const (
	// AddOpenings adds openings, before the start.
	AddOpenings Kind = "openings"
	// Enter puts an engine on the list; after the start Order says how it takes part.
	Enter Kind = "enter"
	// Leave takes one off the list before the start.
	Leave Kind = "leave"
	Start Kind = "start"
	// Program settles which program an entry is, that may have been any of its name.
	Program Kind = "program"
	// Begin hands out a game, Result ends it: with a verdict, or without one.
	Begin  Kind = "begin"
	Result Kind = "result"
	// Order changes schedule or results, Abort tells that a game is given up, whose
	// result follows.
	Order Kind = "order"
	Abort Kind = "abort"
	// Pause lets no further games be handed out until Resume.
	Pause       Kind = "pause"
	Resume      Kind = "resume"
	Concurrency Kind = "concurrency"
	Finish      Kind = "finish"
	Cancel      Kind = "cancel"
)

// Event is something that happened to a tournament.
type Event struct {
	// Seq counts from 1.
	Seq  int64     `json:"seq,omitempty"`
	At   time.Time `json:"at,omitzero"`
	Kind Kind      `json:"kind,omitempty"`
	// By is the account that caused it, 0 for the hall; Name is its name.
	By   int64  `json:"by,omitempty"`
	Name string `json:"name,omitempty"`

	Openings []Opening         `json:"openings,omitempty"`
	Entry    *Entry            `json:"entry,omitempty"`
	Order    *tournament.Order `json:"order,omitempty"`
	// Game was handed out, Over is what became of one.
	Game *Game `json:"game,omitempty"`
	Over *Over `json:"over,omitempty"`
	// Number is the entry that leaves, or how many games may be played at a time.
	Number int    `json:"number,omitempty"`
	Note   string `json:"note,omitempty"`
}

// Data is what a store keeps of an event beside its number, time, kind and account.
func (e Event) Data() json.RawMessage {
	e.Seq, e.At, e.Kind, e.By = 0, time.Time{}, "", 0
	data, err := json.Marshal(e)
	if err != nil { // values of these types always have a form
		return json.RawMessage("{}")
	}
	return data
}

// ParseEvent is the other way round.
func ParseEvent(seq int64, at time.Time, kind string, by int64, data []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("%w: event %d (%s): %w", ErrBroken, seq, kind, err)
	}
	e.Seq, e.At, e.Kind, e.By = seq, at, Kind(kind), by
	return e, nil
}

// Game is a game that was handed out, with what became of it. First and Second are
// engines of the schedule, from 0 (State.EntryOf).
type Game struct {
	// Index is its number in the schedule from 0; Replays how often it was annulled
	// before to be played again.
	Index   int `json:"index"`
	Replays int `json:"replays,omitempty"`
	Round   int `json:"round,omitempty"`
	Pair    int `json:"pair,omitempty"`
	First   int `json:"first"`
	Second  int `json:"second"`
	// Opening is the number of the opening, -1 for none; Shuffle numbers what two
	// games have in common that are played with seats exchanged.
	Opening int `json:"opening"`
	Shuffle int `json:"shuffle"`
	// Awarded ones are not played.
	Awarded bool `json:"awarded,omitempty"`
}

// Over is the end of a game.
type Over struct {
	// Index and Replays are those of the game.
	Index   int `json:"index"`
	Replays int `json:"replays,omitempty"`
	// Points are 0 0 if it counts for nobody.
	Points  [2]float64  `json:"points"`
	Reason  game.Reason `json:"reason,omitempty"`
	Detail  string      `json:"detail,omitempty"`
	Plies   int         `json:"plies,omitempty"`
	Seconds [2]float64  `json:"seconds,omitzero"`
}

// Played is a game with what became of it.
type Played struct {
	Game
	// Over is nil while it runs.
	Over *Over
	// Ruled tells that a director has set another result, Annulled that it does not
	// count because it is played again.
	Ruled, Annulled bool
}
