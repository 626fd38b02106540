package store

import (
	"encoding/json"
	"slices"
	"time"
)

// TournamentState is how far a tournament has come.
type TournamentState string

// The states of a tournament.
const (
	Entering  TournamentState = "entering"
	Ready     TournamentState = "ready"
	Playing   TournamentState = "playing"
	Paused    TournamentState = "paused"
	Finished  TournamentState = "finished"
	Cancelled TournamentState = "cancelled"
)

// Tournament is a tournament with what is searched of it; Settings belong to the
// server.
type Tournament struct {
	ID      string
	Version int64
	Name    string
	Owner   int64
	Game    string
	State   TournamentState
	Listed  bool
	Created time.Time
	Changed time.Time
	// Settings say what is played and by whom.
	Settings json.RawMessage
	// Secret is the secret of the seed tree; nobody may read it before the end.
	Secret []byte
}

// TournamentEvent is a result or an order in the one sequence that a tournament is
// a function of.
type TournamentEvent struct {
	// Seq counts from 1.
	Seq  int64
	At   time.Time
	Kind string
	// By is the account that gave an order.
	By   int64
	Data json.RawMessage
}

// TournamentQuery selects tournaments, the newest first. Before and BeforeID continue
// below a time of making and an ID, as with rooms; Limit is 100 if it is 0.
type TournamentQuery struct {
	States []TournamentState
	Game   string
	Owner  int64
	Listed bool

	Before   time.Time
	BeforeID string
	Limit    int
}

// TournamentEventQuery selects events of a tournament in their order, or the latest first.
type TournamentEventQuery struct {
	Tournament string
	// After and Before are numbers between which the events lie; 0 is no bound.
	After, Before int64
	// Kinds are those that are wanted, none for all.
	Kinds  []string
	Latest bool
	// Limit is how many are wanted at most, 0 for all.
	Limit int
}

// Tournaments are tournaments and what happened in them.
type Tournaments interface {
	// AddTournament wants Version 0 and stores 1. ErrTaken if the ID is.
	AddTournament(t *Tournament) error
	Tournament(id string) (Tournament, error)
	// SetTournament returns ErrConflict if the stored version is another one.
	SetTournament(t *Tournament) error
	Tournaments(q TournamentQuery) ([]Tournament, error)
	// AddTournamentEvent returns ErrConflict unless Seq is the next one.
	AddTournamentEvent(id string, e *TournamentEvent) error
	TournamentEvents(q TournamentEventQuery) ([]TournamentEvent, error)
}

// Engine is an engine that the hall offers.
type Engine struct {
	Name string
	// Spec is the engine's specification as on the command line, without secrets of
	// the machine for anybody but admins.
	Spec string
	// Hash is that of the executable, as workers compute it; empty for any.
	Hash string
	// Games are the identifiers of games that it plays; empty for all.
	Games   []string
	Enabled bool
	Added   time.Time
}

// Plays reports whether an engine plays a game.
func (e *Engine) Plays(game string) bool { return len(e.Games) == 0 || slices.Contains(e.Games, game) }

// Engines are the engines that the hall offers.
type Engines interface {
	// SetEngine adds or replaces.
	SetEngine(e *Engine) error
	Engine(name string) (Engine, error)
	Engines() ([]Engine, error)
	RemoveEngine(name string) error
}
