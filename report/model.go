// Package report makes a run readable: one HTML page that needs nothing beside
// itself, tables for spreadsheets, and results for rating programs.
//
// A Collector takes the events of a run's journal one by one and keeps a row for
// each finished game; Model turns the rows into standings, tables and curves, and
// writes them. Nothing of a game that still runs is kept, and of a game whose
// shuffle is not published yet only the result: see Game.Closed.
package report

import (
	"time"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/journal"
	"kibitz/rating"
)

// Engine is a participant of the run.
type Engine struct {
	Name string
	// Spec is how it was given on the command line, for people.
	Spec string
}

// Fact is a line of the description of the run.
type Fact struct{ Name, Value string }

// Points weighs results.
type Points struct{ Win, Draw, Loss float64 }

// Rank is an engine's place at the end of a run.
type Rank struct {
	Name string
	// Rank counts from 1; engines that nothing tells apart share one.
	Rank int
	// Points are those that decided, with what came without a game.
	Points float64
}

// Move is one row of the table of moves.
type Move struct {
	Game string
	// Ply counts the decisions of the game from 1, the dealer's not among them.
	Ply  int
	Seat game.Seat
	Text string
	Used time.Duration
	// Info is what the engine said, nil if nothing.
	Info            *game.Info
	Opening, Forced bool
	Refused         bool
}

// Position is one position of a game that the page can show.
type Position struct {
	View game.View
	// Move is the text of the decision that led here, By its seat; empty and
	// Nobody for the start.
	Move string
	By   game.Seat
}

// Config is what a report needs beside the journal.
type Config struct {
	Title string
	// Game describes the game for people: its title.
	Game string
	Spec game.Spec
	// Engines are those of the run in the order in which they were given, as far
	// as is known. Others that the journal names are added.
	Engines []Engine
	Facts   []Fact
	Points  Points
	// Totals are the points of engines as the run itself counted them, by name: what
	// they are more than the games tell are byes.
	Totals map[string]float64
	// Ranking is the final order of the run by all its tie-breaks, the best first;
	// empty while there is none.
	Ranking []Rank
	// Repeat tells that games come in pairs: same round and opening or shuffle,
	// seats exchanged.
	Repeat bool
	// Sequence is the sequential test of the run before its first game, nil
	// without one. It counts pairs if its counts do.
	Sequence *rating.Sequence
	// Over tells that the run is over and nothing of it is secret any more.
	Over bool
	// Revealed are the commitments whose seeds have been published.
	Revealed map[string]bool
	// Boards is how many games the page shows move by move, forfeits and the first
	// ones. Positions plays one of them through.
	Boards    int
	Positions func(g *Played) ([]Position, error)
	// Review, if not nil, judges the turns of a game that the page shows move by move; nil where
	// nothing can be judged.
	Review func(g *Played) (*wire.Review, error)
	// Format writes a decision in the game's text.
	Format func(m game.Move) string
	// Moves takes the rows of the table of moves; nil if nobody wants it.
	Moves func(*Move) error
	// Files returns the files of a game, relative to the folder of the run, "" where
	// there is none; Prefix leads from the page to that folder. Tail returns the last
	// lines of a game's log.
	Files  func(id string) (record, log string)
	Prefix string
	Tail   func(id string) []string
	// Errors returns the worst transmission error of a game.
	Errors func(id string) time.Duration
	// Now is when the report is made.
	Now time.Time
}

// Game is the row of a finished game.
type Game struct {
	ID                   string
	Round, Pair, Attempt int
	// Engines are those in the seats.
	Engines [2]int
	Result  game.Result
	// Ruled says who set the result in the place of another.
	Ruled string
	// Plies counts the decisions, Turns the timed answers of each seat.
	Plies   int
	Turns   [2]int
	Used    [2]time.Duration
	Longest [2]time.Duration
	// Share is how much of the time that it was given a seat used, NaN without a
	// clock.
	Share [2]float64
	// Depth and Depths are the sum and number of reported depths, Nodes the sum of
	// reported nodes and Busy the time of the answers that reported them.
	Depth, Depths [2]int
	Nodes         [2]int64
	Busy          [2]time.Duration
	// Late is the referee's worst lateness, Transit the worst transmission error.
	Late, Transit time.Duration
	// Resources are what the processes of the seats used.
	Resources   [2]journal.Resources
	Opening     string
	Position    string
	Commitment  string
	Clocks      [2]string
	Warnings    []string
	Begun, Over time.Time
	// Closed tells that the game's shuffle is still to be played again: nothing
	// that happened on the board is told.
	Closed bool
	// Hash is of the decisions; equal games have equal ones.
	Hash        uint64
	Record, Log string
	Evidence    []Evidence

	// order is the number of the game in the order of endings.
	order int
	// ruling says by whom and why the result was set in the place of another.
	ruling string
	viewer *viewer
}

// Evidence is what explains a forfeit.
type Evidence struct {
	Seat  game.Seat
	Lines []string
}

// Forfeit reports whether the game was lost by a fault and not on the board.
func (g *Game) Forfeit() bool { return g.Result.Reason.Forfeit() }

// score is what the engine in the first seat made: 1, ½ or 0.
func (g *Game) score() float64 {
	switch g.Result.Winner() {
	case game.First:
		return 1
	case game.Second:
		return 0
	}
	return 0.5
}

// Unplayed reports whether the game was won before its first ply: one that an
// organiser awarded. It counts for points and says nothing about strength.
func (g *Game) Unplayed() bool {
	return g.Plies == 0 && g.Result.Reason == game.ByAdjudication && g.Result.Winner() != game.Nobody
}

// tells reports whether the game has a result that says something about strength.
func (g *Game) tells() bool { return g.counts() && !g.Unplayed() }

func (g *Game) counts() bool { return g.Result.Points != [2]float64{} }
