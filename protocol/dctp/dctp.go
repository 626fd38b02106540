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
		Games:    []string{"darkchess"},
		Default:  []string{"darkchess"},
		Dialects: dialects(),
		Host:     func(c protocol.Config) (player.Player, error) { return NewHost(c) },
		Serve:    Serve,
		Hint:     hint,
		Returns:  "by move or flip",
		Scores:   game.NoUnit,
		Start:    player.FromHistory,
		Checks:   Checks,
	}
}

func dialects() []protocol.Dialect {
	return []protocol.Dialect{
		{Key: "hello", Default: "on", Values: []string{"on", "off"}},
		{Key: "settings", Default: "on", Values: []string{"on", "off"}},
		{Key: "time", Default: "on", Values: []string{"on", "off"}},
		{Key: "untimed", Default: "900000"},
		{Key: "game_over", Default: "on", Values: []string{"on", "off"}},
	}
}
