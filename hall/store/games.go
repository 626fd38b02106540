package store

import (
	"encoding/json"
	"time"

	"kibitz/game"
)

// GameState is how far a game has come.
type GameState string

// The states. A game goes from Queued to Running and on to Over; a parked one waits
// until it is taken up again; one that was given up without a verdict is Aborted.
const (
	Queued  GameState = "queued"
	Running GameState = "running"
	Parked  GameState = "parked"
	Over    GameState = "over"
	Aborted GameState = "aborted"
)

// Seat is who plays in a game.
type Seat struct {
	// Name is shown, as it was when the game began.
	Name string
	// User is the account of a person, or of a remote engine's owner; 0 for none.
	User int64
	// Engine names a built-in or a configured engine, empty for people.
	Engine string
}

// Subject is whom results and ratings of the seat are counted for: the engine, else
// the account; empty for nobody (guests are not counted).
func (s Seat) Subject() string {
	if s.Engine != "" {
		return "engine/" + s.Engine
	}
	return UserSubject(s.User)
}

// Game is a game with what is searched of it.
type Game struct {
	ID   string
	Spec game.Spec
	// Room and Tournament say where it belongs; Index is its number in the room or in
	// the tournament, from 0.
	Room, Tournament string
	Index            int
	State            GameState
	// Attempt counts how often it was begun, from 1; 0 before that.
	Attempt int
	// Worker plays it, as long as it runs.
	Worker string
	Seats  [2]Seat
	Rated  bool
	// Speed is the class of its clocks: "bullet", "blitz", "rapid", "classical",
	// "untimed".
	Speed string
	// Opening names what it began from.
	Opening               string
	Created, Begun, Ended time.Time
	// Hidden tells that the game has facts that not everyone may know while it runs.
	Hidden bool
	// Listed games may be seen by everyone; others only by those of their room.
	Listed bool
	// Job is what a worker needs to play it. It is secret while the game runs: it
	// holds the seed of chance.
	Job json.RawMessage

	// What follows is known when it is over.
	Result  game.Result
	Plies   int
	Seconds [2]float64
	// Ruled tells that a person has set another result, which Result then is, or has
	// annulled the game; Note says who and why.
	Ruled bool
	Note  string
}

// Annulled reports whether the game is over and counts for nobody since a person said so.
func (g *Game) Annulled() bool {
	return g.Ruled && g.State == Over && g.Result.Points == [2]float64{}
}

// Attempt is what a worker says of a game that it wants to begin.
type Attempt struct {
	Game    string
	Attempt int
	Worker  string
	Now     time.Time
}

// Ending is the end of an attempt.
type Ending struct {
	Game    string
	Attempt int
	Result  game.Result
	Plies   int
	Seconds [2]float64
	Ended   time.Time
	// Record is the record in Kibitz's own format, compressed with zstd.
	Record []byte
	// Positions are the keys of the positions that the game went through, for
	// searches; of a key that occurs twice the first is kept.
	Positions []Position
	// Consoles are what passed between the engines of the seats and their hosts, in the
	// form in which it is to be given back; of a seat without any it is empty.
	Consoles [2][]byte
}

// Played is a game from elsewhere that is over.
type Played struct {
	// Game is Over and belongs to no room and no tournament.
	Game Game
	// Record and Positions are as an Ending has them.
	Record    []byte
	Positions []Position
}

// Position is a position of a game: its key, and the ply after which it stood.
type Position struct {
	Key int64
	Ply int
}

// GameQuery selects games, those that were added last first. Zero values leave out
// nothing.
type GameQuery struct {
	Room, Tournament string
	// Game is an identifier without options; Spec the whole specification.
	Game string
	Spec game.Spec
	// States selects games that are in any of them.
	States []GameState
	// Player is a name in any seat without regard to case; Subject is that of Seat.
	// Opponent is the name of the other seat; if neither Player nor Subject is given
	// that is the other one than Seat, or the second.
	Player, Opponent string
	Subject          string
	// Seat restricts Player and Subject to a seat: 1 or 2.
	Seat int
	// Outcome is "win", "draw" or "loss" from the view of Player or Subject, or of
	// Seat if neither is given, or of the first seat. Games that are not over or were
	// aborted have none.
	Outcome string
	Reason  game.Reason
	// From and To bound the time when it was begun first, or was made if it has not
	// been begun; To excluded.
	From, To time.Time
	// Opening is a part of the opening's name, without regard to case.
	Opening string
	// Position is a key that the game went through, if HasPosition.
	Position    int64
	HasPosition bool
	Rated       bool
	// Listed leaves out games that not everyone may see.
	Listed bool
	// Cursor continues where a page ended (GamePage.Next), whatever was added
	// meanwhile; Limit is 100 if it is 0.
	Cursor string
	Limit  int
	// Latest has those first that were played last (From), of which there is one page.
	Latest bool
}

