// Package breakthrough is Breakthrough on the board of 8x8: the rules, a fast board for
// engines, and the texts of moves and positions.
package breakthrough

import (
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// PhaseMove is the only phase of a turn.
const PhaseMove = "move"

// The end codes.
const (
	Goal  game.Reason = "goal"  // a man is on the last row
	Taken game.Reason = "taken" // a side has no man left
)

// maxPlies bounds a game. A man of the first row goes six steps at most and one of the
// second five, without coming to the last row; one step more ends the game.
const maxPlies = 2*Size*(6+5) + 1

var names = grid.Names{Width: Size, Height: Size}

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{ID: "breakthrough", Title: "Breakthrough", New: open}
}

type ruleSet struct {
	spec game.Spec
	doc  rules.Doc
}

func open(spec game.Spec) (rules.Rules, error) {
	return &ruleSet{spec, rules.Doc{
		Title: "Breakthrough", Width: Size, Height: Size, Info: rules.Perfect,
		Phases: []string{PhaseMove},
		Reasons: []rules.Code{
			{Word: string(Goal), Meaning: "a man of the winner reached the last row"},
			{Word: string(Taken), Meaning: "all men of the loser were taken"},
		},
		Pieces:   []rules.Code{{Word: "w", Meaning: "white man"}, {Word: "b", Meaning: "black man"}},
		Colours:  colours,
		MaxPlies: maxPlies,
		Source:   "Dan Troyka, 2000; White moves first, as in Fairy-Stockfish",
	}}, nil
}

func (r *ruleSet) Spec() game.Spec  { return r.spec }
func (r *ruleSet) Doc() *rules.Doc  { return &r.doc }
func (r *ruleSet) New() rules.State { return newState(StartBoard()) }

// Symmetries returns the identity and the reflection of left and right: men know up
// from down.
func (r *ruleSet) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(Size, Size)[:2]
}
