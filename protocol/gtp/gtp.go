package gtp

import (
	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Protocol returns the entry for the list of protocols.
func (l Forms) Protocol() protocol.Protocol {
	return protocol.Protocol{
		ID:       "gtp",
		Games:    l.games(),
		Default:  l.defaults(),
		Dialects: dialects(),
		Host:     func(c protocol.Config) (player.Player, error) { return l.NewHost(c) },
		Serve:    l.Serve,
		Hint:     hint,
		Scores:   game.NoUnit,
		Start:    player.FromHistory,
		Checks:   l.Checks,
	}
}

func dialects() []protocol.Dialect {
	return []protocol.Dialect{
		{Key: "letters", Default: "auto", Values: []string{"auto", "all", "no-i"}},
		{Key: "rows", Default: "auto", Values: []string{"auto", "top", "bottom"}},
		{Key: "colour", Default: "short", Values: []string{"short", "long"}},
		{Key: "ids", Default: "off", Values: []string{"on", "off"}},
		{Key: "time", Default: "auto", Values: []string{"auto", "always", "off"}},
		{Key: "set_game", Default: "auto"},
		{Key: "passes", Default: "auto", Values: []string{"auto", "send", "skip"}},
		{Key: "turn", Default: "auto", Values: []string{"auto", "whole", "points", "alternate"}},
		{Key: "join", Default: "auto", Values: []string{"auto", "comma", "hyphen", "blank", "none"}},
		{Key: "first", Default: "auto", Values: []string{"auto", "black", "white"}},
	}
}
