package othello

import (
	"kibitz/game"
	"kibitz/rules"
)

// ID is the name of the game on the command line.
const ID = "othello"

// The game's own end codes.
const (
	// Full is the end on a full board.
	Full game.Reason = "full"
	// Blocked is the end with empty squares on which neither side can move.
	Blocked game.Reason = "blocked"
	// Wipeout is the end in which one side has no disc left.
	Wipeout game.Reason = "wipeout"
)

// phase is the only label of a turn.
const phase = "move"

// Game returns the entry for the list of games. It has no options.
func Game() rules.Game {
	return rules.Game{
		ID:    ID,
		Title: "Othello",
		New:   func(spec game.Spec) (rules.Rules, error) { return &Rules{spec: spec, doc: newDoc()}, nil },
	}
}

func newDoc() *rules.Doc {
	return &rules.Doc{
		Title:  "Othello",
		Width:  Size,
		Height: Size,
		Info:   rules.Perfect,
		Phases: []string{phase},
		Reasons: []rules.Code{
			{Word: string(Full), Meaning: "the board is full; more discs win"},
			{Word: string(Blocked), Meaning: "neither side can move; more discs win, empty squares count for the winner"},
			{Word: string(Wipeout), Meaning: "one side has no discs left and loses 64-0"},
		},
		Pieces: []rules.Code{
			{Word: "B", Meaning: "black disc"},
			{Word: "W", Meaning: "white disc"},
		},
		Colours: [2]game.Colour{game.Black, game.White},
		// 60 discs, and no more passes than discs: two in a row end the game.
		MaxPlies: 120,
		Source:   "World Othello Federation, Official Rules; empty squares to the winner",
	}
}

// Rules are the rules of Othello.
type Rules struct {
	spec game.Spec
	doc  *rules.Doc
}

var (
	_ rules.Rules     = (*Rules)(nil)
	_ rules.Symmetric = (*Rules)(nil)
)

// Spec returns "othello".
func (r *Rules) Spec() game.Spec { return r.spec }

// Doc returns the description of the game.
func (r *Rules) Doc() *rules.Doc { return r.doc }

// New returns the initial position.
func (r *Rules) New() rules.State { return NewState(Start(), game.First) }

// Position returns the position of a board line; see ParsePosition.
func (r *Rules) Position(text string) (rules.State, error) {
	b, seat, err := ParsePosition(text)
	if err != nil {
		return nil, err
	}
	return NewState(b, seat), nil
}

// ParseMove reads a square or a pass; see ParseMove of the package.
func (r *Rules) ParseMove(text string) (game.Move, error) { return ParseMove(text) }

// FormatMove writes "f5" or "pa".
func (r *Rules) FormatMove(m game.Move) string { return FormatMove(m) }

// Symmetries returns the four transformations that leave the initial position as
// it is: identity, half turn, and the reflections in both diagonals. The other
// four of the square exchange the colours of the start.
func (r *Rules) Symmetries() []func(game.Point) game.Point {
	const last = Size - 1
	return []func(game.Point) game.Point{
		func(p game.Point) game.Point { return p },
		func(p game.Point) game.Point { return game.Point{X: last - p.X, Y: last - p.Y} },
		func(p game.Point) game.Point { return game.Point{X: p.Y, Y: p.X} },
		func(p game.Point) game.Point { return game.Point{X: last - p.Y, Y: last - p.X} },
	}
}
