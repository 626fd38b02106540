package piskvork

import (
	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Protocol returns the entry for the list of protocols.
func Protocol() protocol.Protocol {
	return protocol.Protocol{
		ID:       "piskvork",
		Games:    []string{GameID},
		Default:  []string{GameID},
		Dialects: dialects(),
		Host:     NewHost,
		Serve:    Serve,
		Hint:     hint,
		Scores:   game.Points,
		Start:    player.FromHistory,
		Carries:  carries,
		Keeps:    "folder",
		Checks:   Checks,
	}
}
