// Package seats has what a hall itself says on the connection of a remote engine, beside
// the frames between the engine's end and the referee's.
package seats

import "kibitz/game"

// How the hall ends the connection of a remote engine, besides 1000 (the room is
// closed) and 1001 (the hall goes down).
const (
	Replaced = 4000 // another connection has the place
	Lost     = 4001 // the place is not the caller's any more
)

// News is what the hall itself tells a remote engine, as text. One of the
// parts is set.
type News struct {
	// Room is how things stand in the room.
	Room *Room `json:"room,omitempty"`
	// Game begins, with the place on Seat: frames are of that game from now on.
	Game string    `json:"game,omitempty"`
	Seat int       `json:"seat"`
	Spec game.Spec `json:"spec,omitempty"`
	// Over ends, with Result if it is known and Score of the series by places.
	Over   string       `json:"over,omitempty"`
	Result *game.Result `json:"result,omitempty"`
	Score  [2]float64   `json:"score"`
	// Error tells what was wrong with a frame.
	Error string `json:"error,omitempty"`
}

// Room is how a room stands for who sits in it.
type Room struct {
	// Phase is that of the room.
	Phase string `json:"phase"`
	Ready bool   `json:"ready"`
	// Again is one's own agreement to a rematch, Asked the opponent's.
	Again bool `json:"again"`
	Asked bool `json:"asked"`
}
