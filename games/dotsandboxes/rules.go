// Package dotsandboxes is Dots and Boxes on square boards: the rules, a fast board
// for engines, and the texts of moves and positions.
package dotsandboxes

import (
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// PhaseLine is the game's only phase.
const PhaseLine = "line"

// Full is the game's only end code.
const Full game.Reason = "full"

// DefaultSize is the number of boxes along one side on the board of tournaments.
const DefaultSize = 5

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    "dotsandboxes",
		Title: "Dots and Boxes",
		Options: []rules.Option{{
			Key: "size", Default: strconv.Itoa(DefaultSize), Min: 1, Max: MaxSize,
			Doc: "boxes along one side; there is one dot more. 5 as on the SAU platform and in CCGC tournaments",
		}},
		New: open,
	}
}

func open(spec game.Spec) (rules.Rules, error) {
	text, ok := spec.Option("size")
	if !ok {
		text = strconv.Itoa(DefaultSize)
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < 1 || size > MaxSize {
		return nil, fmt.Errorf("size %q is not a whole number from 1 to %d", text, MaxSize)
	}
	return &ruleSet{
		spec: spec, size: size, doc: doc(size),
		names: grid.Names{Width: size + 1, Height: size + 1},
	}, nil
}

func doc(size int) rules.Doc {
	return rules.Doc{
		Title: "Dots and Boxes", Width: size + 1, Height: size + 1, Info: rules.Perfect,
		Phases:  []string{PhaseLine},
		Reasons: []rules.Code{{Word: string(Full), Meaning: "all lines are drawn: who has more boxes has won, as many is a draw"}},
		Pieces: []rules.Code{
			{Word: "b", Meaning: "box of black, the first seat"},
			{Word: "w", Meaning: "box of white, the second seat"},
		},
		Colours:  [2]game.Colour{game.Black, game.White},
		MaxPlies: 2 * size * (size + 1),
		Source:   "Edouard Lucas, 1889 (la Pipopipette); SAU platform rules, with black moving first and play to the last line",
	}
}

type ruleSet struct {
	spec  game.Spec
	size  int
	doc   rules.Doc
	names grid.Names // of the dots
}

func (r *ruleSet) Spec() game.Spec  { return r.spec }
func (r *ruleSet) Doc() *rules.Doc  { return &r.doc }
func (r *ruleSet) New() rules.State { return &State{rules: r, board: NewBoard(r.size)} }

// Symmetries returns the eight symmetries of the square as they act on dots.
func (r *ruleSet) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(r.size+1, r.size+1)
}