// GamePage is a part of the games that a query selects.
type GamePage struct {
	Games []Game
	// Next is the cursor of the next page, empty after the last.
	Next string
}

// Tally counts results of one subject, from its own view.
type Tally struct {
	// Key says what is counted: an opponent's name, a reason, a game.
	Key                string
	Wins, Draws, Loses int
	Plies              int64
	Seconds            float64
}

// TallyBy says what results are counted by.
type TallyBy string

// The ways of counting. By seat the keys are "1" and "2".
const (
	ByGame     TallyBy = "game"
	ByReason   TallyBy = "reason"
	ByOpponent TallyBy = "opponent"
	BySeat     TallyBy = "seat"
	ByRoom     TallyBy = "room"
)

// Exploring asks what became of the games that everyone may see and that went through a position.
type Exploring struct {
	Position int64
	// Since leaves out games that began before; Rating those in which a player's rating is lower.
	Since   time.Time
	Rating  float64
	Players PlayedBy
	// Most is how many games are looked at, the latest first.
	Most int
}

// PlayedBy says whose games count: anybody's if it is empty.
type PlayedBy string

// Whose games may be asked for alone.
const (
	ByEngines PlayedBy = "engines"
	ByPeople  PlayedBy = "people"
)

// Explored are such games.
type Explored struct {
	// Games are those counted, More tells that there are earlier ones. Won counts those that a
	// seat won.
	Games, Draws int
	Won          [2]int
	More         bool
	// Scored are those with a score on the board, Score what the first seats had more, in all.
	Scored int
	Score  float64
	// Looked is how many games were read, Blocks how many blocks of positions.
	Looked, Blocks int
	// Last is when the latest was played; BestGame is that of the best rated pair, empty if
	// nobody has a rating, and Best are their names.
	Last     time.Time
	BestGame string
	Best     [2]string
}

// Games are games, running and over.
type Games interface {
	// AddGame adds a game with all that is given, in any state. ErrTaken if the ID
	// is, or the number in its room or tournament.
	AddGame(g *Game) error
	Game(id string) (Game, error)
	FindGames(q GameQuery) (GamePage, error)
	// Tally counts the games that q selects and that have an outcome, from the view
	// of q's Subject or Player, or of Seat or the first seat if neither is given, the
	// key with most games first. Who played against himself is counted for each seat.
	// Seconds are those of the seat; Limit bounds the keys, 0 does not.
	Tally(q GameQuery, by TallyBy) ([]Tally, error)
	// SetGame changes State, Worker, Rated, Listed, Job, Result, Ruled and Note of a
	// game that is in state was, and Ended if it has none yet; ErrConflict if it is
	// not. A game that was over and is not any more loses its record, its positions,
	// its consoles and what was known at its end.
	SetGame(g *Game, was GameState) error

	// BeginAttempt makes a game Running by a worker, unless it is over, aborted, or
	// has begun the same or a later attempt: ErrConflict. A worker that asks again for
	// the attempt that it plays is told the same again. Begun is set once.
	BeginAttempt(a Attempt) (Game, error)
	// EndAttempt ends a game and keeps its record. It is false, and nothing changes,
	// unless the game is running (or parked) and the attempt is its latest: a late
	// result counts for nothing, nor does one of a game that there is not.
	EndAttempt(e *Ending) (bool, error)
	// AddPlayed adds games from elsewhere, many at a time, and tells for each whether it
	// was added: not if its ID is taken.
	AddPlayed(list []Played) ([]bool, error)
	// Record returns the record of a game that is over, compressed as it was given;
	// ErrNotFound if it has none.
	Record(id string) ([]byte, error)
	// Console returns what Ending.Consoles had for a seat, 0 or 1; ErrNotFound if nothing.
	Console(id string, seat int) ([]byte, error)
	// Review returns what SetReview kept of a game; ErrNotFound if nothing.
	Review(id string) ([]byte, error)
	// SetReview keeps what an engine says of a game that is over, in place of what was kept.
	// With the record of the game it goes.
	SetReview(id string, data []byte) error
	// Explore counts what became of games that went through a position.
	Explore(q *Exploring) (Explored, error)
	// RemoveGame removes a game that is over or aborted, with its record and its consoles; ErrConflict
	// if it is neither.
	RemoveGame(id string) error
}
