package api

import (
	"kibitz/game/wire"
	"kibitz/hall/bus"
	"kibitz/hall/live"
	"kibitz/hall/lobby"
)

// The events of streams whose data scripts of pages read: each field is an event by its name.

// gameEvents are those of a game, and of several games on one connection.
type gameEvents struct {
	View     live.State    `json:"view"`
	Delta    live.Delta    `json:"delta"`
	Seat     bus.SeatState `json:"seat"` // not among those of several games
	Hall     HallNews      `json:"hall"`
	Presence Presence      `json:"presence"` // not among those of several games
	Over     overNews      `json:"over"`
}

// overNews tells that a stream, or one game of it, has ended.
type overNews struct {
	Game string `json:"game,omitempty"` // where the stream has several
}

// consoleEvents are those of an engine's console.
type consoleEvents struct {
	Lines lobby.ConsoleLines `json:"lines"`
	Over  overNews           `json:"over"`
}

// analysisEvents are those of an analysis.
type analysisEvents struct {
	Lines  analysedView `json:"lines"`
	Review wire.Review  `json:"review"` // of a whole game, behind its lines
	End    analysisEnd  `json:"end"`
}
