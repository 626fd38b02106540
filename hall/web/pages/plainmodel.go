package pages

import "html/template"

// Plain is a room for browsers without scripts: a picture, and forms.
type Plain struct {
	*Room
	// Board is the picture of the game as the reader may see it, as an address that holds it; Text is
	// the same for browsers without pictures. Both are empty while there is no board.
	Board template.URL
	Text  string
	// Says tells whose turn it is and what is to be done, Tried what came of the last try.
	Says, Tried string
	// Paused tells that the game is paused, or will be after the move under way.
	Paused bool
	Sides  [2]PlainSide
	// Prompt is the number of what is asked of the reader, 0 for nothing.
	Prompt int
	// Moves are those that may be made; none where they are too many to choose from, and one is
	// typed.
	Moves []PlainMove
	// Latest are the latest moves in words, the last one last.
	Latest []string
	// Theirs is what the opponent asks, Mine what the reader has asked; empty for nothing.
	Theirs, Asking string
	// Ask is the number of what the opponent asks.
	Ask int
	// Renews is after how many seconds the page asks again by itself, 0 for never.
	Renews int
}

// PlainSide is a player above the board.
type PlainSide struct {
	Name, Colour, Clock string
	Score               string
	Turn                bool
}

// PlainMove is a move of a list: its name, and what it is called there.
type PlainMove struct{ Name, Label string }
