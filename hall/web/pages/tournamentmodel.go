package pages

import (
	"fmt"
	"time"
)

// TournamentLine is a tournament in a list.
type TournamentLine struct {
	ID, Name, Game, State string
	Created               time.Time
	// Entrants is how many enter, Over of All games have been played; only the first page knows.
	Entrants, Over, All int
}

// Tournaments is the list of tournaments, and the form of a new one.
type Tournaments struct {
	List []TournamentLine
	// Absent tells that the hall has none.
	Absent  bool
	Engines []string
	// New opens the form of one.
	New bool
}

// Gain is what a sequential test decides between, in Elo.
type Gain struct{ Elo [2]int }

// String is the test in words of tournaments.
func (g Gain) String() string { return fmt.Sprintf("elo0=%d elo1=%d", g.Elo[0], g.Elo[1]) }

// Gains are the sequential tests that a form offers.
func Gains() []Gain { return []Gain{{[2]int{0, 5}}, {[2]int{0, 10}}, {[2]int{-5, 0}}} }

// TieBreaks are what may decide first among those with the same points.
func TieBreaks() []string { return []string{"direct", "sb", "buchholz", "wins", "koya"} }

// Formats are the formats of tournaments.
func Formats() []string {
	return []string{"roundrobin", "double", "gauntlet", "swiss", "knockout", "pyramid", "ladder"}
}

// Tournament is a tournament as its reader may see it.
type Tournament struct {
	ID, Name, Game, State string
	Over, All, Limit      int
	Standings             []Standing
	Cross                 [][]Cell
	Schedule              []Scheduled
	// Earlier and Later are the games with which the pages of the schedule before and behind this
	// one begin, 0 for none.
	Earlier, Later int
	Test           *Test
	// Facts are the settings, Proof what it takes to check that lots were drawn fairly.
	Facts, Proof []Fact
	Secret       string
	// Workers says for what workers it waits, and which have other programs under the names of
	// its engines.
	Workers []string
	// Console is what its reader may do, nil for nothing.
	Console *Console
	// Log are the latest of what people did.
	Log []LogLine
}

// Console is what may be done with a tournament: by directors all, by others who may
// enter engines that alone.
type Console struct {
	Director, MayEnter bool
	ID, State          string
	Limit              int
	Entries            []Entrant
	// Engines are those of the hall that play the game beside the built-in one.
	Engines []string
	// Openings are the names of the openings there are.
	Openings []string
	// Swiss tells that who is paired by hand meets in the next round.
	Swiss bool
}

// Entrant is an engine on the list.
type Entrant struct {
	Number int
	Name   string
	Gone   bool
}

// Open reports whether something can still happen.
func (c *Console) Open() bool { return c.State != "finished" && c.State != "cancelled" }

// Begun reports whether games are handed out, now or after a pause.
func (c *Console) Begun() bool { return c.State == "playing" || c.State == "paused" }

// LogLine is something that happened in a tournament.
type LogLine struct {
	At              time.Time
	Who, What, Note string
}

// Log is what happened in a tournament, the latest first.
type Log struct {
	ID, Name string
	Lines    []LogLine
	// All tells that games are in it. Older is the address of what was before, empty
	// for nothing; Later tells that there is more after it.
	All   bool
	Older string
	Later bool
}

// Sure asks whether something is meant that cannot be undone.
type Sure struct {
	// What is a sentence; Back where somebody goes on who does not mean it.
	What, Note, Action, Back string
	Fields                   []Fact
}

// Standing is a line of the table.
type Standing struct {
	// Place counts the rows from 1; those of one rank have places of their own.
	Place, Rank                int
	Name                       string
	Games, Wins, Draws, Losses int
	Points                     float64
	Elo                        string
	Withdrawn                  bool
}

// Cell is what two have played, from the view of the row.
type Cell struct {
	Self  bool
	Games []CellGame
}

// CellGame is a game of a cell.
type CellGame struct {
	// Score is "1", "½" or "0".
	Score string
	// Link is empty for a game that was awarded.
	Link, Label string
}

// Scheduled is a game of the schedule.
type Scheduled struct {
	Number, Round        int
	Names                [2]string
	State, Score, Reason string
	Link                 string
}

// Test is a sequential test.
type Test struct {
	LLR, Lower, Upper float64
	Elo0, Elo1        float64
	Alpha, Beta       float64
	Model, Decision   string
	// Counts are of pairs of games or of games, from worst to best for the entry listed
	// first.
	Pairs  bool
	Counts []float64
	// Ratio is how the LLR went, nil before the first game or pair.
	Ratio *Ratio
}
