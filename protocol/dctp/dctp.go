package dctp

import (
	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Protocol returns the entry for the list of protocols.
func Protocol() protocol.Protocol {
	return protocol.Protocol{
		ID:       "dctp",
		Title:    "DCTP, the dark chess text protocol",
		Games:    []string{"darkchess"},
		Default:  []string{"darkchess"},
		Dialects: dialects(),
		Host:     func(c protocol.Config) (player.Player, error) { return NewHost(c) },
		Serve:    Serve,
		Hint:     hint,
		Scores:   game.NoUnit,
		Start:    player.FromHistory,
		Checks:   Checks,
	}
}

func dialects() []protocol.Dialect {
	return []protocol.Dialect{
		{Key: "hello", Default: "on", Values: []string{"on", "off"}, Doc: "ask for protocol_version, name and version after the start"},
		{
			Key: "settings", Default: "on", Values: []string{"on", "off"},
			Doc: "send boardsize, num_repetition and num_moves_to_draw; some engines crash on them",
		},
		{Key: "time", Default: "on", Values: []string{"on", "off"}, Doc: "send time_settings and time_left"},
		{Key: "untimed", Default: "900000", Doc: "milliseconds that an engine without a main time is told"},
		{Key: "game_over", Default: "on", Values: []string{"on", "off"}, Doc: "send game_over at the end of a game"},
	}
}
