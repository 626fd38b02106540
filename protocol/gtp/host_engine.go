package gtp

import (
	"slices"
	"strings"

	"kibitz/game"
)

// abilities are the commands that an engine has listed.
type abilities struct {
	listed   bool // it answered list_commands
	commands map[string]bool
}

// note takes commands from a line of the list.
func (a *abilities) note(line string) {
	for word := range strings.FieldsSeq(line) {
		if len(a.commands) < 1000 {
			a.commands[strings.ToLower(word)] = true
		}
	}
}

// lists reports whether the engine has listed a command.
func (a *abilities) lists(command string) bool { return a.listed && a.commands[command] }

// knows reports whether the engine has a command; one that does not list its
// commands is taken to have those that the protocol demands.
func (a *abilities) knows(command string) bool {
	return a.lists(command) || !a.listed && command == "undo"
}

// missing returns which of the commands the engine does not list.
func (a *abilities) missing(commands []string) []string {
	return slices.DeleteFunc(slices.Clone(commands), a.lists)
}

// palette is what the seats play with, and how an engine is told it.
type palette struct {
	long    bool // colours are words
	swapped bool // the colours of the game are exchanged
	seats   [2]game.Colour
}

// set takes over what the seats play with, unless that is open.
func (p *palette) set(c [2]game.Colour) {
	if c[0] != game.NoColour {
		p.seats = c
	}
}

func (p *palette) of(s game.Seat) game.Colour {
	if s.IsPlayer() {
		return p.seats[s]
	}
	return game.NoColour
}

// word is what a colour is called in a command.
func (p *palette) word(c game.Colour) string {
	if p.swapped {
		c = other(c)
	}
	switch {
	case c == game.White && p.long:
		return "white"
	case c == game.White:
		return "w"
	case p.long:
		return "black"
	}
	return "b"
}
