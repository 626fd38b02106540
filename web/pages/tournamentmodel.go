package pages

import "time"

// TournamentLine is a tournament in a list.
type TournamentLine struct {
	ID, Name, Game, State string
	Created, Changed      time.Time
}

// Tournaments is the list of tournaments, and the form of a new one.
type Tournaments struct {
	List []TournamentLine
	// Absent tells that the hall has none.
	Absent  bool
	Engines []string
}

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
	Known                 int
	Test                  *Test
	Director, MayEnter    bool
	Facts                 []Fact
	Commitment, Secret    string
	Engines               []string
}

// Standing is a line of the table.
type Standing struct {
	Rank, Entry                int
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
	Decision          string
	// Ratio is how the LLR went, nil before the first game or pair.
	Ratio *Ratio
}
