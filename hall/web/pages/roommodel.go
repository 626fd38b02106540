package pages

import "time"

// Room is a room as its reader may see it.
type Room struct {
	ID, Name, Spec, Phase, Access, Host string
	Rated                               bool
	Places                              [2]Place
	// Game is the one that is played, empty for none.
	Game string
	// Why says what that game waits for beside its turn, or why the last one was given up.
	Why string
	// Before is how many games come before one that waits for a place, 0 if it is its turn.
	Before int
	// First is the place that has the first seat in the game.
	First int
	// Place is the reader's, -1 for none; Turned tells that the board is shown to him
	// from the second seat.
	Place                  int
	IsHost, Inside, Direct bool
	// MayStop tells that the reader may end what is played.
	MayStop           bool
	Lines, Hidden     bool
	Undo, Draw, Abort bool
	Games, Played     int
	Score             [2]float64
	Facts             []Fact
	People            []Person
	Chat              []ChatLine
	Write             []string
	Stats             Stats
	Consoles          []ConsoleLink
	Engines           []string
	Last              *GameLine
	// LastTurns are the moves of that game.
	LastTurns []Turn
	Next      time.Time
	Settings  RoomSettings
	Codes     int
}

// Kind is the game without options.
func (r Room) Kind() string { return kindOf(r.Spec) }

// Bars are the names of the places above and below the board, empty for a free one. The
// reader's own stands below, the one that has the first seat if he has none.
func (r Room) Bars() (out [2]string) {
	low := 0
	if r.Place >= 0 {
		low = r.Places[r.Place].Seat
	}
	for _, p := range r.Places {
		if p.Seat == low {
			out[1] = p.Name
		} else {
			out[0] = p.Name
		}
	}
	return out
}

// Place is one of the two places of a room.
type Place struct {
	Number             int
	Empty              bool
	Name, Link, Kind   string
	Ready, Again, Here bool
	Mine, Guest        bool
	// Seat is 0 or 1: which seat of the game it has, or would have.
	Seat  int
	Clock string
	User  int64
}

// RoomSettings are what the host may change, as forms have it.
type RoomSettings struct {
	Clock                              string
	Games                              int
	Begins, Access, Chat               string
	Exchange, Undo, Draw, Abort, Rated bool
	Lines, Open                        bool
	Kibitzer                           string
	// Delay is in seconds.
	Delay, MaxMoves int
}

// Fact is a line of what holds: a word of the group "fact" and its value.
type Fact struct{ Name, Value string }

// Person is somebody in a room.
type Person struct {
	ID               int64
	Name             string
	Guest, Here, You bool
	Host             bool
}

// ChatLine is a line of chat.
type ChatLine struct {
	At                  time.Time
	Name, Channel, Text string
	Mine                bool
}

// Stats are the games of a room and what they come to.
type Stats struct {
	// Shares shows shares instead of counts.
	Shares  bool
	Games   []GameLine
	Sides   []SideStats
	Wins    []Count
	Draws   Count
	Reasons []Count
}

// Count is how often something came.
type Count struct {
	Name  string
	Count int
	Ratio float64
}

// SideStats is what the games came to for a player in a seat.
type SideStats struct {
	Name, Link          string
	Seat, Games         int
	Wins, Draws, Losses Count
	Forfeits            []Count
	// Plies and Seconds are averages.
	Plies, Seconds float64
}
