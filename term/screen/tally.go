package screen

import (
	"time"

	"kibitz/rating"
)

// Tally is where a run stands between two games.
type Tally struct {
	Done, Of int   // games that are over, of all
	Rows     []Row // best first
	Test     *rating.Standing
	// Late is the worst lateness of the referee; the transmission errors are those of
	// Measured plies that a host measured.
	Late                time.Duration
	Transit, WorstError time.Duration
	Measured            int
}

// Row is an engine's line in the standings.
type Row struct {
	Rank                int
	Name                string
	Points              float64
	Wins, Draws, Losses int
	Elo, Error          float64
}
