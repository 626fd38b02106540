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
		Title:    "Go Text Protocol 2",
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
		{
			Key: "letters", Default: "auto", Values: []string{"auto", "all", "no-i"},
			Doc: "column letters: all of them, or without i as on Go boards; auto takes what is usual for the game",
		},
		{Key: "rows", Default: "auto", Values: []string{"auto", "top", "bottom"}, Doc: "where row 1 is; auto takes what is usual for the game"},
		{Key: "colour", Default: "short", Values: []string{"short", "long"}, Doc: "b and w, or black and white"},
		{Key: "ids", Default: "off", Values: []string{"on", "off"}, Doc: "number the commands"},
		{
			Key: "time", Default: "auto", Values: []string{"auto", "always", "off"},
			Doc: "send time commands: to engines that list them, to all, to none",
		},
		{Key: "set_game", Default: "auto", Doc: "name for the command set_game: auto sends it to engines that list it, off never"},
		{
			Key: "passes", Default: "auto", Values: []string{"auto", "send", "skip"},
			Doc: "tell the engine of forced passes: until it refuses one, always, never",
		},
		{
			Key: "turn", Default: "auto", Values: []string{"auto", "whole", "points", "alternate"},
			Doc: "turns of several points: in one command, in a command for each point, or in one for each point with " +
				"the colours in turn; auto begins with whole",
		},
		{
			Key: "join", Default: "auto", Values: []string{"auto", "comma", "hyphen", "blank", "none"},
			Doc: "what is written between the points of a turn; auto takes what is usual for the game",
		},
		{
			Key: "first", Default: "auto", Values: []string{"auto", "black", "white"},
			Doc: "colour of the side that moves first; auto takes what is usual for the game",
		},
	}
}
