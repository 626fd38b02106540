package player

import "kibitz/game"

// Position is the board that the engine side of a protocol keeps. Protocols know
// no rules; whoever serves an engine passes one in.
type Position interface {
	// Reset starts the game of the specification, from a text position if start
	// is not empty. Unknown specifications are an error for people.
	Reset(spec game.Spec, start string) error
	Spec() game.Spec
	Size() (width, height int)
	Turn() game.Turn
	// Colours are what the seats play with now.
	Colours() [2]game.Colour
	Legal(dst []game.Move) []game.Move
	Check(m game.Move) error
	// Apply makes a decision of the seat on turn, the dealer's included.
	Apply(m game.Move) ([]game.Notice, error)
	// Undo takes back the latest n decisions.
	Undo(n int) error
	// Len returns how many decisions were applied since the start.
	Len() int
	Result() (game.Result, bool)
	// Prolong lets a game go on that a count alone has ended (repetition, plies
	// without a capture), from the same board, and reports whether it does. Undo
	// keeps what came after it possible.
	Prolong() bool
	View(a game.Audience) game.View
	Text() string
	ParseMove(text string) (game.Move, error)
	FormatMove(m game.Move) string
}

// Arranger is implemented by positions of which some games let stones be put anywhere,
// with either seat on turn.
type Arranger interface {
	// Arrange returns the text of a position of the game in force with these stones;
	// false where the game has no such positions. owner is game.Nobody of empty points.
	Arrange(owner func(game.Point) game.Seat, toMove game.Seat) (text string, ok bool)
}
